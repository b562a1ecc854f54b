//! Any text as a FEN gives an error or a legal position, which is printed and read back unchanged
//! and in which moves can be played.

use movegen::{Color, Position, Variant};

pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    for variant in [Variant::Standard, Variant::Chess960] {
        match Position::from_fen(text, variant) {
            Ok(position) => check_position(&position, variant),
            Err(error) => {
                let words = error.to_string();
                assert!(words.contains("FEN") || words.starts_with("illegal position: "));
            }
        }
    }
}

fn check_position(position: &Position, variant: Variant) {
    for fen in [position.fen(), position.shredder_fen()] {
        assert_eq!(Position::from_fen(&fen, variant).as_ref(), Ok(position));
    }
    let moves = position.legal_moves();
    assert_eq!(position.count_moves() as usize, moves.len());
    for &mv in &moves {
        assert!(position.is_legal(mv));
        let next = position.play_unchecked(mv);
        assert_eq!(next.key(), next.key_from_scratch());
        for color in Color::ALL {
            assert!(next.piece_on(next.king(color)).is_some());
        }
        let king = next.king(position.side_to_move());
        assert!(!next.attacked_by(next.side_to_move()).has(king));
    }
}
