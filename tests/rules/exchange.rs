//! Static exchange on positions worked out by hand.

use crate::scene::standard;
use movegen::{Position, SeeValues};

const VALUES: SeeValues = [100, 300, 300, 500, 900, 0];

/// A move gains exactly this much.
#[track_caller]
fn assert_gain(fen: &str, san: &str, gain: i32) {
    let position = standard(fen);
    let mv = position.move_from_san(san).expect(san);
    assert!(position.see_ge(mv, gain, &VALUES), "{fen} {san}");
    assert!(!position.see_ge(mv, gain + 1, &VALUES), "{fen} {san}");
}

#[test]
fn a_man_nobody_protects_is_won() {
    assert_gain("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", 100);
    assert_gain("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "Rxd5", 900);
}

#[test]
fn a_rook_for_a_protected_pawn() {
    assert_gain("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400);
}

#[test]
fn a_second_attacker_behind_the_first() {
    assert_gain("4k3/4n3/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -100);
    assert_gain("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100);
    assert_gain("4k3/8/4p3/3n4/8/1B6/B7/4K3 w - - 0 1", "Bxd5", 100);
}

#[test]
fn a_side_stops_when_going_on_does_not_pay() {
    assert_gain("3qk3/8/8/3p4/4P3/8/8/3RK3 w - - 0 1", "exd5", 100);
    assert_gain("3rk3/8/2n5/3p4/4P3/2N5/8/3RK3 w - - 0 1", "exd5", 100);
}

#[test]
fn a_king_takes_only_what_is_not_protected() {
    assert_gain("8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400);
    assert_gain("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100);
}

#[test]
fn quiet_moves_can_lose_the_man() {
    assert_gain("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "Rd5", -500);
    assert_gain("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "Rd5", 0);
}

#[test]
fn en_passant_and_promotion_and_castling() {
    assert_gain("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100);
    assert_gain("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0);
    assert_gain("8/1P6/4k3/8/8/8/8/4K3 w - - 0 1", "b8=Q", 800);
    assert_gain("r7/1P6/4k3/8/8/8/8/4K3 w - - 0 1", "b8=Q", -100);
    assert_gain("r7/1P6/4k3/8/8/8/8/4K3 w - - 0 1", "bxa8=N", 700);
    assert_gain("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0);
}

#[test]
fn any_threshold_and_any_values_are_answered() {
    let position = standard("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1");
    let take = position.move_from_san("Rxd5").expect("legal");
    assert!(position.see_ge(take, i32::MIN, &VALUES));
    assert!(!position.see_ge(take, i32::MAX, &VALUES));
    for values in [[i32::MAX; 6], [i32::MIN; 6]] {
        for threshold in [i32::MIN, 0, i32::MAX] {
            for &mv in &Position::default().legal_moves() {
                let start = Position::default();
                assert_eq!(start.see_ge(mv, threshold, &values), threshold <= 0);
            }
            let gains = position.see_ge(take, threshold, &values);
            assert!(gains || threshold > i32::MIN);
        }
    }
}
