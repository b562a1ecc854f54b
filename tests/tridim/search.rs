//! The search: mates, draws, determinism.

use crate::helpers::{
    MATE_IN_ONE, NO_ROTATION, ROOK_ENDING, after, both, position, random_move, white,
};
use test_common::Rng;
use tridim::search::{Limits, Score, SearchResult, Searcher};
use tridim::{Color, Game, GamePosition, Outcome, Position};

const fn to_depth(depth: u32) -> Limits<'static> {
    Limits {
        depth,
        deadline: None,
        is_stopped: &|| false,
    }
}

fn search(game: &Game, depth: u32) -> Option<SearchResult> {
    Searcher::new(1 << 14).search(game, to_depth(depth), |_| {})
}

fn best(position: Position, depth: u32) -> (String, Score) {
    let report = search(&Game::new(position), depth).expect("there is a move");
    (position.notation(report.line[0]), report.score)
}

#[test]
fn finds_mates() {
    let (mv, score) = best(position(&format!("{MATE_IN_ONE} 0 9")), 3);
    assert!(mv.ends_with('#'), "{mv}");
    assert_eq!(
        (score.mate_in(), score.to_string().as_str()),
        (Some(1), "mate in 1")
    );
    // Castling can mate.
    for scene in both("K+ d0KL1,R+ z0QL1,k d8B,Q c3N,Q e4KL2,KL6>KL2") {
        let (mv, _) = best(scene.position(), 1);
        assert!(mv.ends_with('#'), "{mv}");
    }
}

#[test]
fn the_promotion_of_a_waiting_pawn_does_not_delay_a_mate() {
    // Every move allows the rook to mate on the last rank, also one that uncovers the pawn.
    for scene in both("K b8B,r d7B,r e4KL5,k d6B,p a1W,QL6>KL5") {
        let (_, score) = best(scene.position(), 3);
        assert_eq!(score.mate_in(), Some(-1));
    }
}

#[test]
fn no_best_move_without_legal_moves() {
    let mate_in_one = position(&format!("{MATE_IN_ONE} 0 9"));
    let game = Game::new(after(&mate_in_one, "Qc5N-z8QL6"));
    let winner = Color::White;
    assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner }));
    assert_eq!(search(&game, 3), None);
}

#[test]
fn a_search_can_be_stopped() {
    let limits = Limits {
        depth: 9,
        deadline: None,
        is_stopped: &|| true,
    };
    let report = Searcher::new(16).search(&Game::new(Position::start(NO_ROTATION)), limits, |_| {});
    assert_eq!(report.map(|report| report.depth), Some(1));
}

#[test]
fn sees_draws_by_clock_and_repetition() {
    // At a clock of 99 a draw can be claimed after any move.
    let score = |clock| best(position(&format!("{ROOK_ENDING} {clock} 90")), 3).1;
    assert_eq!(score(99), Score::DRAW);
    assert!(score(9) > Score::DRAW);
}

#[test]
fn captures_a_hanging_queen() {
    let scene = white("K a1W,R b1W,q b4N,k d5B");
    assert_eq!(best(scene.position(), 2).0, "Rb1Wxb4N");
}

#[test]
fn single_threaded_search_is_deterministic() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a thread pool");
    let game = Game::new(Position::start(NO_ROTATION));
    let run = || pool.install(|| search(&game, 3));
    assert_eq!(run(), run());
}

#[test]
fn lines_are_legal() {
    let mut rng = Rng::new(5);
    let mut position = Position::start(NO_ROTATION);
    for _ in 0..30 {
        let Some(report) = search(&Game::new(position), 2) else {
            break;
        };
        let mut walked = position;
        for mv in report.line {
            walked = walked.try_play(mv).expect("a legal move");
        }
        let Some(mv) = random_move(&mut rng, &position) else {
            break;
        };
        position = position.play_unchecked(mv);
    }
}
