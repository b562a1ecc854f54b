//! A summary of the tags of a game, as people write it.

use serde::{Deserialize, Serialize};

use formats::openings;
use formats::pgn::{GameResult, Record, Tags};

/// In characters.
const MAX_LENGTH: usize = 200;

/// Names, result, date and so on; what is not known is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    pub white: Player,
    pub black: Player,
    pub result: String,
    pub event: String,
    pub site: String,
    pub round: String,
    pub date: String,
    /// The date as it sorts.
    pub sortable_date: String,
    pub time_control: String,
    pub termination: String,
    pub eco: String,
    pub opening: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// `White` or `Black` where it is not known.
    pub name: String,
    /// `GM` and the like.
    pub title: String,
    pub rating: String,
}

impl Heading {
    pub fn new(record: &Record) -> Self {
        let known = |name| known(&record.tags, name);
        let date = known("Date").or_else(|| known("UTCDate"));
        let text = |name| known(name).unwrap_or_default();
        let (eco, opening) = opening(record);
        Self {
            white: Player::new(&record.tags, "White"),
            black: Player::new(&record.tags, "Black"),
            result: result(record.result).to_owned(),
            event: text("Event"),
            site: text("Site"),
            round: text("Round"),
            date: date.as_deref().map(written_date).unwrap_or_default(),
            sortable_date: date.unwrap_or_default(),
            time_control: known("TimeControl")
                .as_deref()
                .map(written_time_control)
                .unwrap_or_default(),
            termination: text("Termination"),
            eco,
            opening,
        }
    }
}

impl Player {
    fn new(tags: &Tags, side: &str) -> Self {
        let text = |suffix| known(tags, &format!("{side}{suffix}")).unwrap_or_default();
        let rating = text("Elo");
        Self {
            name: known(tags, side).unwrap_or_else(|| side.to_owned()),
            title: text("Title"),
            rating: if rating == "0" { String::new() } else { rating },
        }
    }
}

/// The value of a tag, unless it stands for an unknown one; shortened to fit into a heading.
fn known(tags: &Tags, name: &str) -> Option<String> {
    let value = tags.get(name)?.trim();
    if matches!(value, "" | "?" | "-" | "????.??.??") {
        return None;
    }
    Some(match value.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    })
}

fn result(result: GameResult) -> &'static str {
    match result.as_str() {
        "1-0" => "1–0",
        "0-1" => "0–1",
        "1/2-1/2" => "½–½",
        other => other,
    }
}

/// Returns ECO code and name of the opening: those of the tags, or else by its moves. A code alone
/// has the name of the moves, if that is one of this code.
fn opening(record: &Record) -> (String, String) {
    let found = openings::find(&record.start, record.moves());
    let (eco, name) = found.unwrap_or_default();
    let tag = |name| known(&record.tags, name);
    match (tag("ECO"), tag("Opening")) {
        (Some(code), None) if code == eco => (code, name.to_owned()),
        (Some(code), None) => {
            let name = openings::name_of(&code).unwrap_or_default();
            (code, name.to_owned())
        }
        (Some(code), Some(name)) => (code, name),
        (None, Some(name)) => (eco.to_owned(), name),
        (None, None) => (eco.to_owned(), name.to_owned()),
    }
}

/// `2013.11.22` becomes `22 November 2013`; unknown parts are left out.
fn written_date(date: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let parts: Vec<&str> = date.split(['.', '-', '/']).collect();
    let [year, month, day] = parts.as_slice() else {
        return date.to_owned();
    };
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    let month = month.parse::<usize>().ok();
    let month = month.and_then(|number| MONTHS.get(number.checked_sub(1)?));
    let day = day.parse::<u8>().ok().filter(|day| (1..=31).contains(day));
    match (is_year, month, day) {
        (true, Some(month), Some(day)) => format!("{day} {month} {year}"),
        (true, Some(month), None) if parts.get(2) == Some(&"??") => format!("{month} {year}"),
        (true, None, None) if parts.get(1) == Some(&"??") => (*year).to_owned(),
        _ => date.to_owned(),
    }
}

/// `300+3` becomes `5+3`: minutes, and seconds added for each move. Several stages are written
/// out; what is not understood stays as it is.
fn written_time_control(text: &str) -> String {
    let stages: Option<Vec<Stage>> = text.split(':').map(Stage::parse).collect();
    match stages.as_deref() {
        None | Some([]) => text.to_owned(),
        Some(
            [
                Stage {
                    moves: None,
                    seconds,
                    increment,
                },
            ],
        ) => format!("{}+{increment}", minutes(*seconds)),
        Some(
            [
                Stage {
                    moves: Some(1),
                    seconds,
                    increment: 0,
                },
            ],
        ) if seconds % SECONDS_PER_DAY == 0 => match seconds / SECONDS_PER_DAY {
            1 => "1 day a move".to_owned(),
            days => format!("{days} days a move"),
        },
        Some(stages) => {
            let stages: Vec<String> = stages.iter().map(Stage::written).collect();
            stages.join(", then ")
        }
    }
}

const SECONDS_PER_DAY: u32 = 24 * 60 * 60;

/// A stage of a time control, such as `40/5400+30`.
struct Stage {
    moves: Option<u32>,
    seconds: u32,
    increment: u32,
}

impl Stage {
    fn parse(text: &str) -> Option<Self> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok()?), time),
            None => (None, text),
        };
        let (seconds, increment) = time.split_once('+').unwrap_or((time, "0"));
        Some(Self {
            moves,
            seconds: seconds.parse().ok()?,
            increment: increment.parse().ok()?,
        })
    }

    fn written(&self) -> String {
        let time = format!("{} min", minutes(self.seconds));
        let time = match self.increment {
            0 => time,
            increment => format!("{time} + {increment} s a move"),
        };
        match self.moves {
            Some(moves) => format!("{moves} moves in {time}"),
            None => time,
        }
    }
}

fn minutes(seconds: u32) -> String {
    match (seconds / 60, seconds % 60) {
        (minutes, 0) => minutes.to_string(),
        (0, 15) => "¼".to_owned(),
        (0, 30) => "½".to_owned(),
        (0, 45) => "¾".to_owned(),
        _ => {
            let text = format!("{:.2}", f64::from(seconds) / 60.0);
            text.trim_end_matches('0').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{written_date, written_time_control};

    #[test]
    fn dates() {
        for (date, expected) in [
            ("2013.11.22", "22 November 2013"),
            ("1851.06.??", "June 1851"),
            ("1912.??.??", "1912"),
            ("1912.??.03", "1912.??.03"),
            ("2013-01-05", "5 January 2013"),
            ("2013.13.01", "2013.13.01"),
            ("22.11.2013", "22.11.2013"),
            ("yesterday", "yesterday"),
        ] {
            assert_eq!(written_date(date), expected);
        }
    }

    #[test]
    fn time_controls() {
        for (text, expected) in [
            ("300+3", "5+3"),
            ("600", "10+0"),
            ("30+0", "½+0"),
            ("90+1", "1.5+1"),
            ("1/86400", "1 day a move"),
            ("1/259200", "3 days a move"),
            (
                "40/5400+30:1800+30",
                "40 moves in 90 min + 30 s a move, then 30 min + 30 s a move",
            ),
            ("*180", "*180"),
            ("G/60", "G/60"),
            ("javascript:1", "javascript:1"),
        ] {
            assert_eq!(written_time_control(text), expected);
        }
    }
}
