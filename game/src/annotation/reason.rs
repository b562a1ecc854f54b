//! Reasons why a move is bad, in words: only those that the moves of the search's lines prove,
//! which are therefore silent more often than not.

mod effect;
mod material;

use std::cmp::Ordering;
use std::fmt;

use movegen::engine::{self, SeeValues};
use movegen::{Color, Move, Position, Role, Square, attacks};

use super::evaluate::Evaluation;
use formats::notation;
use formats::pgn::Eval;
use material::{Material, ROLES, counted, listed, value};

const SEE_VALUES: SeeValues = [PAWN, 300, 300, 500, 900, 10_000];
const PAWN: i32 = 100;
/// An evaluation in pawns beyond which more is not better.
const DECIDED: f64 = 9.0;
/// A cost in pawns that makes a refutation worth naming.
const MUCH: f64 = 1.0;
/// An evaluation in pawns that wins.
const WON: f64 = 3.0;
/// The cost in pawns that one pawn explains.
const COST_OF_PAWN: i32 = 3;
/// The most that one pawn explains where there is no better reason.
const MOST_OF_PAWN: i32 = 6;
/// The largest difference in pawns between an evaluation and the material that explains it.
const COMPENSATION: i32 = 3;
/// The part of a line that is looked at, in plies.
const MAX_PLIES: usize = 16;
/// A reason, displayed as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    AllowsMate(u32),
    MissesMate(u32, String),
    Stalemates,
    AllowsStalemate,
    AllowsPromotion,
    /// The move after which a pawn would have promoted.
    MissesPromotion(String),
    /// The kind of draw that the opponent gets.
    AllowsDraw(&'static str),
    /// The kind of draw that is missed, and the move that begins it.
    MissesDraw(&'static str, String),
    /// The refutation and what it does.
    Allows(String, String),
    /// The better move and what it does.
    Misses(String, String),
    EnPrise(Role, Square),
    /// The forking move and the pieces it attacks.
    AllowsFork(String, String),
    /// The loss, and the move after which it occurs.
    Loses(String, String),
    NoRecapture(Square),
    WrongRecapture(Square),
    /// The missed win of material, and the move that wins it.
    MissesWin(String, String),
    LosesCastling,
    LosesOpposition,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllowsMate(moves) => write!(f, "Allows mate in {moves}."),
            Self::MissesMate(moves, san) => write!(f, "Misses mate in {moves} by {san}."),
            Self::Stalemates => write!(f, "Stalemate."),
            Self::AllowsStalemate => write!(f, "Allows stalemate."),
            Self::AllowsPromotion => write!(f, "Allows a pawn to promote."),
            Self::MissesPromotion(san) => write!(f, "Misses {san}, after which a pawn promotes."),
            Self::AllowsDraw(how) => write!(f, "Allows {how}."),
            Self::MissesDraw(how, san) => write!(f, "Misses {how} with {san}."),
            Self::Allows(san, effect) => write!(f, "Allows {san}, {effect}."),
            Self::Misses(san, effect) => write!(f, "Misses {san}, {effect}."),
            Self::EnPrise(role, square) => {
                write!(f, "Leaves the {} on {square} en prise.", role.name())
            }
            Self::AllowsFork(san, targets) => write!(f, "Allows {san}, a fork of {targets}."),
            Self::Loses(what, san) => write!(f, "Loses {what} after {san}."),
            Self::NoRecapture(square) => write!(f, "Does not recapture on {square}."),
            Self::WrongRecapture(square) => {
                write!(f, "Recaptures on {square} with the wrong piece.")
            }
            Self::MissesWin(what, san) => write!(f, "Misses {san}, which wins {what}."),
            Self::LosesCastling => write!(f, "Gives away the right to castle."),
            Self::LosesOpposition => write!(f, "Gives away the opposition."),
        }
    }
}

/// A bad move and what the search found before and after it.
#[derive(Debug)]
pub(super) struct BadMove<'a> {
    pub(super) position: &'a Position,
    pub(super) mv: Move,
    /// The square on which the opponent has just captured.
    pub(super) captured_on: Option<Square>,
    pub(super) before: &'a Evaluation,
    pub(super) after: &'a Evaluation,
}

