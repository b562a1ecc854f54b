//! Reads the text of one game with `pgn-reader` and plays its moves.

use std::ops::ControlFlow;

use movegen::{Color, Position, Setup, Square, Variant};
use pgn_reader::{KnownOutcome, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::san::San;

use super::record::{GameResult, MoveNode, Nag, Record, Tags, Variation};
use super::scan::GameText;
use super::{MoveError, PgnError};
use crate::notation;
use common::excerpt;

/// The deepest nesting of variations; code that walks through a game may recurse.
pub const MAX_DEPTH: usize = 50;

/// How much of a game to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The first plies of the main line.
    Moves(usize),
    /// All moves, comments, NAGs and variations.
    Everything,
}

pub(super) fn read(mut text: GameText, scope: Scope, variant: Variant) -> Result<Record, PgnError> {
    if let Some(error) = text.error.take() {
        return Err(error);
    }
    let mut builder = Builder {
        scope,
        variant,
        text: &text,
    };
    let mut reader = Reader::new(text.bytes.as_slice());
    let read = reader.read_game(&mut builder).map_err(PgnError::Syntax)?;
    read.unwrap_or_else(|| Header::default().record(variant))
}

#[derive(Debug, Default)]
struct Header(Tags);

impl Header {
    /// Returns the game before its first move.
    fn record(self, default: Variant) -> Result<Record, PgnError> {
        let variant = self.variant()?.unwrap_or(default);
        let (start, passed_at_start) = match self.0.get("FEN") {
            None => (Position::default(), None),
            Some(fen) => start(fen, variant)?,
        };
        let result = self
            .0
            .get("Result")
            .map_or(GameResult::Unknown, result_of_tag);
        Ok(Record {
            passed_at_start,
            result,
            tags: self.0,
            ..Record::new(start, variant)
        })
    }

    /// Understands the names that programs and sites use; `None` without a name.
    fn variant(&self) -> Result<Option<Variant>, PgnError> {
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
            _ => Err(PgnError::Variant(excerpt(name))),
        }
    }
}

fn start(fen: &str, variant: Variant) -> Result<(Position, Option<Square>), PgnError> {
    let setup = fen.parse::<Setup>()?;
    let (position, _) = setup.position(variant).map_err(movegen::FenError::from)?;
    Ok((position, setup.en_passant))
}

fn result_of_tag(result: &str) -> GameResult {
    match result.trim().replace('–', "-").as_str() {
        "1/2" | "½-½" => GameResult::Drawn,
        text => GameResult::parse(text).unwrap_or(GameResult::Unknown),
    }
}

/// Decodes UTF-8, or else Latin-1, which older programs write.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// Builds a record from what the parser reports.
struct Builder<'a> {
    scope: Scope,
    /// The variant of games without a `Variant` tag.
    variant: Variant,
    text: &'a GameText,
}

#[derive(Debug)]
struct Playing {
    record: Record,
    main: Branch,
    /// The open variations, the innermost last.
    open: Vec<Branch>,
    /// The part of a long comment read so far.
    comment: Vec<u8>,
}

/// A line of moves that is being read.
#[derive(Debug)]
struct Branch {
    line: Variation,
    /// Alternatives to the first move that precede it.
    first: Vec<Variation>,
    /// The positions before and after the last move.
    before: Position,
    after: Position,
    /// Set after an illegal move: the rest of the variation is skipped.
    cut: bool,
}

impl Branch {
    fn new(start: Position) -> Branch {
        Branch {
            line: Variation::default(),
            first: Vec::new(),
            before: start,
            after: start,
            cut: false,
        }
    }

    fn play(&mut self, san: &SanPlus) -> Result<(), MoveError> {
        if san.san == San::Null {
            return Err(MoveError::Null);
        }
        let mv = self.after.move_from_san(&san.to_string())?;
        self.line.moves.push(MoveNode {
            variations: std::mem::take(&mut self.first),
            ..MoveNode::new(mv)
        });
        self.before = self.after;
        self.after = self.after.play_unchecked(mv);
        Ok(())
    }

    fn add_variation(&mut self, variation: Variation) {
        let last = self.line.moves.last_mut();
        last.map_or(&mut self.first, |node| &mut node.variations)
            .push(variation);
    }

    /// Ends the line. Alternatives to no move become comments.
    fn into_line(mut self) -> Variation {
        for variation in self.first {
            let moves = variation.moves.iter().map(|node| node.mv);
            let text = notation::numbered_moves(&self.before, moves);
            self.line.last_comment().add(&text);
        }
        self.line
    }
}

impl Playing {
    fn branch(&mut self) -> &mut Branch {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    fn into_record(self) -> Record {
        Record {
            main_line: self.main.into_line(),
            ..self.record
        }
    }
}

impl Visitor for Builder<'_> {
    type Tags = Header;
    type Movetext = Playing;
    type Output = Result<Record, PgnError>;

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
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, playing: &mut Playing, san: SanPlus) -> ControlFlow<Self::Output> {
        if let Some(variation) = playing.open.last_mut() {
            if !variation.cut
                && let Err(error) = variation.play(&san)
            {
                variation.cut = true;
                variation.line.last_comment().add(&error.to_string());
            }
            return ControlFlow::Continue(());
        }
        let ply = playing.main.line.moves.len();
        if matches!(self.scope, Scope::Moves(plies) if ply >= plies) {
            return ControlFlow::Continue(());
        }
        match playing.main.play(&san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(source) => ControlFlow::Break(Err(PgnError::Move {
                line: self.text.line_of_move(ply),
                number: notation::move_number(&playing.main.after),
                source,
            })),
        }
    }

    fn nag(&mut self, playing: &mut Playing, nag: pgn_reader::Nag) -> ControlFlow<Self::Output> {
        let nag = Nag(nag.into());
        let branch = playing.branch();
        if self.scope == Scope::Everything && !branch.cut {
            match branch.line.moves.last_mut() {
                Some(node) if node.nags.contains(&nag) => {}
                Some(node) => node.nags.push(nag),
                None => branch.line.comment.add(&nag.to_string()),
            }
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
        if playing.open.len() >= MAX_DEPTH {
            return ControlFlow::Break(Err(PgnError::TooDeep { limit: MAX_DEPTH }));
        }
        let branch = playing.branch();
        let variation = Branch {
            cut: branch.cut,
            ..Branch::new(branch.before)
        };
        playing.open.push(variation);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, playing: &mut Playing) -> ControlFlow<Self::Output> {
        if let Some(variation) = playing.open.pop() {
            let (line, branch) = (variation.into_line(), playing.branch());
            if line.moves.is_empty() {
                branch.line.last_comment().add(&line.comment.text);
            } else {
                branch.add_variation(line);
            }
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, playing: &mut Playing, outcome: Outcome) -> ControlFlow<Self::Output> {
        // The tag takes precedence: it is what people correct.
        if playing.record.result == GameResult::Unknown {
            playing.record.result = match outcome {
                Outcome::Known(KnownOutcome::Decisive { winner }) => {
                    GameResult::Won(winner.fold_wb(Color::White, Color::Black))
                }
                Outcome::Known(KnownOutcome::Draw) => GameResult::Drawn,
                Outcome::Unknown => GameResult::Unknown,
            };
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, playing: Playing) -> Self::Output {
        Ok(playing.into_record())
    }
}
