//! A game as a self-contained HTML page: the board, the moves, a graph of the evaluations and
//! the key moments. The page contains the game as JSON, and its script creates no markup from
//! text, so that names and comments cannot inject any.

use serde::Serialize;

use super::tree::{self, Node};
use formats::pgn::Record;
use game::NAME;
use game::annotation::{Evaluation, GameReport, Heading, SideReport};

const BODY: &str = concat!(
    include_str!("../../../../web/shared/pieces.svg"),
    include_str!("../../../../web/annotate/game.html"),
);
const STYLE: &str = concat!(
    include_str!("../../../../web/shared/theme.css"),
    include_str!("../../../../web/shared/board.css"),
    include_str!("../../../../web/shared/moves.css"),
    include_str!("../../../../web/annotate/game.css"),
);
const MODULES: &[&str] = &[
    include_str!("../../../../web/shared/dom.js"),
    include_str!("../../../../web/shared/notation.js"),
    include_str!("../../../../web/shared/game_info.js"),
    include_str!("../../../../web/shared/diagram.js"),
    include_str!("../../../../web/shared/graph.js"),
    include_str!("../../../../web/annotate/lines.js"),
    include_str!("../../../../web/annotate/game.js"),
];

const MAX_KEY_MOMENTS: usize = 6;

/// The data for the script.
#[derive(Serialize)]
struct PageData<'a> {
    program: &'static str,
    heading: &'a Heading,
    white: &'a SideReport,
    black: &'a SideReport,
    /// The start position and the position after each move.
    nodes: Vec<Node>,
    /// The indices of the positions after the most costly moves.
    moments: Vec<usize>,
    pgn: String,
}

/// Returns the page of a game.
pub(super) fn page(
    record: &Record,
    heading: &Heading,
    evaluations: &[Evaluation],
    report: &GameReport,
) -> Result<String, serde_json::Error> {
    let moments = report.decisive(MAX_KEY_MOMENTS);
    let data = PageData {
        program: NAME,
        heading,
        white: &report.white,
        black: &report.black,
        nodes: tree::nodes(record, evaluations, report),
        moments: moments.into_iter().map(|ply| ply + 1).collect(),
        pgn: record.pgn(),
    };
    let title = format!("{} – {}", heading.white.name, heading.black.name);
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    // Without '<' the data cannot end its script element.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let script = one_module();
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}\
         <noscript>This page needs JavaScript.</noscript>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script type=\"module\">\n{script}</script>\n</body>\n</html>\n"
    ))
}

/// Joins modules, each after those it imports: a page opened from disk cannot load any. Their
/// top-level names must differ, and imports must not rename.
fn one_module() -> String {
    let mut script = String::new();
    let mut in_import = false;
    for line in MODULES.iter().flat_map(|module| module.lines()) {
        in_import |= line.starts_with("import ");
        if !in_import {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
        in_import &= !line.ends_with(';');
    }
    script
}
