//! The benchmark: a fixed set of positions whose node count is the signature of the search.
//!
//! Openings, moves from old games, middlegames and endgames written for this list, and Chess960.
//! Changing any changes the bench's number.

use crate::control::SearchControl;
use crate::limits::Limits;
use crate::nnue::Network;
use crate::observer::nodes_per_second;
use crate::{SearchError, SearchOptions, Searcher};
use movegen::{Game, Position, Variant};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The depth of every search.
pub const DEPTH: u32 = 12;
/// The hash table, cleared before every position.
const HASH_MEGABYTES: usize = 16;

/// Read as Chess960, where castling rights of standard positions mean the same.
pub const POSITIONS: &[&str] = &[
    // start
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // Ruy Lopez, closed
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    // Italian
    "r1bq1rk1/1pp2ppp/p1np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQR1K1 w - - 0 8",
    // Sicilian Najdorf
    "rnb1kb1r/1p3ppp/p2ppn2/6B1/3NPP2/2N5/PqPQ2PP/R3KB1R w KQkq - 0 9",
    // Sicilian Sveshnikov
    "r1bqkb1r/5p1p/p1np4/1p1Npp2/4P3/N7/PPP2PPP/R2QKB1R w KQkq - 0 11",
    // Sicilian Dragon
    "r2q1rk1/pp1bppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/2KR3R b - - 6 10",
    // French Winawer
    "rnb1k1r1/ppq1np1Q/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR w KQq - 0 10",
    // Caro-Kann advance
    "r2qkb1r/pp1nnppp/4p3/2ppPb2/3P4/4BN2/PPP1BPPP/RN1Q1RK1 w kq - 4 8",
    // Queen's Gambit declined
    "rnb2rk1/p1p1qpp1/1p2p2p/3n4/3P4/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 10",
    // Slav, Botvinnik
    "r1bqkb1r/p2n1p2/2p1pn2/1p2P1B1/2pP4/2N5/PP3PPP/R2QKB1R w KQkq - 1 11",
    // King's Indian, Mar del Plata
    "r1bq1rk1/pppnn1bp/3p2p1/3Ppp2/2P1P3/2N2P2/PP2B1PP/R1BQNRK1 w - - 0 11",
    // Gruenfeld exchange
    "r1bq1rk1/pp2ppbp/2n3p1/2p5/2BPP3/2P1B3/P3NPPP/R2Q1RK1 b - - 5 10",
    // Nimzo-Indian
    "r1b2rk1/ppq2ppp/2n1pn2/2p5/2BP4/P1P1PN2/5PPP/R1BQ1RK1 w - - 1 11",
    // Benoni
    "rnbqr1k1/pp3pbp/3p1np1/2pP4/4P3/2N5/PP1NBPPP/R1BQ1RK1 b - - 7 10",
    // English
    "r1bq1rk1/ppp1bppp/1nn5/4p3/8/2NP1NP1/PP2PPBP/R1BQ1RK1 w - - 1 9",
    // King's Gambit
    "rnbqk2r/ppp2p1p/3b1n2/3PN3/2B2ppP/8/PPPP2P1/RNBQK2R w KQkq - 1 8",
    // Anderssen-Kieseritzky 1851
    "rnb1k1nr/p2p1ppp/5q2/1pb2N1P/4PBP1/2NP1Q2/PPP5/R4KR1 w kq - 3 17",
    // Anderssen-Dufresne 1852
    "1r2k2r/pbppnppp/1bn5/4P2q/Q3N3/B1PB1N2/P4PPP/R3R1K1 w k - 1 17",
    // Morphy's opera 1858
    "rn2kb1r/p3qppp/2p2n2/1p2p1B1/2B1P3/1QN5/PPP2PPP/R3K2R w KQkq - 0 10",
    // Byrne-Fischer 1956
    "r2q1rk1/pp2ppbp/1np2np1/2Q3B1/3PP1b1/2N2N2/PP3PPP/3RKB1R b K - 6 11",
    // Kasparov-Topalov 1999
    "b2r3r/k4p1p/p2q1np1/NppP4/3p1Q2/P4PPB/1PP4P/1K1RR3 w - - 1 24",
    // Rotlewi-Rubinstein 1907
    "2rr2k1/1b2qppp/pb2p3/1p2P3/1P3Pn1/P1NB4/1B2Q1PP/R4R1K w - - 3 21",
    // Botvinnik-Capablanca 1938
    "4r1k1/p6p/1p3np1/3p1P2/q1pP4/1nP3N1/1B3QPP/4R1K1 w - - 1 26",
    // Saemisch-Nimzowitsch 1923
    "r5k1/3q2pp/p2bp3/1b1p3Q/1p1Pp3/6PP/PP1B1rBK/1NR3R1 w - - 0 22",
    // both kings in the open
    "r4r2/1pp2pk1/p2q1npp/3pn3/3N1P2/2P1B2P/PP2Q1PK/3R1R2 w - - 1 22",
    // opposite castling
    "2kr3r/ppq2ppp/2n1pn2/3p4/3P1P2/2PB1Q2/PP1N2PP/R4RK1 b - - 4 15",
    // locked center
    "r2q1rk1/1p1b1pp1/p2p1n1p/P1pPp3/2P1Pn2/2N1B1NP/1P1Q1PP1/R4RK1 w - - 3 19",
    // many captures
    "r1b1k2r/1p1n1ppp/p2qpn2/2pP4/1bPP1B2/2N2N2/PPQ1BPPP/R3K2R w KQkq - 1 11",
    // isolated pawn
    "r1bq1rk1/pp2bppp/2n1pn2/8/3P4/P1NB1N2/1P3PPP/R1BQR1K1 b - - 2 12",
    // queens off, heavy
    "2r2rk1/pb3ppp/1p2pn2/3p4/3P4/1PN1PP2/P3BKPP/2R4R w - - 0 18",
    // promotions near
    "1r4k1/P4ppp/3bp3/2p5/2Pq4/3P4/1p2QPPP/R5K1 w - - 0 31",
    // three queens
    "q5k1/5pp1/7p/2Q5/3P4/1P4Q1/5PPK/8 b - - 0 44",
    // king and pawn
    "8/5p2/4p1k1/2p1P1p1/2P3P1/3K1P2/8/8 w - - 0 40",
    // Reti's study
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    // Lucena
    "3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 1",
    // Philidor
    "4k3/8/r7/3KP3/8/8/8/7R b - - 0 1",
    // Saavedra
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    // bishop and knight
    "8/8/3k4/8/3KBN2/8/8/8 w - - 12 60",
    // queen against rook
    "8/3kr3/8/3K4/8/8/1Q6/8 w - - 0 1",
    // opposite bishops
    "8/2k2p2/4bp2/1p1p4/1P1K1P2/2P1B1P1/8/8 w - - 5 41",
    // knight against pawns
    "8/1p3k2/p4p2/2p3p1/2N1K1P1/1P3P2/P7/8 b - - 0 36",
    // rooks and pawns
    "8/1R3pk1/4p1p1/p3P2p/1r5P/5PP1/6K1/8 w - - 2 38",
    // queens and pawns
    "6k1/2q2p1p/p3p1p1/1p6/3Q4/1P2P1P1/P4P1P/6K1 b - - 3 30",
    // clock near its end
    "8/4kp2/1r2p1p1/8/4KP2/3R2P1/8/8 w - - 88 90",
    // Chess960
    "bqnb1rkr/pppppppp/5n2/8/8/5N2/PPPPPPPP/BQNB1RKR w HFhf - 2 2",
    // Chess960
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
    // Chess960
    "1rk1qnr1/ppb2ppp/2npp3/8/4P3/2NP1N2/PPB2PPP/1RK1Q1R1 w GBgb - 0 9",
    // Chess960, double
    "qbrnnkbr/pppppppp/8/8/8/8/PPPPPPPP/RKNBBQNR w HAhc - 0 1",
];

