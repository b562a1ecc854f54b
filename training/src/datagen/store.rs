//! The file and the journal of a run's games.

use crate::data::{ChunkWriter, GameRecord, GamesJournal};
use anyhow::Result;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// Stores finished games: in the journal at once, in the file a few hundred at a time. A file has
/// its games in the order of their numbers, whichever ends first: an uninterrupted run writes the
/// same file on any number of threads.
pub(super) struct Store {
    file: ChunkWriter,
    journal: GamesJournal,
    recipe: String,
    /// The numbers of the run that are not in a chunk, nor in `next`.
    left: Range<u32>,
    /// The numbers of the games of the next chunk.
    next: Vec<u32>,
    /// Numbers of the games of this recipe that were in the file at the start.
    pub(super) played: HashSet<u32>,
    /// Games in the journal.
    pending: BTreeMap<u32, GameRecord>,
}

impl Store {
    /// Opens or creates the file, and moves the games of an interrupted run's journal to it.
    pub(super) fn open(out: &Path, recipe: String, numbers: Range<u32>) -> Result<Self> {
        let recovered = GamesJournal::recover(out)?;
        let mut played = HashSet::new();
        let mut recovered_played = HashSet::new();
        let mut file = ChunkWriter::open(out, |chunk| {
            for (recipe, numbers) in [
                (&recipe, &mut played),
                (&recovered.recipe, &mut recovered_played),
            ] {
                if chunk.recipe()? == recipe {
                    numbers.extend(chunk.games()?.iter().map(|game| game.number));
                }
            }
            Ok(())
        })?;
        // A run killed between writing a chunk and clearing the journal left its games in both.
        let mut missing = recovered.games;
        missing.retain(|game| recovered_played.insert(game.number));
        if !missing.is_empty() {
            file.append(&recovered.recipe, &missing)?;
            if recovered.recipe == recipe {
                played.extend(missing.iter().map(|game| game.number));
            }
        }
        let mut store = Self {
            file,
            journal: GamesJournal::create(out, &recipe)?,
            recipe,
            left: numbers,
            next: Vec::new(),
            played,
            pending: BTreeMap::new(),
        };
        store.next = store.next_chunk();
        Ok(store)
    }

    /// The numbers of the run that were not in the file at the start.
    pub(super) fn unplayed(&self) -> impl Iterator<Item = u32> + use<> {
        let played = self.played.clone();
        let first = self.next.first().copied().unwrap_or(self.left.start);
        (first..self.left.end).filter(move |number| !played.contains(number))
    }

    /// Takes the numbers of a chunk: enough games to compress well.
    fn next_chunk(&mut self) -> Vec<u32> {
        const CHUNK: usize = 256;
        let (left, played) = (&mut self.left, &self.played);
        left.filter(|number| !played.contains(number))
            .take(CHUNK)
            .collect()
    }

    pub(super) fn add(&mut self, game: GameRecord) -> Result<()> {
        self.journal.write(&game)?;
        self.pending.insert(game.number, game);
        while !self.next.is_empty()
            && self
                .next
                .iter()
                .all(|number| self.pending.contains_key(number))
        {
            let after = self.next.last().map_or(u32::MAX, |last| last + 1);
            let rest = self.pending.split_off(&after);
            self.write_pending()?;
            self.pending = rest;
            self.next = self.next_chunk();
            self.journal.clear()?;
            for game in self.pending.values() {
                self.journal.write(game)?;
            }
        }
        Ok(())
    }

    /// Writes the pending games as a chunk.
    fn write_pending(&mut self) -> Result<()> {
        let games: Vec<GameRecord> = std::mem::take(&mut self.pending).into_values().collect();
        if !games.is_empty() {
            self.file.append(&self.recipe, &games)?;
        }
        Ok(())
    }

    pub(super) fn close(mut self) -> Result<()> {
        self.write_pending()?;
        Ok(self.journal.remove()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ChunkReader;
    use crate::data::tests::read_all;
    use movegen::Position;
    use test_common::TempDir;

    fn game(number: u32) -> GameRecord {
        GameRecord {
            moves: Vec::new(),
            ..GameRecord::random(number, Position::default())
        }
    }

    #[test]
    fn interrupted_runs_leave_every_finished_game_once() {
        let directory = TempDir::new("datagen");
        let out = directory.directory().join("games");
        let open = |recipe: &str| Store::open(&out, recipe.to_owned(), 0..1000).unwrap();
        // Killed with games in the journal only.
        let mut store = open("one");
        for number in [0, 2] {
            store.add(game(number)).unwrap();
        }
        drop(store);
        // Killed between writing a chunk and clearing the journal.
        let mut store = open("one");
        assert_eq!(store.played, HashSet::from([0, 2]));
        store.add(game(1)).unwrap();
        store.write_pending().unwrap();
        drop(store);
        // Followed by a run with another recipe, and again by one with the first.
        let mut store = open("two");
        assert_eq!(store.played, HashSet::new());
        store.add(game(0)).unwrap();
        drop(store);
        let store = open("one");
        assert_eq!(store.played, HashSet::from([0, 1, 2]));
        store.close().unwrap();
        let store = open("two");
        assert_eq!(store.played, HashSet::from([0]));
        store.close().unwrap();

        let chunks = ChunkReader::open(&out).unwrap();
        let counts: Vec<usize> = chunks
            .map(|chunk| chunk.unwrap().games().unwrap().len())
            .collect();
        assert_eq!(counts, [2, 1, 1]);
    }

    #[test]
    fn games_are_stored_in_the_order_of_their_numbers() {
        let directory = TempDir::new("datagen");
        let store = |name: &str, numbers: &mut dyn Iterator<Item = u32>| {
            let out = directory.directory().join(name);
            let mut store = Store::open(&out, "one".to_owned(), 0..600).unwrap();
            numbers.for_each(|number| store.add(game(number)).unwrap());
            store.close().unwrap();
            read_all(&out).unwrap();
            std::fs::read(&out).unwrap()
        };
        let in_order = store("in order", &mut (0..600));
        // As threads finish them: each game up to seven places late.
        let late = |number: u32| (number / 8 * 8) + 7 - number % 8;
        assert!(store("late", &mut (0..600).map(late)) == in_order);
        assert!(store("last first", &mut (0..600).rev()) == in_order);
    }
}
