//! A position as a picture of characters. Knows nothing of terminals but how they color.

use std::iter::once;

use movegen::{Color, Move, Piece, Position, Role, Square};

/// How men are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Men {
    /// `K` and `k`.
    Letters,
    /// `♔` and `♚`.
    Figures,
}

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Drawing {
    pub(crate) men: Men,
    pub(crate) colored: bool,
    /// Whose first rank is the lowest.
    pub(crate) seen_by: Color,
}

impl Drawing {
    pub(crate) const PLAIN: Drawing = Drawing {
        men: Men::Letters,
        colored: false,
        seen_by: Color::White,
    };

    /// The ranks from top to bottom, a blank line and the files; the squares of the last move
    /// stand out where there are colors.
    pub(crate) fn lines(self, position: &Position, last: Option<Move>) -> Vec<String> {
        let ranks = self.downwards().map(|rank| {
            let squares = self.rightwards().map(|file| Square::at(file, rank));
            let men: Vec<String> = squares
                .map(|square| self.square(position, square, last))
                .collect();
            let between = if self.colored { "" } else { " " };
            format!("{:>2}  {}", rank + 1, men.join(between))
        });
        ranks.chain([String::new(), self.file_names()]).collect()
    }

    fn downwards(self) -> impl Iterator<Item = u8> {
        (0..8).map(move |down| match self.seen_by {
            Color::White => 7 - down,
            Color::Black => down,
        })
    }

    fn rightwards(self) -> impl Iterator<Item = u8> {
        (0..8).map(move |right| match self.seen_by {
            Color::White => right,
            Color::Black => 7 - right,
        })
    }

    fn file_names(self) -> String {
        let gap = if self.colored { "  " } else { " " };
        let names = self.rightwards().map(|file| {
            let name = Square::at(file, 0).file_letter();
            format!("{name}{gap}")
        });
        let margin = if self.colored { "     " } else { "    " };
        let line: String = once(margin.to_owned()).chain(names).collect();
        line.trim_end().to_owned()
    }

    fn square(self, position: &Position, square: Square, last: Option<Move>) -> String {
        let man = position.piece_on(square);
        if !self.colored {
            return self.plain(man).to_string();
        }
        let light = (square.file() + square.rank()) % 2 == 1;
        let moved = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
        // Numbers of the palette of 256 that terminals have in common.
        let ground = match (moved, light) {
            (false, true) => 180,
            (false, false) => 137,
            (true, true) => 186,
            (true, false) => 143,
        };
        let (ink, figure) = match man {
            None => (16, ' '),
            // The filled figures of both sides, told apart by their ink.
            Some(man) => match (man.color(), self.men) {
                (Color::White, Men::Figures) => (231, figure(Piece::new(Color::Black, man.role()))),
                (Color::Black, Men::Figures) => (16, figure(man)),
                (Color::White, Men::Letters) => (231, man.letter()),
                (Color::Black, Men::Letters) => (16, man.letter()),
            },
        };
        format!("\u{1b}[48;5;{ground}m\u{1b}[38;5;{ink}m {figure} \u{1b}[0m")
    }

    fn plain(self, man: Option<Piece>) -> char {
        match (man, self.men) {
            (None, Men::Letters) => '.',
            (None, Men::Figures) => '·',
            (Some(man), Men::Letters) => man.letter(),
            (Some(man), Men::Figures) => figure(man),
        }
    }
}

fn figure(man: Piece) -> char {
    match (man.color(), man.role()) {
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

    use super::{Drawing, Men};

    const FIGURES: Drawing = Drawing {
        men: Men::Figures,
        ..Drawing::PLAIN
    };

    #[test]
    fn either_side_has_its_first_rank_below() {
        let position = Position::default();
        let white = FIGURES.lines(&position, None);
        assert_eq!(white[0], " 8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜");
        assert_eq!(white[4], " 4  · · · · · · · ·");
        assert_eq!(white[7], " 1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖");
        assert_eq!(white[8..], ["", "    a b c d e f g h"]);
        let black = Drawing {
            seen_by: Color::Black,
            ..FIGURES
        };
        let black = black.lines(&position, None);
        assert_eq!(black[0], " 1  ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖");
        assert_eq!(black[9], "    h g f e d c b a");
    }

    #[test]
    fn colors_end_with_each_square_and_show_the_last_move() {
        let position = Position::default();
        let colored = Drawing {
            colored: true,
            ..FIGURES
        };
        let e4 = position.move_from_uci("e2e4").expect("legal");
        let after = position.play_unchecked(e4);
        let lines = colored.lines(&after, Some(e4));
        for line in &lines[..8] {
            assert_eq!(line.matches("\u{1b}[48;5;").count(), 8);
            assert!(line.ends_with("\u{1b}[0m"));
        }
        assert_eq!(lines[9], "     a  b  c  d  e  f  g  h");
        // e4 and e2 are light; no other square stands out.
        assert_eq!(lines.concat().matches("\u{1b}[48;5;186m").count(), 2);
        assert_eq!(lines.concat().matches("\u{1b}[48;5;143m").count(), 0);
        assert!(lines[4].contains("\u{1b}[38;5;231m ♟ "), "{:?}", lines[4]);
    }
}
