//! `flip`: the same position seen from the other side of the board.

use std::io::Write;

use movegen::{CastlingRight, CastlingSide, Color, Game, Piece, Position, Setup, Square};

use super::place::PlaceError;
use super::{Session, SessionError};
use crate::formats::polyglot::passed_square;

impl<W: Write + Send + 'static> Session<W> {
    /// Swaps the colours of the present position, which then has no past.
    pub(super) fn flip(&mut self) -> Result<(), SessionError> {
        let passed = passed_square(&self.game, self.passed_at_start);
        let flipped = flipped(self.game.position()).position(self.variant);
        let position = flipped.map_err(|error| PlaceError::Fen(error.into()))?;
        self.game = Game::new(position);
        self.passed_at_start = passed.map(Square::flip_rank);
        Ok(())
    }
}

fn flipped(position: &Position) -> Setup {
    let mut pieces = [None; 64];
    for (square, slot) in Square::all().zip(&mut pieces) {
        let man = position.piece_on(square.flip_rank());
        *slot = man.map(|man| Piece::new(!man.color(), man.role()));
    }
    let rights = Color::ALL.into_iter().flat_map(|color| {
        let king = position.king(color);
        CastlingSide::ALL
            .into_iter()
            .filter_map(move |wing| position.castling_rights().rook(color, wing, king))
            .map(move |rook| CastlingRight::File(!color, rook.file()))
    });
    Setup {
        pieces,
        side_to_move: !position.side_to_move(),
        castling_rights: rights.collect(),
        en_passant: position.en_passant().map(Square::flip_rank),
        halfmove_clock: position.halfmove_clock(),
        fullmove_number: position.fullmove_number(),
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Position, Variant};

    use super::flipped;

    fn flip(fen: &str) -> String {
        let position = Position::from_fen(fen, Variant::Chess960).unwrap();
        let position = flipped(&position).position(Variant::Chess960).unwrap();
        position.shredder_fen()
    }

    #[test]
    fn men_turn_rights_and_the_passed_square_change_sides() {
        let fen = "1rk2r2/p3p3/8/3pP3/8/8/8/R3K2R w HAf d6 7 30";
        assert_eq!(flip(fen), "r3k2r/8/8/8/3Pp3/8/P3P3/1RK2R2 b Fha d3 7 30");
    }

    #[test]
    fn twice_is_not_at_all() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "8/8/8/1k6/3Pp3/8/8/4K2Q b - d3 0 1",
            "4k3/8/8/8/8/8/8/4K2R b H - 99 150",
        ] {
            assert_eq!(flip(&flip(fen)), fen);
        }
    }
}
