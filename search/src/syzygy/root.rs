//! Root moves ranked by the tablebases, so that a won game is won before the fifty-move rule ends
//! it, whatever the halfmove clock, and a lost one is prolonged; and lines played by the tables.
//!
//! Among the moves that win in time, those with the smallest DTZ come first. Playing them never
//! loses more than the one ply by which most tables are rounded, and so never repeats a position.
//! The search may prefer another move only for a mate that it sees, because DTZ says nothing about
//! good play beyond the next zeroing move. Among moves of equal rank the search decides.

use super::{Dtz, TbProber, Wdl};
use crate::draw;
use crate::score::Score;
use movegen::{Color, FIFTY_MOVE_PLIES, Game, Move, Position};

/// The value of a move, which counts above all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Loss,
    /// The fifty-move rule may draw before the opponent's zeroing move.
    DoubtfulLoss,
    BlessedLoss,
    Draw,
    CursedWin,
    /// The fifty-move rule may draw before our zeroing move.
    DoubtfulWin,
    Win,
}

/// The search chooses among the moves of the same rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TbRank {
    class: Class,
    preference: i32,
}

impl TbRank {
    /// The preference of moves that win, but not with the smallest DTZ.
    const SLOWER: i32 = -1;

    /// The rank of all moves when the tables know nothing.
    pub(crate) const UNKNOWN: Self = Self {
        class: Class::Draw,
        preference: 0,
    };

    /// A winning move outside of the first rank, which may still mate sooner.
    pub(crate) fn is_slower_win(self) -> bool {
        self.class == Class::Win && self.preference == Self::SLOWER
    }
}

/// A root move with its rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TbRankedMove {
    pub(crate) mv: Move,
    pub(crate) rank: TbRank,
    /// The score of the move, where that is certain.
    pub(crate) score: Option<Score>,
}

/// All root moves with their ranks.
#[derive(Debug)]
pub(crate) struct TbRanking {
    moves: Vec<TbRankedMove>,
    /// The number of successful probes.
    pub(crate) hits: u64,
    /// Probe inside the tree too: without DTZ tables nothing else leads to the win.
    pub(crate) probe_in_tree: bool,
}

impl TbRanking {
    pub(crate) fn of(&self, mv: Move) -> Option<&TbRankedMove> {
        self.moves.iter().find(|ranked| ranked.mv == mv)
    }
}

/// Ranks these moves of a game's current position; `None` when the tables do not know them all.
pub(crate) fn rank(prober: &TbProber<'_>, game: &Game, moves: &[Move]) -> Option<TbRanking> {
    let position = game.position();
    if !prober.covers(position) {
        return None;
    }
    let past = Past::of(game);
    by_dtz(prober, position, &past, moves)
        .or_else(|| by_wdl(prober, position, &past, moves))
        .filter(|ranking| !ranking.moves.is_empty())
}

/// True if a side still wins in time from this position; assumed where the tables do not know it.
pub(crate) fn still_wins(prober: &TbProber<'_>, position: &Position, winner: Color) -> bool {
    if !prober.covers(position) || position.is_checkmate() {
        return true;
    }
    prober.tablebases.dtz(position).is_none_or(|dtz| {
        let wins = if position.side_to_move() == winner {
            1
        } else {
            -1
        };
        let clock = i32::from(position.halfmove_clock());
        let in_time = clock + dtz.plies.saturating_abs() <= i32::from(FIFTY_MOVE_PLIES);
        dtz.plies.signum() == wins && (in_time || !prober.fifty_moves)
    })
}

/// The move the tables play: the winner hurries, the loser delays. `None` where they do not know
/// every move, or where neither side wins in time.
pub(crate) fn best_move(prober: &TbProber<'_>, position: &Position) -> Option<Move> {
    if !prober.covers(position) {
        return None;
    }
    let past = Past::unknown(position.halfmove_clock());
    let moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|&mv| probe_move(prober, position, &past, mv))
        .collect::<Option<_>>()?;
    let best = moves.iter().rev().max_by_key(|probed| probed.order())?;
    best.is_decisive().then_some(best.mv)
}

