//! Static exchange evaluation (SEE) on positions worked out by hand.

use crate::positions::{rows, standard};
use movegen::{Position, SeeValues};

const VALUES: SeeValues = [100, 300, 300, 500, 900, 0];

#[test]
fn gains() {
    for [fen, san, gain, why] in rows(
        "
        4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1             | Rxd5  |  100 | undefended
        4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1             | Rxd5  |  900 | undefended
        4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1           | Rxd5  | -400 | defended
        4k3/4n3/8/3p4/8/8/3R4/3RK3 w - - 0 1         | Rxd5  | -100 | x-ray attacker
        3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1          | Rxd5  |  100 | x-ray attacker
        4k3/8/4p3/3n4/8/1B6/B7/4K3 w - - 0 1         | Bxd5  |  100 | x-ray attacker
        3qk3/8/8/3p4/4P3/8/8/3RK3 w - - 0 1          | exd5  |  100 | the defender stops
        3rk3/8/2n5/3p4/4P3/2N5/8/3RK3 w - - 0 1      | exd5  |  100 | the defender stops
        8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1             | Rxd5  | -400 | a king captures
        8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1           | Rxd5  |  100 | a king cannot capture
        4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1             | Rd5   | -500 | quiet, en prise
        4k3/8/8/8/8/8/8/3RK3 w - - 0 1               | Rd5   |    0 | quiet, safe
        4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1            | exd6  |  100 | en passant
        4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1          | exd6  |    0 | en passant
        8/1P6/4k3/8/8/8/8/4K3 w - - 0 1              | b8=Q  |  800 | promotion
        r7/1P6/4k3/8/8/8/8/4K3 w - - 0 1             | b8=Q  | -100 | promotion
        r7/1P6/4k3/8/8/8/8/4K3 w - - 0 1             | bxa8=N |  700 | promotion
        4k3/8/8/8/8/8/8/4K2R w K - 0 1               | O-O   |    0 | castling
        ",
    ) {
        let position = standard(fen);
        let gain: i32 = gain.parse().expect(gain);
        let mv = position.move_from_san(san).expect(san);
        assert!(position.see_ge(mv, gain, &VALUES), "{why}: {fen} {san}");
        assert!(
            !position.see_ge(mv, gain + 1, &VALUES),
            "{why}: {fen} {san}"
        );
    }
}

#[test]
fn extreme_thresholds_and_values_do_not_overflow() {
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
