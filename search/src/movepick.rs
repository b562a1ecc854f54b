//! The staged move picker: each kind of move is generated only when its turn comes.
//!
//! The TT move; captures and promotions whose static exchange evaluation (SEE) is good, ordered
//! by most valuable victim (MVV) and capture history; quiet moves by their histories; bad
//! captures last. Quiescence search leaves out bad captures, and of the quiet moves tries at
//! most the checks.

use crate::history::{Histories, MoveContext, captured};
use crate::params;
use movegen::{Bitboard, MAX_MOVES, Move, Noisy, Piece, Position, Role, Square, attacks, engine};

/// A move and its ordering score.
#[derive(Clone, Copy, Debug)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

/// The moves of all nodes of the current line, one node after another.
#[derive(Debug, Default)]
pub(crate) struct MoveStack {
    /// Grows with the longest line and never shrinks.
    moves: Vec<ScoredMove>,
    len: usize,
}

impl MoveStack {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Replaces the moves from `start` on with those that `generate` pushes, leaving out `except`.
    /// Returns their end.
    #[inline(always)]
    fn fill(
        &mut self,
        start: usize,
        except: Option<Move>,
        generate: impl FnOnce(&mut Room<'_>),
    ) -> usize {
        let end = start + MAX_MOVES;
        if self.moves.len() < end {
            let mv = Move::normal(Square::A1, Square::A1);
            self.moves.resize(end, ScoredMove { mv, score: 0 });
        }
        let free = self.moves.get_mut(start..).unwrap_or_default();
        let Some(moves) = free.first_chunk_mut::<MAX_MOVES>() else {
            return start;
        };
        let mut room = Room {
            moves,
            len: 0,
            except,
        };
        generate(&mut room);
        self.len = start + room.len;
        self.len
    }
}

/// Room for the moves of a node.
struct Room<'a> {
    moves: &'a mut [ScoredMove; MAX_MOVES],
    len: usize,
    except: Option<Move>,
}

impl Room<'_> {
    #[inline(always)]
    fn push(&mut self, mv: Move, score: i32) {
        self.moves[self.len % MAX_MOVES] = ScoredMove { mv, score };
        // Without a branch: the next move overwrites the one that is left out.
        self.len += usize::from(Some(mv) != self.except);
    }
}