impl BadMove<'_> {
    pub(super) fn reason(&self) -> Option<Reason> {
        let side = self.position.side_to_move();
        let refutation = self.after.line.iter().copied();
        let played = Line::new(self.position, [self.mv].into_iter().chain(refutation));
        let best = Line::new(self.position, self.before.line.iter().copied());
        let reply = played.positions.get(1)?;
        if let Some(moves) = played.mate(self.after.eval, !side, 1) {
            return Some(Reason::AllowsMate(moves));
        }
        if reply.is_stalemate() {
            return Some(Reason::Stalemates);
        }
        if let Some(moves) = best.mate(self.before.eval, side, 0) {
            return Some(Reason::MissesMate(moves, best.san(0)?));
        }
        if played.positions.last()?.is_stalemate() {
            return Some(Reason::AllowsStalemate);
        }
        self.draw(&played, &best)
            .or_else(|| self.material(&played, &best, COST_OF_PAWN))
            .or_else(|| loses_castling(&played, &best).then_some(Reason::LosesCastling))
            .or_else(|| loses_opposition(&played, &best).then_some(Reason::LosesOpposition))
            .or_else(|| self.allows(&played, &best))
            .or_else(|| self.misses(&best))
            .or_else(|| self.material(&played, &best, MOST_OF_PAWN))
            .or_else(|| self.attacks(&played, &best))
            .or_else(|| {
                let is_thrown_away = is_even(self.after) && self.cost() >= WON;
                is_thrown_away.then_some(Reason::AllowsDraw("a draw"))
            })
    }

    /// A draw that the opponent gets by the move, or the side would have got by the better one.
    fn draw(&self, played: &Line, best: &Line) -> Option<Reason> {
        if is_even(self.after) && self.cost() >= MUCH {
            return Some(Reason::AllowsDraw(played.draw(1)?));
        }
        if is_even(self.before) && self.cost() >= MUCH {
            return Some(Reason::MissesDraw(best.draw(0)?, best.san(0)?));
        }
        None
    }

    /// The reasons about material, where the played line leads to less of it than the better one,
    /// by so much that it explains what the move cost.
    fn material(&self, played: &Line, best: &Line, cost_of_pawn: i32) -> Option<Reason> {
        // The opponent must have moved.
        let (end, outcome) = played.outcome(2)?;
        let (best_end, alternative) = best.outcome(1)?;
        let loss = alternative.value() - outcome.value();
        let explains = |pawns: i32| f64::from(cost_of_pawn * pawns) >= self.cost();
        if loss <= 0 || !explains(loss) {
            return None;
        }
        let promotes = |line: &Line, end: usize, parity: usize| {
            let moves = line.moves.iter().take(end).enumerate();
            moves
                .filter(|(ply, _)| ply % 2 == parity)
                .any(|(_, mv)| mv.is_promotion())
        };
        if promotes(played, end, 1) {
            return (!promotes(best, best_end, 1)).then_some(Reason::AllowsPromotion);
        }
        let wins = *best.moves.first()?;
        let is_lost = outcome.value() < 0 && -outcome.value() >= alternative.value();
        if is_lost && self.agrees(self.after, outcome) {
            if let Some((role, square)) = en_prise(played, outcome)
                && explains(value(role))
                && !best.loses_on(square, best_end)
            {
                return Some(Reason::EnPrise(role, square));
            }
            if let Some(targets) = fork(played) {
                return Some(Reason::AllowsFork(played.san(1)?, targets));
            }
            return Some(Reason::Loses(outcome.negated().words()?, played.san(1)?));
        }
        if self.position.is_capture(wins) && self.captured_on == Some(wins.to()) {
            return Some(if self.mv.to() == wins.to() {
                Reason::WrongRecapture(wins.to())
            } else {
                Reason::NoRecapture(wins.to())
            });
        }
        if promotes(best, best_end, 0) {
            let is_missed = !promotes(played, end, 0);
            return is_missed.then_some(Reason::MissesPromotion(best.san(0)?));
        }
        if alternative.value() > 0 && self.agrees(self.before, alternative) {
            return Some(Reason::MissesWin(alternative.words()?, best.san(0)?));
        }
        None
    }

    /// The best answer and what it does, if it is not the answer to the better move: there it is
    /// prevented, or worse than another.
    fn allows(&self, played: &Line, best: &Line) -> Option<Reason> {
        let answer = self.answer(played, best)?;
        let effect =
            effect::of(played, 1).or_else(|| effect::on_king(played, best).map(str::to_owned));
        Some(Reason::Allows(answer, effect?))
    }

    /// The better move and what it does.
    fn misses(&self, best: &Line) -> Option<Reason> {
        let effect = effect::of(best, 0).filter(|_| self.cost() >= MUCH);
        Some(Reason::Misses(best.san(0)?, effect?))
    }

    /// The best answer that does little, yet more than the better move permits.
    fn attacks(&self, played: &Line, best: &Line) -> Option<Reason> {
        let answer = self.answer(played, best)?;
        let effect = effect::attack(played, 1).or_else(|| effect::passed_pawn(played, best));
        Some(Reason::Allows(answer, effect?))
    }

    /// The best answer to a move that cost much, unless it also is that to the better move. It does
    /// not say what a side has missed whose game was won.
    fn answer(&self, played: &Line, best: &Line) -> Option<String> {
        let answer = *played.moves.get(1)?;
        let is_allowed = self.cost() >= MUCH
            && answer.to() != self.mv.to()
            && best.moves.get(1).is_none_or(|other| *other != answer);
        is_allowed.then(|| played.san(1)).flatten()
    }

    /// The cost of the move, in pawns.
    fn cost(&self) -> f64 {
        self.pawns(self.before.eval) - self.pawns(self.after.eval)
    }

    /// True if the evaluation of a line is that of a side whose material changes like this.
    fn agrees(&self, evaluation: &Evaluation, change: Material) -> bool {
        let side = self.position.side_to_move();
        let balance = f64::from(Material::of(self.position, side).value() + change.value());
        let pawns = self.pawns(evaluation.eval);
        let rest = (pawns - balance) * f64::from(change.value().signum());
        pawns.abs() >= DECIDED || rest >= f64::from(-COMPENSATION)
    }

    /// An evaluation in pawns for the side that moves; those that decide the game are alike.
    fn pawns(&self, eval: Option<Eval>) -> f64 {
        let for_white = match eval {
            Some(Eval::Centipawns(score)) => f64::from(score) / 100.0,
            Some(Eval::Mate(moves)) => f64::from(moves.signum()) * DECIDED,
            None => 0.0,
        };
        let pawns = for_white.clamp(-DECIDED, DECIDED);
        match self.position.side_to_move() {
            Color::White => pawns,
            Color::Black => -pawns,
        }
    }
}

