//! A board as text, as `d` and `castellan play` print it.

use std::iter::once;

use movegen::{Bitboard, Color, File, Move, Piece, Position, Rank, Role, Square};

/// The style of printed pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceSymbols {
    /// `K` and `k`.
    Letters,
    /// `♔` and `♚`.
    Figurines,
}

/// The style of a printed board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardStyle {
    pub(crate) pieces: PieceSymbols,
    /// With the 256 colors that terminals have in common.
    pub(crate) colored: bool,
    /// The side at the bottom.
    pub(crate) orientation: Color,
}

impl BoardStyle {
    pub(crate) const PLAIN: Self = Self {
        pieces: PieceSymbols::Letters,
        colored: false,
        orientation: Color::White,
    };

    /// Returns the ranks from top to bottom, a blank line and the file letters. Colors highlight
    /// the squares of the last move.
    pub(crate) fn lines(self, position: &Position, last_move: Option<Move>) -> Vec<String> {
        let ranks = self.ranks().map(|rank| {
            let squares = self.files().map(|file| Square::new(file, rank));
            let squares = squares.map(|square| self.square(position, square, last_move));
            let separator = if self.colored { "" } else { " " };
            format!("{:>2}  {}", rank, squares.join(separator))
        });
        ranks
            .into_iter()
            .chain([String::new(), self.file_letters()])
            .collect()
    }

    fn ranks(self) -> [Rank; 8] {
        let mut ranks = Rank::ALL;
        if self.orientation == Color::White {
            ranks.reverse();
        }
        ranks
    }

    fn files(self) -> [File; 8] {
        let mut files = File::ALL;
        if self.orientation == Color::Black {
            files.reverse();
        }
        files
    }

    fn file_letters(self) -> String {
        let gap = if self.colored { "  " } else { " " };
        let letters = self.files().map(|file| format!("{file}{gap}"));
        let margin = if self.colored { "     " } else { "    " };
        let line: String = once(margin.to_owned()).chain(letters).collect();
        line.trim_end().to_owned()
    }

    fn square(self, position: &Position, square: Square, last_move: Option<Move>) -> String {
        let piece = position.piece_on(square);
        if !self.colored {
            return self.plain(piece).to_string();
        }
        let light = !Bitboard::DARK.has(square);
        let moved = last_move.is_some_and(|mv| mv.from() == square || mv.to() == square);
        let background = match (moved, light) {
            (false, true) => 180,
            (false, false) => 137,
            (true, true) => 186,
            (true, false) => 143,
        };
        let (foreground, symbol) = match piece {
            None => (16, ' '),
            // Both sides have the filled figurines; the color distinguishes them.
            Some(piece) => match (piece.color(), self.pieces) {
                (Color::White, PieceSymbols::Figurines) => {
                    (231, figurine(Piece::new(Color::Black, piece.role())))
                }
                (Color::Black, PieceSymbols::Figurines) => (16, figurine(piece)),
                (Color::White, PieceSymbols::Letters) => (231, piece.letter()),
                (Color::Black, PieceSymbols::Letters) => (16, piece.letter()),
            },
        };
        format!("\u{1b}[48;5;{background}m\u{1b}[38;5;{foreground}m {symbol} \u{1b}[0m")
    }

    fn plain(self, piece: Option<Piece>) -> char {
        match (piece, self.pieces) {
            (None, PieceSymbols::Letters) => '.',
            (None, PieceSymbols::Figurines) => '·',
            (Some(piece), PieceSymbols::Letters) => piece.letter(),
            (Some(piece), PieceSymbols::Figurines) => figurine(piece),
        }
    }
}

fn figurine(piece: Piece) -> char {
    match (piece.color(), piece.role()) {
        (Color::White, Role::King) => '♔',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Pawn) => '♙',
        (Color::Black, Role::King) => '♚',
        (Color::Black, Role::Queen) => '♛',
        (Color::Black, Role::Rook) => '♜',
        (Color::Black, Role::Bishop) => '♝',
        (Color::Black, Role::Knight) => '♞',
        (Color::Black, Role::Pawn) => '♟',
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Color, Position};

    use super::{BoardStyle, PieceSymbols};

    const FIGURINES: BoardStyle = BoardStyle {
        pieces: PieceSymbols::Figurines,
        ..BoardStyle::PLAIN
    };

    #[test]
    fn either_side_can_be_at_the_bottom() {
        let position = Position::default();
        let white = FIGURINES.lines(&position, None);
        assert_eq!(white[0], " 8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜");
        assert_eq!(white[4], " 4  · · · · · · · ·");
        assert_eq!(white[7], " 1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖");
        assert_eq!(white[8..], ["", "    a b c d e f g h"]);
        let black = BoardStyle {
            orientation: Color::Black,
            ..FIGURINES
        };
        let black = black.lines(&position, None);
        assert_eq!(black[0], " 1  ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖");
        assert_eq!(black[9], "    h g f e d c b a");
    }

    #[test]
    fn colors_are_reset_after_each_square_and_highlight_the_last_move() {
        let position = Position::default();
        let colored = BoardStyle {
            colored: true,
            ..FIGURINES
        };
        let e4 = position.move_from_uci("e2e4").expect("legal");
        let after = position.play_unchecked(e4);
        let lines = colored.lines(&after, Some(e4));
        for line in &lines[..8] {
            assert_eq!(line.matches("\u{1b}[48;5;").count(), 8);
            assert!(line.ends_with("\u{1b}[0m"));
        }
        assert_eq!(lines[9], "     a  b  c  d  e  f  g  h");
        // e4 and e2 are light; no other square is highlighted.
        assert_eq!(lines.concat().matches("\u{1b}[48;5;186m").count(), 2);
        assert_eq!(lines.concat().matches("\u{1b}[48;5;143m").count(), 0);
        assert!(lines[4].contains("\u{1b}[38;5;231m ♟ "), "{:?}", lines[4]);
    }
}
