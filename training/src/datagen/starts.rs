//! Start positions of games: openings after random moves, and positions of other games.

use crate::data::{GameRecord, chunks};
use anyhow::{Result, anyhow, ensure};
use common::files;
use common::rng::SplitMix64;
use formats::epd::EpdLine;
use movegen::engine::{self, SeeValues};
use movegen::{CHESS960_POSITIONS, Game, Move, Position, Role, Variant};
use std::path::PathBuf;
use std::slice;

/// The starts of games, besides the initial position and those of Chess960.
#[derive(Default)]
pub(super) struct Starts {
    pub(super) book: Vec<Position>,
    /// Games to play fragments from; whole games are played if there are none.
    pub(super) games: Vec<GameRecord>,
}

impl Starts {
    pub(super) fn read(books: &[PathBuf], games: &[PathBuf]) -> Result<Self> {
        Ok(Self {
            book: read_books(books)?,
            games: read_games(games)?,
        })
    }

    pub(super) fn are_of_fragments(&self) -> bool {
        !self.games.is_empty()
    }

    /// A start, after its random moves; `None` if they end the game or run out.
    pub(super) fn random(&self, rng: &mut SplitMix64, chess960: u8) -> Option<Game> {
        if self.are_of_fragments() {
            random_middle(rng, &self.games)
        } else {
            random_opening(rng, chess960, &self.book)
        }
    }
}

fn read_games(files: &[PathBuf]) -> Result<Vec<GameRecord>> {
    let mut games = Vec::new();
    for path in files {
        let before = games.len();
        for chunk in chunks(slice::from_ref(path)) {
            games.extend(chunk?.games()?);
        }
        games.retain(|game| !game.moves.is_empty());
        ensure!(games.len() > before, "{} has no games", path.display());
    }
    Ok(games)
}

const MOST_BOOK_BYTES: u64 = 1 << 30;

fn read_books(paths: &[PathBuf]) -> Result<Vec<Position>> {
    let mut book = Vec::new();
    for path in paths {
        let bytes = files::read(path, MOST_BOOK_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        for (text, line) in text.lines().zip(1..) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let position = read_book_line(text);
            book.push(
                position.map_err(|error| anyhow!("{}, line {line}: {error}", path.display()))?,
            );
        }
    }
    Ok(book)
}

/// The position of a FEN or a line of EPD.
fn read_book_line(text: &str) -> Result<Position> {
    let fen = EpdLine::parse(text)?.fen;
    Ok(Position::from_fen(&fen, Variant::Chess960)?)
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
    let mut number = || u16::try_from(rng.below(CHESS960_POSITIONS.into())).unwrap_or_default();
    Position::dfrc(number(), number())
}

#[cfg(test)]
mod tests {
    use super::*;

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
