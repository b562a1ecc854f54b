//! The staged move picker: each kind of move is generated only when its turn comes.
//!
//! The TT move; captures and promotions whose static exchange evaluation (SEE) is good, ordered
//! by most valuable victim (MVV) and capture history; quiet moves by their histories; bad
//! captures last.

use crate::history::continuation::PieceTo;
use crate::history::{Histories, MoveContext, captured};
use crate::params;
use movegen::{Bitboard, Color, Move, Noisy, Position, Quiet, Role, SeeValues, attacks};

/// A move and its ordering score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The moves of one node. They live in the worker's list from `start` on; a child's moves come
/// after them and are removed before it returns.
#[derive(Debug)]
pub(crate) struct MovePicker<'a> {
    stage: Stage,
    tt_move: Option<Move>,
    /// What quiet moves are scored by; `None` skips them.
    quiets: Option<&'a MoveContext>,
    /// Captures below this SEE value are left out; `None` keeps them as bad captures.
    threshold: Option<i32>,
    start: usize,
    next: usize,
    end: usize,
    /// Bad captures are kept from `start` to here.
    bad_end: usize,
    values: SeeValues,
}

impl<'a> MovePicker<'a> {
    fn new(
        tt_move: Option<Move>,
        quiets: Option<&'a MoveContext>,
        threshold: Option<i32>,
        start: usize,
    ) -> Self {
        let stage = if tt_move.is_some() {
            Stage::TtMove
        } else {
            Stage::GenerateNoisy
        };
        Self {
            stage,
            tt_move,
            quiets,
            threshold,
            start,
            next: start,
            end: start,
            bad_end: start,
            values: params::see_values(),
        }
    }

    /// Every move of a node, bad captures last.
    pub(crate) fn all(
        tt_move: Option<Move>,
        context: &'a MoveContext,
        moves: &[ScoredMove],
    ) -> Self {
        Self::new(tt_move, Some(context), None, moves.len())
    }

    /// Only noisy moves with a SEE of at least `threshold`.
    pub(crate) fn noisy(tt_move: Option<Move>, threshold: i32, moves: &[ScoredMove]) -> Self {
        Self::new(tt_move, None, Some(threshold), moves.len())
    }

