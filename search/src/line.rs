//! A principal variation made fit to be shown: every move legal, cut where the game would end,
//! and a mate followed to its end through the table.

use crate::root::RootMove;
use crate::score::{MAX_PLY, Score};
use crate::shared::Shared;
use crate::tablebase::{self, Access};
use crate::tt::{Table, key};
use movegen::{Color, FIFTY_MOVE_PLIES, Move, Position};
use std::time::Duration;

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

pub(crate) fn complete(shared: &Shared<'_>, root: &RootMove) -> Vec<Move> {
    let mut walk = Walk {
        position: *shared.game.position(),
        keys: shared.game.positions().map(Position::key).collect(),
    };
    let promise = Promise::of(shared, root);
    let mut pv = Vec::with_capacity(root.pv.len());
    for &mv in &root.pv {
        let first = pv.is_empty();
        if (!first && walk.over()) || !walk.position.is_legal(mv) {
            return pv;
        }
        let breaks = |promise: &Promise<'_>| !promise.is_kept(&walk.position.play_unchecked(mv));
        if !first && promise.as_ref().is_some_and(breaks) {
            break;
        }
        walk.step(mv);
        pv.push(mv);
    }
    if let Some(promise) = promise {
        promise.play_on(&mut walk, &mut pv);
    }
    if pv.len() == 1 && !walk.over() {
        // A reply to ponder on, where the search was cut off before it had one.
        let hit = shared.table.probe(key(&walk.position));
        let reply = hit.and_then(|hit| hit.mv);
        if let Some(reply) = reply.filter(|&mv| walk.position.is_legal(mv)) {
            walk.step(reply);
            pv.push(reply);
        }
    }
    if let Some(plies) = root.score.mate_plies() {
        extend_to_mate(shared.table, &mut walk, &mut pv, plies);
    }
    pv
}

/// A win that the endgame tables are sure of, for a line to show.
struct Promise<'a> {
    tables: &'a Access<'a>,
    winner: Color,
}

impl<'a> Promise<'a> {
    /// None for lines that prove themselves by mate, and where nobody is there to watch: looking
    /// a whole line up takes milliseconds.
    fn of(shared: &'a Shared<'_>, root: &RootMove) -> Option<Self> {
        const WATCHED: Duration = Duration::from_secs(1);
        let tables = shared.tables.as_ref()?;
        let (score, _) = root.told();
        score.table_plies()?;
        let turn = shared.game.position().side_to_move();
        let promise = Self {
            tables,
            winner: if score.is_win() { turn } else { !turn },
        };
        let watched = !shared.options.limits.timed() || shared.elapsed() >= WATCHED;
        watched.then_some(promise)
    }

    fn is_kept(&self, position: &Position) -> bool {
        tablebase::line::still_wins(self.tables, position, self.winner)
    }

    /// Follows the tables to the end of the game.
    fn play_on(&self, walk: &mut Walk, pv: &mut Vec<Move>) {
        while pv.len() < MAX_PLY
            && !walk.over()
            && let Some(mv) = tablebase::line::next(self.tables, &walk.position)
        {
            walk.step(mv);
            pv.push(mv);
        }
    }
}

/// Follows the table's moves as long as each keeps the mate's length.
fn extend_to_mate(table: &Table, walk: &mut Walk, pv: &mut Vec<Move>, plies: usize) {
    while pv.len() < plies.min(MAX_PLY) && !walk.over() {
        let Some(hit) = table.probe(key(&walk.position)) else {
            return;
        };
        let stored = hit.score_at(&walk.position, pv.len());
        let exact = stored.and_then(Score::mate_plies) == Some(plies);
        match hit.mv.filter(|&mv| exact && walk.position.is_legal(mv)) {
            Some(mv) => walk.step(mv),
            None => return,
        }
        pv.extend(hit.mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Bound;
    use crate::tt::TtWrite;
    use movegen::Variant;

    /// Two rooks mate in two moves: Ra7, and Rb8 wherever the king goes.
    const LADDER: &str = "6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    const MATE_PLIES: usize = 3;

    /// The line `1. Ra7` of a mate in two, and its walk.
    fn begun() -> (Walk, Vec<Move>) {
        let position = Position::from_fen(LADDER, Variant::Standard).expect("a position");
        let mut walk = Walk {
            position,
            keys: vec![position.key()],
        };
        let mv = walk.position.move_from_uci("a2a7").expect("a move");
        walk.step(mv);
        (walk, vec![mv])
    }

    /// Leaves moves with their values in the table, one after the other from the walk's
    /// position on; the first is answered so many plies from the root.
    fn table_with(walk: &Walk, notes: [(&str, Score); 2]) -> Table {
        let table = Table::new(1).expect("memory");
        let mut position = walk.position;
        for (ply, (text, score)) in (1..).zip(notes) {
            let mv = position.move_from_uci(text).expect("a move");
            let note = TtWrite {
                mv: Some(mv),
                score,
                eval: None,
                depth: 9,
                bound: Bound::Exact,
                pv: true,
            };
            table.store(key(&position), ply, note);
            position = position.play_unchecked(mv);
        }
        table
    }

    /// The line extended by a table that holds these.
    fn extended(notes: [(&str, Score); 2]) -> (Vec<String>, bool) {
        let (mut walk, mut pv) = begun();
        let table = table_with(&walk, notes);
        extend_to_mate(&table, &mut walk, &mut pv, MATE_PLIES);
        let texts = pv.iter().map(|mv| mv.uci(Variant::Standard).to_string());
        (texts.collect(), walk.position.is_checkmate())
    }

    #[test]
    fn a_mate_is_followed_to_its_end() {
        let kept = [
            ("g8f8", Score::mated_in(MATE_PLIES)),
            ("b1b8", Score::mate_in(MATE_PLIES)),
        ];
        let (line, mate) = extended(kept);
        assert_eq!(line, ["a2a7", "g8f8", "b1b8"]);
        assert!(mate);
    }

    /// A visit that knew of no mate, or of another one, has left a move of another line: it
    /// would fill the line's length and not mate.
    #[test]
    fn a_move_of_another_line_is_not_followed() {
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