/// The halfmove clock, and the positions that occurred twice since the last zeroing move.
struct Past {
    clock: i32,
    twice: Vec<u64>,
}

impl Past {
    fn of(game: &Game) -> Self {
        Self {
            clock: game.position().halfmove_clock().into(),
            twice: draw::seen_twice(game),
        }
    }

    fn unknown(clock: u16) -> Self {
        Self {
            clock: clock.into(),
            twice: Vec::new(),
        }
    }

    /// The position would occur for the third time.
    fn is_threefold(&self, position: &Position) -> bool {
        self.twice.contains(&position.key())
    }

    /// The side to move can repeat a position for the third time.
    fn allows_threefold(&self, position: &Position) -> bool {
        let draws = |reply| self.is_threefold(&position.play_unchecked(reply));
        !self.twice.is_empty() && position.legal_moves().iter().any(|&reply| draws(reply))
    }
}

/// A move as the tables see it.
#[derive(Clone, Copy)]
struct ProbedMove {
    mv: Move,
    class: Class,
    dtz: Dtz,
}

impl ProbedMove {
    /// A win or loss, even if doubtful.
    fn is_decisive(&self) -> bool {
        use Class::{BlessedLoss, CursedWin, Draw};
        !matches!(self.class, BlessedLoss | Draw | CursedWin)
    }

    /// By value, then fast wins and slow losses first.
    fn order(&self) -> impl Ord {
        (self.class, -self.dtz.plies)
    }
}

/// Probes the position after a move; `None` when a table that is needed is missing.
fn probe_move(
    prober: &TbProber<'_>,
    position: &Position,
    past: &Past,
    mv: Move,
) -> Option<ProbedMove> {
    let next = position.play_unchecked(mv);
    let zeroes = next.halfmove_clock() == 0;
    let (dtz, zeroes) = if next.is_checkmate() {
        let mate = Dtz {
            plies: 1,
            rounded: false,
        };
        (mate, true)
    } else if is_draw(&next, past) {
        (Dtz::DRAW, zeroes)
    } else if zeroes {
        (before_zeroing(-prober.wdl(&next)?), true)
    } else {
        let theirs = prober.tablebases.dtz(&next)?;
        let plies = -(theirs.plies + theirs.plies.signum());
        (Dtz { plies, ..theirs }, false)
    };
    let dtz = if dtz.plies > 0 && past.allows_threefold(&next) {
        Dtz::DRAW
    } else {
        dtz
    };
    Some(ProbedMove {
        mv,
        class: classify(prober, past.clock, dtz, zeroes),
        dtz,
    })
}

/// A draw that needs no table.
fn is_draw(position: &Position, past: &Past) -> bool {
    position.is_insufficient_material() || past.is_threefold(position) || !position.has_moves()
}

/// The DTZ before a zeroing move.
fn before_zeroing(wdl: Wdl) -> Dtz {
    let plies = match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -101,
        Wdl::Draw => 0,
        Wdl::CursedWin => 101,
        Wdl::Win => 1,
    };
    Dtz {
        plies,
        rounded: false,
    }
}

/// The class of a move with this DTZ at this halfmove clock.
fn classify(prober: &TbProber<'_>, clock: i32, dtz: Dtz, zeroes: bool) -> Class {
    let limit = i32::from(FIFTY_MOVE_PLIES);
    let clock = if zeroes || !prober.fifty_moves {
        0
    } else {
        clock
    };
    let soonest = clock.saturating_add(dtz.plies.saturating_abs());
    let latest = soonest.saturating_add(dtz.rounded.into());
    let in_time = !prober.fifty_moves || latest <= limit;
    let too_late = prober.fifty_moves && soonest > limit;
    match dtz.plies {
        0 => Class::Draw,
        1.. if in_time => Class::Win,
        1.. if too_late => Class::CursedWin,
        1.. => Class::DoubtfulWin,
        _ if in_time => Class::Loss,
        _ if too_late => Class::BlessedLoss,
        _ => Class::DoubtfulLoss,
    }
}

