//! From game files to a dataset: filtered examples for training and for validation.

use super::blend::Blend;
use super::file::{Chunk, ChunkReader};
use super::game::{GameRecord, GameResult, ScoredMove};
use anyhow::{Result, bail};
use common::rng::SplitMix64;
use movegen::{Bitboard, Color, Piece, Position, Role, Square};
use rayon::prelude::*;
use search::nnue::PieceSets;
use std::path::PathBuf;

/// Which positions are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::Args)]
pub struct PositionFilter {
    /// Skip positions before this ply of the game
    #[arg(long, default_value_t = 16, value_name = "PLY")]
    pub from_ply: usize,
    /// Skip positions scored outside ±UNITS
    #[arg(long, default_value_t = 3000, value_name = "UNITS")]
    pub score_within: i16,
    /// Keep positions in check and positions whose best move is a capture or promotion
    #[arg(long)]
    pub keep_noisy: bool,
}

/// Which games are trained on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::Args)]
pub struct Split {
    /// Percentage of the games held out for validation
    #[arg(long, default_value_t = 2, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..100))]
    pub validation: u32,
    /// Percentage of the remaining games to train on; a smaller share is a subset of a larger one
    #[arg(long, default_value_t = 100, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub share: u32,
}

/// The use of a game.
enum Part {
    Training,
    Validation,
    Nothing,
}

impl Split {
    /// Depends on the game only, not on the other games loaded.
    fn part(&self, game: &GameRecord) -> Part {
        let mut rng = SplitMix64::with_stream(game.start.key(), u64::from(game.number));
        if rng.below(100) < self.validation as usize {
            Part::Validation
        } else if rng.below(100) < self.share as usize {
            Part::Training
        } else {
            Part::Nothing
        }
    }
}

impl PositionFilter {
    #[cfg(test)]
    pub(crate) const ALL: Self = Self {
        from_ply: 0,
        score_within: i16::MAX,
        keep_noisy: true,
    };

    pub fn accepts(&self, position: &Position, played: ScoredMove) -> bool {
        let move_pairs = usize::from(position.fullmove_number().saturating_sub(1));
        let ply = 2 * move_pairs + position.side_to_move().index();
        let quiet = || !position.in_check() && !position.is_noisy(played.mv);
        ply >= self.from_ply
            && played.score.unsigned_abs() <= self.score_within.unsigned_abs()
            && (self.keep_noisy || quiet())
    }

    /// The positions of a game that pass the filter.
    pub fn positions<'a>(
        &'a self,
        game: &'a GameRecord,
    ) -> impl Iterator<Item = (Position, ScoredMove)> + 'a {
        game.positions()
            .filter(|(position, played)| self.accepts(position, *played))
    }
}

/// A position with its score and result, in 32 bytes. The board is flipped so that the side to
/// move is White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Example {
    occupied: u64,
    /// Four bits a piece, in the order of the occupied squares: role, plus 8 for Black.
    pieces: [u8; 16],
    /// In evaluation units, for the side to move.
    pub score: i16,
    /// `None` for a position of an unfinished game.
    pub result: Option<GameResult>,
    own_king: u8,
    their_king: u8,
}

impl Example {
    pub fn new(position: &Position, score: i16, result: Option<GameResult>) -> Self {
        let side = position.side_to_move();
        let occupied = match side {
            Color::White => position.occupied(),
            Color::Black => position.occupied().flip_ranks(),
        };
        let mut pieces = [0; 16];
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            let Some(piece) = position.piece_on(square.relative(side)) else {
                continue;
            };
            let theirs = if piece.color() == side { 0 } else { 8 };
            pieces[index / 2] |= (piece.role().index() as u8 | theirs) << (index % 2 * 4);
        }
        let king = |color| position.king(color).relative(side).index() as u8;
        Self {
            occupied: occupied.0,
            pieces,
            score,
            result,
            own_king: king(side),
            their_king: king(!side),
        }
    }

    /// The pieces by square; White is the side to move.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        let squares = Bitboard(self.occupied).into_iter().enumerate();
        squares.filter_map(|(index, square)| {
            let code = self.pieces[index / 2 % 16] >> (index % 2 * 4) & 15;
            let color = if code & 8 == 0 {
                Color::White
            } else {
                Color::Black
            };
            let role = Role::ALL.get(usize::from(code & 7))?;
            Some((Piece::new(color, *role), square))
        })
    }

    /// The pieces by role and by color.
    pub fn piece_sets(&self) -> PieceSets {
        let mut sets = [0; 8];
        for (piece, square) in self.pieces() {
            sets[piece.role().index()] |= Bitboard::of(square).0;
            sets[6 + piece.color().index()] |= Bitboard::of(square).0;
        }
        sets
    }

    pub const fn piece_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Square of the king of the side to move.
    pub fn own_king(&self) -> Square {
        Square::wrapping(self.own_king)
    }

    /// Square of the other king.
    pub fn their_king(&self) -> Square {
        Square::wrapping(self.their_king)
    }
}

