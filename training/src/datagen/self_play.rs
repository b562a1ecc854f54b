//! One game of the engine against itself: a random opening, then searches until the game ends or
//! is adjudicated; or a fragment of a game, from a random position of another one.

use super::{Args, Starts};
use crate::adjudication::{Adjudicator, is_played_out};
use crate::data::{GameRecord, MAX_PLIES, Termination};
use crate::scorer::NodeSearcher;
use common::rng::SplitMix64;
use movegen::engine::{self, SeeValues};
use movegen::{
    CastlingRight, Claim, Color, File, Game, Move, Outcome, Piece, Position, Rank, Role, Setup,
    Square, Variant,
};

const SHORTEST_FRAGMENT: usize = 16;
const LONGEST_FRAGMENT: usize = 24;

/// Plays the game of this number.
pub(super) fn play(
    number: u32,
    args: &Args,
    starts: &Starts,
    searcher: &mut NodeSearcher,
) -> GameRecord {
    let mut rng = SplitMix64::with_stream(args.seed, u64::from(number));
    let mut game = balanced_opening(&mut rng, args, starts, searcher);
    let is_fragment = !starts.games.is_empty();
    let max_plies = if is_fragment {
        SHORTEST_FRAGMENT + rng.below(LONGEST_FRAGMENT - SHORTEST_FRAGMENT + 1)
    } else {
        MAX_PLIES
    };
    let mut record = GameRecord {
        number,
        start: *game.position(),
        moves: Vec::new(),
        winner: None,
        termination: Termination::Adjudication,
    };
    let mut adjudicator = Adjudicator::default();
    while record.moves.len() < max_plies {
        if let Some((winner, termination)) = end_by_rule(&game) {
            record.winner = winner;
            record.termination = termination;
            break;
        }
        let Some(played) = searcher.search(&game, args.search.nodes) else {
            break;
        };
        record.moves.push(played);
        if let Some(winner) = adjudicator.add(played.score)
            && !is_played_out(number)
        {
            record.winner = winner;
            break;
        }
        if game.push(played.mv).is_err() {
            break;
        }
    }
    if is_fragment {
        // Only the results of those decided soon are known, which are no fair sample.
        record.winner = None;
        record.termination = Termination::Unfinished;
    }
    record
}

/// The end of a game by the rules. Draws are claimed.
fn end_by_rule(game: &Game) -> Option<(Option<Color>, Termination)> {
    let drawn = |termination| Some((None, termination));
    match game.outcome() {
        Some(Outcome::Checkmate { winner }) => return Some((Some(winner), Termination::Checkmate)),
        Some(Outcome::Stalemate) => return drawn(Termination::Stalemate),
        Some(Outcome::InsufficientMaterial) => return drawn(Termination::InsufficientMaterial),
        _ => {}
    }
    match game.claims().first()? {
        Claim::FiftyMoves => drawn(Termination::FiftyMoves),
        Claim::Threefold => drawn(Termination::Repetition),
    }
}

/// Tries random openings until one is balanced, with a cleared searcher.
fn balanced_opening(
    rng: &mut SplitMix64,
    args: &Args,
    starts: &Starts,
    searcher: &mut NodeSearcher,
) -> Game {
    searcher.new_game();
    loop {
        let opening = if starts.games.is_empty() {
            random_opening(rng, args.chess960, &starts.book)
        } else {
            random_middle(rng, &starts.games)
        };
        let Some(game) = opening else {
            continue;
        };
        let found = searcher.search(&game, args.opening_nodes());
        if found.is_some_and(|mv| i32::from(mv.score).abs() <= args.balance) {
            return game;
        }
    }
}

/// A random position of a random game and one to three random moves; `None` if they end the game.
fn random_middle(rng: &mut SplitMix64, games: &[GameRecord]) -> Option<Game> {
    const MOST_RANDOM_PLIES: usize = 3;
    let game = games.get(rng.below(games.len()))?;
    let ply = rng.below(game.moves.len().max(1));
    let (position, _) = game.positions().nth(ply)?;
    let plies = 1 + rng.below(MOST_RANDOM_PLIES);
    after_random_moves(rng, position, plies)
}

/// A starting position and some random moves; `None` if they end the game or run out.
fn random_opening(rng: &mut SplitMix64, chess960: u8, book: &[Position]) -> Option<Game> {
    let (position, plies) = random_start(rng, chess960, book)?;
    let plies = plies + rng.below(2);
    after_random_moves(rng, position, plies)
}

/// `None` if the moves end the game or run out.
fn after_random_moves(rng: &mut SplitMix64, mut position: Position, plies: usize) -> Option<Game> {
    for _ in 0..plies {
        position = position.play_unchecked(random_safe_move(rng, &position)?);
    }
    // The record starts after the random moves, which are not worth learning.
    let game = Game::new(position);
    game.outcome().is_none().then_some(game)
}

/// A starting position, and the number of random moves from there.
fn random_start(
    rng: &mut SplitMix64,
    chess960: u8,
    book: &[Position],
) -> Option<(Position, usize)> {
    const PERCENT_FROM_BOOK: usize = 40;
    const RANDOM_PLIES: usize = 8;
    // Book positions are already some moves into the game.
    const RANDOM_PLIES_AFTER_BOOK: usize = 4;
    let kind = rng.below(100);
    Some(if kind + usize::from(chess960) >= 100 {
        (double_chess960(rng)?, RANDOM_PLIES)
    } else if kind < PERCENT_FROM_BOOK && !book.is_empty() {
        (book[rng.below(book.len())], RANDOM_PLIES_AFTER_BOOK)
    } else {
        (Position::default(), RANDOM_PLIES)
    })
}

