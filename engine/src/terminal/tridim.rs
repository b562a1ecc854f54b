//! Tri-Dimensional chess in the terminal.

mod boards;
mod moves;
pub(crate) mod play;

use clap::ValueEnum;
use game::play::{Command, GameState, Reply, TextError, TridimState, recorded_tridim};
use movegen::GamePosition;
use search::SearchError;
use tridim::search::{SearchResult, Searcher};
use tridim::{Color, Game, Move, Pin, Position, SquareSet};

use super::Work;
use super::command_line::{ArgumentError, CommandLine};
use super::console::{Console, ConsoleError, ConsoleGame, Found, Purpose, Texts};
use crate::args::tridim::LimitArgs;
use boards::BoardStyle;

pub(crate) use moves::NotationStyle;

/// The engine, and how moves are printed.
#[derive(Debug)]
pub(crate) struct Tridim {
    pub(crate) limits: LimitArgs,
    pub(crate) searcher: Searcher,
    pub(crate) style: NotationStyle,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TridimCommand {
    /// Of one piece or board, if its square or pin is given.
    Legal(Option<String>),
    /// Show the squares of castling, or why it is not legal.
    Castle,
    /// Activate the board on a pin.
    Activate(String),
    Release,
    Notation(NotationStyle),
    Set(String),
}

impl Console<Tridim> {
    fn legal(&mut self, of: Option<&str>) -> Result<(), TextError> {
        let position = self.game.state().position();
        self.terminal
            .lines(moves::legal(position, of, self.kind.style)?);
        Ok(())
    }

    fn castling(&mut self) {
        let position = self.game.state().position();
        let squares = boards::castling_squares(position);
        let style = BoardStyle {
            bottom: self.bottom,
            columns: self.terminal.width(),
        };
        self.terminal.lines(style.lines(position, squares));
        self.terminal.lines(boards::castling_status(position));
    }

    fn activate(&mut self, pin: &str) -> Result<(), TextError> {
        let position = self.state().position();
        let activated = position.activate(pin.parse::<Pin>()?)?;
        self.game.execute(Command::Choose(activated))?;
        self.terminal.line(format_args!(
            "The board on {pin} is activated; 'release' cancels."
        ));
        Ok(())
    }

    fn release(&mut self) -> Result<(), TextError> {
        let position = self.state().position();
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
    type Position = Position;
    type Command = TridimCommand;

    const TEXTS: Texts = Texts {
        move_help: &[
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
        ],
        help: &[
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
        ],
        after_claim: "New game.",
        after_end: "Enter starts a new game, 'rematch' one with the other side.",
    };

    fn parse(keyword: &str, line: CommandLine<'_>) -> Result<Option<TridimCommand>, ArgumentError> {
        match keyword {
            "legal" => Ok(Some(TridimCommand::Legal(
                line.optional().map(str::to_owned),
            ))),
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
            TridimCommand::Legal(of) => console.legal(of.as_deref())?,
            TridimCommand::Castle => console.castling(),
            TridimCommand::Activate(pin) => console.activate(&pin)?,
            TridimCommand::Release => console.release()?,
            TridimCommand::Notation(style) => console.kind.style = style,
            TridimCommand::Set(text) => console.set(&text)?,
        }
        Ok(())
    }

    fn new_game(&mut self) {}

    fn next_start(&mut self, last: &TridimState) -> (Position, Option<String>) {
        (last.game.start().initial(), None)
    }

    fn board(&self, state: &TridimState, bottom: Color, columns: Option<usize>) -> Vec<String> {
        let position = state.position();
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

    /// Castling has its squares.
    fn written(&self, before: &Position, mv: Move) -> String {
        match mv {
            Move::Castle(_) => recorded_tridim(before, mv),
            _ => self.style.write(before, mv),
        }
    }

    fn search(
        &mut self,
        game: &Game,
        _: Purpose,
        work: &Work,
    ) -> Result<Option<Found<Move>>, SearchError> {
        let (position, style) = (game.position(), self.style);
        let report = |found: &SearchResult| {
            if work.shows_iterations {
                let score = moves::for_white(position, found.score).to_string();
                work.report(
                    found.depth,
                    &score,
                    &style.write_line(position, &found.line),
                );
            }
        };
        let found = self
            .limits
            .search(&mut self.searcher, game, &work.stop, report);
        Ok(found.and_then(|found| {
            let mv = *found.line.first()?;
            Some(Found {
                reply: Reply { mv, score: None },
                evaluation: moves::evaluation(position, &found, style),
            })
        }))
    }
}
