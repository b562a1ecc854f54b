//! `castellan-train relabel`: rescores the positions of existing games.
//!
//! Moves and results stay; the positions that training would use are searched again, or evaluated
//! by a network whose knowledge another is to learn (knowledge distillation). Works chunk by chunk
//! in the order of the files, so that an interrupted run resumes at the first missing chunk.

use crate::data::{Chunk, ChunkWriter, GameRecord, PositionFilter, ScoredMove, chunks};
use crate::progress;
use crate::scorer::{GamesError, NodeSearcher, Scorer, SearchArgs};
use common::files::check_output;
use common::lock::OutputLock;
use movegen::Game;
use rayon::prelude::*;
use search::nnue::AccumulatorStack;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Game files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Game file to append to; run the same command again to resume
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    filter: PositionFilter,
    #[command(flatten)]
    search: SearchArgs,
    /// Score with the network's static evaluation, without a search
    #[arg(long = "static", conflicts_with = "nodes")]
    without_search: bool,
}

/// Rescores all chunks, or until stopped.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), GamesError> {
    check_output(&args.out, &args.files)?;
    let _lock = OutputLock::acquire(&args.out)?;
    relabel(args, &Scorer::new(&args.search)?, stop)
}

fn relabel(args: &Args, scorer: &Scorer, stop: &AtomicBool) -> Result<(), GamesError> {
    let (search, filter) = (&args.search, &args.filter);
    let means = if args.without_search {
        "static evaluation".to_owned()
    } else {
        format!("{} nodes, last position first", search.nodes)
    };
    let now = format!(
        "{}, {means}, from ply {}, scores within {}{}",
        scorer.description,
        filter.from_ply,
        filter.score_within,
        if filter.keep_noisy { ", noisy too" } else { "" }
    );
    let pool = search.pool()?;
    let mut done: Vec<String> = Vec::new();
    let mut out = ChunkWriter::open(&args.out, |chunk| {
        done.push(chunk.recipe()?.to_string());
        Ok(())
    })?;
    let bar = progress::bytes_bar(&args.files)?;
    for (number, chunk) in chunks(&args.files).enumerate() {
        let chunk = chunk?;
        let before = chunk.recipe()?;
        let recipe = format!("{before}; now {now}");
        match done.get(number) {
            Some(there) if *there == recipe => {}
            Some(_) => {
                return Err(GamesError::OtherRun {
                    path: args.out.clone(),
                    chunk: number,
                });
            }
            None => {
                let games = pool.install(|| relabel_chunk(&chunk, scorer, args, stop))?;
                let Some(games) = games else {
                    return Ok(());
                };
                out.append(&recipe, &games)?;
            }
        }
        bar.inc(chunk.bytes());
    }
    bar.finish_and_clear();
    Ok(())
}

/// The games of a chunk with new scores; `None` when stopped.
fn relabel_chunk(
    chunk: &Chunk,
    scorer: &Scorer,
    args: &Args,
    stop: &AtomicBool,
) -> Result<Option<Vec<GameRecord>>, GamesError> {
    let stopped = || stop.load(Ordering::Relaxed);
    let games = chunk.games()?.into_par_iter();
    if args.without_search {
        let games = games.map_init(
            || scorer.evaluator(),
            |evaluator, game| (!stopped()).then(|| evaluate_game(game, evaluator, &args.filter)),
        );
        return Ok(games.collect());
    }
    let games = games.map_init(
        || scorer.searcher(),
        |searcher, game| match searcher {
            _ if stopped() => Ok(None),
            Ok(searcher) => Ok(Some(relabel_game(game, searcher, args))),
            Err(error) => Err(error.clone().into()),
        },
    );
    games.collect()
}

fn evaluate_game(
    mut game: GameRecord,
    evaluator: &mut AccumulatorStack,
    filter: &PositionFilter,
) -> GameRecord {
    let moves = game.positions().map(|(position, played)| {
        if !filter.accepts(&position, played) {
            return played;
        }
        evaluator.reset(&position);
        let score = evaluator.evaluate(&position, 0);
        let score = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        ScoredMove::of(position.side_to_move(), played.mv, score)
    });
    game.moves = moves.collect();
    game
}

