//! One game of the engine against itself.

use crate::data::{Ending, Game, MOST_PLIES, Ply};
use crate::rng::Rng;
use movegen::{
    CastlingRight, Claim, Color, Move, Outcome, Piece, Position, Role, SeeValues, Setup, Square,
    Variant,
};
use search::{Limits, SearchOptions, Searcher, Stop};

/// How games are played.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub(super) seed: u64,
    /// No iteration is begun after so many nodes; eight times as many end the search.
    pub(super) soft_nodes: u64,
    pub(super) balance: Balance,
    pub(super) book: Vec<Position>,
}

/// The hard limit of nodes, in soft ones.
const HARD_PER_SOFT: u64 = 8;

/// Both sides have long agreed on the end.
#[derive(Default)]
struct Agreement {
    /// Plies in a row with a value decided for White, or (negative) for Black.
    decided: i32,
    level: u32,
}

impl Agreement {
    const DECIDED: i16 = 1200;
    const DECIDED_AGAINST: i16 = -Self::DECIDED;
    const DECIDED_PLIES: i32 = 6;
    const LEVEL: i16 = 6;
    const LEVEL_PLIES: u32 = 16;
    /// Before this ply no draw is agreed upon.
    const LEVEL_FROM_PLY: usize = 80;

    /// The winner (`None` inside for a draw), when there is agreement.
    fn after(&mut self, score: i16, ply: usize) -> Option<Option<Color>> {
        self.decided = match score {
            Self::DECIDED.. => self.decided.max(0) + 1,
            ..=Self::DECIDED_AGAINST => self.decided.min(0) - 1,
            _ => 0,
        };
        let level = score.unsigned_abs() <= Self::LEVEL.unsigned_abs();
        self.level = if level { self.level + 1 } else { 0 };
        if self.decided >= Self::DECIDED_PLIES {
            Some(Some(Color::White))
        } else if self.decided <= -Self::DECIDED_PLIES {
            Some(Some(Color::Black))
        } else if self.level >= Self::LEVEL_PLIES && ply >= Self::LEVEL_FROM_PLY {
            Some(None)
        } else {
            None
        }
    }
}

/// The game of this number, the same whoever plays it whenever.
pub(super) fn play(number: u32, manner: &Manner, searcher: &mut Searcher) -> Game {
    let mut rng = Rng::new(manner.seed, u64::from(number));
    let mut game = opening(&mut rng, &manner.book, manner.balance, searcher);
    let mut record = Game {
        number,
        start: *game.position(),
        plies: Vec::new(),
        winner: None,
        ending: Ending::Adjudicated,
    };
    let limits = Limits {
        soft_nodes: Some(manner.soft_nodes),
        nodes: Some(manner.soft_nodes * HARD_PER_SOFT),
        ..Limits::default()
    };
    let mut agreement = Agreement::default();
    while record.plies.len() < MOST_PLIES {
        if let Some((winner, ending)) = end(&game) {
            record.winner = winner;
            record.ending = ending;
            break;
        }
        let options = SearchOptions::new(limits.clone());
        let outcome = searcher.search(&game, &options, &Stop::new(), &mut ());
        let Some(mv) = outcome.best_move else {
            break;
        };
        let for_white = match game.position().side_to_move() {
            Color::White => outcome.score.raw(),
            Color::Black => -outcome.score.raw(),
        };
        let ply = Ply {
            mv,
            score: for_white as i16,
        };
        record.plies.push(ply);
        if let Some(winner) = agreement.after(ply.score, record.plies.len()) {
            record.winner = winner;
            break;
        }
        if game.push(mv).is_err() {
            break;
        }
    }
    record
}

/// How a game has ended by the rules, draws that may be claimed being claimed.
fn end(game: &movegen::Game) -> Option<(Option<Color>, Ending)> {
    let drawn = |ending| Some((None, ending));
    match game.outcome() {
        Some(Outcome::Checkmate { winner }) => return Some((Some(winner), Ending::Checkmate)),
        Some(Outcome::Stalemate) => return drawn(Ending::Stalemate),
        Some(Outcome::InsufficientMaterial) => return drawn(Ending::InsufficientMaterial),
        _ => {}
    }
    match game.claims().first()? {
        Claim::FiftyMoves => drawn(Ending::FiftyMoves),
        Claim::Threefold => drawn(Ending::Repetition),
    }
}

/// Of a hundred games, how many begin in which kind of position; the rest begin in the
/// position all games of chess do.
const PERCENT_FROM_BOOK: usize = 40;
const PERCENT_DOUBLE_960: usize = 25;

/// Random moves before the game: this many or one more.
const RANDOM_PLIES: usize = 8;
/// After a position of the book, which is some moves old already.
const RANDOM_PLIES_AFTER_BOOK: usize = 4;

/// What men are worth when a random move is asked what it throws away.
const VALUES: SeeValues = [100, 300, 300, 500, 900, 0];
/// More than this a random move does not throw away.
const MOST_LOST: i32 = 150;

