//! `castellan eval`: the static evaluation of a position.

use std::io;

use movegen::Position;
use search::nnue::Network;
use search::{EvalTrace, Score, centipawns, chances, eval_trace};
use serde::Serialize;
use service::{Assignment, Engine, OptionTable, argument};

use super::position_args::PositionArgs;
use crate::CommandError;
use crate::output::json::{versioned, warnings};
use crate::output::printer::Printer;
use crate::output::score::UciScore;
use formats::notation;
use formats::uci_position::UciPosition;

/// Show the static evaluation of a position and the value of each piece
#[derive(Debug, clap::Args)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Network file [default: the built-in network]
    #[arg(long, value_name = "FILE", value_parser = |text: &str| argument("EvalFile", text))]
    net: Option<Assignment>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &EvalArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let UciPosition { game, dropped, .. } = args.position.parse()?;
    let position = game.position();
    let mut engine = Engine::new(OptionTable::default());
    if let Some(net) = &args.net {
        engine.apply(net)?;
    }
    let network = engine.network();
    let trace = eval_trace(position, network);
    if args.json {
        let eval = JsonEval::new(position, network, &trace);
        printer.line(versioned(&JsonEval {
            warnings: warnings(&dropped),
            ..eval
        })?);
    } else {
        printer.line(trace);
    }
    Ok(())
}

/// The evaluation in JSON.
#[derive(Debug, Serialize)]
struct JsonEval {
    fen: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    network: String,
    /// In the network's units.
    value: JsonValue,
    /// For the side to move, as in UCI.
    score: UciScore,
    wdl: [u32; 3],
    in_check: bool,
    pieces: Vec<JsonPiece>,
}

#[derive(Debug, Serialize)]
struct JsonValue {
    white: i32,
    side_to_move: i32,
}

#[derive(Debug, Serialize)]
struct JsonPiece {
    square: String,
    piece: char,
    /// The change of White's value without the piece; `None` for kings.
    worth: Option<i32>,
}

impl JsonEval {
    fn new(position: &Position, network: &Network, trace: &EvalTrace) -> JsonEval {
        let score = Score::eval(trace.for_side_to_move());
        let chances = chances(score, position);
        let pieces = position.piece_map().map(|(square, piece)| JsonPiece {
            square: square.to_string(),
            piece: piece.letter(),
            worth: trace.piece_value(square),
        });
        JsonEval {
            fen: notation::fen(position, position.variant()),
            warnings: Vec::new(),
            network: format!("{}: {}", network.shape(), network.description()),
            value: JsonValue {
                white: trace.for_white(),
                side_to_move: trace.for_side_to_move(),
            },
            score: UciScore::Cp(centipawns(score, position)),
            wdl: [chances.win, chances.draw, chances.loss],
            in_check: position.in_check(),
            pieces: pieces.collect(),
        }
    }
}
