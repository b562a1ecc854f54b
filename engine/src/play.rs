//! `castellan play`: a game in the terminal, against the engine or between two players.

mod command;
mod console;
mod messages;
mod thinking;

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::args::seconds;
use crate::terminal::TerminalError;
use clap::{ValueEnum, value_parser};
use game::Side;
use game::game_file::{GameFile, GameFileError};
use movegen::{CHESS960_POSITIONS, Color, FenError, Position, Variant};
use search::Tablebases;
use thiserror::Error;

use crate::output::board::{BoardStyle, PieceSymbols};
use crate::output::printer::Printer;
use crate::output::warn;
use game::memory::{self, MemoryError};
use game::polyglot::BookError;
use game::seed::{GameSeed, MAX_SEED};
use game::strength::{Level, MAX_ELO, MIN_ELO};

use game::play::saved_game::{self, FORMAT, SavedGameError};
use game::play::{Action, ActionRejected, GameState, NewGame, Opponent, Strength, TimeControl};

use console::{Console, Setup};

/// Play a game in the terminal
///
/// Type moves by their squares (e2e4, e1g1, e7e8q) or in SAN (e4, O-O, e8=Q); 'help' lists the
/// other commands. At a terminal the game is saved after every move: after an interrupt or a crash,
/// --resume continues it.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// The side you play
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = crate::args::side())]
    side: Side,
    /// Clocks for both sides: minutes, and seconds added per move
    #[arg(long, value_name = "MIN+SEC", value_parser = TimeControl::from_minutes, conflicts_with = "resume")]
    clock: Option<TimeControl>,
    /// Seconds per move of the engine [default: 1 without another limit]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Search depth of the engine in plies
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes per move of the engine: reproducible on every machine
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Threads of the engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Size of the engine's hash table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// Polyglot opening book of the engine
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Directories with Syzygy tablebases, separated as in PATH
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<PathBuf>,
    /// Limit the engine to this rating; does not affect hint and eval
    #[arg(long, value_name = "ELO", value_parser = value_parser!(u32).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    elo: Option<u32>,
    /// Random seed for --elo, --book and --chess960; 0 for any
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u32).range(..=i64::from(MAX_SEED)))]
    seed: u32,
    /// The engine resigns lost games
    #[arg(long)]
    resign: bool,
    /// Start position
    #[arg(long, value_name = "FEN", conflicts_with = "resume")]
    fen: Option<String>,
    /// Play Chess960 from the start position of this number or a random one; read the FEN as Chess960
    #[arg(long, value_name = "0-959", num_args = 0..=1, conflicts_with = "resume", value_parser = value_parser!(u16).range(..i64::from(CHESS960_POSITIONS)))]
    chess960: Option<Option<u16>>,
    /// Save the game to this file
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Keep an unfinished game even if the input is not a terminal
    #[arg(long)]
    keep: bool,
    /// Resume the game of the --session file, the unfinished one of this number, or the latest
    #[arg(long, value_name = "N", num_args = 0..=1, conflicts_with = "side")]
    resume: Option<Option<usize>>,
    /// List the unfinished games
    #[arg(long, exclusive = true)]
    games: bool,
    /// Delete the unfinished game of this number
    #[arg(long, value_name = "N", exclusive = true)]
    delete: Option<usize>,
    /// Your name in the PGN
    #[arg(long, value_name = "NAME", default_value = "You")]
    name: String,
    /// Draw the pieces as letters
    #[arg(long)]
    ascii: bool,
    /// When to use colors
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Colored,
}