#[derive(Debug, Default)]
pub struct Dataset {
    pub train: Vec<Example>,
    /// Examples of games held out from training.
    pub validation: Vec<Example>,
    pub games: usize,
    /// The distinct recipes of the games.
    pub recipes: Vec<String>,
}

impl Dataset {
    fn extend(&mut self, other: Self) {
        self.train.extend(other.train);
        self.validation.extend(other.validation);
        self.games += other.games;
        for recipe in other.recipes {
            if !self.recipes.contains(&recipe) {
                self.recipes.push(recipe);
            }
        }
    }
}

/// Loads the positions that pass the filter from the games of the split, with blended scores if
/// asked for. `on_progress` receives the number of bytes read.
pub fn load(
    files: &[PathBuf],
    filter: &PositionFilter,
    split: &Split,
    blend: Option<Blend>,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Result<Dataset> {
    let load_chunk = |chunk: &Chunk| {
        let mut part = Dataset {
            recipes: vec![chunk.recipe()?.to_string()],
            ..Dataset::default()
        };
        for game in chunk.games()? {
            let list = match split.part(&game) {
                Part::Training => &mut part.train,
                Part::Validation => &mut part.validation,
                Part::Nothing => continue,
            };
            list.extend(examples(&game, filter, blend));
            part.games += 1;
        }
        on_progress(chunk.bytes());
        Ok(part)
    };
    let mut dataset = Dataset::default();
    par_chunks(files, load_chunk, |part| dataset.extend(part))?;
    if dataset.train.is_empty() {
        bail!(
            "none of the positions in these files passes the filter (files: {}, games: {})",
            files.len(),
            dataset.games
        );
    }
    Ok(dataset)
}

/// The chunks of several files.
pub(crate) fn chunks(files: &[PathBuf]) -> impl Iterator<Item = Result<Chunk>> {
    files.iter().flat_map(|path| {
        let (reader, error) = match ChunkReader::open(path) {
            Ok(reader) => (Some(reader), None),
            Err(error) => (None, Some(Err(error))),
        };
        error.into_iter().chain(reader.into_iter().flatten())
    })
}

/// Maps the chunks of files on all cores. `add` receives the results in the files' order.
pub(crate) fn par_chunks<T: Send>(
    files: &[PathBuf],
    map: impl Fn(&Chunk) -> Result<T> + Sync,
    mut add: impl FnMut(T),
) -> Result<()> {
    // Enough to occupy all cores, few enough to need little memory.
    const CHUNKS_AT_A_TIME: usize = 64;
    let mut chunks = chunks(files);
    loop {
        let some = chunks.by_ref().take(CHUNKS_AT_A_TIME);
        let some = some.collect::<Result<Vec<Chunk>>>()?;
        if some.is_empty() {
            return Ok(());
        }
        let results = some.par_iter().map(&map);
        let results = results.collect::<Result<Vec<T>>>()?;
        results.into_iter().for_each(&mut add);
    }
}

/// The training examples of a game.
fn examples<'a>(
    game: &'a GameRecord,
    filter: &'a PositionFilter,
    blend: Option<Blend>,
) -> impl Iterator<Item = Example> + use<'a> {
    let blended = blend.map(|blend| blend.scores(game));
    let positions = game.positions().enumerate();
    let accepted = positions.filter(|(_, (position, played))| filter.accepts(position, *played));
    accepted.map(move |(ply, (position, mut played))| {
        if let Some(&score) = blended.as_ref().and_then(|scores| scores.get(ply)) {
            played.score = score;
        }
        let side = position.side_to_move();
        Example::new(&position, played.score_for(side), game.result_for(side))
    })
}
