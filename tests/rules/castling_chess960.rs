//! Castling from other homes: what crosses what, what lands where, and what shields the king.

use crate::scene::{after, can_castle, chess960, square};
use movegen::{CastlingError, CastlingSide, Color, Move, Piece, Role, Variant};

#[track_caller]
fn assert_castles(fen: &str, side: CastlingSide, expected: &str) {
    let position = chess960(fen);
    assert!(
        can_castle(&position, side),
        "{fen}: {:?}",
        position.castling_move(side)
    );
    let castle = position.castling_move(side).expect("it is legal");
    let next = position.play_unchecked(castle);
    let board = next.fen();
    let board = board.split(' ').next().expect("a board");
    assert_eq!(board, expected, "{fen}");
    assert_eq!(next.keys(), &next.keys_from_scratch());
}

#[track_caller]
fn assert_refused(fen: &str, side: CastlingSide, expected: CastlingError) {
    let position = chess960(fen);
    assert_eq!(position.castling_move(side), Err(expected), "{fen}");
    assert!(!can_castle(&position, side), "{fen}");
}

#[test]
fn king_and_rook_adjacent() {
    assert_castles(
        "4k3/8/8/8/8/8/8/4KR2 w F - 0 1",
        CastlingSide::King,
        "4k3/8/8/8/8/8/8/5RK1",
    );
    assert_castles(
        "4k3/8/8/8/8/8/8/3RK3 w D - 0 1",
        CastlingSide::Queen,
        "4k3/8/8/8/8/8/8/2KR4",
    );
    assert_castles(
        "4kr2/8/8/8/8/8/8/4K3 b f - 0 1",
        CastlingSide::King,
        "5rk1/8/8/8/8/8/8/4K3",
    );
    assert_castles(
        "3rk3/8/8/8/8/8/8/4K3 b d - 0 1",
        CastlingSide::Queen,
        "2kr4/8/8/8/8/8/8/4K3",
    );
}

#[test]
fn king_and_rook_change_places() {
    assert_castles(
        "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
        CastlingSide::King,
        "4k3/8/8/8/8/8/8/5RK1",
    );
    assert_castles(
        "4k3/8/8/8/8/8/8/2RK4 w C - 0 1",
        CastlingSide::Queen,
        "4k3/8/8/8/8/8/8/2KR4",
    );
    assert_castles(
        "5kr1/8/8/8/8/8/8/4K3 b g - 0 1",
        CastlingSide::King,
        "5rk1/8/8/8/8/8/8/4K3",
    );
}

#[test]
fn king_stays_on_its_square() {
    assert_castles(
        "4k3/8/8/8/8/8/8/6KR w H - 0 1",
        CastlingSide::King,
        "4k3/8/8/8/8/8/8/5RK1",
    );
    assert_castles(
        "4k3/8/8/8/8/8/8/R1K5 w A - 0 1",
        CastlingSide::Queen,
        "4k3/8/8/8/8/8/8/2KR4",
    );
    assert_castles(
        "4k3/8/8/8/8/8/8/1RK5 w B - 0 1",
        CastlingSide::Queen,
        "4k3/8/8/8/8/8/8/2KR4",
    );
    assert_castles(
        "6kr/8/8/8/8/8/8/4K3 b h - 0 1",
        CastlingSide::King,
        "5rk1/8/8/8/8/8/8/4K3",
    );
}

#[test]
fn rook_stays_on_its_square() {
    assert_castles(
        "4k3/8/8/8/8/8/8/1K3R2 w F - 0 1",
        CastlingSide::King,
        "4k3/8/8/8/8/8/8/5RK1",
    );
    assert_castles(
        "1k6/8/8/8/8/8/8/3R2K1 w D - 0 1",
        CastlingSide::Queen,
        "1k6/8/8/8/8/8/8/2KR4",
    );
}

#[test]
fn king_crosses_the_whole_rank() {
    assert_castles(
        "4k3/8/8/8/8/8/8/1K5R w H - 0 1",
        CastlingSide::King,
        "4k3/8/8/8/8/8/8/5RK1",
    );
    assert_castles(
        "4k3/8/8/8/8/8/8/R5K1 w A - 0 1",
        CastlingSide::Queen,
        "4k3/8/8/8/8/8/8/2KR4",
    );
}

#[test]
fn king_goes_away_from_its_rook() {
    assert_castles(
        "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
        CastlingSide::Queen,
        "4k3/8/8/8/8/8/8/2KR4",
    );
}

/// The rook holds off the queen behind it until it castles away from that line.
#[test]
fn rook_shielding_the_king_on_landing() {
    let side = CastlingSide::Queen;
    let landing = CastlingError::Attacked {
        side,
        square: square("c1"),
    };
    assert_refused("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", side, landing);
    assert_refused("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", side, landing);
    let landing = CastlingError::Attacked {
        side,
        square: square("c8"),
    };
    assert_refused("Qrk5/8/8/8/8/8/8/4K3 b b - 0 1", side, landing);
    let side = CastlingSide::King;
    let landing = CastlingError::Attacked {
        side,
        square: square("g1"),
    };
    assert_refused("4k3/8/8/8/8/8/8/5KRq w G - 0 1", side, landing);
}

