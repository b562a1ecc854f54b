//! Positions to ask questions about.

use tridim::{Color, Move, Pin, Position, Rules, Square};

pub(crate) const PLAIN: Rules = Rules { rotation: false };
pub(crate) const TURNING: Rules = Rules { rotation: true };

/// A position from a text a test wrote.
pub(crate) fn position(text: &str) -> Position {
    position_under(text, PLAIN)
}

pub(crate) fn position_under(text: &str, rules: Rules) -> Position {
    Position::from_text(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn pin(name: &str) -> Pin {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The position after some moves as people write them, each of which must be legal.
pub(crate) fn after(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(*position, |position, text| {
        let mv = position.read_move(text);
        let mv: Move = mv.unwrap_or_else(|error| panic!("{text} in {position}: {error}"));
        position.play_unchecked(mv)
    })
}

/// What is said against a move that must be refused.
pub(crate) fn refusal(position: &Position, text: &str) -> String {
    match position.read_move(text) {
        Ok(mv) => panic!("{text} is legal in {position}: {mv:?}"),
        Err(error) => error.to_string(),
    }
}

/// The legal moves, without a word on check and mate, in alphabetical order.
pub(crate) fn legal(position: &Position) -> Vec<String> {
    let moves = position.legal_moves().into_iter();
    let mut names: Vec<String> = moves.map(|mv| position.bare_notation(mv)).collect();
    names.sort_unstable();
    names
}

/// Where the man on a square may go, in alphabetical order.
pub(crate) fn goals(position: &Position, from: &str) -> Vec<String> {
    let from = square(from);
    let mut goals: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter_map(|mv| match mv {
            Move::Man {
                from: start, to, ..
            } if start == from => Some(to.to_string()),
            _ => None,
        })
        .collect();
    goals.sort_unstable();
    goals.dedup();
    goals
}

/// A position being put together from the side to move's point of view: what is written for
/// White is turned around for Black, so that every question is asked for both.
#[derive(Clone)]
pub(crate) struct Scene {
    us: Color,
    /// Boards as pin and owner, men as letter and square; White's view.
    boards: Vec<(String, char)>,
    men: Vec<(char, String, bool)>,
    number: u16,
    held: Option<String>,
    rules: Rules,
}

impl Scene {
    /// Every board at home, move 2 and nothing else.
    pub(crate) fn new(us: Color) -> Self {
        let home = [("QL1", 'w'), ("KL1", 'w'), ("QL6", 'b'), ("KL6", 'b')];
        Self {
            us,
            boards: home.map(|(pin, owner)| (pin.to_owned(), owner)).to_vec(),
            men: Vec::new(),
            number: 2,
            held: None,
            rules: PLAIN,
        }
    }

    /// Puts a man: `K d0KL1`, with `+` behind the letter if it has never moved.
    pub(crate) fn with(mut self, men: &str) -> Self {
        for pair in men.split(',') {
            let (man, at) = pair.trim().split_once(' ').expect("a man and a square");
            let letter = man.chars().next().expect("a letter");
            self.men.push((letter, at.to_owned(), man.ends_with('+')));
        }
        self
    }

    /// The same without the man on a square.
    pub(crate) fn without(mut self, at: &str) -> Self {
        self.men.retain(|(_, square, _)| square != at);
        self
    }

    pub(crate) fn board(mut self, from: &str, to: &str) -> Self {
        for (pin, _) in &mut self.boards {
            if pin == from {
                *pin = to.to_owned();
            }
        }
        self
    }

    /// Gives the board on one pin the other marking, and another board that one.
    pub(crate) fn swap_owners(mut self, one: &str, other: &str) -> Self {
        let mut owners = Vec::new();
        for (pin, owner) in &mut self.boards {
            if pin == one || pin == other {
                *owner = if *owner == 'w' { 'b' } else { 'w' };
                owners.push(*owner);
            }
        }
        assert!(
            owners.contains(&'w') && owners.contains(&'b'),
            "one of each"
        );
        self
    }

    pub(crate) const fn number(mut self, number: u16) -> Self {
        self.number = number;
        self
    }

    pub(crate) fn held(mut self, pin: &str) -> Self {
        self.held = Some(pin.to_owned());
        self
    }

    pub(crate) const fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// A name as it is on the side of whoever is to move.
    pub(crate) fn name(&self, white: &str) -> String {
        match self.us {
            Color::White => white.to_owned(),
            Color::Black => turned(white),
        }
    }

    pub(crate) fn square(&self, white: &str) -> Square {
        square(&self.name(white))
    }

    pub(crate) fn pin(&self, white: &str) -> Pin {
        pin(&self.name(white))
    }

    /// The position, through its text.
    pub(crate) fn position(&self) -> Position {
        let text = self.text();
        position_under(&text, self.rules)
    }

    pub(crate) fn text(&self) -> String {
        let us_white = self.us == Color::White;
        let own = |letter: char| match us_white {
            true => letter,
            false if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        let men: Vec<(String, String)> = self
            .men
            .iter()
            .map(|(letter, at, unmoved)| {
                let mark = if *unmoved { "+" } else { "" };
                (self.name(at), format!("{}{mark}", own(*letter)))
            })
            .collect();
        let mut parts = Vec::new();
        let mut names = vec!["W".to_owned(), "N".to_owned(), "B".to_owned()];
        for (pin, owner) in &self.boards {
            let owner = match (us_white, owner) {
                (true, &owner) => owner,
                (false, 'w') => 'b',
                (false, _) => 'w',
            };
            names.push(format!("{}{owner}", self.name(pin)));
        }
        for name in names {
            let board = name.trim_end_matches(['w', 'b']);
            parts.push(format!("{name}:{}", ranks(board, &men)));
        }
        let turn = if us_white { 'w' } else { 'b' };
        let held = self.held.as_ref().map(|pin| format!("@{}", self.name(pin)));
        let held = held.unwrap_or_default();
        format!("{} {turn}{held} - 0 {}", parts.join(","), self.number)
    }
}

/// A board's ranks as the text has them.
fn ranks(board: &str, men: &[(String, String)]) -> String {
    let (files, lowest) = match board {
        "W" => ("abcd", 1),
        "N" => ("abcd", 3),
        "B" => ("abcd", 5),
        _ => {
            let level = usize::from(board.as_bytes()[2] - b'1');
            let files = if board.starts_with('Q') { "za" } else { "de" };
            (files, [0, 4, 2, 6, 4, 8][level])
        }
    };
    let rows = (lowest..lowest + files.len()).rev().map(|rank| {
        let row: String = files
            .chars()
            .map(|file| {
                let name = format!("{file}{rank}{board}");
                let man = men.iter().find(|(at, _)| *at == name);
                man.map_or("1", |(_, letter)| letter.as_str()).to_owned()
            })
            .collect();
        // Single squares as the format counts them.
        row.replace("1111", "4")
            .replace("111", "3")
            .replace("11", "2")
    });
    rows.collect::<Vec<_>>().join("/")
}

/// A pin or square as the other side sees it.
fn turned(name: &str) -> String {
    let turn_board = |board: &str| match board {
        "W" => "B".to_owned(),
        "B" => "W".to_owned(),
        "N" => "N".to_owned(),
        pin => format!("{}{}", &pin[..2], 7 - (pin.as_bytes()[2] - b'0')),
    };
    if name.starts_with(['Q', 'K']) {
        return turn_board(name);
    }
    let rank = name.as_bytes()[1] - b'0';
    format!("{}{}{}", &name[..1], 9 - rank, turn_board(&name[2..]))
}
