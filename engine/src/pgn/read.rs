//! One game's text, read by `pgn-reader` and played by the rules.

use std::ops::ControlFlow;

use movegen::{Color, Position, SanError, Setup, Square, Variant};
use pgn_reader::{KnownOutcome, Outcome, RawTag, Reader, SanPlus, Visitor};

use super::split::Text;
use super::{Fault, Record, Score, words};
use crate::error::shown;

/// A game's text, played for so many plies.
pub(super) fn read(mut text: Text, plies: usize) -> Result<Record, Fault> {
    if let Some(fault) = text.fault.take() {
        return Err(fault);
    }
    words::check(&text)?;
    let mut reader = Reader::new(text.bytes.as_slice());
    let read = reader
        .read_game(&mut Player { plies })
        .map_err(Fault::Grammar)?;
    match read {
        Some(Ok(record)) => Ok(record),
        Some(Err(Refusal::Tag(fault))) => Err(fault),
        Some(Err(Refusal::Move(refused))) => Err(Fault::Move {
            line: words::line_of_move(&text, refused.ply),
            number: refused.number,
            source: refused.source,
        }),
        None => Header::default().record(),
    }
}

/// What stands above the moves, as far as it matters.
#[derive(Debug, Default)]
struct Header {
    fen: Option<String>,
    variant: Option<String>,
    result: Option<String>,
}

impl Header {
    /// The game before its first move.
    fn record(&self) -> Result<Record, Fault> {
        let variant = self.variant()?;
        let (start, passed_at_start) = match &self.fen {
            None => (Position::default(), None),
            Some(fen) => start(fen, variant)?,
        };
        let score = self.result.as_deref().map_or(Score::Unknown, score_in_tag);
        Ok(Record {
            start,
            passed_at_start,
            moves: Vec::new(),
            score,
        })
    }

    /// The names programs and sites give the two games that are chess.
    fn variant(&self) -> Result<Variant, Fault> {
        let Some(name) = &self.variant else {
            return Ok(Variant::Standard);
        };
        let lower = name.to_ascii_lowercase();
        let has = |part| lower.contains(part);
        if has("960") || has("fischer") {
            return Ok(Variant::Chess960);
        }
        match lower.as_str() {
            "" | "?" | "-" | "chess" | "standard" | "normal" | "from position" => {
                Ok(Variant::Standard)
            }
            _ => Err(Fault::Variant(shown(name))),
        }
    }
}

fn start(fen: &str, variant: Variant) -> Result<(Position, Option<Square>), Fault> {
    let setup = fen.parse::<Setup>()?;
    let position = setup.position(variant).map_err(movegen::FenError::from)?;
    Ok((position, setup.en_passant))
}

fn score_in_tag(result: &str) -> Score {
    match result.trim() {
        "1-0" => Score::Won(Color::White),
        "0-1" => Score::Won(Color::Black),
        "1/2-1/2" | "1/2" | "½-½" => Score::Drawn,
        _ => Score::Unknown,
    }
}

/// Plays the main line of the game that is read to it.
#[derive(Debug)]
struct Player {
    plies: usize,
}

#[derive(Debug)]
struct Playing {
    record: Record,
    position: Position,
}

#[derive(Debug)]
enum Refusal {
    Tag(Fault),
    Move(RefusedMove),
}

#[derive(Debug)]
struct RefusedMove {
    ply: usize,
    number: String,
    source: SanError,
}

impl Visitor for Player {
    type Tags = Header;
    type Movetext = Playing;
    type Output = Result<Record, Refusal>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Header> {
        ControlFlow::Continue(Header::default())
    }

    fn tag(
        &mut self,
        header: &mut Header,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let slot = match name {
            b"FEN" => &mut header.fen,
            b"Variant" => &mut header.variant,
            b"Result" => &mut header.result,
            _ => return ControlFlow::Continue(()),
        };
        *slot = Some(value.decode_utf8_lossy().into_owned());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, header: Header) -> ControlFlow<Self::Output, Playing> {
        match header.record() {
            Ok(record) => ControlFlow::Continue(Playing {
                position: record.start,
                record,
            }),
            Err(fault) => ControlFlow::Break(Err(Refusal::Tag(fault))),
        }
    }

    fn san(&mut self, playing: &mut Playing, san: SanPlus) -> ControlFlow<Self::Output> {
        let ply = playing.record.moves.len();
        if ply >= self.plies {
            return ControlFlow::Continue(());
        }
        match playing.position.move_from_san(&san.to_string()) {
            Ok(mv) => {
                playing.record.moves.push(mv);
                playing.position = playing.position.play_unchecked(mv);
                ControlFlow::Continue(())
            }
            Err(source) => ControlFlow::Break(Err(Refusal::Move(RefusedMove {
                ply,
                number: number_of_move(&playing.position),
                source,
            }))),
        }
    }

    fn outcome(&mut self, playing: &mut Playing, outcome: Outcome) -> ControlFlow<Self::Output> {
        // The tag is what people correct; the mark behind the moves speaks where it is silent.
        if playing.record.score == Score::Unknown {
            playing.record.score = match outcome {
                Outcome::Known(KnownOutcome::Decisive { winner }) => {
                    Score::Won(winner.fold_wb(Color::White, Color::Black))
                }
                Outcome::Known(KnownOutcome::Draw) => Score::Drawn,
                Outcome::Unknown => Score::Unknown,
            };
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, playing: Playing) -> Self::Output {
        Ok(playing.record)
    }
}

fn number_of_move(position: &Position) -> String {
    let number = position.fullmove_number();
    match position.turn() {
        Color::White => format!("{number}."),
        Color::Black => format!("{number}..."),
    }
}
