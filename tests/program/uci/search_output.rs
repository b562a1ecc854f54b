//! A strict parser of what a search prints.

use movegen::Game;

pub(crate) use test_common::game;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Score {
    Centipawns(i32),
    Mate(i32),
}

impl Score {
    /// For comparing: any mate for us above any evaluation, a quicker one higher.
    pub(crate) fn rank(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            Self::Centipawns(value) => value,
            Self::Mate(moves) if moves > 0 => MATE - moves,
            Self::Mate(moves) => -MATE - moves,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) depth: u32,
    pub(crate) line: usize,
    pub(crate) score: Score,
    pub(crate) bounded: bool,
    pub(crate) chances: Option<[u32; 3]>,
    pub(crate) nodes: u64,
    pub(crate) time: u64,
    pub(crate) pv: Vec<String>,
}

/// The scored info lines among these, without `info string` and `currmove` lines.
pub(crate) fn infos(lines: &[String]) -> Vec<Info> {
    lines
        .iter()
        .filter(|line| line.starts_with("info") && !line.starts_with("info string"))
        .filter(|line| !line.contains(" currmove "))
        .map(|line| read(line))
        .collect()
}

/// `depth seldepth multipv score … nodes nps hashfull tbhits time pv`, in this order.
fn read(line: &str) -> Info {
    let mut words = Words {
        line,
        rest: line.split(' ').collect(),
    };
    words.skip("info");
    let depth = words.number_after("depth");
    let _: u32 = words.number_after("seldepth");
    let line = words.number_after("multipv");
    words.skip("score");
    let score = match words.next() {
        "cp" => Score::Centipawns(words.number()),
        "mate" => Score::Mate(words.number()),
        _ => panic!("{}", words.line),
    };
    let bounded = words.skips("lowerbound") || words.skips("upperbound");
    let chances = words.skips("wdl").then(|| [(); 3].map(|()| words.number()));
    let nodes = words.number_after("nodes");
    let _: u64 = words.number_after("nps");
    let full: u32 = words.number_after("hashfull");
    assert!(full <= 1000, "{}", words.line);
    let _: u64 = words.number_after("tbhits");
    let time = words.number_after("time");
    let mut pv = Vec::new();
    if words.skips("pv") {
        pv.extend(words.rest.iter().map(|word| (*word).to_owned()));
        words.rest.clear();
    }
    assert!(words.rest.is_empty(), "{}", words.line);
    Info {
        depth,
        line,
        score,
        bounded,
        chances,
        nodes,
        time,
        pv,
    }
}

struct Words<'a> {
    line: &'a str,
    rest: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> &'a str {
        assert!(!self.rest.is_empty(), "incomplete: {}", self.line);
        self.rest.remove(0)
    }

    fn skips(&mut self, word: &str) -> bool {
        let found = self.rest.first() == Some(&word);
        if found {
            self.rest.remove(0);
        }
        found
    }

    fn skip(&mut self, word: &str) {
        assert!(self.skips(word), "expected '{word}' in {}", self.line);
    }

    fn number<N: std::str::FromStr>(&mut self) -> N {
        let word = self.next();
        word.parse()
            .unwrap_or_else(|_| panic!("'{word}' in {}", self.line))
    }

    fn number_after<N: std::str::FromStr>(&mut self, key: &str) -> N {
        self.skip(key);
        self.number()
    }
}

/// The best move and the move to ponder in the last line.
pub(crate) fn best(lines: &[String]) -> (String, Option<String>) {
    let last = lines.last().expect("a bestmove line");
    let words: Vec<&str> = last.split(' ').collect();
    match words.as_slice() {
        ["bestmove", best] => ((*best).to_owned(), None),
        ["bestmove", best, "ponder", reply] => ((*best).to_owned(), Some((*reply).to_owned())),
        _ => panic!("{last}"),
    }
}

/// Plays moves that must be legal, none of them after the end of the game: checkmate, stalemate,
/// threefold repetition, the fifty-move rule.
pub(crate) fn follow(game: &Game, pv: &[String]) -> Game {
    let mut game = game.clone();
    for (text, ply) in pv.iter().zip(0..) {
        let over = ply > 0 && (!game.claims().is_empty() || game.outcome().is_some());
        assert!(!over, "{pv:?} continues after the end of the game");
        let mv = game.position().move_from_uci(text);
        let mv = mv.unwrap_or_else(|error| panic!("{pv:?}, move {ply}: {error}"));
        game.push(mv).expect("a legal move");
    }
    game
}

/// Checks what holds for every search of a position with legal moves: all PVs are legal, and the
/// last one of the first line starts with the best move; nodes and time never fall, nor do the
/// depths of the first line's exact scores.
pub(crate) fn check_search(game: &Game, lines: &[String]) {
    let (best, ponder) = best(lines);
    let infos = infos(lines);
    for info in &infos {
        follow(game, &info.pv);
    }
    let counters = infos.iter().map(|info| (info.nodes, info.time));
    assert!(
        counters.is_sorted_by(|before, after| before.0 <= after.0 && before.1 <= after.1),
        "{lines:?}"
    );
    let exact = infos.iter().filter(|info| info.line == 1 && !info.bounded);
    assert!(exact.is_sorted_by_key(|info| info.depth), "{lines:?}");
    let last = infos.iter().rfind(|info| info.line == 1);
    let last = last.unwrap_or_else(|| panic!("no scored info in {lines:?}"));
    assert_eq!(last.pv.first(), Some(&best), "{lines:?}");
    let line: Vec<String> = std::iter::once(best).chain(ponder).collect();
    follow(game, &line);
}

/// Output of a search that is still running.
pub(crate) fn assert_only_infos(lines: &[String]) {
    assert!(
        lines.iter().all(|line| line.starts_with("info ")),
        "{lines:?}"
    );
}
