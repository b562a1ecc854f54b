//! Any bytes on the wire: each line is read, understood or refused, and never a panic. An
//! answer must fit on one line, whatever was typed.

#![no_main]

use std::sync::LazyLock;

use castellan::uci::command::Command;
use common::input::{InputError, LineReader};
use castellan::uci::options::OptionTable;
use libfuzzer_sys::fuzz_target;

const HASH_MIB: u32 = 1024;

static OPTIONS: LazyLock<OptionTable> = LazyLock::new(|| OptionTable::new(HASH_MIB));

fuzz_target!(|data: &[u8]| {
    let mut input = LineReader::new(data);
    loop {
        match input.next_line() {
            Ok(Some(line)) => answer(&line),
            Ok(None) => break,
            Err(InputError::Read(error)) => panic!("memory cannot fail to be read: {error}"),
            Err(error) => one_line(&error.to_string()),
        }
    }
});

fn answer(line: &str) {
    match Command::parse(line) {
        Ok(Some(Command::SetOption { name, value })) => {
            if let Err(error) = OPTIONS.parse(&name, &value) {
                one_line(&error.to_string());
            }
        }
        Ok(_) => {}
        Err(error) => one_line(&error.to_string()),
    }
}

fn one_line(answer: &str) {
    assert!(!answer.contains(char::is_control), "{answer:?}");
}
