//! Castling from other home squares: what the pieces cross, where they land, what shields the king.

use crate::positions::{after, can_castle, chess960, square};
use movegen::CastlingSide::{King, Queen};
use movegen::{CastlingError, CastlingSide, Color, Move, Piece, Role, Variant};

#[track_caller]
fn assert_castles(fen: &str, side: CastlingSide, expected_board: &str) {
    let position = chess960(fen);
    let mv = position.castling_move(side).expect(fen);
    assert!(can_castle(&position, side), "{fen}");
    let next = position.play_unchecked(mv);
    let board = next.fen();
    assert_eq!(board.split(' ').next(), Some(expected_board), "{fen}");
    assert_eq!(next.keys(), &next.keys_from_scratch());
}

#[track_caller]
fn assert_illegal(fen: &str, side: CastlingSide, expected: CastlingError) {
    let position = chess960(fen);
    assert_eq!(position.castling_move(side), Err(expected), "{fen}");
    assert!(!can_castle(&position, side), "{fen}");
}

#[test]
fn castling_from_every_kind_of_home() {
    const SHORT: &str = "4k3/8/8/8/8/8/8/5RK1";
    const LONG: &str = "4k3/8/8/8/8/8/8/2KR4";
    const BLACK_SHORT: &str = "5rk1/8/8/8/8/8/8/4K3";
    for (fen, side, expected) in [
        // King and rook adjacent.
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", King, SHORT),
        ("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", Queen, LONG),
        ("4kr2/8/8/8/8/8/8/4K3 b f - 0 1", King, BLACK_SHORT),
        (
            "3rk3/8/8/8/8/8/8/4K3 b d - 0 1",
            Queen,
            "2kr4/8/8/8/8/8/8/4K3",
        ),
        // King and rook swap squares.
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", King, SHORT),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", Queen, LONG),
        ("5kr1/8/8/8/8/8/8/4K3 b g - 0 1", King, BLACK_SHORT),
        // Only the rook moves.
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", King, SHORT),
        ("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", Queen, LONG),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", Queen, LONG),
        ("6kr/8/8/8/8/8/8/4K3 b h - 0 1", King, BLACK_SHORT),
        // Only the king moves.
        ("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1", King, SHORT),
        (
            "1k6/8/8/8/8/8/8/3R2K1 w D - 0 1",
            Queen,
            "1k6/8/8/8/8/8/8/2KR4",
        ),
        // The king crosses most of the rank.
        ("4k3/8/8/8/8/8/8/1K5R w H - 0 1", King, SHORT),
        ("4k3/8/8/8/8/8/8/R5K1 w A - 0 1", Queen, LONG),
        // The king moves away from its rook.
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", Queen, LONG),
        // Only squares the rook crosses or lands on are attacked.
        (
            "1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1",
            Queen,
            "1r2k3/8/8/8/8/8/8/2KR4",
        ),
        (
            "3r2k1/8/8/8/8/8/8/R1K5 w A - 0 1",
            Queen,
            "3r2k1/8/8/8/8/8/8/2KR4",
        ),
    ] {
        assert_castles(fen, side, expected);
    }
}

/// The rook shields the king from the piece behind it until it castles off the line.
#[test]
fn blocked_when_the_rook_uncovers_an_attack_on_the_landing_square() {
    for (fen, side, landing) in [
        ("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", Queen, "c1"),
        ("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", Queen, "c1"),
        ("Qrk5/8/8/8/8/8/8/4K3 b b - 0 1", Queen, "c8"),
        ("4k3/8/8/8/8/8/8/5KRq w G - 0 1", King, "g1"),
    ] {
        let square = square(landing);
        assert_illegal(fen, side, CastlingError::Attacked { side, square });
    }
}

#[test]
fn blocked_on_a_square_only_one_of_the_pieces_crosses() {
    for (fen, side, on) in [
        ("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1", Queen, "b1"),
        ("4k3/8/8/8/8/8/8/R1N1K3 w A - 0 1", Queen, "c1"),
        ("4k3/8/8/8/8/8/8/R2NK3 w A - 0 1", Queen, "d1"),
        ("4k3/8/8/8/8/8/8/RK1N4 w A - 0 1", Queen, "d1"),
        ("4k3/8/8/8/8/8/8/4KRN1 w F - 0 1", King, "g1"),
    ] {
        let square = square(on);
        assert_illegal(fen, side, CastlingError::Blocked { side, square });
    }
}

#[test]
fn blocked_when_any_square_the_king_crosses_is_attacked() {
    let side = King;
    for (rank, attacked) in [
        ("2r5", "c1"),
        ("3r4", "d1"),
        ("4r3", "e1"),
        ("5r2", "f1"),
        ("6r1", "g1"),
    ] {
        let square = square(attacked);
        let fen = format!("k7/8/8/{rank}/8/8/8/1K5R w H - 0 1");
        assert_illegal(&fen, side, CastlingError::Attacked { side, square });
    }
    // The king crosses the attacked home square of its rook.
    let square = square("e1");
    let fen = "7k/4r3/8/8/8/8/8/2K1R3 w E - 0 1";
    assert_illegal(fen, side, CastlingError::Attacked { side, square });
}

/// The king has no legal step and all other pieces are blocked, but it can castle.
#[test]
fn stalemate_not_declared_when_castling_is_the_only_move() {
    for (fen, side) in [
        ("4r2k/8/8/8/8/6p1/6P1/5KRB w G - 0 1", King),
        ("4r2k/8/8/8/8/p1p5/P1P5/1BRK4 w C - 0 1", Queen),
        ("5krb/6p1/6P1/8/8/8/8/4R2K b g - 0 1", King),
        ("1brk4/p1p5/P1P5/8/8/8/8/4R2K b c - 0 1", Queen),
    ] {
        let position = chess960(fen);
        let mv = position.castling_move(side).expect("castling is legal");
        assert_eq!(position.legal_moves().to_vec(), [mv], "{fen}");
        assert!(position.has_moves());
        assert!(!position.is_stalemate(), "{fen}");
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[2] = "-";
        assert!(chess960(&fields.join(" ")).is_stalemate(), "{fen}");
    }
}

#[test]
fn a_king_step_and_castling_are_two_moves() {
    let position = chess960("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let step = position.move_from_uci("f1g1").expect("a step");
    let castling = position.move_from_uci("f1h1").expect("castling");
    assert_eq!(step, Move::normal(square("f1"), square("g1")));
    assert_eq!(castling, Move::castling(square("f1"), square("h1")));
    assert!(position.is_legal(step) && position.is_legal(castling));
    assert_eq!(position.san(step), "Kg1");
    assert_eq!(position.san(castling), "O-O");
    assert_eq!(castling.uci(Variant::Chess960).to_string(), "f1h1");
}

/// A second rook further out has no right, and moving the king to it does not castle.
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
