//! `castellan completions` and `castellan man`.

use crate::CASTELLAN;
use std::process::Command;
use test_common::TempDir;

const JOBS: [&str; 8] = [
    "analyze",
    "bench",
    "book",
    "completions",
    "epd",
    "eval",
    "man",
    "perft",
];

#[test]
fn every_shell_is_told_of_every_job() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = CASTELLAN.run(&["completions", shell], "").success();
        for job in JOBS {
            assert!(text.contains(job), "{shell} is not told of {job}");
        }
        assert!(text.contains("multipv"), "{shell}");
    }
    CASTELLAN.run_failing(&["completions"], 2);
    CASTELLAN.run_failing(&["completions", "cmd"], 2);
}

#[cfg(unix)]
#[test]
fn bash_understands_it() {
    let folder = TempDir::new("completions");
    let file = folder.write(
        "castellan.bash",
        CASTELLAN.run(&["completions", "bash"], "").success(),
    );
    let script = r#"source "$0" && COMP_WORDS=(castellan an) COMP_CWORD=1 &&
        _castellan castellan an castellan && echo "${COMPREPLY[@]}""#;
    let output = Command::new("bash")
        .args(["-c", script, &file])
        .output()
        .expect("bash");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let offered = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        offered.split_whitespace().any(|word| word == "analyze"),
        "{offered}"
    );
}

#[test]
fn there_is_a_page_for_the_program_and_for_each_job() {
    let page = |arguments: &[&str]| CASTELLAN.run(&[&["man"], arguments].concat(), "").success();
    let whole = page(&[]);
    assert!(whole.contains(".TH castellan"), "{whole}");
    for job in JOBS {
        assert!(
            whole.contains(&format!("castellan\\-{job}(1)")),
            "nothing of {job} in {whole}"
        );
        assert!(
            page(&[job]).contains(&format!(".TH castellan-{job}")),
            "{job}"
        );
    }
    assert!(page(&["analyse"]).contains("multipv"));
    assert!(page(&["book", "make"]).contains(".TH castellan-book-make"));
    for arguments in [&["man", "\u{1b}[2J"][..], &["man", "book", "burn"]] {
        assert!(
            CASTELLAN
                .run_failing(arguments, 1)
                .contains("there is no job")
        );
    }
}
