//! Principal variations (PV): collected in the tree, and completed for a report.

use crate::root::RootMove;
use crate::score::{MAX_PLY, Score};
use crate::shared::Shared;
use crate::syzygy::TbProber;
use crate::syzygy::root::{best_move, still_wins};
use crate::tt::{TranspositionTable, key};
use arrayvec::ArrayVec;
use movegen::{Color, FIFTY_MOVE_PLIES, Move, Position, THREEFOLD};
use std::iter;
use std::time::Duration;

/// The triangular PV table: for each ply the best line so far from there.
#[derive(Debug)]
pub(crate) struct PvTable(Box<[ArrayVec<Move, MAX_PLY>]>);

impl PvTable {
    pub(crate) fn new() -> Self {
        Self(vec![ArrayVec::new(); MAX_PLY + 2].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line of this ply becomes a move followed by the line of the next ply.
    pub(crate) fn set(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, next) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.extend(iter::once(mv).chain(next.iter().copied()).take(MAX_PLY));
    }

    /// The line from a ply on.
    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

/// A position along a line, with the keys of the game and the line up to it.
struct Walk {
    position: Position,
    keys: Vec<u64>,
}

impl Walk {
    fn occurrences(&self) -> usize {
        let reversible = usize::from(self.position.halfmove_clock());
        let recent = self.keys.iter().rev().take(reversible + 1);
        recent.filter(|&&key| key == self.position.key()).count()
    }

    /// The game is over, or drawn if either player claims it.
    fn is_over(&self) -> bool {
        self.position.halfmove_clock() >= FIFTY_MOVE_PLIES
            || self.occurrences() >= THREEFOLD
            || !self.position.has_moves()
    }

    fn step(&mut self, mv: Move) {
        self.position.make_unchecked(mv);
        self.keys.push(self.position.key());
    }
}

/// The PV of a root move as it is reported: legal to its last move, ending where the game would,
/// with a mate or a tablebase win extended to its end, and a reply to ponder on.
pub(crate) fn complete(shared: &Shared<'_>, root: &RootMove) -> Vec<Move> {
    let mut walk = Walk {
        position: *shared.game.position(),
        keys: shared.game.positions().map(Position::key).collect(),
    };
    let win = TablebaseWin::of(shared, root);
    let mut pv = Vec::with_capacity(root.pv.len());
    for &mv in &root.pv {
        let first = pv.is_empty();
        if (!first && walk.is_over()) || !walk.position.is_legal(mv) {
            return pv;
        }
        let gives_away = |win: &TablebaseWin<'_>| !win.is_kept(&walk.position.play_unchecked(mv));
        if !first && win.as_ref().is_some_and(gives_away) {
            break;
        }
        walk.step(mv);
        pv.push(mv);
    }
    if let Some(win) = win {
        win.extend(&mut walk, &mut pv);
    }
    if pv.len() == 1 && !walk.is_over() {
        // A reply to ponder on, where the search was stopped before it had one.
        let entry = shared.tt.probe(key(&walk.position));
        let reply = entry.and_then(|entry| entry.mv);
        if let Some(reply) = reply.filter(|&mv| walk.position.is_legal(mv)) {
            walk.step(reply);
            pv.push(reply);
        }
    }
    if let Some(plies) = root.score.mate_plies() {
        extend_to_mate(shared.tt, &mut walk, &mut pv, plies);
    }
    pv
}

/// Tablebase PV extension: a PV with a tablebase score keeps the win and is played to its end.
struct TablebaseWin<'a> {
    tablebases: &'a TbProber<'a>,
    winner: Color,
}

impl<'a> TablebaseWin<'a> {
    /// `None` for mates, and in short searches on a clock: probing a whole line takes
    /// milliseconds.
    fn of(shared: &'a Shared<'_>, root: &RootMove) -> Option<Self> {
        const WATCHED: Duration = Duration::from_secs(1);
        let tablebases = shared.tablebases.as_ref()?;
        let (score, _) = root.reported_score();
        score.tablebase_plies()?;
        let us = shared.game.position().side_to_move();
        let win = Self {
            tablebases,
            winner: if score.is_win() { us } else { !us },
        };
        let watched = !shared.options.limits.timed() || shared.elapsed() >= WATCHED;
        watched.then_some(win)
    }