/// A random move that does not lose a piece at once, by static exchange evaluation (SEE). The kind
/// of piece is chosen first: otherwise most moves are pawn moves, and openings are alike.
fn random_safe_move(rng: &mut SplitMix64, position: &Position) -> Option<Move> {
    const VALUES: SeeValues = [100, 300, 300, 500, 900, 0];
    const MAX_LOSS: i32 = 150;
    // Rook moves mostly give up a castling right for nothing.
    const WEIGHTS: [(Role, usize); 6] = [
        (Role::Pawn, 6),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 1),
        (Role::Queen, 3),
        (Role::King, 2),
    ];
    let moves = position.legal_moves();
    let safe = |mv: &Move| engine::see_ge(position, *mv, -MAX_LOSS, &VALUES);
    let by_role = WEIGHTS.map(|(role, weight)| {
        let of_role = |mv: &Move| position.role_on(mv.from()) == Some(role);
        let moves = moves.iter().copied().filter(of_role).filter(safe);
        (weight, moves.collect::<Vec<Move>>())
    });
    let movable = by_role.iter().filter(|(_, moves)| !moves.is_empty());
    let total: usize = movable.clone().map(|(weight, _)| weight).sum();
    let mut drawn = rng.below(total);
    for (weight, moves) in movable {
        match drawn.checked_sub(*weight) {
            Some(rest) => drawn = rest,
            None => return moves.get(rng.below(moves.len())).copied(),
        }
    }
    None
}

/// A double Chess960 position: each side has its own back rank.
fn double_chess960(rng: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        for (file, role) in File::ALL.into_iter().zip(back_rank(rng)) {
            for (rank, role) in [(Rank::First, role), (Rank::Second, Role::Pawn)] {
                let square = Square::new(file, rank).relative(color);
                setup.pieces[square.index()] = Some(Piece::new(color, role));
            }
            if role == Role::Rook {
                let right = CastlingRight::File(color, file);
                setup.castling_rights.push(right);
            }
        }
    }
    Some(setup.position(Variant::Chess960).ok()?.position)
}

/// Bishops on opposite colors, the king between the rooks; all 960 equally likely.
fn back_rank(rng: &mut SplitMix64) -> [Role; 8] {
    let mut rank = [None; 8];
    rank[2 * rng.below(4)] = Some(Role::Bishop);
    rank[2 * rng.below(4) + 1] = Some(Role::Bishop);
    let mut place = |empty: usize, role| {
        if let Some(square) = rank.iter_mut().filter(|role| role.is_none()).nth(empty) {
            *square = Some(role);
        }
    };
    place(rng.below(6), Role::Queen);
    place(rng.below(5), Role::Knight);
    place(rng.below(4), Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(0, role);
    }
    rank.map(|role| role.unwrap_or(Role::King))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn back_ranks_are_the_960_of_chess960() {
        let mut rng = SplitMix64::with_stream(1, 1);
        let ranks: HashSet<[Role; 8]> = (0..20_000).map(|_| back_rank(&mut rng)).collect();
        assert_eq!(ranks.len(), 960);
        for rank in ranks {
            let files =
                |role| -> Vec<usize> { (0..8).filter(|&file| rank[file] == role).collect() };
            let (rooks, king) = (files(Role::Rook), files(Role::King));
            let bishops = files(Role::Bishop);
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank:?}");
            assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{rank:?}");
            assert_eq!(files(Role::Queen).len(), 1);
            assert_eq!(files(Role::Knight).len(), 2);
        }
    }

    #[test]
    fn the_share_of_chess960_openings_is_that_asked_for() {
        let chess960_openings = |percent| {
            let mut rng = SplitMix64::with_stream(3, 1);
            let starts = (0..1000).filter_map(|_| random_start(&mut rng, percent, &[]));
            // One of 960² draws is the initial position.
            starts
                .filter(|(start, _)| *start != Position::default())
                .count()
        };
        assert_eq!(chess960_openings(0), 0);
        assert!((50..110).contains(&chess960_openings(8)));
        assert!(chess960_openings(100) > 990);
    }

    #[test]
    fn random_moves_are_chosen_by_piece() {
        let mut rng = SplitMix64::with_stream(4, 1);
        // Weights 6 for sixteen pawn moves, 3 for two of the knight, 1 for one of the rook: 300
        // knight moves are expected, where drawing from all moves would give 105.
        let position = Position::from_fen(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKB1R w Kkq - 0 1",
            Variant::Standard,
        );
        let position = position.unwrap();
        let moves = (0..1000).filter_map(|_| random_safe_move(&mut rng, &position));
        let knights = moves.filter(|mv| position.role_on(mv.from()) == Some(Role::Knight));
        assert!((250..350).contains(&knights.count()));
    }

    #[test]
    fn random_moves_do_not_lose_pieces() {
        let mut rng = SplitMix64::with_stream(2, 1);
        let position = Position::from_fen("4k3/8/8/3p4/8/8/3Q4/4K3 w - - 0 1", Variant::Standard);
        let position = position.unwrap();
        for _ in 0..200 {
            let mv = random_safe_move(&mut rng, &position).unwrap();
            assert!(!["d2d8", "d2e8"].contains(&format!("{}{}", mv.from(), mv.to()).as_str()));
        }
    }
}
