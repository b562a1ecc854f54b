//! Moves in the order they are worth trying, each kind generated only when its turn comes.
//!
//! The move from the table, captures that win or hold material, quiet moves by what was
//! learnt of them, and at last captures that lose material.

use crate::history::Histories;
use crate::history::capture::taken;
use crate::history::continuation::{Arrival, Before};
use crate::params;
use movegen::{Bitboard, Color, Move, Noisy, Position, Quiet, Role, SeeValues, Threats, attacks};

/// A move and how early it should be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// What ordering looks at besides the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookout {
    /// What the side not to move attacks; where quiet moves are asked for.
    pub(crate) threats: Threats,
    pub(crate) before: Before,
    pub(crate) killer: Option<Move>,
}

/// The moves of one node. They live in the worker's list from `start` on; a child's come
/// after them and are gone when it returns.
#[derive(Debug)]
pub(crate) struct MovePicker {
    stage: Stage,
    table_move: Option<Move>,
    quiets: bool,
    /// Captures must gain this much less what their history says; `None` asks nothing.
    threshold: Option<i32>,
    start: usize,
    next: usize,
    end: usize,
    /// Losing captures are kept from `start` on.
    bad_end: usize,
    values: SeeValues,
}

impl MovePicker {
    fn new(table_move: Option<Move>, quiets: bool, threshold: Option<i32>, start: usize) -> Self {
        let stage = if table_move.is_some() {
            Stage::Table
        } else {
            Stage::MakeNoisy
        };
        Self {
            stage,
            table_move,
            quiets,
            threshold,
            start,
            next: start,
            end: start,
            bad_end: start,
            values: params::exchange_values(),
        }
    }

    /// Every move of a node, losing captures last.
    pub(crate) fn all(table_move: Option<Move>, moves: &[Scored]) -> Self {
        Self::new(table_move, true, None, moves.len())
    }

    /// Only noisy moves whose exchange gains at least `threshold`, and nothing after them.
    pub(crate) fn noisy(table_move: Option<Move>, threshold: i32, moves: &[Scored]) -> Self {
        Self::new(table_move, false, Some(threshold), moves.len())
    }

