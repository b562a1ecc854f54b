//! Parses a line of EPD, or a FEN: the fields of the position and the operations that follow.

use movegen::{FenError, Move, Position, Setup};
use thiserror::Error;

use common::excerpt;

use crate::typed_move::{self, TypedMoveError};

/// The fields that every EPD line has; a FEN may have fewer.
const FIELDS: usize = 4;
/// The operations that stand for the last two fields of a FEN.
const CLOCKS: [&str; 2] = ["hmvc", "fmvn"];
const CLOCK_DEFAULTS: [&str; CLOCKS.len()] = ["0", "1"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpdLine {
    /// A FEN of six fields if the line has the first four; not validated.
    pub fen: String,
    /// Deviations from the standard: the line was read in spite of them.
    pub warnings: Vec<String>,
    operations: Vec<Operation>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Operation {
    code: String,
    operands: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EpdError {
    #[error(
        "invalid operation '{text}': expected a name such as bm or id, operands and ';', or the \
         clocks of a FEN"
    )]
    Code { text: String },
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("operation {code}: missing closing quotation mark")]
    UnclosedQuote { code: String },
    #[error(
        "operation {code}: expected ';' behind it, or instead of it the clocks of a FEN, which are \
         whole numbers"
    )]
    Unfinished { code: String },
}

impl EpdLine {
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        let mut rest = line.trim();
        let mut fields = Vec::with_capacity(FIELDS + CLOCKS.len());
        while fields.len() < FIELDS {
            match word(&mut rest) {
                "" => break,
                field => fields.push(field),
            }
        }
        let mut warnings = Vec::new();
        while fields.len() < FIELDS + CLOCKS.len() {
            let mut after = rest;
            let number = word(&mut after);
            let clock = fields.len().checked_sub(FIELDS);
            match clock.and_then(|clock| CLOCKS.get(clock).zip(CLOCK_DEFAULTS.get(clock))) {
                Some((code, default)) if number == "-" && !after.trim().is_empty() => {
                    warnings.push(format!("'-' in place of {code} read as {default}"));
                    fields.push(default);
                }
                _ if number.is_empty() || !is_number(number) => break,
                _ => fields.push(number),
            }
            rest = after;
        }
        let mut fen = fields.join(" ");
        // What follows a board that is none is not wrong by itself.
        let operations = operations(rest, &mut warnings).or_else(|error| {
            fen.parse::<Setup>()
                .map_or_else(|fen| Err(fen.into()), |_| Err(error))
        })?;
        if (FIELDS..FIELDS + CLOCKS.len()).contains(&fields.len()) {
            let clocks = CLOCKS.iter().zip(CLOCK_DEFAULTS);
            for (code, default) in clocks.skip(fields.len() - FIELDS) {
                let given = first_operand(&operations, code);
                fen = format!("{fen} {}", given.unwrap_or(default));
            }
        }
        Ok(Self {
            fen,
            warnings,
            operations,
        })
    }

    /// Returns the operands of an operation; if it occurs more than once, of the first.
    pub fn operands(&self, code: &str) -> Option<&[String]> {
        operands(&self.operations, code)
    }

    /// Returns the operations in their order.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &[String])> {
        let operations = self.operations.iter();
        operations.map(|operation| (operation.code.as_str(), operation.operands.as_slice()))
    }

    /// Returns the first operand of an operation.
    pub fn operand(&self, code: &str) -> Option<&str> {
        first_operand(&self.operations, code)
    }

    /// Returns the moves of `bm` or `am`, without a mate such as `#3`.
    pub fn moves(&self, code: &str, position: &Position) -> Result<Vec<Move>, TypedMoveError> {
        let operands = self.operands(code).unwrap_or_default().iter();
        let moves = operands.filter(|text| !text.starts_with('#'));
        moves
            .map(|text| typed_move::parse_in(position, text))
            .collect()
    }

    /// Returns true if a result has a move of `bm`, none of `am`, and a mate in the moves of `dm`, and
    /// `None` without these operations; fails if one of them is invalid.
    pub fn solved(
        &self,
        position: &Position,
        best_move: Option<Move>,
        mate: Option<i32>,
    ) -> Result<Option<bool>, String> {
        let moves = |code| {
            let moves = self.moves(code, position);
            moves.map_err(|error| format!("{code}: {error}"))
        };
        let has = |moves: &[Move]| best_move.is_some_and(|mv| moves.contains(&mv));
        let (best, avoided) = (moves("bm")?, moves("am")?);
        let dm = self.operand("dm").map(|text| {
            let moves: i32 = text.parse().map_err(|_| {
                format!("dm: expected a number of moves, found '{}'", excerpt(text))
            })?;
            Ok::<_, String>(mate.is_some_and(|found| (1..=moves).contains(&found)))
        });
        let verdicts = [
            (!best.is_empty()).then(|| has(&best)),
            (!avoided.is_empty()).then(|| !has(&avoided)),
            dm.transpose()?,
        ];
        let given = verdicts.into_iter().flatten();
        Ok(given.reduce(|one, other| one && other))
    }

    pub fn id(&self) -> Option<String> {
        self.operand("id").map(str::to_owned)
    }
}

