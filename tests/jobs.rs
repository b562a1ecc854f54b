//! What the program does besides speaking UCI, asked as people and scripts ask it.

#[path = "jobs/analyze.rs"]
mod analyze;
#[path = "jobs/analyze_input.rs"]
mod analyze_input;
#[path = "jobs/analyze_resume.rs"]
mod analyze_resume;
#[path = "jobs/annotate.rs"]
mod annotate;
#[path = "jobs/counts.rs"]
mod counts;
#[path = "jobs/documents.rs"]
mod documents;
#[path = "jobs/epd.rs"]
mod epd;
mod folder;
#[path = "jobs/manual.rs"]
mod manual;
#[path = "jobs/play.rs"]
mod play;
#[path = "jobs/play_kept.rs"]
mod play_kept;
#[path = "jobs/program.rs"]
mod program;
#[path = "jobs/tridim.rs"]
mod tridim;

/// White mates with the rook on the eighth rank.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
/// Black is mated.
const MATED: &str = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
/// Black has no move and is not in check.
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
