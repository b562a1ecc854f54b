//! The page: the files of `web/`, embedded.

/// The path of the page's style sheet.
pub(crate) const STYLE_PATH: &str = "/style.css";

const DOCUMENT: &str = include_str!("../../../web/board/index.html");
const PIECES: &str = concat!(
    include_str!("../../../web/shared/pieces.svg"),
    include_str!("../../../web/board/staunton.svg"),
);
/// The mark that the drawings of the pieces replace: scripts and styles refer to them there.
const PIECES_MARK: &str = "<!-- pieces -->";

pub(crate) const STYLE: &str = concat!(
    include_str!("../../../web/shared/theme.css"),
    include_str!("../../../web/shared/board.css"),
    include_str!("../../../web/shared/moves.css"),
    include_str!("../../../web/board/style.css"),
    include_str!("../../../web/board/settings.css"),
    include_str!("../../../web/board/chessboard/chessboard.css"),
    include_str!("../../../web/board/editor/editor.css"),
    include_str!("../../../web/board/games/games.css"),
    include_str!("../../../web/board/play/play.css"),
    include_str!("../../../web/board/analysis/analysis.css"),
    include_str!("../../../web/board/training/training.css"),
    include_str!("../../../web/board/openings/openings.css"),
    include_str!("../../../web/board/castling/castling.css"),
    include_str!("../../../web/board/tridim/tridim.css"),
);

macro_rules! modules {
    ($($path:literal,)*) => {
        &[$(($path, include_str!(concat!("../../../web", $path)))),*]
    };
}

/// The JavaScript modules by their paths, which are those of `web/`, so that they can import each
/// other.
pub(crate) const MODULES: &[(&str, &str)] = modules![
    "/board/analysis/analysis.js",
    "/board/analysis/chances.js",
    "/board/analysis/engine_lines.js",
    "/board/analysis/glyphs.js",
    "/board/analysis/import.js",
    "/board/analysis/move_tree.js",
    "/board/analysis/open_game.js",
    "/board/analysis/report.js",
    "/board/analysis/tables.js",
    "/board/analysis/tags.js",
    "/board/annotation.js",
    "/board/background.js",
    "/board/castling/castling.js",
    "/board/chessboard/chessboard.js",
    "/board/chessboard/marks.js",
    "/board/chessboard/pieces.js",
    "/board/chessboard/promotion.js",
    "/board/chessboard/shapes.js",
    "/board/chessboard/typed.js",
    "/board/controls.js",
    "/board/editor/dialog.js",
    "/board/editor/editor.js",
    "/board/editor/setup.js",
    "/board/frame.js",
    "/board/games/door.js",
    "/board/games/filter.js",
    "/board/games/finder.js",
    "/board/games/games.js",
    "/board/games/players.js",
    "/board/language.js",
    "/board/languages/de.js",
    "/board/languages/es.js",
    "/board/look.js",
    "/board/main.js",
    "/board/menu.js",
    "/board/openings/openings.js",
    "/board/play/material.js",
    "/board/play/new_game.js",
    "/board/play/play.js",
    "/board/play/premoves.js",
    "/board/play/review.js",
    "/board/report.js",
    "/board/settings.js",
    "/board/shortcuts.js",
    "/board/socket.js",
    "/board/sound.js",
    "/board/storage.js",
    "/board/toast.js",
    "/board/training/choice.js",
    "/board/training/progress.js",
    "/board/training/training.js",
    "/board/tridim/geometry.js",
    "/board/tridim/lists.js",
    "/board/tridim/marks.js",
    "/board/tridim/render.js",
    "/board/tridim/rules.js",
    "/board/tridim/scene.js",
    "/board/tridim/setup.js",
    "/board/tridim/tridim.js",
    "/board/tridim/view.js",
    "/shared/diagram.js",
    "/shared/dom.js",
    "/shared/game_info.js",
    "/shared/graph.js",
    "/shared/letters.js",
    "/shared/notation.js",
];

/// The document, which loads only the style and the modules of this server.
pub(crate) fn document() -> String {
    DOCUMENT.replace(PIECES_MARK, PIECES)
}

/// The sites from which the page loads games, when its user asks for them.
const SITES: &str = "https://lichess.org https://api.chess.com";

/// The content security policy, given the sources of WebSockets.
pub(crate) fn policy(sockets: &str) -> String {
    format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
         connect-src 'self' {sockets} {SITES}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use test_common::repository_path;

    use super::{MODULES, PIECES, SITES, STYLE, STYLE_PATH, document};

    #[test]
    fn the_page_is_small_and_loads_nothing_else() {
        let document = document();
        assert!(document.contains(PIECES) && document.contains(STYLE_PATH));
        // A catalog of a language is loaded where it is chosen.
        let modules = MODULES
            .iter()
            .filter(|(path, _)| !path.contains("/languages/"));
        let scripts = modules.map(|&(_, script)| script);
        let parts: Vec<&str> = [document.as_str(), STYLE]
            .into_iter()
            .chain(scripts)
            .collect();
        assert!(!STYLE.contains("@import"));
        let bytes: usize = parts.iter().map(|part| part.len()).sum();
        assert!(bytes < 450_000, "{bytes} bytes");
        // The sites are asked only by the module for that, and only when the user wants it.
        let import = MODULES
            .iter()
            .find(|(path, _)| path.ends_with("/import.js"));
        let import = import.map(|&(_, script)| script).expect("the module");
        assert_eq!(
            import.matches("https://").count(),
            SITES.matches("https://").count()
        );
        for part in parts.into_iter().filter(|&part| part != import) {
            for address in ["http://", "https://", "//cdn"] {
                let found = part.replace("http://www.w3.org/2000/svg", "");
                assert!(!found.contains(address), "{address}");
            }
        }
    }

    #[test]
    fn every_module_is_served() {
        let web = repository_path("web").display().to_string();
        let mut found = BTreeSet::new();
        let mut folders = vec!["/board".to_owned(), "/shared".to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(format!("{web}{folder}")).expect("a folder") {
                let name = entry.expect("an entry").file_name();
                let path = format!("{folder}/{}", name.display());
                match Path::new(&path).extension() {
                    Some(extension) if extension == "js" => _ = found.insert(path),
                    Some(_) => {}
                    None => folders.push(path),
                }
            }
        }
        assert_eq!(
            found,
            MODULES.iter().map(|&(path, _)| path.to_owned()).collect()
        );
    }
}