fn by_dtz(
    prober: &TbProber<'_>,
    position: &Position,
    past: &Past,
    moves: &[Move],
) -> Option<TbRanking> {
    let probed: Vec<ProbedMove> = moves
        .iter()
        .map(|&mv| probe_move(prober, position, past, mv))
        .collect::<Option<_>>()?;
    let extremes = Extremes::of(&probed);
    let moves = probed
        .iter()
        .map(|probed| TbRankedMove {
            mv: probed.mv,
            rank: extremes.rank(probed),
            score: score(probed.class, extremes.reported_plies(probed)),
        })
        .collect();
    Some(TbRanking {
        moves,
        hits: probed.len() as u64,
        probe_in_tree: false,
    })
}

/// The smallest and the largest DTZ.
struct Extremes {
    fastest_win: i32,
    slowest_loss: i32,
}

impl Extremes {
    fn of(moves: &[ProbedMove]) -> Self {
        let plies = |probed: &ProbedMove| probed.dtz.plies;
        let wins = moves.iter().filter(|probed| probed.class == Class::Win);
        Self {
            fastest_win: wins.map(plies).min().unwrap_or(0),
            slowest_loss: -moves.iter().map(plies).min().unwrap_or(0),
        }
    }

    fn rank(&self, probed: &ProbedMove) -> TbRank {
        let plies = probed.dtz.plies;
        let preference = match probed.class {
            Class::Win if plies == self.fastest_win => 0,
            Class::Win => TbRank::SLOWER,
            Class::Draw | Class::Loss => 0,
            // The winner hurries, the loser delays.
            _ => -plies,
        };
        TbRank {
            class: probed.class,
            preference,
        }
    }

    /// The plies to report. The search chooses among lost moves, so all report the same.
    fn reported_plies(&self, probed: &ProbedMove) -> i32 {
        match probed.class {
            Class::Loss => self.slowest_loss,
            _ => probed.dtz.plies,
        }
    }
}

/// The score to report of a move; `None` where the halfmove clock leaves doubt.
fn score(class: Class, plies: i32) -> Option<Score> {
    let plies = usize::try_from(plies).unwrap_or(0);
    match class {
        Class::Win => Some(Score::tablebase_win(plies)),
        Class::CursedWin => Some(Score::CURSED_WIN),
        Class::Draw => Some(Score::DRAW),
        Class::BlessedLoss => Some(-Score::CURSED_WIN),
        Class::Loss => Some(Score::tablebase_loss(plies)),
        Class::DoubtfulWin | Class::DoubtfulLoss => None,
    }
}

/// Without DTZ tables it is unknown whether the halfmove clock matters: the moves keep the value of
/// the position, and the search has to find the win.
fn by_wdl(
    prober: &TbProber<'_>,
    position: &Position,
    past: &Past,
    moves: &[Move],
) -> Option<TbRanking> {
    let certain = past.clock == 0 || !prober.fifty_moves;
    let moves: Vec<TbRankedMove> = moves
        .iter()
        .map(|&mv| {
            let next = position.play_unchecked(mv);
            let wdl = if next.is_checkmate() {
                Wdl::Win
            } else if is_draw(&next, past) {
                Wdl::Draw
            } else {
                -prober.wdl(&next)?
            };
            let class = classify(prober, 0, before_zeroing(wdl), true);
            Some(TbRankedMove {
                mv,
                rank: TbRank {
                    class,
                    preference: 0,
                },
                score: (certain || class == Class::Draw)
                    .then(|| score(class, 1))
                    .flatten(),
            })
        })
        .collect::<Option<_>>()?;
    let best = moves.iter().map(|ranked| ranked.rank.class).max();
    Some(TbRanking {
        hits: moves.len() as u64,
        moves,
        probe_in_tree: best > Some(Class::Draw),
    })
}
