//! The root's moves in the order of what the endgame tables make of them, so that a won game is
//! won before the fifty-move rule ends it, from whatever clock it starts with, and a lost one
//! is dragged out.
//!
//! Among moves that win in time those with the nearest next step (capture, pawn move or mate)
//! come first. Following them never loses more than the one ply by which most tables are
//! rounded, and so never comes back to where it was. A search may leave them only for a mate
//! that it sees: steps are counted, sensible ways are not. Moves of equal rank are left to it.

use crate::draw;
use crate::score::Score;
use crate::tablebase::{Access, Distance, Wdl};
use movegen::{FIFTY_MOVE_PLIES, Game, Move, Position};

/// How good a move is, above all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Loss,
    /// The clock may run out before the opponent's next step.
    DoubtfulLoss,
    BlessedLoss,
    Draw,
    CursedWin,
    /// The clock may run out before our next step.
    DoubtfulWin,
    Win,
}

/// A move's place; moves of the same place are for the search to choose from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Rank {
    class: Class,
    preference: i32,
}

impl Rank {
    /// The preference of moves that win, but not by the nearest step.
    const HOPEFUL: i32 = -1;

    /// Where the tables know nothing, all moves share this one.
    pub(crate) const UNKNOWN: Self = Self {
        class: Class::Draw,
        preference: 0,
    };

    /// A mate may hide here.
    pub(crate) fn is_hopeful(self) -> bool {
        self.class == Class::Win && self.preference == Self::HOPEFUL
    }
}

/// A root move as the tables see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    pub(crate) mv: Move,
    pub(crate) rank: Rank,
    /// What it is worth, where that is certain.
    pub(crate) score: Option<Score>,
}

/// All root moves as the tables see them.
#[derive(Debug)]
pub(crate) struct Ranking {
    moves: Vec<Ranked>,
    /// How often the tables answered.
    pub(crate) hits: u64,
    /// Inside the tree the tables help on: without distances nothing else leads on to the win.
    pub(crate) needs_help: bool,
}

impl Ranking {
    pub(crate) fn of(&self, mv: Move) -> Option<&Ranked> {
        self.moves.iter().find(|ranked| ranked.mv == mv)
    }
}

/// Ranks these moves of a game's present position; `None` when the tables do not know them all.
pub(crate) fn rank(access: &Access<'_>, game: &Game, moves: &[Move]) -> Option<Ranking> {
    let position = game.position();
    if !access.covers(position) {
        return None;
    }
    let past = Past::of(game);
    by_distance(access, position, &past, moves)
        .or_else(|| by_value(access, position, &past, moves))
        .filter(|ranking| !ranking.moves.is_empty())
}

/// The clock of a position, and what has been on the board twice since it last stood at zero.
pub(super) struct Past {
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

    /// Nothing but a clock.
    pub(super) fn unknown(clock: u16) -> Self {
        Self {
            clock: clock.into(),
            twice: Vec::new(),
        }
    }

    /// The position is drawn by standing there once more.
    fn draws(&self, position: &Position) -> bool {
        self.twice.contains(&position.key())
    }

    /// The side to move has a move to such a position.
    fn lets_draw(&self, position: &Position) -> bool {
        let draws = |reply| self.draws(&position.play_unchecked(reply));
        !self.twice.is_empty() && position.legal_moves().iter().any(|&reply| draws(reply))
    }
}

/// A move and what comes of it.
#[derive(Clone, Copy)]
pub(super) struct Weighed {
    pub(super) mv: Move,
    class: Class,
    distance: Distance,
}

impl Weighed {
    /// Somebody wins, if with good luck.
    pub(super) fn decides(&self) -> bool {
        use Class::{BlessedLoss, CursedWin, Draw};
        !matches!(self.class, BlessedLoss | Draw | CursedWin)
    }

    /// Orders moves by what they are worth, then winners by haste and losers by delay.
    pub(super) fn order(&self) -> impl Ord {
        (self.class, -self.distance.plies)
    }
}

/// What the tables make of a move; `None` when one that is needed does not answer.
pub(super) fn weigh(
    access: &Access<'_>,
    position: &Position,
    past: &Past,
    mv: Move,
) -> Option<Weighed> {
    let next = position.play_unchecked(mv);
    let zeroes = next.halfmove_clock() == 0;
    let (distance, zeroes) = if next.is_checkmate() {
        let mate = Distance {
            plies: 1,
            rounded: false,
        };
        (mate, true)
    } else if drawn(&next, past) {
        (Distance::DRAW, zeroes)
    } else if zeroes {
        (after_zeroing(-access.wdl(&next)?), true)
    } else {
        let theirs = access.tables.distance(&next)?;
        let plies = -(theirs.plies + theirs.plies.signum());
        (Distance { plies, ..theirs }, false)
    };
    let distance = if distance.plies > 0 && past.lets_draw(&next) {
        Distance::DRAW
    } else {
        distance
    };
    Some(Weighed {
        mv,
        class: classify(access, past.clock, distance, zeroes),
        distance,
    })
}

