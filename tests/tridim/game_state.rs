//! The state of a game as its saved lines restore it, and the squares of a reason.

use crate::helpers::{NO_ROTATION, PositionBuilder, ROOK_ENDING, position, square};
use game::Side;
use game::play::{Action, TridimState};
use tridim::{Color, MoveError, Outcome, Position, SquareSet};

fn play(state: &mut TridimState, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = state.game.position().read_move(text).expect("a legal move");
        state.play(mv).expect("the game is not over");
    }
}

fn restored(lines: &[String]) -> TridimState {
    let mut state = TridimState::default();
    for line in lines {
        state
            .follow(line)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    state
}

#[test]
fn the_users_turns_are_undone_and_replayed() {
    let mut state = TridimState::new(Position::start(NO_ROTATION), Side::White);
    play(&mut state, "b2W-b4N b7B-b5N Nd1W-c3N Na8B-b6N");
    assert_eq!(state.undo_turn(), Ok(()));
    assert_eq!(state.game.position().side_to_move(), Color::White);
    assert_eq!(state.game.moves().len(), 2);
    assert_eq!(state.redo_turn(), Ok(()));
    assert_eq!(state.game.moves().len(), 4);
    assert!(
        state
            .lines()
            .ends_with(&["undo", "undo", "redo", "redo"].map(str::to_owned))
    );
    let copy = restored(state.lines());
    assert_eq!(copy.game, state.game);
    assert_eq!(copy.lines(), state.lines());
}

#[test]
fn a_claimed_game_is_kept_until_the_next_move() {
    let start = position(&format!("{ROOK_ENDING} 100 90"));
    let mut state = TridimState::new(start, Side::Both);
    assert!(state.claimed().is_none());
    state.apply(&Action::Draw).expect("fifty moves");
    for mut state in [restored(state.lines()), state] {
        let claimed = state.claimed().expect("a claimed game");
        assert!(matches!(claimed.outcome(), Outcome::DrawClaimed(_)));
        assert_eq!(*claimed.record.position(), start);
        play(&mut state, "b2W-b4N");
        assert!(state.claimed().is_none());
    }
}

#[test]
fn squares_of_a_reason() {
    let squares = |text: &str, pieces: &str| {
        let scene = PositionBuilder::white(pieces).position();
        match scene.read_move(text) {
            Err(MoveError::Illegal(reason)) => reason.squares(),
            other => panic!("{text}: {other:?}"),
        }
    };
    let set = |names: &str| -> SquareSet { names.split(' ').map(square).collect() };
    let pinned = "K b2W,N b4N,r b8B,k d8B";
    assert_eq!(squares("Nb4N-c6N", pinned), set("b4N b8B"));
    assert_eq!(squares("Kb2W-a3W", "K b2W,r a8B,k d8B"), set("a3W a8B"));
    // The rook casts its shadow from another level.
    assert_eq!(
        squares("Ra1W-a5N", "K d1W,R a1W,n a3W,k d8B"),
        set("a5N a3W")
    );
    assert_eq!(squares("Ra1W-b2W", "K d1W,R a1W,k d8B"), set("a1W b2W"));
    assert_eq!(squares("O-O", "K+ d0KL1,R+ e0KL1,r d8B,k a8B"), set("d8B"));
    let attacked = "K+ d0KL1,R+ e0KL1,r e9KL6,k a8B";
    assert_eq!(squares("O-O", attacked), set("e0KL1 e9KL6"));
}
