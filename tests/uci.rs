//! The real binary, driven as programs and people drive it.

#[path = "uci/book.rs"]
mod book;
#[path = "uci/book_broken.rs"]
mod book_broken;
#[path = "uci/book_choice.rs"]
mod book_choice;
#[path = "uci/book_shell.rs"]
mod book_shell;
#[path = "uci/display.rs"]
mod display;
#[path = "uci/end_of_input.rs"]
mod end_of_input;
#[path = "uci/engine.rs"]
mod engine;
#[path = "uci/eval_file.rs"]
mod eval_file;
mod folder;
#[path = "uci/go.rs"]
mod go;
#[path = "uci/heard.rs"]
mod heard;
#[path = "uci/lines.rs"]
mod lines;
#[path = "uci/never.rs"]
mod never;
#[path = "uci/options.rs"]
mod options;
#[path = "uci/perft.rs"]
mod perft;
#[path = "uci/ponder.rs"]
mod ponder;
#[path = "uci/position.rs"]
mod position;
#[path = "uci/random_sessions.rs"]
mod random_sessions;
#[path = "uci/shelf.rs"]
mod shelf;
#[path = "uci/shell.rs"]
mod shell;
#[path = "uci/strength.rs"]
mod strength;
#[path = "uci/tablebases.rs"]
mod tablebases;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Black is mated.
const MATED: &str = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
/// Black has no move and is not in check.
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
