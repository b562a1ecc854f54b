//! `castellan tridim perft`: leaves of the tree of legal moves.

use std::io::Write;

use crate::divide;

use super::{PositionArgs, TridimJobError};

/// Deeper nobody has the time to count.
const DEEPEST: i64 = 20;

/// Counts the leaves below each move, and all of them
#[derive(Debug, clap::Args)]
pub struct PerftArgs {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=DEEPEST))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
}

pub(super) fn run(args: &PerftArgs, output: &mut impl Write) -> Result<(), TridimJobError> {
    let position = args.position.position()?;
    if args.depth == 0 {
        writeln!(output, "Leaves: 1")?;
        return Ok(());
    }
    let counts = divide(&position, args.depth);
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    for (mv, count) in counts {
        writeln!(output, "{}: {count}", position.bare_notation(mv))?;
    }
    Ok(writeln!(output, "Leaves: {total}")?)
}
