//! A position in the vocabulary of the crate that reads the tables.

use movegen::{Bitboard, Color, Position, Role};
use shakmaty::{
    Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square,
};

/// The same men, turn and capture in passing; castling rights are none of the tables' business.
/// `None` for positions that are none to that crate, of which there are none with few men.
pub(super) fn convert(position: &Position) -> Option<Chess> {
    let role = |role: Role| bits(position.role(role));
    let roles = ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let colors = ByColor {
        black: bits(position.side(Color::Black)),
        white: bits(position.side(Color::White)),
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
    // Whoever sets up a board may have two men give a check no move leads to, or nine queens.
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

    /// Numbers that look random, the same every time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % limit
        }
    }

    /// A board of three to five men as FEN writes it, and perhaps no legal position.
    fn random_fen(dice: &mut Dice) -> String {
        let mut men = [None; 64];
        for letter in ['K', 'k'] {
            men[dice.below(64) as usize] = Some(letter);
        }
        for _ in 0..1 + dice.below(3) {
            let letter =
                ['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q'][dice.below(10) as usize];
            men[dice.below(64) as usize] = Some(letter);
        }
        written(&men, ['w', 'b'][dice.below(2) as usize], "-")
    }

    /// One side's pawn has just made its double step past the other's.
    fn random_passing(dice: &mut Dice) -> String {
        let mut men = [None; 64];
        for letter in ['K', 'k', 'N', 'r'].iter().take(2 + dice.below(3) as usize) {
            men[dice.below(64) as usize] = Some(*letter);
        }
        let file = dice.below(8) as usize;
        let beside = if file == 0 { 1 } else { file - 1 };
        let (turn, rank, passed, taker, taken) = if dice.below(2) == 0 {
            ('w', 4, 5, 'P', 'p')
        } else {
            ('b', 3, 2, 'p', 'P')
        };
        men[rank * 8 + file] = Some(taken);
        men[rank * 8 + beside] = Some(taker);
        let square = format!("{}{}", (b'a' + file as u8) as char, passed + 1);
        written(&men, turn, &square)
    }

    fn written(men: &[Option<char>; 64], turn: char, passing: &str) -> String {
        let ranks: Vec<String> = men
            .chunks(8)
            .rev()
            .map(|rank| {
                rank.iter()
                    .map(|man| man.map_or("1".to_owned(), String::from))
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
    fn random_positions_are_what_their_fen_says() {
        let mut dice = Dice(0x2545_f491_4f6c_dd1d);
        let mut compared = 0;
        while compared < 5000 {
            let fen = random_fen(&mut dice);
            if let Ok(position) = Position::from_fen(&fen, Variant::Standard) {
                assert_same(&position, &fen);
                compared += 1;
            }
        }
    }

    #[test]
    fn captures_in_passing_are_kept() {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let (mut compared, mut possible) = (0, 0);
        while compared < 2000 {
            let fen = random_passing(&mut dice);
            if let Ok(position) = Position::from_fen(&fen, Variant::Standard) {
                assert_same(&position, &fen);
                compared += 1;
                possible += usize::from(position.en_passant().is_some());
            }
        }
        assert!(possible > compared / 2, "{possible} of {compared}");
    }
}
