//! A drawing of the boards of Tri-Dimensional chess.

use std::fmt::{Display, Write};

use tridim::{Board, Color, Flank, Piece, Pin, Position, Square, SquareSet, file_letter};

/// Width and depth of a square, and the height of a level.
const WIDTH: f64 = 52.0;
const DEPTH: f64 = 34.0;
const LEVEL_HEIGHT: f64 = 150.0;
/// The height of an attack board above its main board, in levels.
const RAISED: f64 = 0.45;
const MARGIN: f64 = 30.0;
/// The distance from an attack board to the main boards.
const ASIDE: f64 = 44.0;
const PICTURE_WIDTH: f64 = 2.0 * MARGIN + 8.0 * WIDTH + 2.0 * ASIDE;
const PICTURE_HEIGHT: f64 = 790.0;
/// The distance of the band around an attack board from its squares.
const BAND: f64 = 2.5;
/// The radius of the disc of a piece.
const RADIUS: f64 = 14.0;
/// The front edge of rank 0 on the lowest level.
const FLOOR: f64 = PICTURE_HEIGHT - 38.0;

const STYLE: &str = "text{font-family:'DejaVu Sans',Arial,sans-serif;text-anchor:middle;dominant-baseline:central}\
    .name{font-size:17px;font-weight:bold;fill:#333}.edge{font-size:11px;fill:#666}\
    .pin{font-size:11px;fill:#999}.free{fill:none;stroke:#bbb;stroke-dasharray:3 4}\
    .light{fill:#efe4cd}.dark{fill:#b58f63}.marked{fill:#ffd54a;fill-opacity:.6}\
    .rim{fill:none;stroke:#5b4327;stroke-width:2}\
    .whites{fill:none;stroke:#fff;stroke-width:3}.blacks{fill:none;stroke:#111;stroke-width:3}\
    .white{fill:#fff;stroke:#222;stroke-width:1.5}.black{fill:#222;stroke:#000;stroke-width:1.5}\
    .piece{font-size:18px;font-weight:bold}\
    .king{stroke:#b3261e;fill:none;stroke-width:3}.rook{stroke:#1e4fb3;fill:none;stroke-width:3}";

/// The lower left corner of a board.
fn corner(board: Board) -> (f64, f64) {
    let files = MARGIN + 2.0 * WIDTH + ASIDE;
    let (x, levels) = match board {
        Board::White => (files, 0.0),
        Board::Neutral => (files, 1.0),
        Board::Black => (files, 2.0),
        Board::Attack(pin) => {
            let left = match pin.flank() {
                Flank::Queen => MARGIN,
                Flank::King => files + 4.0 * WIDTH + ASIDE,
            };
            (left, f64::from((pin.level() - 1) / 2) + RAISED)
        }
    };
    let y = FLOOR - levels * LEVEL_HEIGHT - f64::from(board.lowest_rank()) * DEPTH;
    (x, y)
}

/// The center of a square.
fn center(square: Square) -> (f64, f64) {
    let board = square.board();
    let (x, y) = corner(board);
    let file = f64::from(square.file() - board.first_file());
    let rank = f64::from(square.rank() - board.lowest_rank());
    (x + (file + 0.5) * WIDTH, y - (rank + 0.5) * DEPTH)
}

pub(super) fn picture(position: &Position) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {PICTURE_WIDTH} {PICTURE_HEIGHT}\">\
         \n<title>{position}</title>\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f7f5f0\"/>\n"
    );
    for pin in Pin::all().filter(|&pin| position.placement().owner(pin).is_none()) {
        free_pin(pin, &mut svg);
    }
    for board in position.placement().boards() {
        draw_board(position, board, &mut svg);
    }
    svg.push_str("</svg>");
    svg
}

// Writing to a string cannot fail: the results below are ignored.

fn free_pin(pin: Pin, svg: &mut String) {
    let (x, y) = corner(Board::Attack(pin));
    let (width, depth) = (2.0 * WIDTH, 2.0 * DEPTH);
    let top = y - depth;
    let _ = writeln!(
        svg,
        "<rect class=\"free\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{depth}\"/>\
         <text class=\"pin\" x=\"{}\" y=\"{}\">{pin}</text>",
        x + WIDTH,
        y - DEPTH
    );
}

fn draw_board(position: &Position, board: Board, svg: &mut String) {
    let (x, y) = corner(board);
    let size = f64::from(board.width());
    for square in SquareSet::of_board(board) {
        draw_square(square, position.piece_on(square), svg);
    }
    let (width, depth) = (size * WIDTH, size * DEPTH);
    let top = y - depth;
    let _ = writeln!(
        svg,
        "<rect class=\"rim\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{depth}\"/>\
         <text class=\"name\" x=\"{}\" y=\"{}\">{board}</text>",
        x + width / 2.0,
        top - 13.0
    );
    if let Some(owner) = position.placement().board_owner(board) {
        let class = match owner {
            Color::White => "whites",
            Color::Black => "blacks",
        };
        // A band around the rim shows the owner of the board.
        let (left, top) = (x - BAND, top - BAND);
        let (width, depth) = (width + 2.0 * BAND, depth + 2.0 * BAND);
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{depth}\"/>"
        );
    }
    for square in SquareSet::of_board(board) {
        let (center_x, center_y) = center(square);
        if square.rank() == board.lowest_rank() {
            edge(center_x, y + 11.0, file_letter(square.file()), svg);
        }
        if square.file() == board.first_file() {
            edge(x - 10.0, center_y, square.rank(), svg);
        }
    }
}

fn edge(x: f64, y: f64, name: impl Display, svg: &mut String) {
    let _ = writeln!(
        svg,
        "<text class=\"edge\" x=\"{x}\" y=\"{y}\">{name}</text>"
    );
}

fn draw_square(square: Square, piece: Option<Piece>, svg: &mut String) {
    let (x, y) = center(square);
    let (left, top) = (x - WIDTH / 2.0, y - DEPTH / 2.0);
    let shade = if square.is_dark() { "dark" } else { "light" };
    let _ = writeln!(
        svg,
        "<rect class=\"{shade}\" x=\"{left}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{DEPTH}\"/>"
    );
    if let Some(piece) = piece {
        let (disc, ink) = match piece.color() {
            Color::White => ("white", "#222"),
            Color::Black => ("black", "#fff"),
        };
        let letter = piece.role().letter().to_ascii_uppercase();
        let _ = writeln!(
            svg,
            "<circle class=\"{disc}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>\
             <text class=\"piece\" fill=\"{ink}\" x=\"{x}\" y=\"{y}\">{letter}</text>"
        );
    }
}