/// True for the evaluation of a draw.
fn is_even(evaluation: &Evaluation) -> bool {
    evaluation.eval == Some(Eval::Centipawns(0))
}

/// The piece that stands en prise after the first move of a line and is lost by the second.
fn en_prise(played: &Line, outcome: Material) -> Option<(Role, Square)> {
    let [before, position, ..] = played.positions.as_slice() else {
        return None;
    };
    let [mv, capture, ..] = *played.moves.as_slice() else {
        return None;
    };
    let role = position.role_on(capture.to())?;
    let is_sacrifice = capture.to() == mv.to() && before.is_noisy(mv);
    let is_lost = position.is_capture(capture)
        && engine::see_ge(position, capture, PAWN, &SEE_VALUES)
        && outcome.get(role) < 0;
    (is_lost && !is_sacrifice).then_some((role, capture.to()))
}

/// The pieces that the second move of a line attacks at once, in words, if its fourth move captures
/// one of them with the forking piece.
fn fork(played: &Line) -> Option<String> {
    let [_, fork, _, capture, ..] = *played.moves.as_slice() else {
        return None;
    };
    let [_, _, forked, last, ..] = played.positions.as_slice() else {
        return None;
    };
    if fork.is_castling() || capture.from() != fork.to() || !last.is_capture(capture) {
        return None;
    }
    let side = forked.side_to_move();
    let forker = forked.piece_on(fork.to())?;
    let targets = attacks::of(forker, fork.to(), forked.occupied()) & forked.by_color(side);
    let is_target = |square: &Square| {
        forked.role_on(*square).is_some_and(|target| {
            let is_defended =
                (forked.attackers_to(*square, forked.occupied()) & forked.by_color(side)).any();
            let is_worth_more = value(target) > value(forker.role());
            target == Role::King || (target != Role::Pawn && (is_worth_more || !is_defended))
        })
    };
    let targets: Vec<Square> = targets.into_iter().filter(is_target).collect();
    if targets.len() < 2 || !targets.contains(&capture.to()) {
        return None;
    }
    let roles = [Role::King].into_iter().chain(ROLES);
    let names = roles.filter_map(|role| {
        let is_role = |square: &&Square| forked.role_on(**square) == Some(role);
        match targets.iter().filter(is_role).count() {
            0 => None,
            1 => Some(role.name().to_owned()),
            count => Some(counted(count, role)),
        }
    });
    Some(listed(&names.collect::<Vec<_>>()))
}

