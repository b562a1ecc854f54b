//! Tri-Dimensional chess in the terminal.

mod boards;
mod moves;
pub(crate) mod play;

use std::iter;
use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use formats::notation;
use game::Side;
use game::library::GameKind;
use game::play::saved_game::{self, SavedGameError};
use game::play::{
    Clocks, Command, GameState, Reply, TextError, TridimState, recorded_tridim, written_time,
};
use search::SearchError;
use tridim::search::SearchResult;
use tridim::{Color, Game, Move, Pin, Position, SquareSet};

use super::command_line::{ArgumentError, CommandLine};
use super::console::{Console, ConsoleError, ConsoleGame, Help};
use super::search_status::{Iteration, SearchStatus};
use crate::args::tridim::TridimEngine;
use boards::BoardStyle;

pub(crate) use moves::NotationStyle;

/// The engine, and how moves are printed.
#[derive(Debug)]
pub(crate) struct Tridim {
    pub(crate) engine: TridimEngine,
    pub(crate) style: NotationStyle,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TridimCommand {
    /// Show the squares of castling, or why it is not legal.
    Castle,
    /// Activate the board on a pin.
    Activate(String),
    Release,
    Notation(NotationStyle),
    Set(String),
}

impl Console<Tridim> {
    fn castling(&mut self) {
        let position = self.game.state().game.position();
        let squares = boards::castling_squares(position);
        let style = BoardStyle {
            bottom: self.bottom,
            columns: self.terminal.width(),
        };
        self.terminal.lines(style.lines(position, squares));
        self.terminal.lines(boards::castling_status(position));
    }

    fn activate(&mut self, pin: &str) -> Result<(), TextError> {
        let position = self.state().game.position();
        let activated = position.activate(pin.parse::<Pin>()?)?;
        self.game.execute(Command::Choose(activated))?;
        self.terminal.line(format_args!(
            "The board on {pin} is activated; 'release' cancels."
        ));
        Ok(())
    }

    fn release(&mut self) -> Result<(), TextError> {
        let position = self.state().game.position();
        let pin = position.activated_board().ok_or("no board is activated")?;
        let released = position.release();
        self.game.execute(Command::Choose(released))?;
        self.terminal
            .line(format_args!("The board on {pin} is released."));
        Ok(())
    }

    fn set(&mut self, text: &str) -> Result<(), TextError> {
        let rules = self.state().game.start().rules();
        let start = Position::from_text(text, rules)?;
        self.replace(GameState::new(start, self.state().side));
        Ok(())
    }
}

impl ConsoleGame for Tridim {
    const KIND: GameKind = GameKind::Tridim;

    type Position = Position;
    type Command = TridimCommand;
    type Found = SearchResult;

