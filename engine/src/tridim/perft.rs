//! `castellan tridim perft`: leaves of the tree of legal moves.

use std::io;

use tridim::divide;

use super::{PositionArgs, TridimJobError};
use crate::output::printer::Printer;

/// Deeper nobody has the time to count.
const DEEPEST: i64 = 20;

/// Counts the leaves below each move, and all of them
#[derive(Debug, clap::Args)]
pub(crate) struct PerftArgs {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=DEEPEST))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
}

pub(super) fn run(args: &PerftArgs, printer: &Printer<io::Stdout>) -> Result<(), TridimJobError> {
    let position = args.position.position()?;
    if args.depth == 0 {
        printer.line("Leaves: 1");
        return Ok(());
    }
    let counts = divide(&position, args.depth);
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let lines = counts
        .into_iter()
        .map(|(mv, count)| format!("{}: {count}", position.bare_notation(mv)));
    printer.lines(lines.chain([format!("Leaves: {total}")]));
    Ok(())
}