/// The reason there is no node count.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BenchError {
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("the benchmark was stopped")]
    Stopped,
}

/// The search of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchPosition {
    /// From 1.
    pub number: usize,
    pub fen: &'static str,
    pub nodes: u64,
}

/// All searches together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BenchTotal {
    pub nodes: u64,
    pub time: Duration,
}

impl BenchTotal {
    /// Nodes per second, saturating.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

impl fmt::Display for BenchPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, fen, nodes } = self;
        write!(
            f,
            "bench {number}/{}: {nodes} nodes, {fen}",
            POSITIONS.len()
        )
    }
}

/// The last two lines of the output, as OpenBench reads them.
impl fmt::Display for BenchTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, nps) = (self.nodes, self.nodes_per_second());
        write!(f, "{nodes} nodes\n{nps} nps")
    }
}

/// Searches each position with this network, one thread and an empty hash table.
pub fn run(
    depth: u32,
    network: &Arc<Network>,
    control: &SearchControl,
    mut searched: impl FnMut(BenchPosition),
) -> Result<BenchTotal, BenchError> {
    let mut searcher = Searcher::with_network(HASH_MEGABYTES, Arc::clone(network))?;
    let mut total = BenchTotal::default();
    for (&fen, number) in POSITIONS.iter().zip(1..) {
        // All are legal, as a test checks.
        let Ok(position) = Position::from_fen(fen, Variant::Chess960) else {
            continue;
        };
        searcher.new_game();
        // Also the start of the time.
        let options = SearchOptions::new(Limits::depth(depth));
        let result = searcher.search(&Game::new(position), &options, control, &mut ());
        if control.is_stopped() {
            return Err(BenchError::Stopped);
        }
        let nodes = result.nodes;
        total.nodes += nodes;
        total.time += result.time;
        searched(BenchPosition { number, fen, nodes });
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use movegen::{Position, Variant};

    use super::POSITIONS;

    #[test]
    fn positions_are_legal_and_unique_and_have_moves() {
        let mut seen = HashSet::new();
        for fen in POSITIONS {
            let position = Position::from_fen(fen, Variant::Chess960).expect(fen);
            assert!(position.has_moves(), "{fen}");
            assert!(seen.insert(position.key()), "{fen} occurs twice");
        }
    }
}