    /// Returns no more quiet moves from now on.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = None;
    }

    /// Removes the node's moves from the worker's list.
    pub(crate) fn finish(self, moves: &mut Vec<ScoredMove>) {
        moves.truncate(self.start);
    }

    /// The next move; `None` after the last one.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        moves: &mut Vec<ScoredMove>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    return self.tt_move;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories, moves);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pick(moves) {
                    Some(pick) if self.is_good(position, pick) => return Some(pick.mv),
                    Some(pick) => self.keep_bad(pick, moves),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => match self.quiets {
                    Some(context) => {
                        self.generate_quiet(position, histories, context, moves);
                        self.stage = Stage::Quiet;
                    }
                    None => self.begin_bad(),
                },
                Stage::Quiet if self.quiets.is_some() => match self.pick(moves) {
                    Some(pick) => return Some(pick.mv),
                    None => self.begin_bad(),
                },
                Stage::Quiet => self.begin_bad(),
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
        self.end = if self.threshold.is_some() {
            self.start
        } else {
            self.bad_end
        };
        self.stage = Stage::BadNoisy;
    }

    /// Takes the highest-scored of the remaining moves (selection sort).
    fn pick(&mut self, moves: &mut [ScoredMove]) -> Option<ScoredMove> {
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

    /// Good captures pass the threshold, which their ordering score lowers.
    fn is_good(&self, position: &Position, pick: ScoredMove) -> bool {
        let threshold = self
            .threshold
            .unwrap_or(-pick.score / params::ordering::good_capture_divisor());
        position.see_ge(pick.mv, threshold, &self.values)
    }

    /// Keeps a bad capture where picked moves were, in the order it came.
    fn keep_bad(&mut self, pick: ScoredMove, moves: &mut [ScoredMove]) {
        if let Some(slot) = moves.get_mut(self.bad_end) {
            *slot = pick;
            self.bad_end += 1;
        }
    }

    // Not inlined, like `generate_quiet`: the compiler would hoist their setup into the loop of
    // `next`, most of whose calls only pick.
    #[inline(never)]
    fn generate_noisy(
        &mut self,
        position: &Position,
        histories: &Histories,
        moves: &mut Vec<ScoredMove>,
    ) {
        position.for_each_move::<Noisy>(|mv| moves.push(ScoredMove { mv, score: 0 }));
        self.end = moves.len();
        self.remove_tt_move(moves);
        for scored in moves.iter_mut().skip(self.start) {
            let mv = scored.mv;
            let mut gain = captured(position, mv).map_or(0, |role| self.values[role.index()]);
            if let Some(role) = mv.promotion_role() {
                gain += self.values[role.index()];
            }
            let history =
                histories.capture.get(position, mv) / params::ordering::capture_history_divisor();
            scored.score = gain * params::ordering::capture_weight() + history;
        }
    }

    #[inline(never)]
    fn generate_quiet(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &MoveContext,
        moves: &mut Vec<ScoredMove>,
    ) {
        // Bad captures stay below; the picked ones above them are no longer needed.
        moves.truncate(self.bad_end);
        self.next = self.bad_end;
        position.for_each_move::<Quiet>(|mv| moves.push(ScoredMove { mv, score: 0 }));
        self.end = moves.len();
        self.remove_tt_move(moves);
        let scorer = QuietScorer::new(position, histories, context);
        for scored in moves.iter_mut().skip(self.next) {
            scored.score = scorer.score(scored.mv);
        }
    }

    /// The TT move was returned first.
    fn remove_tt_move(&mut self, moves: &mut Vec<ScoredMove>) {
        let found = moves
            .iter()
            .skip(self.next)
            .position(|scored| Some(scored.mv) == self.tt_move);
        if let Some(place) = found {
            moves.remove(self.next + place);
            self.end -= 1;
        }
    }
}

/// Scores quiet moves; what is the same for all moves of a node is computed once.
struct QuietScorer<'a> {
    position: &'a Position,
    histories: &'a Histories,
    context: &'a MoveContext,
    side: Color,
    /// By role: the squares from which it gives check.
    checks: [Bitboard; 6],
    /// By role: the squares attacked by a less valuable enemy piece.
    threatened: [Bitboard; 6],
}

impl<'a> QuietScorer<'a> {
    fn new(position: &'a Position, histories: &'a Histories, context: &'a MoveContext) -> Self {
        let side = position.side_to_move();
        let occupied = position.occupied();
        let king = position.king(!side);
        let (bishop, rook) = (
            attacks::bishop(king, occupied),
            attacks::rook(king, occupied),
        );
        let checks = [
            attacks::pawn(king, !side),
            attacks::knight(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ];
        let threats = &context.threats;
        let threatened = [
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
            context,
            side,
            checks,
            threatened,
        }
    }

    fn score(&self, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let histories = self.histories;
        let role = self.position.role_on(from).unwrap_or(Role::Pawn);
        let piece_to = PieceTo::of(self.position, mv);
        let mut score = 2 * histories.quiet.get(self.side, self.context.threats.all, mv)
            + histories
                .continuation
                .sum(&self.context.continuation, piece_to)
            + histories.pawn.get(self.position, piece_to);
        if self.context.killer == Some(mv) {
            score += params::ordering::killer_bonus();
        }
        if self.checks[role.index()].has(to) {
            score += params::ordering::check_bonus();
        }
        let threatened = self.threatened[role.index()];
        let value =
            role.index() as i32 * params::ordering::escape_bonus() / Role::Queen.index() as i32;
        score + value * (i32::from(threatened.has(from)) - i32::from(threatened.has(to)))
    }
}
