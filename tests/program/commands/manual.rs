//! `castellan completions` and `castellan man`.

use test_common::repository_file;

use super::{CASTELLAN, commands, fails};

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = CASTELLAN.run(&["completions", shell], "").success();
        for command in commands() {
            for word in command {
                assert!(text.contains(&word), "{shell}: {word}");
            }
        }
        assert!(text.contains("multipv"), "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_commands() {
    let directory = test_common::TempDir::new("completions");
    let completions = CASTELLAN.run(&["completions", "bash"], "").success();
    let file = directory.write("castellan.bash", completions);
    let script = r#"source "$0" && COMP_WORDS=(castellan an) COMP_CWORD=1 &&
        _castellan castellan an castellan && echo "${COMPREPLY[@]}""#;
    let output = std::process::Command::new("bash")
        .args(["-c", script, &file])
        .output()
        .expect("bash");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let offered = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(offered.split_whitespace().any(|word| word == "analyze"));
}

#[test]
fn make_installs_all_manual_pages() {
    let makefile = repository_file("Makefile");
    let installed = makefile
        .lines()
        .find_map(|line| line.strip_prefix("COMMANDS := "));
    let installed: Vec<&str> = installed.expect("a list").split(' ').collect();
    let commands = commands();
    let mut names: Vec<&str> = commands.iter().map(|words| words[0].as_str()).collect();
    names.dedup();
    assert_eq!(installed, names);
}

#[test]
fn every_command_has_a_manual_page() {
    let page = |arguments: &[&str]| CASTELLAN.run(&[&["man"], arguments].concat(), "").success();
    let program = page(&[]);
    assert!(program.contains(".TH castellan"), "{program}");
    assert!(!program.contains("castellan\\-help"), "{program}");
    assert!(!page(&["book"]).contains("book\\-help"));
    for command in commands() {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let reference = format!("castellan\\-{}(1)", words[0]);
        assert!(program.contains(&reference), "{reference}: {program}");
        let title = format!(".TH castellan-{}", words.join("-"));
        assert!(page(&words).contains(&title), "{title}");
    }
    assert!(page(&["analyse"]).contains("multipv"));
    for words in ["man \u{1b}[2J", "man book burn"] {
        fails(words, &[], 1, "unknown command");
    }
}
