//! `castellan-train relabel`: rescores the positions of existing games.
//!
//! Moves and results stay; every position is searched again. Works chunk by chunk in the order
//! of the files, so that an interrupted run resumes at the first missing chunk.

use crate::data::{Chunk, ChunkWriter, GameRecord, chunks};
use crate::progress;
use crate::scorer::{GamesError, NodeSearcher, Scorer, SearchArgs};
use common::lock::OutputLock;
use movegen::Game;
use rayon::prelude::*;
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
    search: SearchArgs,
}

/// Rescores all chunks, or until stopped.
pub fn run(args: &Args, stop: &AtomicBool) -> Result<(), GamesError> {
    let _lock = OutputLock::acquire(&args.out)?;
    relabel(args, &Scorer::new(&args.search)?, stop)
}

fn relabel(args: &Args, scorer: &Scorer, stop: &AtomicBool) -> Result<(), GamesError> {
    let (nodes, pool) = (args.search.nodes, args.search.pool()?);
    let mut done: Vec<String> = Vec::new();
    let mut out = ChunkWriter::open(&args.out, |chunk| {
        done.push(chunk.recipe()?.to_string());
        Ok(())
    })?;
    let bar = progress::bytes_bar(&args.files)?;
    for (number, chunk) in chunks(&args.files).enumerate() {
        let chunk = chunk?;
        let before = chunk.recipe()?;
        let recipe = format!("{before}; now {}, {nodes} nodes", scorer.description);
        match done.get(number) {
            Some(there) if *there == recipe => {}
            Some(_) => {
                return Err(GamesError::OtherRun {
                    path: args.out.clone(),
                    chunk: number,
                });
            }
            None => {
                let games = pool.install(|| relabel_chunk(&chunk, scorer, nodes, stop))?;
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
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<GameRecord>>, GamesError> {
    let games = chunk.games()?.into_par_iter().map_init(
        || scorer.searcher(),
        |searcher, game| match searcher {
            _ if stop.load(Ordering::Relaxed) => Ok(None),
            Ok(searcher) => Ok(Some(relabel_game(game, searcher, nodes))),
            Err(error) => Err(error.clone().into()),
        },
    );
    games.collect()
}

/// Searches from the first position to the last, as in the game.
fn relabel_game(mut game: GameRecord, searcher: &mut NodeSearcher, nodes: u64) -> GameRecord {
    searcher.new_game();
    let mut replay = Game::new(game.start);
    for played in &mut game.moves {
        if let Some(found) = searcher.search(&replay, nodes) {
            played.score = found.score;
        }
        // Legal: the reader has replayed the game.
        if replay.push(played.mv).is_err() {
            break;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::{read_all, write};
    use movegen::{Position, Variant};
    use std::fs;
    use std::path::Path;
    use test_common::TempDir;

    #[test]
    fn relabel_changes_scores_only_and_resumes() {
        let directory = TempDir::new("relabel");
        let [old, new, cut] = ["old", "new", "cut"].map(|name| directory.directory().join(name));
        // Games are read as Chess960.
        let start = Position::from_fen(&Position::default().fen(), Variant::Chess960).unwrap();
        let games: Vec<GameRecord> = (0..6)
            .map(|number| GameRecord::random(number, start))
            .collect();
        let (first, second) = games.split_at(3);
        write(&old, &[first, second]);
        let relabel = |out: &Path, nodes| {
            let args = Args {
                files: vec![old.clone()],
                out: out.to_path_buf(),
                search: SearchArgs::for_tests(nodes),
            };
            super::relabel(&args, &Scorer::for_tests(), &AtomicBool::new(false))
        };
        relabel(&new, 30).unwrap();
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
        relabel(&cut, 30).unwrap();
        assert_eq!(fs::read(&cut).unwrap(), bytes);
        let other = relabel(&cut, 60);
        assert!(matches!(other, Err(GamesError::OtherRun { chunk: 0, .. })));
        assert_eq!(fs::read(&cut).unwrap(), bytes);
    }
}
