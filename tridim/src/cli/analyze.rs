//! `castellan tridim analyze`: what a search finds of a position, and what can be castled.

use std::fmt;
use std::io::Write;

use crate::{CastlingKind, Game, Move, Position};
use serde::Serialize;

use super::opponent::{Opponent, StrengthArgs};
use super::{PositionArgs, TridimJobError};

/// Looks for the best move of a position
#[derive(Debug, clap::Args)]
pub struct AnalyzeArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    strength: StrengthArgs,
    /// Answers as one line of JSON
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Answer {
    position: String,
    /// check, checkmate, stalemate or none
    state: &'static str,
    legal: Vec<String>,
    castling: Vec<Castling>,
    bestmove: Option<String>,
    score: Score,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

/// A kind of castling, and why it is not open.
#[derive(Debug, Serialize)]
struct Castling {
    kind: String,
    open: bool,
    reason: Option<String>,
}

pub(super) fn run(args: &AnalyzeArgs, output: &mut impl Write) -> Result<(), TridimJobError> {
    let position = args.position.position()?;
    let answer = look(&position, args.strength.clone());
    if args.json {
        writeln!(output, "{}", serde_json::to_string(&answer)?)?;
    } else {
        for line in answer.lines() {
            writeln!(output, "{line}")?;
        }
    }
    Ok(())
}

fn look(position: &Position, strength: StrengthArgs) -> Answer {
    let report = Opponent::new(strength).think(&Game::new(*position));
    let state = match (position.in_check(), position.has_moves()) {
        (true, true) => "check",
        (true, false) => "checkmate",
        (false, false) => "stalemate",
        (false, true) => "none",
    };
    let castling = CastlingKind::ALL.map(|kind| {
        let reason = position.why_not(kind);
        Castling {
            kind: kind.to_string(),
            open: reason.is_none(),
            reason: reason.map(|reason| reason.to_string()),
        }
    });
    let score = report.as_ref().map(|report| report.score);
    let line = report
        .as_ref()
        .map_or(Vec::new(), |report| written(position, &report.line));
    Answer {
        position: position.to_string(),
        state,
        legal: position
            .legal_moves()
            .into_iter()
            .map(|mv| position.bare_notation(mv))
            .collect(),
        castling: castling.into(),
        bestmove: line.first().cloned(),
        score: match score {
            Some(score) => score
                .mate_in()
                .map_or(Score::Cp(score.to_centipawns()), Score::Mate),
            None if position.in_check() => Score::Mate(0),
            None => Score::Cp(0),
        },
        depth: report.as_ref().map_or(0, |report| report.depth),
        nodes: report.as_ref().map_or(0, |report| report.nodes),
        line,
    }
}

/// Moves one after the other, as people write them.
fn written(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    moves
        .iter()
        .map(|&mv| {
            let name = position.notation(mv);
            position = position.play_unchecked(mv);
            name
        })
        .collect()
}

impl Answer {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("Position: {}", self.position),
            format!("State: {}", self.state),
            format!("Best: {}", self.bestmove.as_deref().unwrap_or("-")),
            format!("Score: {}", self.score),
            format!("Depth: {}, {} nodes", self.depth, self.nodes),
            format!("Line: {}", self.line.join(" ")),
        ];
        lines.extend(self.castling.iter().map(|castling| {
            castling
                .reason
                .clone()
                .unwrap_or_else(|| format!("castling {} is open", castling.kind))
        }));
        lines
    }
}

/// As in the JSON of `castellan analyze`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Score {
    Cp(i32),
    /// Moves to mate; negative when the side to move is mated, 0 when it is so already.
    Mate(i32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(centipawns) => write!(f, "cp {centipawns}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
