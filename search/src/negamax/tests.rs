//! The transposition table after searches of small endings, against the Syzygy tables, which
//! these searches do not have: a position that is stored as won or lost is won or lost.

use crate::score::{Bound, Score};
use crate::{Limits, SearchControl, SearchOptions, Searcher, Tablebases, Wdl, tt};
use movegen::{Game, Position};
use std::collections::{BTreeMap, HashSet};
use test_common::{Rng, positions, repository_path};

/// Calls `check` with the stored claims about the positions within three plies of a root.
fn read_entries(
    searcher: &Searcher,
    root: Position,
    mut check: impl FnMut(&Position, Bound, Score),
) {
    let (mut seen, mut level) = (HashSet::new(), vec![root]);
    for _ in 0..=3 {
        let mut next = Vec::new();
        level.retain(|position| seen.insert(position.key()));
        for position in level {
            if let Some(entry) = searcher.tt.probe(tt::key(&position))
                && let Some(score) = entry.score_at(&position, 0)
            {
                check(&position, entry.bound, score);
            }
            let moves = position.legal_moves();
            next.extend(moves.iter().map(|&mv| position.play_unchecked(mv)));
        }
        level = next;
    }
}

#[test]
fn positions_stored_as_won_or_lost_are_won_or_lost() {
    const POSITIONS: usize = 30;
    let (tables, errors) = Tablebases::find(&[repository_path("tests/data/syzygy")]);
    assert!(errors.is_empty(), "{errors:?}");
    let mut rng = Rng::new(11);
    let mut claims = BTreeMap::new();
    for pieces in ["KPk", "Kkp", "KRkr", "KQkq", "KQk", "KRk"] {
        for _ in 0..POSITIONS {
            let root = positions::random(&mut rng, pieces, 0);
            let mut searcher = Searcher::new(1).expect("memory for a small table");
            let options = SearchOptions::new(Limits::nodes(10_000));
            searcher.search(&Game::new(root), &options, &SearchControl::new(), &mut ());
            read_entries(&searcher, root, |position, bound, score| {
                let value = if score.is_win() && bound.is_lower() {
                    Wdl::Win
                } else if score.is_loss() && bound.is_upper() {
                    Wdl::Loss
                } else {
                    return;
                };
                let known = tables.wdl(position);
                assert_eq!(known, Some(value), "{position} {bound:?} {score:?}");
                *claims.entry((bound as u8, value)).or_insert(0) += 1;
            });
        }
    }
    // Lower bounds of wins, upper bounds of losses, and exact scores of both.
    let enough = claims.values().all(|&count| count >= 10);
    assert!(claims.len() == 4 && enough, "{claims:?}");
}
