//! From files of games to the positions a network is taught with.

use super::DataError;
use super::file::{Chunk, Chunks};
use super::game::{Game, Ply};
use crate::rng::Rng;
use movegen::{Bitboard, Color, Position, Square};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Which positions are worth learning from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::Args)]
pub struct Filter {
    /// Leave out positions before this ply of the game
    #[arg(long, default_value_t = 16, value_name = "PLY")]
    pub from_ply: usize,
    /// Leave out positions whose value is further from zero than this
    #[arg(long, default_value_t = 3000, value_name = "UNITS")]
    pub score_within: i16,
    /// Keep positions in check and those whose best move takes or promotes
    #[arg(long)]
    pub keep_noisy: bool,
}

impl Filter {
    /// Whether a position is learnt from.
    #[must_use]
    pub fn takes(&self, position: &Position, ply: Ply) -> bool {
        let move_pairs = usize::from(position.fullmove_number().saturating_sub(1));
        let played = 2 * move_pairs + position.side_to_move().index();
        let quiet = || !position.in_check() && !position.is_noisy(ply.mv);
        played >= self.from_ply
            && ply.score.unsigned_abs() <= self.score_within.unsigned_abs()
            && (self.keep_noisy || quiet())
    }
}

/// What was loaded.
#[derive(Debug, Default)]
pub struct Loaded {
    pub train: Vec<Example>,
    /// Positions of games none of which is in `train`.
    pub validation: Vec<Example>,
    pub games: usize,
    /// All positions, those filtered out too.
    pub positions: usize,
    /// The different recipes the games were made by.
    pub recipes: Vec<String>,
}

/// Chunks decoded at a time, so that all cores have work and memory stays small.
const CHUNKS_AT_A_TIME: usize = 64;

/// All positions of the files that pass the filter; of each hundred games, about
/// `validation_percent` are put aside. `progress` is told bytes read.
pub fn load(
    files: &[PathBuf],
    filter: &Filter,
    validation_percent: u32,
    progress: &dyn Fn(u64),
) -> Result<Loaded, DataError> {
    let mut loaded = Loaded::default();
    for path in files {
        load_file(path, filter, validation_percent, progress, &mut loaded)?;
    }
    if loaded.train.is_empty() {
        return Err(DataError::Empty {
            files: files.len(),
            games: loaded.games,
        });
    }
    Ok(loaded)
}

fn load_file(
    path: &Path,
    filter: &Filter,
    validation_percent: u32,
    progress: &dyn Fn(u64),
    loaded: &mut Loaded,
) -> Result<(), DataError> {
    let mut chunks = Chunks::open(path)?;
    loop {
        let some: Vec<Chunk> = chunks
            .by_ref()
            .take(CHUNKS_AT_A_TIME)
            .collect::<Result<_, _>>()?;
        if some.is_empty() {
            return Ok(());
        }
        for chunk in &some {
            let recipe = chunk.recipe()?;
            if !loaded.recipes.iter().any(|known| known == recipe) {
                loaded.recipes.push(recipe.to_string());
            }
            progress(chunk.bytes());
        }
        let parts: Vec<Vec<Game>> = some
            .par_iter()
            .map(Chunk::games)
            .collect::<Result<_, _>>()?;
        for game in parts.iter().flatten() {
            loaded.games += 1;
            loaded.positions += game.plies.len();
            let put_aside = set_aside(game, validation_percent);
            let side = if put_aside {
                &mut loaded.validation
            } else {
                &mut loaded.train
            };
            side.extend(examples(game, filter));
        }
    }
}

/// The same games are put aside whatever else is loaded.
fn set_aside(game: &Game, percent: u32) -> bool {
    let mut rng = Rng::new(game.start.key(), u64::from(game.number));
    rng.below(100) < percent as usize
}

/// The positions of a game that pass the filter.
pub fn examples(game: &Game, filter: &Filter) -> impl Iterator<Item = Example> {
    game.positions()
        .filter(|(position, ply)| filter.takes(position, *ply))
        .map(|(position, ply)| {
            let turn = position.side_to_move();
            let result = match game.winner {
                None => GameResult::Drawn,
                Some(winner) if winner == turn => GameResult::Won,
                Some(_) => GameResult::Lost,
            };
            let score = match turn {
                Color::White => ply.score,
                Color::Black => ply.score.saturating_neg(),
            };
            Example::new(&position, score, result)
        })
}

/// How a game ended for the side to move of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    Lost,
    Drawn,
    Won,
}

impl GameResult {
    /// Points scored: 0, ½ or 1.
    #[must_use]
    pub const fn points(self) -> f32 {
        match self {
            Self::Lost => 0.0,
            Self::Drawn => 0.5,
            Self::Won => 1.0,
        }
    }

    /// The same result for the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }
}

/// A man of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    /// It belongs to the side to move.
    pub own: bool,
    /// Pawn, knight, bishop, rook, queen, king: 0 … 5.
    pub role: usize,
    /// With the side to move at the bottom (rank 0).
    pub square: usize,
}

/// A position, what the search thought of it, and what came of it. The board is turned so that
/// the side to move plays up it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Example {
    occupied: u64,
    /// Four bits a man, in the order of the occupied squares: role, and 8 when it is theirs.
    men: [u8; 16],
    /// In evaluation units, for the side to move.
    pub score: i16,
    pub result: GameResult,
    own_king: u8,
    their_king: u8,
}

impl Example {
    #[must_use]
    pub fn new(position: &Position, score: i16, result: GameResult) -> Self {
        let turn = position.side_to_move();
        let seen = |bits: Bitboard| match turn {
            Color::White => bits,
            Color::Black => bits.flip_ranks(),
        };
        let occupied = seen(position.occupied());
        let mut men = [0; 16];
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            let Some(piece) = position.piece_on(square.relative(turn)) else {
                continue;
            };
            let theirs = if piece.color() == turn { 0 } else { 8 };
            men[index / 2] |= (piece.role().index() as u8 | theirs) << (index % 2 * 4);
        }
        let king = |color| position.king(color).relative(turn).index() as u8;
        Self {
            occupied: occupied.0,
            men,
            score,
            result,
            own_king: king(turn),
            their_king: king(!turn),
        }
    }

    /// The men on the board, by square.
    pub fn men(&self) -> impl Iterator<Item = Man> {
        let squares = Bitboard(self.occupied).into_iter().map(Square::index);
        squares.enumerate().map(|(index, square)| {
            let nibble = self.men[index / 2 % 16] >> (index % 2 * 4) & 15;
            Man {
                own: nibble & 8 == 0,
                role: usize::from(nibble & 7),
                square,
            }
        })
    }

    /// How many men are on the board.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Where the king of the side to move stands.
    #[must_use]
    pub const fn own_king(&self) -> usize {
        self.own_king as usize
    }

    /// Where the other king stands.
    #[must_use]
    pub const fn their_king(&self) -> usize {
        self.their_king as usize
    }
}