/// Searches from the last position to the first (retrograde analysis): with what the hash table
/// holds of the moves that follow, a search sees further than the same number of nodes alone.
fn relabel_game(mut game: GameRecord, searcher: &mut NodeSearcher, args: &Args) -> GameRecord {
    searcher.new_game();
    let mut replay = Game::new(game.start);
    for played in &game.moves {
        // Legal: the reader has replayed the game.
        if replay.push(played.mv).is_err() {
            return game;
        }
    }
    for played in game.moves.iter_mut().rev() {
        replay.undo();
        if args.filter.accepts(replay.position(), *played)
            && let Some(found) = searcher.search(&replay, args.search.nodes)
        {
            played.score = found.score;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::{read_all, write};
    use movegen::{Position, Variant};
    use search::nnue::embedded;
    use std::fs;
    use std::path::Path;
    use test_common::TempDir;

    fn args(file: &Path, out: &Path, filter: PositionFilter) -> Args {
        Args {
            files: vec![file.to_path_buf()],
            out: out.to_path_buf(),
            filter,
            search: SearchArgs::for_tests(30),
            without_search: false,
        }
    }

    /// Their scores are 0.
    fn random_games() -> Vec<GameRecord> {
        // Games are read as Chess960.
        let start = Position::from_fen(&Position::default().fen(), Variant::Chess960).unwrap();
        (0..6)
            .map(|number| GameRecord::random(number, start))
            .collect()
    }

    #[test]
    fn relabel_changes_scores_only_and_resumes() {
        let directory = TempDir::new("relabel");
        let [old, new, cut] = ["old", "new", "cut"].map(|name| directory.directory().join(name));
        let games = random_games();
        let (first, second) = games.split_at(3);
        write(&old, &[first, second]);
        let relabel =
            |args: &Args| super::relabel(args, &Scorer::for_tests(), &AtomicBool::new(false));
        relabel(&args(&old, &new, PositionFilter::ALL)).unwrap();
        let relabelled = read_all(&new).unwrap();
        assert_ne!(relabelled, games);
        let mut without_scores = relabelled;
        for played in without_scores.iter_mut().flat_map(|game| &mut game.moves) {
            played.score = 0;
        }
        assert_eq!(without_scores, games);

        // One of two chunks and a part of the other.
        let bytes = fs::read(&new).unwrap();
        fs::write(&cut, &bytes[..bytes.len() - 9]).unwrap();
        relabel(&args(&old, &cut, PositionFilter::ALL)).unwrap();
        assert_eq!(fs::read(&cut).unwrap(), bytes);
        let mut nodes = args(&old, &cut, PositionFilter::ALL);
        nodes.search.nodes = 60;
        let mut filter = args(&old, &cut, PositionFilter::ALL);
        filter.filter.from_ply = 1;
        for other in [nodes, filter] {
            let other = relabel(&other);
            assert!(matches!(other, Err(GamesError::OtherRun { chunk: 0, .. })));
        }
        assert_eq!(fs::read(&cut).unwrap(), bytes);
    }

    #[test]
    fn positions_that_the_filter_leaves_out_keep_their_scores() {
        let directory = TempDir::new("relabel-filter");
        let [old, new] = ["old", "new"].map(|name| directory.directory().join(name));
        let mut games = random_games();
        // A score that no search gives.
        for played in games.iter_mut().flat_map(|game| &mut game.moves) {
            played.score = 32_100;
        }
        write(&old, &[&games]);
        let filter = PositionFilter {
            from_ply: 40,
            keep_noisy: false,
            ..PositionFilter::ALL
        };
        let scorer = Scorer::for_tests();
        super::relabel(&args(&old, &new, filter), &scorer, &AtomicBool::new(false)).unwrap();
        let mut searched = 0;
        for game in read_all(&new).unwrap() {
            for (ply, (position, played)) in game.positions().enumerate() {
                let left_out = ply < 40 || position.in_check() || position.is_noisy(played.mv);
                assert_eq!(
                    played.score == 32_100,
                    left_out,
                    "ply {ply} of game {}",
                    game.number
                );
                searched += usize::from(!left_out);
            }
        }
        assert!(searched > 100);
    }

    #[test]
    fn static_scores_are_the_networks_values() {
        let directory = TempDir::new("relabel-static");
        let [old, new] = ["old", "new"].map(|name| directory.directory().join(name));
        write(&old, &[&random_games()]);
        let filter = PositionFilter {
            from_ply: 5,
            ..PositionFilter::ALL
        };
        let args = Args {
            without_search: true,
            ..args(&old, &new, filter)
        };
        super::relabel(&args, &Scorer::for_tests(), &AtomicBool::new(false)).unwrap();
        for game in read_all(&new).unwrap() {
            for (ply, (position, played)) in game.positions().enumerate() {
                let value = embedded().evaluate_from_scratch(&position);
                let expected = if ply < 5 { 0 } else { value };
                assert_eq!(
                    i32::from(played.score_for(position.side_to_move())),
                    expected,
                    "ply {ply} of game {}",
                    game.number
                );
            }
        }
    }
}
