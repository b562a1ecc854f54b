//! Any text as SAN, in a position chosen by the first byte, gives an error or a legal move whose SAN
//! is read back as that move.

#![no_main]

#[path = "positions.rs"]
mod positions;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let (position, _) = positions::chosen(choice);
    match position.move_from_san(text) {
        Ok(mv) => {
            assert!(position.is_legal(mv));
            assert_eq!(position.move_from_san(&position.san(mv)), Ok(mv));
        }
        Err(error) => assert!(error.to_string().contains(' ')),
    }
});
