//! One game's text, read by `pgn-reader` and played by the rules.

use std::borrow::Cow;
use std::ops::ControlFlow;

use movegen::{Color, Position, SanError, Setup, Square, Variant};
use pgn_reader::{KnownOutcome, Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use super::record::{Line, Mark, Record, Score, Step, Tags};
use super::split::{self, Text};
use super::{Fault, words};
use crate::notation;
use crate::text::excerpt;

/// Nobody's analysis is nested deeper, and whoever walks through it later need not care.
const DEEPEST: usize = 50;

/// How much of a game is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The first so many moves.
    Moves(usize),
    /// All moves, and what is said of them.
    Everything,
}

/// A game's text, as far as it is wanted.
pub(super) fn read(mut text: Text, scope: Scope, variant: Variant) -> Result<Record, Fault> {
    if let Some(fault) = text.fault.take() {
        return Err(fault);
    }
    words::check(&text)?;
    let bytes = match scope {
        Scope::Moves(_) => Cow::Borrowed(text.bytes.as_slice()),
        Scope::Everything => Cow::Owned(split::braced(&text)),
    };
    let mut reader = Reader::new(bytes.as_ref());
    let read = reader
        .read_game(&mut Player { scope, variant })
        .map_err(Fault::Grammar)?;
    match read {
        Some(Ok(record)) => Ok(record),
        Some(Err(Refusal::Game(fault))) => Err(fault),
        Some(Err(Refusal::Move(refused))) => Err(Fault::Move {
            line: words::line_of_move(&text, refused.ply),
            number: refused.number,
            source: refused.source,
        }),
        None => Header::default().record(variant),
    }
}

/// What stands above the moves.
#[derive(Debug, Default)]
struct Header(Tags);

impl Header {
    /// The game before its first move.
    fn record(self, unnamed: Variant) -> Result<Record, Fault> {
        let variant = self.variant()?.unwrap_or(unnamed);
        let (start, passed_at_start) = match self.0.get("FEN") {
            None => (Position::default(), None),
            Some(fen) => start(fen, variant)?,
        };
        let score = self.0.get("Result").map_or(Score::Unknown, score_in_tag);
        Ok(Record {
            passed_at_start,
            score,
            tags: self.0,
            ..Record::new(start, variant)
        })
    }

    /// The names programs and sites give the two games that are chess.
    fn variant(&self) -> Result<Option<Variant>, Fault> {
        let Some(name) = self.0.get("Variant") else {
            return Ok(None);
        };
        let lower = name.to_ascii_lowercase();
        let has = |part| lower.contains(part);
        if has("960") || has("fischer") {
            return Ok(Some(Variant::Chess960));
        }
        match lower.as_str() {
            "" | "?" | "-" => Ok(None),
            "chess" | "standard" | "normal" | "from position" => Ok(Some(Variant::Standard)),
            _ => Err(Fault::Variant(excerpt(name))),
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

/// UTF-8, or else the encoding that older programs wrote.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// Plays the game that is read to it.
#[derive(Debug)]
struct Player {
    scope: Scope,
    /// What the game is if it does not say.
    variant: Variant,
}

#[derive(Debug)]
struct Playing {
    record: Record,
    main: Branch,
    /// Variations that are open, the innermost last.
    open: Vec<Branch>,
    /// The part of a long comment that has been read.
    comment: Vec<u8>,
}

/// A line of moves on the way to its end.
#[derive(Debug)]
struct Branch {
    line: Line,
    /// Where the last move was played, and where it led.
    before: Position,
    after: Position,
    /// A variation with an illegal move, of which no more is read.
    cut: bool,
}

impl Branch {
    fn new(start: Position) -> Branch {
        Branch {
            line: Line::default(),
            before: start,
            after: start,
            cut: false,
        }
    }

    fn play(&mut self, san: &SanPlus) -> Result<(), SanError> {
        let mv = self.after.move_from_san(&san.to_string())?;
        self.line.steps.push(Step::new(mv));
        self.before = self.after;
        self.after = self.after.play_unchecked(mv);
        Ok(())
    }
}

impl Playing {
    /// The line that is being read.
    fn branch(&mut self) -> &mut Branch {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    fn into_record(mut self) -> Record {
        self.record.line = self.main.line;
        self.record
    }
}

#[derive(Debug)]
enum Refusal {
    Game(Fault),
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
        header
            .0
            .set(decoded(name).trim(), decoded(&value.decode()).trim());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, header: Header) -> ControlFlow<Self::Output, Playing> {
        match header.record(self.variant) {
            Ok(record) => ControlFlow::Continue(Playing {
                main: Branch::new(record.start),
                record,
                open: Vec::new(),
                comment: Vec::new(),
            }),
            Err(fault) => ControlFlow::Break(Err(Refusal::Game(fault))),
        }
    }

    fn san(&mut self, playing: &mut Playing, san: SanPlus) -> ControlFlow<Self::Output> {
        if let Some(variation) = playing.open.last_mut() {
            if !variation.cut
                && let Err(error) = variation.play(&san)
            {
                variation.cut = true;
                let said = error.to_string();
                variation.line.last_comment().add(&said);
            }
            return ControlFlow::Continue(());
        }
        let ply = playing.main.line.steps.len();
        if matches!(self.scope, Scope::Moves(plies) if ply >= plies) {
            return ControlFlow::Continue(());
        }
        match playing.main.play(&san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(source) => ControlFlow::Break(Err(Refusal::Move(RefusedMove {
                ply,
                number: notation::move_number(&playing.main.after),
                source,
            }))),
        }
    }

    fn nag(&mut self, playing: &mut Playing, nag: Nag) -> ControlFlow<Self::Output> {
        let mark = Mark(nag.into());
        if self.scope == Scope::Everything
            && let Some(step) = playing.branch().line.steps.last_mut()
            && !step.marks.contains(&mark)
        {
            step.marks.push(mark);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(
        &mut self,
        playing: &mut Playing,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        playing.comment.extend(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        playing: &mut Playing,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        let mut whole = std::mem::take(&mut playing.comment);
        whole.extend(comment.as_bytes());
        let branch = playing.branch();
        if self.scope == Scope::Everything && !branch.cut {
            branch.line.last_comment().add(&decoded(&whole));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, playing: &mut Playing) -> ControlFlow<Self::Output, Skip> {
        if self.scope != Scope::Everything {
            return ControlFlow::Continue(Skip(true));
        }
        if playing.open.len() >= DEEPEST {
            return ControlFlow::Break(Err(Refusal::Game(Fault::TooDeep { limit: DEEPEST })));
        }
        let branch = playing.branch();
        let replaces_nothing = branch.line.steps.is_empty();
        let variation = Branch {
            cut: branch.cut || replaces_nothing,
            ..Branch::new(branch.before)
        };
        playing.open.push(variation);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, playing: &mut Playing) -> ControlFlow<Self::Output> {
        if let Some(Branch { line, .. }) = playing.open.pop()
            && let Some(step) = playing.branch().line.steps.last_mut()
        {
            if line.steps.is_empty() {
                step.comment.add(&line.preface.text);
            } else {
                step.variations.push(line);
            }
        }
        ControlFlow::Continue(())
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
        Ok(playing.into_record())
    }
}
