//! `castellan play`: a game in the terminal, against the engine or between two players.

mod game_args;

use std::env;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{ColorChoice, value_parser};
use game::Side;
use game::play::{Action, GameState, TimeControl};
use movegen::{CHESS960_POSITIONS, Color, Validated, Variant};
use service::strength::MoveLimits;
use service::{Assignment, Engine, EngineError, GameSeed, MAX_SEED, OptionTable, argument};

use super::Terminal;
use super::chess::{Chess, Start};
use super::console::Console;
use crate::args::seconds;
use crate::output::board::{BoardStyle, PieceSymbols};
use crate::output::{is_ansi_terminal, warn};

pub(crate) use game_args::GameArgs;

/// Play a game in the terminal
///
/// Type moves by their squares (e2e4, e1g1, e7e8q) or in SAN (e4, O-O, e8=Q); 'help' lists the
/// other commands. At a terminal the game is saved after every move: after an interrupt or a crash,
/// --resume continues it.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Clocks for both sides: minutes, and seconds added per move; with --resume they start anew
    #[arg(long, value_name = "MIN+SEC", value_parser = TimeControl::from_minutes)]
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
    /// Threads of the engine [default: 1]
    #[arg(long, value_name = "N", value_parser = |text: &str| argument("Threads", text))]
    threads: Option<Assignment>,
    /// Size of the engine's hash table [default: 16]
    #[arg(long, value_name = "MB", value_parser = |text: &str| argument("Hash", text))]
    hash: Option<Assignment>,
    /// Polyglot opening book of the engine
    #[arg(long, value_name = "FILE", value_parser = |text: &str| argument("BookFile", text))]
    book: Option<Assignment>,
    /// Directories with Syzygy tablebases, separated as in PATH
    #[arg(long, value_name = "DIRS", value_parser = |text: &str| argument("SyzygyPath", text))]
    syzygy: Option<Assignment>,
    /// Limit the engine to this rating; does not affect hint and eval
    #[arg(long, value_name = "ELO", value_parser = |text: &str| argument("UCI_Elo", text))]
    elo: Option<Assignment>,
    /// Random seed for --elo, --book and --chess960; 0 for any
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u32).range(..=i64::from(MAX_SEED)))]
    seed: u32,
    /// The engine resigns lost games
    #[arg(long)]
    resign: bool,
    /// Start position
    #[arg(long, value_name = "FEN", conflicts_with = "resume")]
    fen: Option<String>,
    /// Play Chess960 from the start position of this number or a random one; read the FEN as
    /// Chess960
    #[arg(long, value_name = "0-959", num_args = 0..=1, conflicts_with = "resume", value_parser = value_parser!(u16).range(..i64::from(CHESS960_POSITIONS)))]
    chess960: Option<Option<u16>>,
    /// Your name in the PGN
    #[arg(long, value_name = "NAME", default_value = "You")]
    name: String,
    /// Draw the pieces as letters
    #[arg(long)]
    ascii: bool,
    /// When to use colors; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

fn is_colored(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Auto => {
            let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
            is_ansi_terminal() && !no_color && !dumb
        }
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    }
}

/// The strength of the engine, for the user.
fn level(engine: &Engine) -> String {
    let config = engine.config();
    if config.limit_strength {
        format!(" at {} Elo", config.elo)
    } else {
        " at full strength".to_owned()
    }
}

/// Greets the user of a terminal: who plays which side, and how to get help.
pub(super) fn greet(terminal: &mut Terminal, side: Side, level: &str) {
    if !terminal.is_interactive() {
        return;
    }
    let level = if side == Side::Both { "" } else { level };
    let opponents = opponents(side);
    terminal.line(format_args!(
        "{opponents}{level}. 'help' lists the commands."
    ));
}

fn opponents(side: Side) -> &'static str {
    match side {
        Side::Both => "Two players",
        Side::White => "White against Castellan",
        Side::Black => "Black against Castellan",
    }
}

/// Plays until the input ends.
pub(crate) fn run(args: &PlayArgs) -> Result<()> {
    let mut terminal = Terminal::stdio();
    if args.game.list_or_delete(&mut terminal)? {
        return Ok(());
    }
    let mut chess = Chess {
        start: start(args)?,
        engine: engine(args)?,
        limits: MoveLimits {
            time: args.time,
            nodes: args.nodes,
            depth: args.depth,
        },
        board_style: BoardStyle {
            pieces: if args.ascii {
                PieceSymbols::Letters
            } else {
                PieceSymbols::Figurines
            },
            colored: is_colored(args.color),
            orientation: Color::White,
        },
    };
    chess.engine.new_game();
    let (start, name) = chess.start.next();
    let first = GameState::new(start, args.game.side);
    let elo = args.elo.is_some().then(|| chess.engine.config().elo);
    let given = [args.clock.map(Action::Clock), elo.map(Action::Level)];
    let given = given.into_iter().flatten().collect();
    let (state, file, kept) = args.game.open(first, name, given, &mut terminal)?;
    // A game that is resumed keeps its level, unless another is given.
    chess.play_at(state.level())?;
    greet(&mut terminal, state.side, &level(&chess.engine));
    let mut console = Console::new(terminal, chess, state, args.name.clone(), args.resign);
    if let Some(file) = file {
        console.record(file, args.game.session.is_some(), kept);
    }
    console.run()
}

fn start(args: &PlayArgs) -> Result<Start> {
    let variant = args.chess960.map(|_| Variant::Chess960);
    Ok(match (&args.fen, args.chess960) {
        (Some(_), Some(Some(_))) => bail!("--chess960 takes no number with --fen"),
        (Some(fen), _) => {
            let read = Validated::from_fen(fen, variant)?;
            read.dropped.iter().for_each(warn);
            Start::Position(Box::new(read.position))
        }
        (None, Some(number)) => Start::Chess960 {
            number,
            seed: GameSeed::new(args.seed),
        },
        (None, None) => Start::Standard,
    })
}

fn engine(args: &PlayArgs) -> Result<Engine, EngineError> {
    let mut engine = Engine::new(OptionTable::default());
    let given = [
        &args.threads,
        &args.hash,
        &args.book,
        &args.syzygy,
        &args.elo,
    ];
    for assignment in given.into_iter().flatten() {
        for error in engine.apply(assignment)? {
            warn(error);
        }
    }
    engine.set("OwnBook", args.book.is_some())?;
    engine.set("BookSeed", args.seed)?;
    engine.set("StrengthSeed", args.seed)?;
    Ok(engine)
}