fn operands<'a>(operations: &'a [Operation], code: &str) -> Option<&'a [String]> {
    let found = operations.iter().find(|operation| operation.code == code);
    found.map(|operation| operation.operands.as_slice())
}

fn first_operand<'a>(operations: &'a [Operation], code: &str) -> Option<&'a str> {
    operands(operations, code)?.first().map(String::as_str)
}

/// Splits off the next word; a semicolon ends it too.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let text = rest.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || c == ';');
    let (word, after) = text.split_at(end.unwrap_or(text.len()));
    *rest = after;
    word
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn operations(mut rest: &str, warnings: &mut Vec<String>) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if rest.is_empty() {
            return Ok(operations);
        }
        let code = word(&mut rest);
        // Every name has two letters or more; `x` is rather a mistyped clock.
        if code.len() < 2 || !code.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(EpdError::Code {
                text: excerpt(code),
            });
        }
        let operands = split_operands(code, &mut rest)?;
        if rest.is_empty() {
            let is_clock = code.contains(|c: char| c.is_ascii_digit())
                && operands.iter().all(|operand| is_number(operand));
            let code = excerpt(code);
            if operands.is_empty() || is_clock && operations.is_empty() {
                return Err(EpdError::Unfinished { code });
            }
            warnings.push(format!("operation {code}: expected ';' behind it"));
        }
        let code = code.to_owned();
        operations.push(Operation { code, operands });
    }
}