/// No table is needed.
fn drawn(position: &Position, past: &Past) -> bool {
    position.is_insufficient_material() || past.draws(position) || !position.has_moves()
}

/// The distance before a move that sets the clock to zero.
fn after_zeroing(wdl: Wdl) -> Distance {
    let plies = match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -101,
        Wdl::Draw => 0,
        Wdl::CursedWin => 101,
        Wdl::Win => 1,
    };
    Distance {
        plies,
        rounded: false,
    }
}

/// What becomes of a distance when the clock stands where it does.
fn classify(access: &Access<'_>, clock: i32, distance: Distance, zeroes: bool) -> Class {
    let limit = i32::from(FIFTY_MOVE_PLIES);
    let clock = if zeroes || !access.fifty_moves {
        0
    } else {
        clock
    };
    let soonest = clock.saturating_add(distance.plies.saturating_abs());
    let latest = soonest.saturating_add(distance.rounded.into());
    let in_time = !access.fifty_moves || latest <= limit;
    let too_late = access.fifty_moves && soonest > limit;
    match distance.plies {
        0 => Class::Draw,
        1.. if in_time => Class::Win,
        1.. if too_late => Class::CursedWin,
        1.. => Class::DoubtfulWin,
        _ if in_time => Class::Loss,
        _ if too_late => Class::BlessedLoss,
        _ => Class::DoubtfulLoss,
    }
}

fn by_distance(
    access: &Access<'_>,
    position: &Position,
    past: &Past,
    moves: &[Move],
) -> Option<Ranking> {
    let weighed: Vec<Weighed> = moves
        .iter()
        .map(|&mv| weigh(access, position, past, mv))
        .collect::<Option<_>>()?;
    let lengths = Lengths::of(&weighed);
    let moves = weighed
        .iter()
        .map(|weighed| Ranked {
            mv: weighed.mv,
            rank: lengths.rank(weighed),
            score: score(weighed.class, lengths.told(weighed)),
        })
        .collect();
    Some(Ranking {
        moves,
        hits: weighed.len() as u64,
        needs_help: false,
    })
}

/// How long the shortest and the longest way is.
struct Lengths {
    nearest_win: i32,
    longest_loss: i32,
}

impl Lengths {
    fn of(moves: &[Weighed]) -> Self {
        let plies = |weighed: &Weighed| weighed.distance.plies;
        let wins = moves.iter().filter(|weighed| weighed.class == Class::Win);
        Self {
            nearest_win: wins.map(plies).min().unwrap_or(0),
            longest_loss: -moves.iter().map(plies).min().unwrap_or(0),
        }
    }

    fn rank(&self, weighed: &Weighed) -> Rank {
        let plies = weighed.distance.plies;
        let preference = match weighed.class {
            Class::Win if plies == self.nearest_win => 0,
            Class::Win => Rank::HOPEFUL,
            Class::Draw | Class::Loss => 0,
            // The winner hurries, the loser delays.
            _ => -plies,
        };
        Rank {
            class: weighed.class,
            preference,
        }
    }

    /// The length told of a move. The search chooses among the lost ones, so all are told alike.
    fn told(&self, weighed: &Weighed) -> i32 {
        match weighed.class {
            Class::Loss => self.longest_loss,
            _ => weighed.distance.plies,
        }
    }
}

/// What is told of a move; where the clock leaves doubt, the search's own value.
fn score(class: Class, plies: i32) -> Option<Score> {
    let plies = usize::try_from(plies).unwrap_or(0);
    match class {
        Class::Win => Some(Score::table_win(plies)),
        Class::CursedWin => Some(Score::CURSED_WIN),
        Class::Draw => Some(Score::DRAW),
        Class::BlessedLoss => Some(-Score::CURSED_WIN),
        Class::Loss => Some(Score::table_loss(plies)),
        Class::DoubtfulWin | Class::DoubtfulLoss => None,
    }
}

/// Without distances the clock is not known to matter: what is kept is what the position is
/// worth, and the search has to see to the rest.
fn by_value(
    access: &Access<'_>,
    position: &Position,
    past: &Past,
    moves: &[Move],
) -> Option<Ranking> {
    let certain = past.clock == 0 || !access.fifty_moves;
    let moves: Vec<Ranked> = moves
        .iter()
        .map(|&mv| {
            let next = position.play_unchecked(mv);
            let wdl = if drawn(&next, past) {
                Wdl::Draw
            } else {
                -access.wdl(&next)?
            };
            let class = classify(access, 0, after_zeroing(wdl), true);
            Some(Ranked {
                mv,
                rank: Rank {
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
    Some(Ranking {
        hits: moves.len() as u64,
        moves,
        needs_help: best > Some(Class::Draw),
    })
}
