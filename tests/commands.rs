//! What the program does besides speaking UCI, asked as people and scripts ask it.

#[path = "commands/analyze.rs"]
mod analyze;
#[path = "commands/analyze_input.rs"]
mod analyze_input;
#[path = "commands/analyze_resume.rs"]
mod analyze_resume;
#[path = "commands/annotate.rs"]
mod annotate;
#[path = "commands/counts.rs"]
mod counts;
#[path = "commands/documents.rs"]
mod documents;
#[path = "commands/epd.rs"]
mod epd;
mod folder;
#[path = "commands/manual.rs"]
mod manual;
#[path = "commands/play.rs"]
mod play;
#[path = "commands/play_kept.rs"]
mod play_kept;
#[path = "commands/program.rs"]
mod program;
#[path = "commands/tridim.rs"]
mod tridim;

/// White mates with the rook on the eighth rank.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
/// Black is mated.
const MATED: &str = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
/// Black has no move and is not in check.
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
