//! `castellan board` with and without the other program beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use test_common::TempDir;

use super::CASTELLAN;

#[test]
fn the_board_beside_the_program_is_started() {
    let folder = TempDir::new("castellan board");
    let program = folder.path("castellan");
    fs::copy(CASTELLAN.path(), &program).expect("a copy");
    let run = || -> Output {
        let mut command = Command::new(&program);
        let arguments = ["board", "--port", "8000", "--no-browser"];
        command.args(arguments).output().expect("it runs")
    };
    let output = run();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(error.contains("castellan-board is not in "), "{error}");
    assert!(error.contains("cargo run --release -p board"), "{error}");
    let board = folder.write("castellan-board", "#!/bin/sh\necho \"$@\"\n");
    fs::set_permissions(board, fs::Permissions::from_mode(0o755)).expect("permissions");
    let output = run();
    assert_eq!(output.stdout, b"--port 8000 --no-browser\n");
    assert!(output.status.success());
}
