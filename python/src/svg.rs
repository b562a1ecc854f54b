//! A drawing of a position.

use std::fmt::Write;

use movegen::{Position, Role, Square};

const SIZE: usize = 45;
const HEAD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 360" width="360" font-size="40" text-anchor="middle" stroke="black">"#;

pub(crate) fn svg(position: &Position) -> String {
    let mut svg = String::from(HEAD);
    for square in Square::all() {
        let (file, rank) = (square.file().index(), square.rank().index());
        let (x, y) = (SIZE * file, SIZE * (7 - rank));
        let is_dark = (file + rank) % 2 == 0;
        let fill = if is_dark { "#b58863" } else { "#f0d9b5" };
        let _ = write!(
            svg,
            r#"<rect x="{x}" y="{y}" width="{SIZE}" height="{SIZE}" fill="{fill}" stroke="none"/>"#
        );
        if let Some(piece) = position.piece_on(square) {
            let (x, y) = (x + 22, y + 37);
            let fill = piece.color().name();
            let symbol = match piece.role() {
                Role::Pawn => '♟',
                Role::Knight => '♞',
                Role::Bishop => '♝',
                Role::Rook => '♜',
                Role::Queen => '♛',
                Role::King => '♚',
            };
            let _ = write!(
                svg,
                r#"<text x="{x}" y="{y}" fill="{fill}">{symbol}&#xfe0e;</text>"#
            );
        }
    }
    svg + "</svg>"
}
