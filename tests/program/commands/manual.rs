//! `castellan completions` and `castellan man`.

use super::{CASTELLAN, commands, fails};

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
fn all_pages_are_written_to_a_directory() {
    let directory = test_common::TempDir::new("pages");
    let path = directory.path("");
    CASTELLAN.run(&["man", "--all", &path], "").success();
    let commands = commands().into_iter();
    let named = commands.filter(|name| name != "board");
    let named = named.map(|name| format!("castellan-{name}.1"));
    let mut expected: Vec<String> = named.chain(["castellan.1".to_owned()]).collect();
    expected.sort();
    assert_eq!(directory.names(), expected);
    fails("man --all", &[&path], 1, "already exists");
}

#[test]
fn every_command_has_a_manual_page() {
    let page = |arguments: &[&str]| CASTELLAN.run(&[&["man"], arguments].concat(), "").success();
    let program = page(&[]);
    assert!(program.contains(".TH CASTELLAN 1 "), "{program}");
    assert!(!program.contains("castellan\\-help"), "{program}");
    fails("man board", &[], 1, "use 'castellan-board --man'");
    for command in commands() {
        let reference = format!("castellan\\-{command}(1)");
        assert!(program.contains(&reference), "{reference}: {program}");
        if command == "board" {
            continue;
        }
        let title = format!(".TH CASTELLAN-{} 1", command.to_uppercase());
        let page = page(&[&command]);
        assert!(page.contains(&title), "{title}");
        // mandoc warns of them.
        assert!(
            !page.contains("\n\n.br") && !page.contains(".br\n\n"),
            "{title}"
        );
    }
    assert!(page(&["analyse"]).contains("multipv"));
    fails("man \u{1b}[2J", &[], 1, "unknown command");
}
