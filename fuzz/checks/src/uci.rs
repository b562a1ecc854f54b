//! Any bytes as UCI input: each line is parsed or rejected, without a panic and with an error of
//! one line.

use std::sync::LazyLock;

use castellan::uci::command::UciCommand;
use common::input::{InputError, LineReader};
use service::OptionTable;

const HASH_MIB: u32 = 1024;

static OPTIONS: LazyLock<OptionTable> = LazyLock::new(|| OptionTable::new(HASH_MIB));

pub fn check(data: &[u8]) {
    let mut input = LineReader::new(data);
    loop {
        match input.next_line() {
            Ok(Some(line)) => parse(&line),
            Ok(None) => break,
            Err(InputError::Read(error)) => panic!("cannot read from memory: {error}"),
            Err(error) => one_line(&error.to_string()),
        }
    }
}

fn parse(line: &str) {
    match UciCommand::parse(line) {
        Ok(Some(UciCommand::SetOption { name, value })) => {
            if let Err(error) = OPTIONS.parse(&name, &value) {
                one_line(&error.to_string());
            }
        }
        Ok(_) => {}
        Err(error) => one_line(&error.to_string()),
    }
}

fn one_line(error: &str) {
    assert!(!error.contains(char::is_control), "{error:?}");
}
