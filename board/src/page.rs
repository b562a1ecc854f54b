//! The page: its parts are embedded, and put together when the server starts.

/// Where the page's script finds the addresses of its parts.
pub(crate) const STYLE_PATH: &str = "/style.css";
pub(crate) const SCRIPT_PATH: &str = "/script.js";

const BODY: &str = include_str!("../page/index.html");
const PIECES: &str = include_str!("../../assets/pieces.svg");

pub(crate) const STYLE: &str = concat!(
    include_str!("../../assets/theme.css"),
    include_str!("../../assets/board.css"),
    include_str!("../../assets/moves.css"),
    include_str!("../page/style.css"),
    include_str!("../page/chessboard.css"),
    include_str!("../page/play.css"),
    include_str!("../page/analysis.css"),
    include_str!("../page/castling.css"),
    include_str!("../page/tridim.css"),
);

pub(crate) const SCRIPT: &str = concat!(
    include_str!("../../assets/board.js"),
    include_str!("../../assets/words.js"),
    include_str!("../../assets/graph.js"),
    include_str!("../page/app.js"),
    include_str!("../page/chessboard.js"),
    include_str!("../page/sound.js"),
    include_str!("../page/play_dialog.js"),
    include_str!("../page/play.js"),
    include_str!("../page/engine_lines.js"),
    include_str!("../page/move_tree.js"),
    include_str!("../page/analysis.js"),
    include_str!("../page/castling.js"),
    include_str!("../page/tridim_geometry.js"),
    include_str!("../page/tridim_view.js"),
    include_str!("../page/tridim.js"),
    "App.start();\n",
);

/// The document, which loads only the style and the script of this server.
pub(crate) fn document() -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Castellan Board</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"{STYLE_PATH}\">\n\
         <script src=\"{SCRIPT_PATH}\" defer></script>\n</head>\n<body>\n{PIECES}{BODY}</body>\n</html>\n"
    )
}

/// The content security policy, given the sources of WebSockets.
pub(crate) fn policy(sockets: &str) -> String {
    format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
         connect-src 'self' {sockets}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, STYLE, document};

    #[test]
    fn the_page_is_small_and_loads_nothing_else() {
        let parts = [document(), STYLE.to_owned(), SCRIPT.to_owned()];
        let bytes: usize = parts.iter().map(String::len).sum();
        assert!(bytes < 300_000, "{bytes} bytes");
        for part in parts {
            for address in ["http://", "https://", "//cdn", "@import"] {
                let found = part.replace("http://www.w3.org/2000/svg", "");
                assert!(!found.contains(address), "{address}");
            }
        }
    }
}
