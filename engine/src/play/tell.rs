//! What happens at the board, in sentences.

use movegen::{Color, Event, Game, Outcome, Position};
use search::{Outcome as Found, chances};

use crate::formats::pgn::{Eval, GameResult};
use crate::judgement;
use crate::notation;

/// An event, after it has happened; `before` is the position it happened in.
pub(super) fn event(event: Event, who: &str, before: &Position) -> String {
    match event {
        Event::Moved(mv) => {
            let number = notation::move_number(before);
            format!("{who}: {number} {}", before.san(mv))
        }
        Event::Check => "Check.".to_owned(),
        Event::FiftyMoveRuleAvailable => {
            "The fifty-move rule is available: 'draw' claims a draw.".to_owned()
        }
        Event::ThreefoldAvailable => {
            "The position is there for the third time: 'draw' claims a draw.".to_owned()
        }
        Event::DrawClaimed(claim) => format!("Draw claimed: {claim}."),
        Event::Ended(outcome) => ended(outcome),
    }
}

fn ended(outcome: Outcome) -> String {
    ending(&outcome.to_string(), outcome.into())
}

pub(super) fn ending(words: &str, score: GameResult) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}. {}", letters.as_str(), score.as_str())
}

/// What a search has come to.
pub(super) fn verdict(game: &Game, found: &Found) -> String {
    let position = game.position();
    let chances = chances(found.score, position);
    let (white, black) = match position.side_to_move() {
        Color::White => (chances.win, chances.loss),
        Color::Black => (chances.loss, chances.win),
    };
    let eval = match judgement::eval(found.score, position) {
        Eval::Centipawns(value) => format!("{:+.2} for White", f64::from(value) / 100.0),
        Eval::Mate(moves) if moves > 0 => format!("White mates in {moves}"),
        Eval::Mate(moves) => format!("Black mates in {}", -moves),
    };
    format!(
        "{eval}; White wins {} %, draw {} %, Black wins {} %; expected: {}",
        percent(white),
        percent(chances.draw),
        percent(black),
        notation::numbered_moves(position, found.pv().iter().copied()),
    )
}

fn percent(thousandths: u32) -> u32 {
    (thousandths + 5) / 10
}