/// How an opening is judged fit to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balance {
    pub(super) nodes: u64,
    /// Further from zero than this is decided already.
    pub(super) within: i32,
}

/// A balanced opening, tried until one is found. Leaves the searcher knowing nothing.
fn opening(
    rng: &mut Rng,
    book: &[Position],
    balance: Balance,
    searcher: &mut Searcher,
) -> movegen::Game {
    let limits = Limits {
        soft_nodes: Some(balance.nodes),
        nodes: Some(balance.nodes * 8),
        ..Limits::default()
    };
    loop {
        let Some(game) = random_opening(rng, book) else {
            continue;
        };
        searcher.new_game();
        let options = SearchOptions::new(limits.clone());
        let outcome = searcher.search(&game, &options, &Stop::new(), &mut ());
        if outcome.best_move.is_some() && outcome.score.raw().abs() <= balance.within {
            searcher.new_game();
            return game;
        }
    }
}

/// `None` when the moves ran into the end of the game, or there was no sane move.
fn random_opening(rng: &mut Rng, book: &[Position]) -> Option<movegen::Game> {
    let kind = rng.below(100);
    let (start, plies) = if kind < PERCENT_FROM_BOOK && !book.is_empty() {
        (book[rng.below(book.len())], RANDOM_PLIES_AFTER_BOOK)
    } else if kind >= 100 - PERCENT_DOUBLE_960 {
        (double_960(rng)?, RANDOM_PLIES)
    } else {
        (Position::default(), RANDOM_PLIES)
    };
    let mut position = start;
    for _ in 0..plies + rng.below(2) {
        position = position.play_unchecked(sane_move(rng, &position)?);
    }
    // The random moves are no part of the game: nothing is to be learnt from them.
    let game = movegen::Game::new(position);
    game.outcome().is_none().then_some(game)
}

fn sane_move(rng: &mut Rng, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let sane: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| position.see_ge(mv, -MOST_LOST, &VALUES))
        .collect();
    sane.get(rng.below(sane.len())).copied()
}

/// Each side's men behind the pawns in an order of Chess960 of its own.
fn double_960(rng: &mut Rng) -> Option<Position> {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        for (file, role) in back_rank(rng).into_iter().enumerate() {
            let file = file as u8;
            let mut place = |rank, role| {
                let square = Square::at(file, rank).relative(color);
                setup.pieces[square.index()] = Some(Piece::new(color, role));
            };
            place(0, role);
            place(1, Role::Pawn);
            if role == Role::Rook {
                setup.castling_rights.push(CastlingRight::File(color, file));
            }
        }
    }
    setup.position(Variant::Chess960).ok()
}

/// Bishops on squares of both colours, the king between the rooks; all 960 equally likely.
fn back_rank(rng: &mut Rng) -> [Role; 8] {
    let mut rank = [None; 8];
    rank[2 * rng.below(4)] = Some(Role::Bishop);
    rank[2 * rng.below(4) + 1] = Some(Role::Bishop);
    let place = |rank: &mut [Option<Role>; 8], nth: usize, role| {
        if let Some(empty) = rank.iter_mut().filter(|man| man.is_none()).nth(nth) {
            *empty = Some(role);
        }
    };
    place(&mut rank, rng.below(6), Role::Queen);
    place(&mut rank, rng.below(5), Role::Knight);
    place(&mut rank, rng.below(4), Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(&mut rank, 0, role);
    }
    rank.map(|man| man.unwrap_or(Role::King))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn back_ranks_are_those_of_chess960_and_all_960_come() {
        let mut rng = Rng::new(1, 1);
        let ranks: HashSet<[Role; 8]> = (0..20_000).map(|_| back_rank(&mut rng)).collect();
        assert_eq!(ranks.len(), 960);
        for rank in ranks {
            let files = |role| {
                let all = rank
                    .iter()
                    .enumerate()
                    .filter(move |(_, man)| **man == role);
                all.map(|(file, _)| file).collect::<Vec<_>>()
            };
            let (rooks, king, bishops) =
                (files(Role::Rook), files(Role::King), files(Role::Bishop));
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank:?}");
            assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{rank:?}");
            assert_eq!(
                (files(Role::Queen).len(), files(Role::Knight).len()),
                (1, 2)
            );
        }
    }

    #[test]
    fn random_moves_keep_the_men() {
        let mut rng = Rng::new(2, 1);
        let blunder = Position::from_fen("4k3/8/8/3p4/8/8/3Q4/4K3 w - - 0 1", Variant::Standard);
        let position = blunder.unwrap();
        for _ in 0..200 {
            let mv = sane_move(&mut rng, &position).unwrap();
            // d5 and its protector: only the pawn is there to be taken, and nothing guards it.
            assert!(!["d2d8", "d2e8"].contains(&format!("{}{}", mv.from(), mv.to()).as_str()));
        }
    }
}
