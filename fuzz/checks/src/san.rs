//! Any text as SAN, in a position chosen by the first byte, gives an error or a legal move whose
//! SAN is read back as that move.

use crate::positions::chosen;

pub fn check(data: &[u8]) {
    let Some((position, _, text)) = chosen(data) else {
        return;
    };
    match position.move_from_san(text) {
        Ok(mv) => {
            assert!(position.is_legal(mv));
            assert_eq!(position.move_from_san(&position.san(mv)), Ok(mv));
        }
        Err(error) => assert!(error.to_string().contains(' ')),
    }
}