/// True if the better line castles with a right that the played move has lost.
fn loses_castling(played: &Line, best: &Line) -> bool {
    let (Some(mv), Some(after)) = (played.moves.first(), played.positions.get(1)) else {
        return false;
    };
    let rights = after.castling_rights().rooks();
    let mut castling = best.moves.iter().step_by(2).filter(|mv| mv.is_castling());
    !mv.is_castling() && castling.any(|castling| !rights.has(castling.to()))
}

/// True if, in an ending of pawns, the better move takes the opposition, and the opponent answers
/// the played move by taking it.
fn loses_opposition(played: &Line, best: &Line) -> bool {
    let [before, after, answered, ..] = played.positions.as_slice() else {
        return false;
    };
    let Some(answer) = played.moves.get(1) else {
        return false;
    };
    let has_only_pawns = before.occupied().count() == before.by_role(Role::Pawn).count() + 2;
    has_only_pawns
        && best.positions.get(1).is_some_and(is_opposition)
        && !is_opposition(after)
        && is_opposition(answered)
        && after.role_on(answer.from()) == Some(Role::King)
}

/// True if the kings face each other with one square between them.
fn is_opposition(position: &Position) -> bool {
    let [white, black] = [Color::White, Color::Black].map(|color| position.king(color));
    let files = white.file().index().abs_diff(black.file().index());
    let ranks = white.rank().index().abs_diff(black.rank().index());
    matches!((files, ranks), (0, 2) | (2, 0))
}

/// Moves, and the positions before and after them.
#[derive(Debug)]
struct Line {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Line {
    fn new(start: &Position, moves: impl IntoIterator<Item = Move>) -> Self {
        let mut line = Self {
            positions: vec![*start],
            moves: Vec::new(),
        };
        for (position, mv) in notation::legal_moves(start, moves) {
            line.positions.push(position.play_unchecked(mv));
            line.moves.push(mv);
        }
        line
    }

    fn san(&self, ply: usize) -> Option<String> {
        let (position, mv) = self.positions.get(ply).zip(self.moves.get(ply))?;
        Some(position.san(*mv))
    }

    /// The number of moves of a mate by a side which the line, from a ply on, carries out.
    fn mate(&self, eval: Option<Eval>, side: Color, start: usize) -> Option<u32> {
        let Some(Eval::Mate(moves)) = eval else {
            return None;
        };
        let is_by_side = (moves > 0) == (side == Color::White);
        let plies = (2 * moves.unsigned_abs() as usize).saturating_sub(1);
        let last = self.positions.last()?;
        let is_shown = match self.moves.len().cmp(&(start + plies)) {
            Ordering::Less => last.has_moves(),
            Ordering::Equal => last.is_checkmate(),
            Ordering::Greater => false,
        };
        (is_by_side && is_shown).then_some(moves.unsigned_abs())
    }

    /// The kind of draw to which the line leads, by a side's moves from a ply on.
    fn draw(&self, start: usize) -> Option<&'static str> {
        /// Checks that are enough.
        const CHECKS: usize = 2;
        let mut given = self.positions.iter().skip(start + 1).step_by(2);
        if self.moves.len() >= start + 2 * CHECKS - 1 && given.all(Position::in_check) {
            return Some("perpetual check");
        }
        let mut earlier = self.positions.iter().enumerate();
        let is_repeated = earlier.any(|(ply, one)| {
            let later = self.positions.iter().skip(ply + 1);
            later.into_iter().any(|other| one.same_position(other))
        });
        is_repeated.then_some("a draw by repetition")
    }

    /// The change of material for the side that moves first up to the last quiet position, at least
    /// at this ply: neither check nor a capture or promotion that gains anything.
    fn outcome(&self, least: usize) -> Option<(usize, Material)> {
        let last = self.moves.len().min(MAX_PLIES);
        let end = (least..=last).rev().find(|&ply| {
            self.positions.get(ply).is_some_and(|position| {
                let mut noisy = position.noisy_moves().into_iter();
                !position.in_check()
                    && !noisy.any(|mv| engine::see_ge(position, mv, PAWN, &SEE_VALUES))
            })
        })?;
        let (before, after) = (self.positions.first()?, self.positions.get(end)?);
        let side = before.side_to_move();
        Some((
            end,
            Material::between(Material::of(before, side), Material::of(after, side)),
        ))
    }

    /// True if the opponent captures on this square before the line ends.
    fn loses_on(&self, square: Square, end: usize) -> bool {
        let plies = self.positions.iter().zip(&self.moves).take(end);
        plies
            .skip(1)
            .step_by(2)
            .any(|(position, mv)| mv.to() == square && position.is_capture(*mv))
    }
}

#[cfg(test)]
mod tests;