    fn is_kept(&self, position: &Position) -> bool {
        still_wins(self.tablebases, position, self.winner)
    }

    /// Follows the tablebases to the end of the game.
    fn extend(&self, walk: &mut Walk, pv: &mut Vec<Move>) {
        while pv.len() < MAX_PLY
            && !walk.is_over()
            && let Some(mv) = best_move(self.tablebases, &walk.position)
        {
            walk.step(mv);
            pv.push(mv);
        }
    }
}

/// Follows the moves in the TT as long as each keeps the length of the mate.
fn extend_to_mate(tt: &TranspositionTable, walk: &mut Walk, pv: &mut Vec<Move>, plies: usize) {
    while pv.len() < plies.min(MAX_PLY) && !walk.is_over() {
        let Some(entry) = tt.probe(key(&walk.position)) else {
            return;
        };
        let score = entry.score_at(&walk.position, pv.len());
        let exact = score.and_then(Score::mate_plies) == Some(plies);
        match entry.mv.filter(|&mv| exact && walk.position.is_legal(mv)) {
            Some(mv) => walk.step(mv),
            None => return,
        }
        pv.extend(entry.mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Bound;
    use crate::tt::TtWrite;
    use movegen::Variant;

    /// Mate in two: Ra7, then Rb8 wherever the king goes.
    const LADDER: &str = "6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    const MATE_PLIES: usize = 3;

    /// The walk after `1. Ra7`, and that line.
    fn after_ra7() -> (Walk, Vec<Move>) {
        let position = Position::from_fen(LADDER, Variant::Standard).expect("a position");
        let mut walk = Walk {
            position,
            keys: vec![position.key()],
        };
        let mv = walk.position.move_from_uci("a2a7").expect("a move");
        walk.step(mv);
        (walk, vec![mv])
    }

    /// A TT with these moves and scores, one after the other from the walk's position on.
    fn tt_with(walk: &Walk, entries: [(&str, Score); 2]) -> TranspositionTable {
        let tt = TranspositionTable::new(1).expect("memory");
        let mut position = walk.position;
        for (ply, (text, score)) in (1..).zip(entries) {
            let mv = position.move_from_uci(text).expect("a move");
            let write = TtWrite {
                mv: Some(mv),
                score,
                eval: None,
                depth: 9,
                bound: Bound::Exact,
                pv: true,
            };
            tt.store(key(&position), ply, write);
            position = position.play_unchecked(mv);
        }
        tt
    }

    /// The line extended through such a TT, and whether it ends in mate.
    fn extended(entries: [(&str, Score); 2]) -> (Vec<String>, bool) {
        let (mut walk, mut pv) = after_ra7();
        let tt = tt_with(&walk, entries);
        extend_to_mate(&tt, &mut walk, &mut pv, MATE_PLIES);
        let texts = pv.iter().map(|mv| mv.uci(Variant::Standard).to_string());
        (texts.collect(), walk.position.is_checkmate())
    }

    #[test]
    fn extends_a_mate_to_its_end() {
        let kept = [
            ("g8f8", Score::mated_in(MATE_PLIES)),
            ("b1b8", Score::mate_in(MATE_PLIES)),
        ];
        let (line, mate) = extended(kept);
        assert_eq!(line, ["a2a7", "g8f8", "b1b8"]);
        assert!(mate);
    }

    /// A visit that found no mate, or another one, has stored a move of another line.
    #[test]
    fn does_not_follow_a_move_of_another_line() {
        for other in [
            Score::mate_in(MATE_PLIES + 2),
            Score::eval(900),
            Score::DRAW,
        ] {
            let (line, _) = extended([("g8h8", Score::mated_in(MATE_PLIES)), ("a7a6", other)]);
            assert_eq!(line, ["a2a7", "g8h8"], "{other:?}");
        }
        let elsewhere = ("b1a1", Score::mate_in(MATE_PLIES));
        let (line, _) = extended([("g8h8", Score::mated_in(MATE_PLIES + 2)), elsewhere]);
        assert_eq!(line, ["a2a7"]);
    }
}
