//! Any text as a list of UCI moves, from a position chosen by the first byte: each gives an error
//! or a legal move, which is written, read back as that move, and played.

use crate::positions::chosen;
use movegen::Variant;

pub fn check(data: &[u8]) {
    let Some((mut position, variant, texts)) = chosen(data) else {
        return;
    };
    for text in texts.split(' ') {
        match position.move_from_uci(text) {
            Ok(mv) => {
                assert!(position.is_legal(mv));
                for variant in [variant, Variant::Chess960] {
                    let written = mv.uci(variant).to_string();
                    assert_eq!(position.move_from_uci(&written), Ok(mv));
                }
                position = position.play_unchecked(mv);
                assert_eq!(position.key(), position.key_from_scratch());
            }
            Err(error) => assert!(error.to_string().contains(' ')),
        }
    }
}
