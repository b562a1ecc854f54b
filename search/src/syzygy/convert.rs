//! Conversion of positions for the crate that reads the tables.

use movegen::{Bitboard, Color, Position, Role};
use shakmaty::{
    Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square,
};

/// Copies pieces, side to move and en passant square; tables have no castling rights. `None` for
/// positions that the crate rejects, which have more pieces than any table.
pub(super) fn convert(position: &Position) -> Option<Chess> {
    let role = |role: Role| bits(position.by_role(role));
    let roles = ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let colors = ByColor {
        black: bits(position.by_color(Color::Black)),
        white: bits(position.by_color(Color::White)),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        turn: match position.side_to_move() {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        },
        ep_square: position
            .en_passant()
            .and_then(|square| Square::try_from(square.index()).ok()),
        ..Setup::empty()
    };
    // Legal here: checks that no move leads to, and nine queens.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

fn bits(bitboard: Bitboard) -> shakmaty::Bitboard {
    shakmaty::Bitboard(bitboard.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{EnPassantMode, Position as _};
    use test_common::{Rng, positions::random};

    fn assert_same(position: &Position) {
        let fen = position.fen();
        let read = Fen::from_ascii(fen.as_bytes()).expect(&fen);
        let theirs: Chess = read
            .into_position(CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .expect(&fen);
        let ours = convert(position).expect(&fen);
        assert_eq!(ours, theirs, "{fen}");
        let passing = |chess: &Chess| chess.ep_square(EnPassantMode::Legal);
        assert_eq!(passing(&ours), passing(&theirs), "{fen}");
        assert_eq!(
            ours.legal_moves().len(),
            position.legal_moves().len(),
            "{fen}"
        );
    }

    #[test]
    fn positions_equal_what_shakmaty_reads_from_their_fen() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let pieces = rng.choose(&["KPk", "KQkr", "KBkn", "KPkpp", "KNNkb"]);
            assert_same(&random(&mut rng, pieces, 0));
        }
    }

    #[test]
    fn en_passant_squares_are_kept() {
        let mut rng = Rng::new(2);
        let mut kept = 0;
        while kept < 200 {
            let position = random(&mut rng, "KPPkpp", 0);
            for mv in position.legal_moves() {
                let after = position.play_unchecked(mv);
                if after.en_passant().is_some() {
                    assert_same(&after);
                    kept += 1;
                }
            }
        }
    }
}