#[test]
fn blocked_on_a_square_only_the_rook_crosses() {
    let side = CastlingSide::Queen;
    for on in ["b1", "c1", "d1"] {
        let fen = match on {
            "b1" => "4k3/8/8/8/8/8/8/RN2K3 w A - 0 1",
            "c1" => "4k3/8/8/8/8/8/8/R1N1K3 w A - 0 1",
            _ => "4k3/8/8/8/8/8/8/R2NK3 w A - 0 1",
        };
        let square = square(on);
        assert_refused(fen, side, CastlingError::Blocked { side, square });
    }
    let fen = "4k3/8/8/8/8/8/8/RK1N4 w A - 0 1";
    let square = square("d1");
    assert_refused(fen, side, CastlingError::Blocked { side, square });
}

#[test]
fn blocked_on_a_square_only_the_king_crosses() {
    let side = CastlingSide::King;
    let square = square("g1");
    let fen = "4k3/8/8/8/8/8/8/4KRN1 w F - 0 1";
    assert_refused(fen, side, CastlingError::Blocked { side, square });
}

#[test]
fn blocked_when_any_square_the_king_crosses_is_attacked() {
    let side = CastlingSide::King;
    for file in ["c", "d", "e", "f", "g"] {
        let attacker: usize = "abcdefgh".find(file).expect("a file");
        let gap = |count: usize| match count {
            0 => String::new(),
            count => count.to_string(),
        };
        let rank = format!("{}r{}", gap(attacker), gap(7 - attacker));
        let fen = format!("k7/8/8/{rank}/8/8/8/1K5R w H - 0 1");
        let square = square(&format!("{file}1"));
        assert_refused(&fen, side, CastlingError::Attacked { side, square });
    }
}

#[test]
fn allowed_when_only_squares_the_rook_crosses_or_lands_on_are_attacked() {
    assert_castles(
        "1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1",
        CastlingSide::Queen,
        "1r2k3/8/8/8/8/8/8/2KR4",
    );
    assert_castles(
        "3r2k1/8/8/8/8/8/8/R1K5 w A - 0 1",
        CastlingSide::Queen,
        "3r2k1/8/8/8/8/8/8/2KR4",
    );
}

/// The king walks over the square its rook leaves, and is attacked there.
#[test]
fn blocked_when_the_king_crosses_its_rooks_attacked_square() {
    let side = CastlingSide::King;
    let square = square("e1");
    let fen = "7k/4r3/8/8/8/8/8/2K1R3 w E - 0 1";
    assert_refused(fen, side, CastlingError::Attacked { side, square });
}

/// Every step of the king is attacked or taken and everything else is blocked; the king can
/// still change places with its rook.
#[test]
fn stalemate_not_declared_when_castling_is_the_only_move() {
    for (fen, side) in [
        ("4r2k/8/8/8/8/6p1/6P1/5KRB w G - 0 1", CastlingSide::King),
        (
            "4r2k/8/8/8/8/p1p5/P1P5/1BRK4 w C - 0 1",
            CastlingSide::Queen,
        ),
        ("5krb/6p1/6P1/8/8/8/8/4R2K b g - 0 1", CastlingSide::King),
        (
            "1brk4/p1p5/P1P5/8/8/8/8/4R2K b c - 0 1",
            CastlingSide::Queen,
        ),
    ] {
        let position = chess960(fen);
        let castle = position.castling_move(side).expect("castling is legal");
        assert_eq!(position.legal_moves().to_vec(), [castle], "{fen}");
        assert!(position.has_moves());
        assert!(!position.is_stalemate(), "{fen}");
        let turn = fen.split(' ').nth(1).expect("a turn");
        let board = fen.split(' ').next().expect("a board");
        let without_right = chess960(&format!("{board} {turn} - - 0 1"));
        assert!(without_right.is_stalemate(), "{fen}");
    }
}

#[test]
fn a_plain_king_step_and_castling_are_two_moves() {
    let position = chess960("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let step = position.move_from_uci("f1g1").expect("a step");
    let castle = position.move_from_uci("f1h1").expect("castling");
    assert_eq!(step, Move::normal(square("f1"), square("g1")));
    assert_eq!(castle, Move::castling(square("f1"), square("h1")));
    assert!(position.is_legal(step) && position.is_legal(castle));
    assert_eq!(position.san(step), "Kg1");
    assert_eq!(position.san(castle), "O-O");
    assert_eq!(castle.uci(Variant::Chess960).to_string(), "f1h1");
}

/// A second rook further out has no right, and naming it is not castling with the first.
#[test]
fn only_the_rook_with_the_right_castles() {
    let position = chess960("4k3/8/8/8/8/8/8/RRK5 w B - 0 1");
    assert_eq!(position.shredder_fen(), "4k3/8/8/8/8/8/8/RRK5 w B - 0 1");
    assert!(position.move_from_uci("c1b1").is_ok());
    assert!(position.move_from_uci("c1a1").is_err());
    let castled = after(&position, "c1b1");
    assert_eq!(castled.piece_on(square("a1")), Some(Piece::WhiteRook));
    assert_eq!(castled.piece_on(square("d1")), Some(Piece::WhiteRook));
    assert_eq!(castled.king(Color::White), square("c1"));
    assert_eq!(castled.pieces(Color::White, Role::Rook).count(), 2);
}
