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
    use movegen::Variant;
    use shakmaty::fen::Fen;
    use shakmaty::{EnPassantMode, Position as _};
    use test_common::Rng;

    /// A FEN with three to five pieces, which may be illegal.
    fn random_fen(rng: &mut Rng) -> String {
        let mut pieces = [None; 64];
        for letter in ['K', 'k'] {
            pieces[rng.below(64)] = Some(letter);
        }
        for _ in 0..1 + rng.below(3) {
            let letter = rng.choose(&['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q']);
            pieces[rng.below(64)] = Some(*letter);
        }
        fen(&pieces, *rng.choose(&['w', 'b']), "-")
    }

    /// A FEN with a pawn that has just moved two squares past another one.
    fn random_en_passant(rng: &mut Rng) -> String {
        let mut pieces = [None; 64];
        for letter in ['K', 'k', 'N', 'r'].iter().take(2 + rng.below(3)) {
            pieces[rng.below(64)] = Some(*letter);
        }
        let file = rng.below(8);
        let beside = if file == 0 { 1 } else { file - 1 };
        let (turn, rank, passed, capturing, captured) = if rng.below(2) == 0 {
            ('w', 4, 5, 'P', 'p')
        } else {
            ('b', 3, 2, 'p', 'P')
        };
        pieces[rank * 8 + file] = Some(captured);
        pieces[rank * 8 + beside] = Some(capturing);
        let square = format!("{}{}", (b'a' + file as u8) as char, passed + 1);
        fen(&pieces, turn, &square)
    }

    fn fen(pieces: &[Option<char>; 64], turn: char, passing: &str) -> String {
        let ranks: Vec<String> = pieces
            .chunks(8)
            .rev()
            .map(|rank| {
                rank.iter()
                    .map(|piece| piece.map_or("1".to_owned(), String::from))
                    .collect()
            })
            .collect();
        format!("{} {turn} - {passing} 0 1", ranks.join("/"))
    }

    fn assert_same(position: &Position, fen: &str) {
        let read = Fen::from_ascii(fen.as_bytes()).expect(fen);
        let theirs: Chess = read
            .into_position(CastlingMode::Standard)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_impossible_check)
            .expect(fen);
        let ours = convert(position).expect(fen);
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
    fn random_positions_equal_what_shakmaty_reads_from_their_fen() {
        let mut rng = Rng::new(1);
        let mut compared = 0;
        while compared < 5000 {
            let fen = random_fen(&mut rng);
            if let Ok(position) = Position::from_fen(&fen, Variant::Standard) {
                assert_same(&position, &fen);
                compared += 1;
            }
        }
    }

    #[test]
    fn en_passant_squares_are_kept() {
        let mut rng = Rng::new(2);
        let (mut compared, mut possible) = (0, 0);
        while compared < 2000 {
            let fen = random_en_passant(&mut rng);
            if let Ok(position) = Position::from_fen(&fen, Variant::Standard) {
                assert_same(&position, &fen);
                compared += 1;
                possible += usize::from(position.en_passant().is_some());
            }
        }
        assert!(possible > compared / 2, "{possible} of {compared}");
    }
}