/// Splits off the operands up to the semicolon, or to the end of a line that lacks it.
fn split_operands(code: &str, rest: &mut &str) -> Result<Vec<String>, EpdError> {
    let mut operands = Vec::new();
    loop {
        let text = rest.trim_start();
        if let Some(quoted) = text.strip_prefix('"') {
            let Some((operand, after)) = quoted.split_once('"') else {
                return Err(EpdError::UnclosedQuote {
                    code: excerpt(code),
                });
            };
            operands.push(operand.to_owned());
            *rest = after;
        } else if text.is_empty() || text.starts_with(';') {
            *rest = text;
            return Ok(operands);
        } else {
            operands.push(word(rest).to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use test_common::table;

    use super::EpdLine;

    const BOARD: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -";

    fn parse(line: &str) -> EpdLine {
        EpdLine::parse(line).expect(line)
    }

    #[test]
    fn operations_of_all_kinds() {
        let line = parse(&format!(
            "{BOARD} bm f5 Bf2; id \"STS(v1.0) Undermine; 001\"; c0 \"f5=100, Bf2=46\";dm 3;"
        ));
        assert_eq!(line.fen, format!("{BOARD} 0 1"));
        assert_eq!(
            line.operands("bm"),
            Some(&["f5".to_owned(), "Bf2".to_owned()][..])
        );
        assert_eq!(line.operand("id"), Some("STS(v1.0) Undermine; 001"));
        assert_eq!(line.operand("c0"), Some("f5=100, Bf2=46"));
        assert_eq!(line.operand("dm"), Some("3"));
        assert_eq!(line.operand("am"), None);
    }

    /// The text after the board, the clocks, and warnings. Deviations were seen in ERET, and in
    /// lists that people keep by hand.
    const CLOCKS: &str = "
                                | 0 1  |
        7                       | 7 1  |
        7 30                    | 7 30 |
        7 30;                   | 7 30 |
        7 30 bm f5;             | 7 30 |
        hmvc 7; fmvn 30;        | 7 30 |
        bm f5; fmvn 30;         | 0 30 |
        5 hmvc 7; fmvn 30;      | 5 30 |
        ; ;                     | 0 1  |
        bm f5;                  | 0 1  |
        - bm f5;                | 0 1  | '-' in place of hmvc read as 0
        3 - bm f5;              | 3 1  | '-' in place of fmvn read as 1
        bm f5                   | 0 1  | operation bm: expected ';' behind it
        dm 3; bm f5             | 0 1  | operation bm: expected ';' behind it
        bm f5; id \"x\"         | 0 1  | operation id: expected ';' behind it
    ";

    #[test]
    fn clocks_are_fields_or_operations_and_small_deviations_are_warnings() {
        for [after, clocks, warning] in table(CLOCKS) {
            let line = parse(&format!("{BOARD} {after}"));
            assert_eq!(line.fen, format!("{BOARD} {clocks}"), "{after}");
            let best = after.contains("bm").then_some("f5");
            assert_eq!(line.operand("bm"), best, "{after}");
            assert_eq!(line.warnings.join("; "), warning, "{after}");
        }
    }

    #[test]
    fn invalid_fens_are_not_rejected_here() {
        for (text, fen) in [("", ""), (" not a\tfen ", "not a fen"), ("; bm e4;", "")] {
            assert_eq!(parse(text).fen, fen);
        }
    }

    const ERRORS: &str = "
        0 1 2              | invalid operation '2':
        -                  | invalid operation '-':
        0 1 -              | invalid operation '-':
        x 1                | invalid operation 'x':
        0 x                | invalid operation 'x':
        l00 21             | operation l00: expected ';' behind it
        bm                 | operation bm: expected ';' behind it
        id \"a; bm e4;     | operation id: missing closing quotation mark
    ";

    #[test]
    fn invalid_operations_are_errors() {
        for [after, expected] in table(ERRORS) {
            let error = EpdLine::parse(&format!("{BOARD} {after}")).expect_err(after);
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(text in ".*", after in "[a-z0-9\"; =+#-]{0,60}") {
            let _ = EpdLine::parse(&text);
            let _ = EpdLine::parse(&format!("{BOARD} {after}"));
        }

        #[test]
        fn parses_what_was_written(
            clocks in prop::option::of((0..200_u16, 1..200_u16)),
            operands in prop::collection::vec("[A-Za-z0-9=+#-]{1,8}", 0..5),
            text in "[^\"\r\n]{0,40}",
        ) {
            let (half, full) = clocks.unwrap_or((0, 1));
            let fields = clocks.map_or(String::new(), |(half, full)| format!(" {half} {full}"));
            let line = parse(&format!("{BOARD}{fields} bm {}; id \"{text}\"; dm 4;", operands.join(" ")));
            prop_assert_eq!(&line.fen, &format!("{BOARD} {half} {full}"));
            prop_assert_eq!(line.operands("bm"), Some(operands.as_slice()));
            prop_assert_eq!(line.operand("id"), Some(text.as_str()));
            prop_assert_eq!(line.operand("dm"), Some("4"));
        }
    }
}