/// The side at the bottom of the board.
fn view(side: Side) -> Color {
    match side {
        Side::White | Side::Both => Color::White,
        Side::Black => Color::Black,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colored {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Colored {
    fn is_enabled(self) -> bool {
        match self {
            Colored::Auto => {
                let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
                io::stdout().is_terminal() && !no_color && !dumb
            }
            Colored::Always => true,
            Colored::Never => false,
        }
    }
}

/// Why the game could not start or ended.
#[derive(Debug, Error)]
pub(crate) enum PlayError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("--chess960 takes no number with --fen")]
    NumberAndFen,
    #[error(transparent)]
    Clock(#[from] ActionRejected),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error("cannot use the book '{}': {source}", path.display())]
    Book { path: PathBuf, source: BookError },
    #[error(transparent)]
    SavedGame(#[from] SavedGameError),
    #[error(transparent)]
    GameFile(#[from] GameFileError),
    #[error(transparent)]
    Terminal(#[from] TerminalError),
}

/// The start of the games of a run.
#[derive(Debug)]
enum Start {
    Standard,
    /// For the first game; then the start position.
    Position(Box<Position>, Variant),
    Chess960 {
        number: Option<u16>,
        seed: GameSeed,
    },
}

impl Start {
    fn of(args: &PlayArgs) -> Result<Start, PlayError> {
        let variant = match args.chess960 {
            Some(_) => Variant::Chess960,
            None => Variant::Standard,
        };
        Ok(match (&args.fen, args.chess960) {
            (Some(_), Some(Some(_))) => return Err(PlayError::NumberAndFen),
            (Some(fen), _) => Start::Position(Box::new(Position::from_fen(fen, variant)?), variant),
            (None, Some(number)) => Start::Chess960 {
                number,
                seed: GameSeed::new(args.seed),
            },
            (None, None) => Start::Standard,
        })
    }

    /// The next game, and the name of its start position unless that is obvious.
    fn next_game(&mut self, side: Side) -> (NewGame, Option<String>) {
        let standard = NewGame {
            start: Position::default(),
            variant: Variant::Standard,
            side,
        };
        match self {
            Start::Standard => (standard, None),
            Start::Position(start, variant) => {
                let new_game = NewGame {
                    start: **start,
                    variant: *variant,
                    side,
                };
                *self = Start::Standard;
                (new_game, None)
            }
            Start::Chess960 { number, seed } => {
                let number = number.unwrap_or_else(|| {
                    let random = common::rng::keyed(seed.take().into(), 0);
                    (random % u64::from(CHESS960_POSITIONS)) as u16
                });
                seed.next_game();
                let new_game = NewGame {
                    // The number is valid.
                    start: Position::chess960(number).unwrap_or_default(),
                    variant: Variant::Chess960,
                    side,
                };
                (new_game, Some(format!("Chess960 start position {number}.")))
            }
        }
    }
}

/// Plays until the input ends.
pub(crate) fn run(args: &PlayArgs, printer: &Printer<io::Stdout>) -> Result<(), PlayError> {
    if args.games {
        let summaries = saved_game::summaries();
        let lines = summaries.iter().zip(1..);
        printer.lines(lines.map(|(summary, number)| format!("{number:>3}  {summary}")));
        if summaries.is_empty() {
            printer.line("No unfinished games.");
        }
        return Ok(());
    }
    if let Some(number) = args.delete {
        FORMAT.delete(number)?;
        printer.line("Game deleted.");
        return Ok(());
    }
    let keeps = args.keep || io::stdin().is_terminal();
    let count_unfinished = match args.session {
        None if args.resume.is_none() && keeps => FORMAT.unfinished().len(),
        _ => 0,
    };
    let mut start = Start::of(args)?;
    let (game_file, state) = open(args, &mut start, printer)?;
    match count_unfinished {
        0 => {}
        1 => printer.line("An unfinished game is saved; use --resume to continue it."),
        _ => printer.line(format_args!(
            "{count_unfinished} unfinished games are saved; use --resume to continue the latest, \
             --games to list them."
        )),
    }
    let board_style = BoardStyle {
        pieces: match args.ascii {
            true => PieceSymbols::Letters,
            false => PieceSymbols::Figurines,
        },
        colored: args.color.is_enabled(),
        orientation: view(state.side),
    };
    let console = Console::new(Setup {
        state,
        start,
        game_file,
        keep_file: args.session.is_some(),
        opponent: opponent(args)?,
        resigns: args.resign,
        elo: args.elo,
        board_style,
        player: args.name.clone(),
    });
    Ok(console.run()?)
}

fn opponent(args: &PlayArgs) -> Result<Opponent, PlayError> {
    memory::check_hash(args.hash as usize)?;
    let mut opponent = Opponent::new(Strength {
        time: args.time,
        nodes: args.nodes,
        depth: args.depth,
        level: args.elo.map(Level::of_elo),
        seed: args.seed,
        threads: args.threads as usize,
        hash: args.hash as usize,
    });
    if let Some(path) = &args.book {
        opponent.open_book(path).map_err(|source| PlayError::Book {
            path: path.clone(),
            source,
        })?;
    }
    if let Some(directories) = &args.syzygy {
        let directories: Vec<PathBuf> = env::split_paths(directories).collect();
        let (tablebases, errors) = Tablebases::find(&directories);
        for error in errors {
            warn(error);
        }
        opponent.set_tablebases(Arc::new(tablebases));
    }
    Ok(opponent)
}

/// The game to play, and its file.
fn open(
    args: &PlayArgs,
    start: &mut Start,
    printer: &Printer<io::Stdout>,
) -> Result<(Option<GameFile>, GameState), PlayError> {
    if let Some(number) = args.resume {
        let (game_file, state) = match (&args.session, number) {
            (Some(_), Some(_)) => return Err(GameFileError::NumberAndSession.into()),
            (Some(path), None) => saved_game::resume(path)?,
            (None, Some(number)) => saved_game::resume(&FORMAT.numbered(number)?)?,
            (None, None) => FORMAT.resume_latest(saved_game::resume)?,
        };
        return Ok((Some(game_file), state));
    }
    let (new_game, name) = start.next_game(args.side);
    let mut state = GameState::new(new_game);
    if let Some(control) = args.clock {
        state.apply(Action::Clock(control))?;
    }
    let mut game_file = match &args.session {
        Some(path) => Some(FORMAT.create(path)?),
        None if !args.keep && !io::stdin().is_terminal() => None,
        // Without --session the game can be played without a file.
        None => FORMAT
            .create_in_state_dir()
            .inspect_err(|error| warn(format_args!("the game is not saved: {error}")))
            .ok(),
    };
    if let Some(game_file) = &mut game_file {
        for action in state.actions() {
            game_file.write(&action.to_string())?;
        }
    }
    if let Some(name) = name {
        printer.line(name);
    }
    Ok((game_file, state))
}
