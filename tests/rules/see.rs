//! Static exchange evaluation (SEE) at its limits; its values are in `random_walk`.

use crate::positions::standard;
use movegen::Position;
use movegen::engine::{self, SeeValues};

const VALUES: SeeValues = [100, 300, 300, 500, 900, 0];

#[test]
fn extreme_thresholds_and_values_do_not_overflow() {
    let position = standard("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1");
    let take = position.move_from_san("Rxd5").expect("legal");
    assert!(engine::see_ge(&position, take, i32::MIN, &VALUES));
    assert!(!engine::see_ge(&position, take, i32::MAX, &VALUES));
    for values in [[i32::MAX; 6], [i32::MIN; 6]] {
        for threshold in [i32::MIN, 0, i32::MAX] {
            for &mv in &Position::default().legal_moves() {
                let start = Position::default();
                assert_eq!(
                    engine::see_ge(&start, mv, threshold, &values),
                    threshold <= 0
                );
            }
            let gains = engine::see_ge(&position, take, threshold, &values);
            assert!(gains || threshold > i32::MIN);
        }
    }
}
