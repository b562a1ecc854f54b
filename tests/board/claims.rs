//! Claims: the changes that writers of a library were told are kept.

use formats::pgn::{MoveNode, Record, Variation};
use movegen::{Move, Position};
use serde_json::Value;

/// A game by its moves, with its result once it is over.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Claim {
    pub(crate) id: Option<String>,
    pub(crate) moves: Vec<String>,
    pub(crate) result: Option<String>,
}

impl Claim {
    /// The game that the page shows.
    pub(crate) fn of(view: &Value) -> Self {
        let moves = view["moves"].as_array().expect("moves").iter();
        Self {
            id: view["saved"]["id"].as_str().map(str::to_owned),
            moves: moves.map(|mv| text(&mv["uci"])).collect(),
            result: view["result"]["result"].as_str().map(str::to_owned),
        }
    }

    pub(crate) fn is_in(&self, games: &[Record]) -> bool {
        games.iter().any(|game| {
            let moves: Vec<String> = game.moves().map(uci).collect();
            // In Analyze it may get more moves.
            let has_result = |result| game.result.as_str() == result;
            moves.starts_with(&self.moves) && self.result.as_deref().is_none_or(has_result)
        })
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

pub(crate) fn uci(mv: Move) -> String {
    mv.uci(Position::default().variant()).to_string()
}

/// An addition to a game: in Analyze a line of moves or a word of a comment, in the background an
/// evaluation after some moves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Added {
    Line(Vec<String>),
    Word(String),
    Evaluation(Vec<String>),
}

impl Added {
    pub(crate) fn is_in(&self, games: &[Record]) -> bool {
        games.iter().any(|game| match self {
            Self::Line(moves) => node(&game.main_line, moves).is_some(),
            Self::Evaluation(moves) => {
                node(&game.main_line, moves).is_some_and(|node| node.comment.eval.is_some())
            }
            Self::Word(word) => game
                .pgn()
                .split(['{', '}', ' ', '\n'])
                .any(|one| one == word),
        })
    }
}

/// The last of some moves in a line or its variations.
fn node<'a>(line: &'a Variation, moves: &[String]) -> Option<&'a MoveNode> {
    for (number, one) in line.moves.iter().enumerate() {
        let left = moves.get(number..)?;
        if let Some(found) = one.variations.iter().find_map(|other| node(other, left)) {
            return Some(found);
        }
        if one.mv.map(uci).as_ref() != left.first() {
            return None;
        }
        if left.len() == 1 {
            return Some(one);
        }
    }
    None
}
