//! Manual pages as mandoc wants them: what clap does not write.

use std::fmt::Write;

/// The date of this version, which its manual pages show.
pub const DATE: &str = "2026-11-28";

const COLUMNS: usize = 78;

/// Breaks lines of text at blanks, and removes blanks at their ends and line breaks beside a blank
/// line, which changes nothing of what is displayed.
pub fn tidy(page: &str) -> String {
    let mut tidy = String::with_capacity(page.len());
    let lines: Vec<&str> = page.lines().map(str::trim_end).collect();
    let is_blank = |index: usize| lines.get(index).is_some_and(|line| line.is_empty());
    for (index, line) in lines.iter().enumerate() {
        if *line == ".br" && (is_blank(index + 1) || is_blank(index.wrapping_sub(1))) {
            continue;
        }
        let is_request = line.starts_with(['.', '\'']);
        let mut column = 0;
        for word in line.split(' ') {
            // At the start of a line both characters would begin a request.
            let can_break = !is_request && !word.starts_with(['.', '\'']) && !word.is_empty();
            if column > 0 && can_break && column + 1 + word.len() > COLUMNS {
                tidy.push('\n');
                column = 0;
            } else if column > 0 {
                tidy.push(' ');
                column += 1;
            }
            tidy.push_str(word);
            column += word.len();
        }
        tidy.push('\n');
    }
    tidy
}

/// A section of terms, each with its explanation.
pub fn section<T: AsRef<str>>(title: &str, terms: impl IntoIterator<Item = (T, T)>) -> String {
    let mut text = format!(".SH \"{title}\"\n");
    for (term, explanation) in terms {
        let [term, explanation] = [term, explanation].map(|part| part.as_ref().replace('-', "\\-"));
        // Writing to a string does not fail.
        let _ = write!(text, ".TP\n\\fB{term}\\fR\n{explanation}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_blanks() {
        let text = "word ".repeat(30);
        let page = tidy(&format!(".SH NAME \n{text}\n"));
        assert!(page.starts_with(".SH NAME\nword word"));
        assert!(
            page.lines()
                .all(|line| line.len() <= COLUMNS && !line.ends_with(' '))
        );
        assert_eq!(page.split_whitespace().count(), 32);
    }

    #[test]
    fn requests_stay_on_one_line_and_no_line_becomes_one() {
        let request = format!(".TH {}", "word ".repeat(30).trim_end());
        assert_eq!(tidy(&request), format!("{request}\n"));
        let text = format!("{} .word 'word", "word ".repeat(15).trim_end());
        assert_eq!(tidy(&text), format!("{text}\n"));
    }
}
