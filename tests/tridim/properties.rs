//! Properties of random positions. Games are tested with those of chess, whose code is the same.

use crate::helpers::{NO_ROTATION, ROTATION, position_under, random_move};
use proptest::prelude::*;
use test_common::Rng;
use tridim::{Position, Rules};

fn rules_of(rotation: bool) -> Rules {
    if rotation { ROTATION } else { NO_ROTATION }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn texts_and_notation_round_trip(seed: u64, rotation: bool) {
        let rules = rules_of(rotation);
        let mut rng = Rng::new(seed);
        let mut position = Position::start(rules);
        // Every fifth ply of a game.
        for _ in 0..16 {
            let text = position.to_string();
            // Set up from text, the derived sets and the key are the same.
            prop_assert_eq!(position_under(&text, rules), position);
            prop_assert_eq!(position_under(&text, rules).key(), position.key());
            for mv in position.legal_moves() {
                let name = position.notation(mv);
                prop_assert_eq!(position.read_move(&name), Ok(mv), "{} in {}", name, text);
            }
            for _ in 0..5 {
                let Some(mv) = random_move(&mut rng, &position) else { break };
                position = position.play_unchecked(mv);
            }
        }
    }

    #[test]
    fn any_text_is_parsed_or_rejected(text in "\\PC*", words in "[a-ez0-9QKLWNBRqkpnb+=x:/,@ -]{0,60}") {
        let start = Position::start(NO_ROTATION);
        for text in [text, words] {
            let _ = start.read_move(&text);
            let _ = Position::from_text(&text, NO_ROTATION);
        }
    }
}
