//! Sessions of random commands: no crash, no hang, always ready. Each is seeded by its number.
//! `CASTELLAN_SESSIONS` sets how many run, `CASTELLAN_SESSION_SEED` the first.

use super::CASTELLAN;
use std::env;
use test_common::Rng;
use test_common::positions::{CHECKMATE, KIWIPETE, STALEMATE, START};

const DEFAULT_SESSIONS: u64 = 20;

const FENS: &[&str] = &[
    START,
    KIWIPETE,
    CHECKMATE,
    STALEMATE,
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/P7/8/8/8/8/8/4K3 w - - 99 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 150 200",
    "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "nonsense",
];

const MOVES: &[&str] = &[
    "",
    "e2e4",
    "e2e4 e7e5",
    "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "e1g1",
    "e1h1",
    "a7a8q",
    "d1g1",
    "zzzz",
    "e2e4 e2e4",
    "0000",
];

const LIMITS: &[&str] = &[
    "depth 1",
    "depth 4",
    "depth 0",
    "depth 99999",
    "nodes 1",
    "nodes 3000",
    "movetime 1",
    "movetime 15",
    "wtime 30",
    "btime 30",
    "wtime -5 btime -5",
    "winc 3 binc 3",
    "movestogo 1",
    "mate 1",
    "mate 3",
    "infinite",
    "ponder",
    "searchmoves e2e4 e1g1",
    "searchmoves",
    "perft 2",
    "perft 3",
    "deep",
    "depth x",
];

const OPTIONS: &[&str] = &[
    "Hash value 1",
    "Hash value 7",
    "Hash value abc",
    "Hash",
    "Threads value 1",
    "Threads value 2",
    "Threads value 5",
    "Threads value 0",
    "MultiPV value 1",
    "MultiPV value 4",
    "MultiPV value 218",
    "Move Overhead value 0",
    "Move Overhead value 30",
    "Clear Hash",
    "UCI_Chess960 value true",
    "UCI_Chess960 value false",
    "UCI_ShowWDL value true",
    "Ponder value true",
    "OwnBook value true",
    "OwnBook value false",
    "BookFile value /nowhere",
    "BookFile value",
    "BookDepth value 1",
    "BookBest value true",
    "BookSeed value 3",
    "UCI_LimitStrength value true",
    "UCI_LimitStrength value false",
    "UCI_Elo value 800",
    "Skill Level value 3",
    "Skill Level value 20",
    "StrengthSeed value 4",
    "UCI_AnalyseMode value true",
    "Nothing value 1",
    "UCI_Opponent value a b c",
    "EvalFile value",
    "EvalFile value /no such folder/a.net",
    "",
];

const PLAIN: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "help",
    "tune",
    "debug on",
    "debug off",
    "register later",
    "",
    "gibberish",
    "stop now",
    "\u{1}\u{7f}",
    "bench x",
    "bench 1",
];

fn line(rng: &mut Rng) -> String {
    match rng.below(10) {
        0..2 => {
            let moves = *rng.choose(MOVES);
            if rng.below(2) == 0 {
                format!("position startpos moves {moves}")
            } else {
                format!("position fen {} moves {moves}", *rng.choose(FENS))
            }
        }
        2..5 => {
            let count = rng.below(4);
            let limits: Vec<&str> = (0..count).map(|_| *rng.choose(LIMITS)).collect();
            format!("go {}", limits.join(" "))
        }
        5..6 => format!("setoption name {}", *rng.choose(OPTIONS)),
        _ => (*rng.choose(PLAIN)).to_owned(),
    }
}

/// One session; after every batch of lines the engine must answer `isready`.
fn session(seed: u64) {
    const LINES: usize = 60;
    let mut rng = Rng::new(seed);
    let mut engine = CASTELLAN.uci();
    let mut lines = Vec::new();
    let mut pending = 0;
    for _ in 0..LINES {
        // Several lines in one write.
        let batch: Vec<String> = (0..=rng.below(4)).map(|_| line(&mut rng)).collect();
        pending += batch.iter().filter(|line| *line == "isready").count() + 1;
        lines.extend_from_slice(&batch);
        engine.send(&batch.join("\n"));
        engine.send("isready");
        while pending > 0 {
            engine.read_until("readyok");
            pending -= 1;
        }
    }
    // After a stop it still searches and exits.
    engine.send("stop\nposition startpos\nstop\ngo depth 2\nisready");
    engine.read_until("bestmove");
    let (_, status) = if rng.below(2) == 0 {
        engine.send("stop\nquit");
        engine.close()
    } else {
        engine.close()
    };
    assert!(status.success(), "{status} after {lines:#?}");
}

fn number_from(variable: &str, default: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().expect("a whole number"),
        Err(_) => default,
    }
}

#[test]
fn random_commands_never_crash_or_hang() {
    let sessions = number_from("CASTELLAN_SESSIONS", DEFAULT_SESSIONS);
    let first = number_from("CASTELLAN_SESSION_SEED", 0);
    for seed in first..first + sessions {
        println!("session {seed}");
        session(seed);
    }
}
