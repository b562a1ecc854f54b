//! A principal variation made fit to be shown: every move legal, cut where the game would end,
//! and a mate followed to its end through the table.

use crate::root::RootMove;
use crate::score::{MAX_PLY, Score};
use crate::tt::key;
use crate::worker::Worker;
use movegen::{FIFTY_MOVE_PLIES, Move, Position};

/// Positions of a line, with the game's before them, as far as repetition looks at them.
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

    /// No move follows: mate, stalemate, or a draw that is there already.
    fn over(&self) -> bool {
        self.position.halfmove_clock() >= FIFTY_MOVE_PLIES
            || self.occurrences() >= movegen::THREEFOLD
            || !self.position.has_moves()
    }

    fn step(&mut self, mv: Move) {
        self.position = self.position.play_unchecked(mv);
        self.keys.push(self.position.key());
    }
}

pub(crate) fn complete(worker: &Worker<'_>, root: &RootMove) -> Vec<Move> {
    let game_plies = worker.keys.len();
    let mut walk = Walk {
        position: worker.root,
        keys: worker.keys.iter().copied().take(game_plies).collect(),
    };
    let mut pv = Vec::with_capacity(root.pv.len());
    for &mv in &root.pv {
        let first = pv.is_empty();
        if (!first && walk.over()) || !walk.position.is_legal(mv) {
            return pv;
        }
        walk.step(mv);
        pv.push(mv);
    }
    if pv.len() == 1 && !walk.over() {
        // A reply to ponder on, where the search was cut off before it had one.
        let hit = worker.shared.table.probe(key(&walk.position));
        let reply = hit.and_then(|hit| hit.mv);
        if let Some(reply) = reply.filter(|&mv| walk.position.is_legal(mv)) {
            walk.step(reply);
            pv.push(reply);
        }
    }
    if let Some(plies) = root.score.mate_plies() {
        extend_to_mate(worker, &mut walk, &mut pv, plies);
    }
    pv
}

/// Follows the table's moves as long as each keeps the mate's length.
fn extend_to_mate(worker: &Worker<'_>, walk: &mut Walk, pv: &mut Vec<Move>, plies: usize) {
    while pv.len() < plies.min(MAX_PLY) && !walk.over() {
        let Some(hit) = worker.shared.table.probe(key(&walk.position)) else {
            return;
        };
        let clock = walk.position.halfmove_clock();
        let stored = Score::from_table(hit.score, pv.len(), clock);
        let exact = stored.mate_plies() == Some(plies);
        match hit.mv.filter(|&mv| exact && walk.position.is_legal(mv)) {
            Some(mv) => walk.step(mv),
            None => return,
        }
        pv.extend(hit.mv);
    }
}