/// True if quiescence search tries quiet moves that give direct check and lose no material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QuietChecks {
    With,
    Without,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    QuietChecks,
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
    /// The context that quiet moves are scored in; `None` skips them.
    quiets: Option<&'a MoveContext>,
    quiet_checks: QuietChecks,
    /// Captures below this SEE value are left out; `None` keeps them as bad captures.
    threshold: Option<i32>,
    start: usize,
    next: usize,
    end: usize,
    /// Bad captures are kept from `start` to here.
    bad_end: usize,
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
            quiet_checks: QuietChecks::Without,
            threshold,
            start,
            next: start,
            end: start,
            bad_end: start,
        }
    }

    /// Every move of a node, bad captures last.
    pub(crate) fn all(tt_move: Option<Move>, context: &'a MoveContext, moves: &MoveStack) -> Self {
        Self::new(tt_move, Some(context), None, moves.len)
    }

    /// Only noisy moves with a SEE of at least `threshold`, and quiet checks on request.
    pub(crate) fn noisy(
        tt_move: Option<Move>,
        threshold: i32,
        quiet_checks: QuietChecks,
        moves: &MoveStack,
    ) -> Self {
        Self {
            quiet_checks,
            ..Self::new(tt_move, None, Some(threshold), moves.len)
        }
    }

    /// Stops returning quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = None;
    }

    /// Removes the node's moves from the worker's list.
    pub(crate) fn finish(self, moves: &mut MoveStack) {
        moves.len = self.start;
    }

    /// The next move; `None` after the last one.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        moves: &mut MoveStack,
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
                    Some(pick) if self.is_good(position, histories, pick) => return Some(pick.mv),
                    Some(pick) => self.keep_bad(pick, moves),
                    None if self.quiet_checks == QuietChecks::With => {
                        self.generate_quiet_checks(position, moves);
                        self.stage = Stage::QuietChecks;
                    }
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::QuietChecks => match self.pick(moves) {
                    Some(pick) if engine::see_ge(position, pick.mv, 0, &params::see_values()) => {
                        return Some(pick.mv);
                    }
                    Some(_) => {}
                    None => self.stage = Stage::Done,
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
                    return moves.moves.get(self.next - 1).map(|scored| scored.mv);
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
    fn pick(&mut self, moves: &mut MoveStack) -> Option<ScoredMove> {
        let left = moves.moves.get_mut(self.next..self.end)?;
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

    /// True if a capture passes the SEE threshold, which is lower for high ordering scores.
    fn is_good(&self, position: &Position, histories: &Histories, pick: ScoredMove) -> bool {
        let threshold = match self.threshold {
            Some(threshold) => {
                let history = histories.capture.get(position, pick.mv);
                threshold - history * params::quiescence::history() / 1024
            }
            None => -pick.score / params::ordering::good_capture_divisor(),
        };
        engine::see_ge(position, pick.mv, threshold, &params::see_values())
    }

    /// Keeps a bad capture for later, in the space of the picked moves.
    fn keep_bad(&mut self, pick: ScoredMove, moves: &mut MoveStack) {
        if let Some(slot) = moves.moves.get_mut(self.bad_end) {
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
        moves: &mut MoveStack,
    ) {
        let values = params::see_values();
        let score = |mv: Move| {
            let mut gain = captured(position, mv).map_or(0, |role| values[role.index()]);
            if let Some(role) = mv.promotion_role() {
                gain += values[role.index()];
            }
            let history =
                histories.capture.get(position, mv) / params::ordering::capture_history_divisor();
            gain * params::ordering::capture_weight() + history
        };
        self.end = moves.fill(self.start, self.tt_move, |room| {
            position.for_each_move::<Noisy>(|_, mv| room.push(mv, score(mv)));
        });
    }

    #[inline(never)]
    fn generate_quiet_checks(&mut self, position: &Position, moves: &mut MoveStack) {
        self.next = self.start;
        self.end = moves.fill(self.start, self.tt_move, |room| {
            engine::for_each_quiet_check(position, |mv| room.push(mv, 0));
        });
    }

    #[inline(never)]
    fn generate_quiet(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &MoveContext,
        moves: &mut MoveStack,
    ) {
        // The bad captures stay; the picked moves after them are overwritten.
        self.next = self.bad_end;
        let score = quiet_score(position, histories, context);
        self.end = moves.fill(self.next, self.tt_move, |room| {
            engine::for_each_quiet_move(position, &context.threats, |role, mv| {
                room.push(mv, score(role, mv));
            });
        });
    }
}

/// The score of quiet moves. What all of them share is computed once.
#[inline(always)]
fn quiet_score(
    position: &Position,
    histories: &Histories,
    context: &MoveContext,
) -> impl Fn(Role, Move) -> i32 {
    let threats = &context.threats;
    // By role: the squares attacked by a less valuable enemy piece.
    let threatened = [
        Bitboard::EMPTY,
        threats.pawns,
        threats.pawns,
        threats.minors,
        threats.rooks,
        Bitboard::EMPTY,
    ];
    let rows = histories.quiet_rows(position, context);
    let side = position.side_to_move();
    let attacks_dearer = if params::ordering::attack_bonus() == 0 {
        [Bitboard::EMPTY; 6]
    } else {
        safe_attacks_on_dearer(position, threats.all)
    };
    move |role, mv| {
        let mut score = rows.ordering(Piece::new(side, role), mv);
        if context.killer == Some(mv) {
            score += params::ordering::killer_bonus();
        }
        let role = role.index();
        if context.check_squares[role].has(mv.to()) {
            score += params::ordering::check_bonus();
        }
        if attacks_dearer[role].has(mv.to()) {
            score += params::ordering::attack_bonus();
        }
        let threatened = threatened[role];
        let value = role as i32 * params::ordering::escape_bonus() / Role::Queen.index() as i32;
        let escapes = i32::from(threatened.has(mv.from())) - i32::from(threatened.has(mv.to()));
        score + value * escapes
    }
}

/// By role: the squares not attacked from which a piece of the side to move would attack a dearer
/// piece.
fn safe_attacks_on_dearer(position: &Position, attacked: Bitboard) -> [Bitboard; 6] {
    let enemy = !position.side_to_move();
    let occupied = position.occupied();
    let queens = position.pieces(enemy, Role::Queen);
    let rooks = queens | position.pieces(enemy, Role::Rook);
    let minors = position.pieces(enemy, Role::Knight) | position.pieces(enemy, Role::Bishop);
    let from = |targets: Bitboard, of: fn(Square, Bitboard) -> Bitboard| {
        targets
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | of(square, occupied))
    };
    [
        attacks::pawns(rooks | minors, enemy),
        attacks::knights(rooks),
        from(rooks, attacks::bishop),
        from(queens, attacks::rook),
        Bitboard::EMPTY,
        Bitboard::EMPTY,
    ]
    .map(|set| set & !attacked)
}
