//! The choice of games, by their tags and result.

use std::str::FromStr;

use formats::openings;
use formats::pgn::{GameResult, Record};

#[derive(Debug, clap::Args)]
pub(super) struct Filter {
    /// Keep games where a player's name contains NAME, ignoring case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The same for White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// The same for Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Keep games with this result: 1-0, 0-1, 1/2-1/2 or '*'; may be repeated
    #[arg(long, value_name = "RESULT", value_parser = parse_result)]
    result: Vec<GameResult>,
    /// Keep games of these openings, such as B90, B9 or B20-B99; games without an ECO tag are
    /// classified by their moves
    #[arg(long, value_name = "CODES")]
    eco: Option<EcoRange>,
    /// Keep games that may have been played on this date or later, such as 2024 or 2024-05-31
    #[arg(long, value_name = "DATE")]
    since: Option<Period>,
    /// Keep games that may have been played on this date or earlier
    #[arg(long, value_name = "DATE")]
    until: Option<Period>,
}

impl Filter {
    /// True if a game without an ECO tag is classified by its moves.
    pub(super) fn needs_moves(&self) -> bool {
        self.eco.is_some()
    }

    pub(super) fn matches(&self, record: &Record) -> bool {
        let has_name = |tag: &str, name: &str| {
            let player = record.tags.get(tag).unwrap_or_default();
            player.to_lowercase().contains(&name.to_lowercase())
        };
        let is_player = |name: &str| has_name("White", name) || has_name("Black", name);
        let date = || record.tags.get("Date")?.parse::<Period>().ok();
        let tag = record.tags.get("ECO");
        let eco = || match tag.filter(|code| !["", "?", "-"].contains(code)) {
            None => openings::find(&record.start, record.moves()).map(|(code, _)| code),
            tag => tag,
        };
        self.player.as_deref().is_none_or(is_player)
            && self
                .white
                .as_deref()
                .is_none_or(|name| has_name("White", name))
            && self
                .black
                .as_deref()
                .is_none_or(|name| has_name("Black", name))
            && (self.result.is_empty() || self.result.contains(&record.result))
            && self
                .eco
                .as_ref()
                .is_none_or(|range| eco().is_some_and(|code| range.contains(code)))
            && self
                .since
                .is_none_or(|since| date().is_some_and(|date| date.last >= since.first))
            && self
                .until
                .is_none_or(|until| date().is_some_and(|date| date.first <= until.last))
    }
}

fn parse_result(text: &str) -> Result<GameResult, &'static str> {
    GameResult::parse(text).ok_or("expected 1-0, 0-1, 1/2-1/2 or '*'")
}

/// Codes of the Encyclopaedia of Chess Openings, from the first to the last.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EcoRange {
    first: String,
    last: String,
}

impl EcoRange {
    /// Some programs add letters to the code.
    fn contains(&self, code: &str) -> bool {
        let code: String = code.to_ascii_uppercase().chars().take(3).collect();
        is_code(&code) && code.len() == 3 && self.first <= code && code <= self.last
    }
}

/// True if it is a letter from A to E and up to two digits.
fn is_code(text: &str) -> bool {
    let mut letters = text.bytes();
    letters
        .next()
        .is_some_and(|volume| (b'A'..=b'E').contains(&volume))
        && letters.all(|digit| digit.is_ascii_digit())
        && text.len() <= 3
}

impl FromStr for EcoRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<EcoRange, &'static str> {
        let text = text.to_ascii_uppercase();
        let (first, last) = text.split_once('-').unwrap_or((&text, &text));
        if !is_code(first) || !is_code(last) {
            return Err("expected a code such as B90, the beginning of one such as B9, or B20-B99");
        }
        let (first, last) = (format!("{first:0<3}"), format!("{last:9<3}"));
        if first <= last {
            Ok(EcoRange { first, last })
        } else {
            Err("expected the lower code first, as in B20-B99")
        }
    }
}

/// The days that a date, possibly without day or month, can mean, each as the number `yyyymmdd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Period {
    first: u32,
    last: u32,
}

impl FromStr for Period {
    type Err = &'static str;

    /// Parses `2024.05.31`, also with hyphens, without day and month, or with `??` for them.
    fn from_str(text: &str) -> Result<Period, &'static str> {
        const EXPECTED: &str = "expected a date such as 2024, 2024-05 or 2024-05-31";
        let mut parts = text.split(['.', '-']);
        let year = parts.next().unwrap_or_default();
        let mut number = |largest: u32| match parts.next() {
            None | Some("??") => Ok(None),
            Some(part) => match part.parse() {
                Ok(number) if (1..=largest).contains(&number) => Ok(Some(number)),
                _ => Err(EXPECTED),
            },
        };
        let (month, day) = (number(12)?, number(31)?);
        let is_year = year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit());
        let year: u32 = year.parse().map_err(|_| EXPECTED)?;
        if !is_year || parts.next().is_some() {
            return Err(EXPECTED);
        }
        let date = |month: u32, day: u32| year * 10_000 + month * 100 + day;
        Ok(Period {
            first: date(month.unwrap_or(1), day.unwrap_or(1)),
            last: date(month.unwrap_or(12), day.unwrap_or(31)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{EcoRange, Period};

    #[test]
    fn codes_and_their_beginnings() {
        for (range, inside, outside) in [
            (
                "B90",
                &["B90", "b90", "B90a"][..],
                &["B91", "B9", "", "?"][..],
            ),
            ("b9", &["B90", "B99"], &["B89", "C00"]),
            ("B", &["B00", "B99"], &["A99", "C00"]),
            ("B20-C1", &["B20", "B99", "C19"], &["B19", "C20"]),
        ] {
            let range: EcoRange = range.parse().expect(range);
            assert!(inside.iter().all(|code| range.contains(code)), "{range:?}");
            assert!(
                !outside.iter().any(|code| range.contains(code)),
                "{range:?}"
            );
        }
        for text in [
            "",
            "F00",
            "B900",
            "90",
            "B20-",
            "B20-B30-B40",
            "Bx",
            "B99-B20",
        ] {
            assert!(text.parse::<EcoRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn dates_without_day_or_month() {
        for (text, first, last) in [
            ("2024.05.31", 20_240_531, 20_240_531),
            ("2024-05-31", 20_240_531, 20_240_531),
            ("2024.05.??", 20_240_501, 20_240_531),
            ("2024-05", 20_240_501, 20_240_531),
            ("2024.??.??", 20_240_101, 20_241_231),
            ("1851", 18_510_101, 18_511_231),
        ] {
            assert_eq!(text.parse(), Ok(Period { first, last }), "{text}");
        }
        for text in [
            "",
            "????.??.??",
            "24",
            "2024.13.01",
            "2024.5.32",
            "2024.5.1.1",
            "today",
        ] {
            assert!(text.parse::<Period>().is_err(), "{text}");
        }
    }
}
