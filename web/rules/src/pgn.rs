//! Games in PGN: read into nested lines of moves with their annotations, and written from them.

use std::io::Cursor;

use formats::notation;
use formats::pgn::{Eval, Games, MoveNode, NULL_MOVE, Record, Variation};
use movegen::{Position, Variant};
use serde::Serialize;

use crate::Failure;

/// The games of a text, and what is wrong with others.
#[derive(Debug, Serialize)]
pub(crate) struct PgnGames {
    games: Vec<PgnGame>,
    errors: Vec<PgnError>,
}

/// The games of a part of a file, and where the next part begins.
#[derive(Debug, Serialize)]
pub(crate) struct PgnPart {
    #[serde(flatten)]
    found: PgnGames,
    end: PgnPlace,
}

/// The games and lines before a place in a file, and the bytes before it in its part.
#[derive(Debug, Serialize)]
struct PgnPlace {
    games: u64,
    lines: u64,
    bytes: u64,
}

/// An invalid game.
#[derive(Debug, Serialize)]
struct PgnError {
    text: String,
    line: u64,
    /// The game up to an illegal move.
    part: Option<PgnGame>,
}

#[derive(Debug, Serialize)]
pub(crate) struct PgnGame {
    /// Without `Result`, `FEN`, `SetUp` and `Variant`, which derive from the rest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    /// Missing for the start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    chess960: bool,
    /// Before the first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    moves: Vec<PgnMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// Parts of the text that were not kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PgnLine {
    /// Before the first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    moves: Vec<PgnMove>,
}

#[derive(Debug, Serialize)]
struct PgnMove {
    /// In UCI notation; missing for a null move.
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    /// `--` for a null move.
    san: String,
    /// Numeric annotation glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    /// For White, from `[%eval]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<PgnEval>,
    /// In milliseconds, from `[%clk]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
    /// The alternatives to the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<PgnLine>,
}

/// Centipawns, or moves to mate.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum PgnEval {
    Cp(i32),
    Mate(i32),
}

impl PgnPart {
    /// Reads complete lines, of which the first follows the given numbers of games and lines.
    /// Unless the part is the last one, its last game belongs to the next.
    pub(crate) fn read(
        text: &[u8],
        variant: Option<Variant>,
        is_last: bool,
        [games, lines]: [u64; 2],
    ) -> Result<Self, Failure> {
        let mut reader = Games::new(text, variant).after(games, lines);
        let mut end = PgnPlace {
            games,
            lines,
            bytes: 0,
        };
        let (mut games, mut errors) = (Vec::new(), Vec::new());
        while let Some(game) = reader.next_game()? {
            if let Some((games, lines)) = reader.counts() {
                end = PgnPlace {
                    games,
                    lines,
                    bytes: reader.bytes(),
                };
            } else if !is_last {
                break;
            }
            match game {
                Ok(record) => games.push(PgnGame::from(&record)),
                Err(invalid) => errors.push(PgnError {
                    text: invalid.to_string(),
                    line: invalid.line(),
                    part: invalid.part.as_deref().map(PgnGame::from),
                }),
            }
        }
        let found = PgnGames { games, errors };
        Ok(Self { found, end })
    }
}

impl From<&Record> for PgnGame {
    fn from(record: &Record) -> Self {
        let start = &record.start;
        let PgnLine { comment, moves } = PgnLine::of(&record.main_line, start);
        let tags = record.tags.iter().filter(|&(name, _)| name != "Variant");
        Self {
            tags: tags
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            fen: (*start != Position::default()).then(|| notation::fen(start, start.variant())),
            chess960: start.variant() == Variant::Chess960,
            comment,
            moves,
            result: record.result.as_str(),
            warnings: record.warnings.clone(),
        }
    }
}

/// A game as it is written into files. What the text does not keep is an error, and a result that
/// contradicts the end of the game.
pub(crate) fn formatted(text: &str) -> Result<String, Failure> {
    let mut games = Games::new(Cursor::new(text), None);
    let mut record = games
        .next_game()?
        .ok_or_else(|| Failure::new("expected a game"))??;
    if games.next_game()?.is_some() {
        return Err(Failure::new("expected one game, found another after it"));
    }
    let stated = record.result;
    record.result = record.result_on_board();
    record.state_result(stated)?;
    let lost = |warning: &&String| !warning.ends_with(NULL_MOVE);
    match record.warnings.iter().find(lost) {
        None => Ok(record.pgn()),
        Some(warning) => Err(Failure::new(warning)),
    }
}

impl PgnLine {
    fn of(line: &Variation, start: &Position) -> Self {
        let mut position = *start;
        let nodes = line.moves.iter().map(|node| {
            let before = position;
            position = node.after(&before);
            PgnMove::of(node, &before)
        });
        Self {
            comment: line.comment.text.clone(),
            moves: nodes.collect(),
        }
    }
}

impl PgnMove {
    fn of(node: &MoveNode, before: &Position) -> Self {
        let comment = &node.comment;
        Self {
            uci: node.mv.map(|mv| mv.uci(before.variant()).to_string()),
            san: node.san(before),
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            comment: comment.text.clone(),
            eval: comment.eval.map(|eval| match eval {
                Eval::Centipawns(value) => PgnEval::Cp(value),
                Eval::Mate(moves) => PgnEval::Mate(moves),
            }),
            clock: comment.clock.map(|clock| clock.as_millis() as u64),
            variations: node
                .variations
                .iter()
                .map(|line| PgnLine::of(line, before))
                .collect(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}
