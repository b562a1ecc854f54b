//! A game as a self-contained HTML page: the board, the moves, a graph of the evaluations and
//! the key moments. The page contains the game as JSON, and its script creates no markup from
//! text, so that names and comments cannot inject any.

use serde::{Deserialize, Serialize};

use super::tree::{self, Node};
use game::NAME;
use game::annotation::{self, Evaluation, GameReport, Heading, SideReport};
use game::pgn::Record;

const BODY: &str = include_str!("page/body.html");
const STYLE: &str = concat!(
    include_str!("../../../../assets/theme.css"),
    include_str!("../../../../assets/board.css"),
    include_str!("../../../../assets/moves.css"),
    include_str!("page/style.css"),
);
const SCRIPT: &str = concat!(
    include_str!("../../../../assets/board.js"),
    include_str!("../../../../assets/words.js"),
    include_str!("../../../../assets/graph.js"),
    include_str!("page/lines.js"),
    include_str!("page/script.js"),
);
const PIECES: &str = include_str!("../../../../assets/pieces.svg");

const INDEX_STYLE: &str = concat!(
    include_str!("../../../../assets/theme.css"),
    include_str!("index/style.css"),
);

const INDEX_SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("../../../../assets/words.js"),
    include_str!("index/script.js"),
);

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

/// A line of the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct IndexEntry {
    pub(super) page: String,
    pub(super) heading: Heading,
    pub(super) white: SideReport,
    pub(super) black: SideReport,
    /// The number of the last move.
    pub(super) moves: usize,
}

/// Returns the page of a game.
pub(super) fn page(
    record: &Record,
    heading: &Heading,
    evaluations: &[Evaluation],
    report: &GameReport,
) -> Result<String, serde_json::Error> {
    let data = PageData {
        program: NAME,
        heading,
        white: &report.white,
        black: &report.black,
        nodes: tree::nodes(record, evaluations, report),
        moments: key_moments(report),
        pgn: record.pgn(),
    };
    let title = format!("{} – {}", heading.white.name, heading.black.name);
    document(&title, STYLE, &format!("{PIECES}{BODY}"), &data, SCRIPT)
}

/// Returns the page that lists the pages of many games.
pub(super) fn index(games: &[IndexEntry]) -> Result<String, serde_json::Error> {
    let body = include_str!("index/body.html");
    document("Annotated games", INDEX_STYLE, body, &games, INDEX_SCRIPT)
}

/// Assembles a document that loads nothing.
fn document(
    title: &str,
    style: &str,
    body: &str,
    data: &impl Serialize,
    script: &str,
) -> Result<String, serde_json::Error> {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    // Without '<' the data cannot end its script element.
    let data = serde_json::to_string(data)?.replace('<', "\\u003c");
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\
         <noscript>This page needs JavaScript.</noscript>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n{script}</script>\n</body>\n</html>\n"
    ))
}

/// The indices of the positions after the most costly moves, in the order of the game.
fn key_moments(report: &GameReport) -> Vec<usize> {
    let numbered = report.losses.iter().zip(1..);
    let mut costly: Vec<_> = numbered
        .filter(|(loss, _)| annotation::assessment(**loss).is_some())
        .collect();
    costly.sort_by(|(one, _), (other, _)| other.points.total_cmp(&one.points));
    let mut moments: Vec<usize> = costly
        .into_iter()
        .take(MAX_KEY_MOMENTS)
        .map(|(_, index)| index)
        .collect();
    moments.sort_unstable();
    moments
}