    const MOVE_HELP: &'static [Help] = &[
        (
            "b2W-b4N, Nd1W-c3N",
            "move a piece; the letter may be omitted",
        ),
        (
            "b4N, Nc3N, axb3W",
            "the same as Meder writes it, if it is unambiguous",
        ),
        (
            "QL1-QL3, QL3",
            "move an attack board (QL1-QL1 rotates it, with --rotation)",
        ),
        ("O-O, O-O-O", "castle"),
        (
            "a8B=Q, a8BQ",
            "promote a pawn, also one that waited; a move that promotes ends with =Q",
        ),
    ];
    const HELP: &'static [Help] = &[
        (
            "castle?",
            "show the squares of legal castling, or why it is not legal",
        ),
        ("board QL1", "activate a board: it must move this turn"),
        ("release", "cancel the activation"),
        (
            "legal SQUARE|PIN",
            "list the moves of one piece or board; for a king, why it cannot castle",
        ),
        ("set POSITION", "start a game from a position on one line"),
        ("notation full", "print moves with both squares"),
        ("notation short", "print moves as Meder does"),
    ];
    const AFTER_CLAIM: &'static str = "New game.";
    const AFTER_END: &'static str = "Enter starts a new game, 'rematch' one with the other side.";

    fn parse(keyword: &str, line: CommandLine<'_>) -> Result<Option<TridimCommand>, ArgumentError> {
        match keyword {
            "castle?" | "castle" => line.alone(TridimCommand::Castle),
            "board" => Ok(line
                .optional()
                .map(|pin| TridimCommand::Activate(pin.to_owned()))),
            "release" => line.alone(TridimCommand::Release),
            "notation" => match NotationStyle::from_str(line.argument, true) {
                Ok(style) => Ok(Some(TridimCommand::Notation(style))),
                Err(_) => Err(line.invalid("full or short")),
            },
            "set" => line.with("a position", |text| TridimCommand::Set(text.to_owned())),
            _ => Ok(None),
        }
    }

    fn execute(console: &mut Console<Tridim>, command: TridimCommand) -> Result<(), ConsoleError> {
        match command {
            TridimCommand::Castle => console.castling(),
            TridimCommand::Activate(pin) => console.activate(&pin)?,
            TridimCommand::Release => console.release()?,
            TridimCommand::Notation(style) => console.kind.style = style,
            TridimCommand::Set(text) => console.set(&text)?,
        }
        Ok(())
    }

    fn next_start(&mut self, last: &TridimState) -> (Position, Option<String>) {
        (Position::start(last.game.start().rules()), None)
    }

    fn load(&mut self, path: &Path, side: Side) -> Result<TridimState, SavedGameError> {
        saved_game::load(path, side)
    }

    fn parse_move(&self, game: &Game, text: &str) -> Result<Move, TextError> {
        Ok(game.position().read_move(text)?)
    }

    fn numbered_move(&self, before: &Position, mv: Move) -> String {
        format!("{} {}", number(before), self.style.write(before, mv))
    }

    fn legal_moves(game: &Game) -> Vec<String> {
        let position = game.position();
        let moves = position.legal_moves().into_iter();
        moves.map(|mv| position.bare_notation(mv)).collect()
    }

    fn legal(&self, state: &TridimState, of: Option<&str>) -> Result<Vec<String>, TextError> {
        Ok(moves::legal(state.game.position(), of, self.style)?)
    }

    fn board(&self, state: &TridimState, bottom: Color, columns: Option<usize>) -> Vec<String> {
        let position = state.game.position();
        let style = BoardStyle { bottom, columns };
        let mut lines = style.lines(position, SquareSet::EMPTY);
        let side = position.side_to_move();
        match position.pending_promotion() {
            _ if state.is_over() => {}
            Some(pawn) => lines.push(format!(
                "{side} must first promote the pawn on {pawn}, for example {pawn}=Q."
            )),
            None => lines.push(format!("{side} to move.")),
        }
        lines.extend(boards::legal_castling(position));
        lines
    }

    fn fen(&self, game: &Game) -> String {
        format!("Position: {}", game.position())
    }

    /// Castling has its squares, and each move the time when it was made.
    fn score_sheet(&self, state: &TridimState) -> Vec<String> {
        let mut lines: Vec<(u16, String)> = Vec::new();
        let mut times: Vec<String> = Vec::new();
        let made = state.times().iter().copied().chain(iter::repeat(None));
        for ((mv, position), time) in state.game.moves().zip(state.game.positions()).zip(made) {
            let text = match (self.style, mv) {
                (_, Move::Castle(_)) | (NotationStyle::Full, _) => recorded_tridim(position, mv),
                (NotationStyle::Short, _) => position.short_notation(mv),
            };
            let time = time.map_or_else(String::new, |time| format!("  {}", written_time(time)));
            match (lines.last_mut(), times.last_mut()) {
                (Some((last, line)), Some(times)) if *last == position.move_number() => {
                    line.push_str(&format!(" {text}"));
                    times.push_str(&time);
                }
                _ => {
                    let line = format!("{} {text}", number(position));
                    lines.push((position.move_number(), line));
                    times.push(time);
                }
            }
        }
        let lines = lines.into_iter().zip(times);
        lines.map(|((_, line), times)| line + &times).collect()
    }

    fn move_time(&self) -> Option<Duration> {
        self.engine.time
    }

    fn think(
        &mut self,
        game: &Game,
        status: &SearchStatus,
    ) -> Result<Option<SearchResult>, SearchError> {
        let (position, style) = (game.position(), self.style);
        let report = |found: &SearchResult| {
            status.report(Iteration {
                depth: found.depth,
                score: moves::for_white(position, found.score).to_string(),
                line: style.write_line(position, &found.line),
            });
        };
        Ok(self.engine.search(game, &status.stop, report))
    }

    fn choose(
        &mut self,
        game: &Game,
        _: Option<Clocks>,
        status: &SearchStatus,
    ) -> Result<Option<Reply<Move>>, SearchError> {
        let found = self.think(game, status)?;
        let mv = found.and_then(|found| found.line.first().copied());
        Ok(mv.map(|mv| Reply { mv, score: None }))
    }

    fn hint(&self, game: &Game, found: &SearchResult) -> Option<String> {
        let best = found.line.first()?;
        Some(format!("Try {}.", self.style.write(game.position(), *best)))
    }

    fn evaluation(&self, game: &Game, found: &SearchResult) -> String {
        moves::evaluation(game.position(), found, self.style)
    }
}

/// The number in front of a move.
fn number(position: &Position) -> String {
    notation::numbered(position.move_number(), position.side_to_move())
}