    /// No more quiet moves are wanted.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The node is done with: its moves leave the list.
    pub(crate) fn finish(self, moves: &mut Vec<Scored>) {
        moves.truncate(self.start);
    }

    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        lookout: &Lookout,
        moves: &mut Vec<Scored>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeNoisy;
                    return self.table_move;
                }
                Stage::MakeNoisy => {
                    self.make_noisy(position, histories, moves);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pick(moves) {
                    Some(pick) if self.is_good(position, pick) => return Some(pick.mv),
                    Some(pick) => self.put_aside(pick, moves),
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet if self.quiets => {
                    self.make_quiet(position, histories, lookout, moves);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet if self.quiets => match self.pick(moves) {
                    Some(pick) => return Some(pick.mv),
                    None => self.begin_bad(),
                },
                Stage::MakeQuiet | Stage::Quiet => self.begin_bad(),
                Stage::BadNoisy if self.next < self.end => {
                    self.next += 1;
                    return moves.get(self.next - 1).map(|scored| scored.mv);
                }
                Stage::BadNoisy | Stage::Done => {
                    self.stage = Stage::Done;
                    return None;
                }
            }
        }
    }

    fn begin_bad(&mut self) {
        self.next = self.start;
        // Whoever asked for a threshold does not want what falls short of it.
        self.end = if self.threshold.is_some() {
            self.start
        } else {
            self.bad_end
        };
        self.stage = Stage::BadNoisy;
    }

    /// Takes the highest-scored of the moves left.
    fn pick(&mut self, moves: &mut [Scored]) -> Option<Scored> {
        let left = moves.get_mut(self.next..self.end)?;
        let mut best = 0;
        let mut highest = left.first()?.score;
        for (place, scored) in left.iter().enumerate().skip(1) {
            if scored.score > highest {
                (best, highest) = (place, scored.score);
            }
        }
        left.swap(0, best);
        self.next += 1;
        left.first().copied()
    }

    fn is_good(&self, position: &Position, pick: Scored) -> bool {
        let threshold = self
            .threshold
            .unwrap_or(-pick.score / params::ordering::good_exchange_divisor());
        position.see_ge(pick.mv, threshold, &self.values)
    }

    /// A losing capture goes where picked moves were, in the order it came.
    fn put_aside(&mut self, pick: Scored, moves: &mut [Scored]) {
        if let Some(slot) = moves.get_mut(self.bad_end) {
            *slot = pick;
            self.bad_end += 1;
        }
    }

    // Never inlined, nor is the other: in the loop of `next` the compiler would prepare their
    // work ahead of every call, most of which only pick.
    #[inline(never)]
    fn make_noisy(&mut self, position: &Position, histories: &Histories, moves: &mut Vec<Scored>) {
        position.for_each_move::<Noisy>(|mv| moves.push(Scored { mv, score: 0 }));
        self.end = moves.len();
        self.drop_table_move(moves);
        for scored in moves.iter_mut().skip(self.start) {
            let mv = scored.mv;
            let mut gain = taken(position, mv).map_or(0, |role| self.values[role.index()]);
            if let Some(role) = mv.promotion_role() {
                gain += self.values[role.index()];
            }
            let learnt =
                histories.capture.get(position, mv) / params::ordering::capture_history_divisor();
            scored.score = gain * params::ordering::capture_weight() + learnt;
        }
    }

    #[inline(never)]
    fn make_quiet(
        &mut self,
        position: &Position,
        histories: &Histories,
        lookout: &Lookout,
        moves: &mut Vec<Scored>,
    ) {
        // Bad captures stay below; picked ones above them are not needed any more.
        moves.truncate(self.bad_end);
        self.next = self.bad_end;
        position.for_each_move::<Quiet>(|mv| moves.push(Scored { mv, score: 0 }));
        self.end = moves.len();
        self.drop_table_move(moves);
        let scorer = QuietScorer::new(position, histories, lookout);
        for scored in moves.iter_mut().skip(self.next) {
            scored.score = scorer.score(scored.mv);
        }
    }

    /// The table's move was tried first and does not come again.
    fn drop_table_move(&mut self, moves: &mut Vec<Scored>) {
        let found = moves
            .iter()
            .skip(self.next)
            .position(|scored| Some(scored.mv) == self.table_move);
        if let Some(place) = found {
            moves.remove(self.next + place);
            self.end -= 1;
        }
    }
}

/// Scores quiet moves; what is the same for all of a node's moves is computed once.
struct QuietScorer<'a> {
    position: &'a Position,
    histories: &'a Histories,
    lookout: &'a Lookout,
    turn: Color,
    /// By role: from where a man of it would give check.
    checks: [Bitboard; 6],
    /// By role: squares where a cheaper enemy man attacks.
    cheaper: [Bitboard; 6],
}

impl<'a> QuietScorer<'a> {
    fn new(position: &'a Position, histories: &'a Histories, lookout: &'a Lookout) -> Self {
        let turn = position.side_to_move();
        let occupied = position.occupied();
        let king = position.king(!turn);
        let (bishop, rook) = (
            attacks::bishop(king, occupied),
            attacks::rook(king, occupied),
        );
        let checks = [
            attacks::pawn(king, !turn),
            attacks::knight(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ];
        let threats = &lookout.threats;
        let cheaper = [
            Bitboard::EMPTY,
            threats.pawns,
            threats.pawns,
            threats.minors,
            threats.rooks,
            Bitboard::EMPTY,
        ];
        Self {
            position,
            histories,
            lookout,
            turn,
            checks,
            cheaper,
        }
    }

    fn score(&self, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let histories = self.histories;
        let role = self.position.role_on(from).unwrap_or(Role::Pawn);
        let arrival = Arrival::of(self.position, mv);
        let mut score = 2 * histories.quiet.get(self.turn, self.lookout.threats.all, mv)
            + histories.continuation.sum(&self.lookout.before, arrival)
            + histories.pawn.get(self.position, arrival);
        if self.lookout.killer == Some(mv) {
            score += params::ordering::killer_bonus();
        }
        if self.checks[role.index()].has(to) {
            score += params::ordering::check_bonus();
        }
        let cheaper = self.cheaper[role.index()];
        let stake =
            role.index() as i32 * params::ordering::escape_bonus() / Role::Queen.index() as i32;
        score + stake * (i32::from(cheaper.has(from)) - i32::from(cheaper.has(to)))
    }
}
