//! `castellan eval`: what a position is worth without any search.

use std::io;
use std::path::PathBuf;

use movegen::{Piece, Position};
use search::{EvalTrace, Score, centipawns, chances, eval_trace};
use serde::Serialize;
use thiserror::Error;

use crate::commands::position_args::PositionArgs;
use crate::eval_file::{self, EvalFileError};
use crate::notation;
use crate::output::json;
use crate::output::printer::Printer;
use crate::uci::position::PositionError;

/// Shows what the evaluation says of a position, and what each man is worth to it
#[derive(Debug, clap::Args)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// A file with the network that values the position [default: the program's own]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Answers with one line of JSON
    #[arg(long)]
    json: bool,
}

/// Why there is no evaluation.
#[derive(Debug, Error)]
pub(crate) enum EvalError {
    #[error(transparent)]
    Words(#[from] PositionError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

pub(crate) fn run(args: &EvalArgs, printer: &Printer<io::Stdout>) -> Result<(), EvalError> {
    let game = args.position.placed()?.game;
    let position = game.position();
    let network = eval_file::network(args.net.as_deref())?;
    let trace = eval_trace(position, &network);
    if !args.json {
        printer.line(trace);
        return Ok(());
    }
    let network = format!("{}: {}", network.shape(), network.description());
    let fen = notation::fen(position, args.position.variant());
    printer.line(serde_json::to_string(&Told::new(
        fen, network, position, &trace,
    ))?);
    Ok(())
}

/// The trace in JSON.
#[derive(Debug, Serialize)]
struct Told {
    fen: String,
    network: String,
    /// In the network's units.
    value: Value,
    /// For the side to move, as the search would say it.
    score: json::JsonScore,
    wdl: [u32; 3],
    in_check: bool,
    men: Vec<Man>,
}

#[derive(Debug, Serialize)]
struct Value {
    white: i32,
    mover: i32,
}

#[derive(Debug, Serialize)]
struct Man {
    square: String,
    man: char,
    /// What White's value would lose without it; `None` where nothing can be said.
    worth: Option<i32>,
}

impl Told {
    fn new(fen: String, network: String, position: &Position, trace: &EvalTrace) -> Told {
        let score = Score::eval(trace.for_side_to_move());
        let chances = chances(score, position);
        let men = position.piece_map().map(|(square, man): (_, Piece)| Man {
            square: square.to_string(),
            man: man.letter(),
            worth: trace.piece_value(square),
        });
        Told {
            fen,
            network,
            value: Value {
                white: trace.for_white(),
                mover: trace.for_side_to_move(),
            },
            score: json::JsonScore::Cp(centipawns(score, position)),
            wdl: [chances.win, chances.draw, chances.loss],
            in_check: position.in_check(),
            men: men.collect(),
        }
    }
}
