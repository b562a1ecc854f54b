//! Games: claims, draws, mate first, events.

use crate::helpers::{NO_ROTATION, PositionBuilder, after, position};
use tridim::{Claim, ClaimError, Color, Event, Game, Outcome, PlayError, Position};

fn play(game: &mut Game, text: &str) -> Vec<Event> {
    let mv = game.position().read_move(text);
    let mv = mv.unwrap_or_else(|error| panic!("{text}: {error}"));
    game.play(mv)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Two kings and a white rook, with this clock.
fn clocked(clock: u16) -> Game {
    let text = "W:4/4/4/R1K1,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 w -";
    Game::new(position(&format!("{text} {clock} 80")))
}

#[test]
fn the_fifty_move_rule_is_a_claim() {
    let mut game = clocked(98);
    assert_eq!(play(&mut game, "Kc1W-c2W").len(), 1, "99 is not 100");
    assert_eq!(game.claim_draw(), Err(ClaimError::NotTriggered));
    let said = ClaimError::NotTriggered.to_string();
    assert_eq!(
        said,
        "Draw cannot be claimed: the 50-move rule has not been triggered."
    );
    let events = play(&mut game, "KL6-KL5");
    assert_eq!(
        events.get(1),
        Some(&Event::FiftyMoveRuleAvailable),
        "a board's move counts"
    );
    assert_eq!(game.claims(), [Claim::FiftyMoves]);
    assert_eq!(game.outcome(), None, "nobody has claimed");
    let claimed = game.claim_draw().expect("it may be claimed");
    assert_eq!(claimed.outcome(), Outcome::DrawClaimed(Claim::FiftyMoves));
    assert_eq!(claimed.outcome().result(), "1/2-1/2");
    assert_eq!(claimed.record.moves().len(), 2);
    // A new game, with nothing to undo.
    assert_eq!(*game.position(), Position::start(NO_ROTATION));
    assert_eq!((game.undo(), game.redo()), (None, None));
}

#[test]
fn pawn_moves_and_captures_reset_the_clock() {
    let scene = PositionBuilder::new(Color::White).with("K c1W,k b8B,P+ a2W,n c2W,R z1QL1");
    let text = scene.text().replace(" 0 2", " 42 30");
    let start = position(&text);
    assert_eq!(start.halfmove_clock(), 42);
    assert_eq!(start.to_string().split(' ').nth(3), Some("42"));
    for (text, clock) in [
        ("Kc1W-d1W", 43),
        ("a2W-a3N", 0),
        ("Kc1Wxc2W", 0),
        ("QL1-QL3", 43),
    ] {
        // The pawn on a2 casts its shadow on QL3: the board goes to another pin.
        let text = if text == "QL1-QL3" { "KL1-KL2" } else { text };
        assert_eq!(after(&start, text).halfmove_clock(), clock, "{text}");
    }
    let castle = PositionBuilder::new(Color::White).with("K+ d0KL1,R+ e0KL1,k b8B");
    assert_eq!(after(&castle.position(), "O-O").halfmove_clock(), 1);
}

#[test]
fn seventy_five_moves_end_the_game() {
    let mut game = clocked(149);
    let events = play(&mut game, "Kc1W-c2W");
    assert_eq!(
        events.last(),
        Some(&Event::Ended(Outcome::SeventyFiveMoves))
    );
    let mv = game.position().legal_moves()[0];
    assert_eq!(
        game.play(mv),
        Err(PlayError::Over(Outcome::SeventyFiveMoves))
    );
}

#[test]
fn mate_precedes_the_seventy_five_move_rule() {
    // The queen mates on z8 beside the king, the knight behind her.
    let text = "W:4/4/4/K3,N:4/2Q1/4/4,B:4/1N2/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w -";
    let start = position(&format!("{text} 149 90"));
    let mates: Vec<_> = start
        .legal_moves()
        .into_iter()
        .filter(|&mv| start.play_unchecked(mv).is_checkmate())
        .collect();
    let mate = mates.first().copied().expect("there is a mate in one");
    assert!(start.notation(mate).ends_with('#'));
    let mut game = Game::new(start);
    let events = game.play(mate).expect("it is legal");
    let outcome = Outcome::Checkmate {
        winner: Color::White,
    };
    assert_eq!(events.last(), Some(&Event::Ended(outcome)));
    assert_eq!(game.position().halfmove_clock(), 150);
    assert_eq!(game.claims(), []);
}

#[test]
fn threefold_is_a_claim_and_fivefold_ends() {
    let mut game = Game::standard(NO_ROTATION);
    let lap = ["Na1W-b3N", "Na8B-b6N", "Nb3N-a1W", "Nb6N-a8B"];
    for text in lap {
        play(&mut game, text);
    }
    assert_eq!((game.occurrences(), game.claims()), (2, vec![]));
    let mut events = Vec::new();
    for text in lap {
        events = play(&mut game, text);
    }
    assert_eq!(events.last(), Some(&Event::ThreefoldAvailable));
    assert_eq!(game.claims(), [Claim::Threefold]);
    // Taken back it is no longer there, and comes again.
    game.undo();
    assert_eq!(game.claims(), []);
    game.redo();
    assert_eq!(game.claims(), [Claim::Threefold]);
    for text in lap.into_iter().chain(lap) {
        events = play(&mut game, text);
    }
    assert_eq!(
        events.last(),
        Some(&Event::Ended(Outcome::FivefoldRepetition))
    );
}

#[test]
fn boards_are_part_of_a_repeated_position() {
    let start = PositionBuilder::new(Color::White)
        .with("K c1W,k b8B,R a2W,R+ e0KL1")
        .position();
    let repeats = |moves: &str| start.repeats(&after(&start, moves));
    assert!(repeats("Ra2W-a1W Kb8B-b7B Ra1W-a2W Kb7B-b8B"));
    assert!(repeats("QL1-QL2 Kb8B-b7B QL2-QL1 Kb7B-b8B"));
    assert!(!repeats("QL1-QL2 Kb8B-b7B KL1-KL2 Kb7B-b8B"));
    // Rights count only where there are any: this rook's king has long moved.
    assert!(repeats("Re0KL1-e1KL1 Kb8B-b7B Re1KL1-e0KL1 Kb7B-b8B"));
    let castles = PositionBuilder::new(Color::White)
        .with("K+ d0KL1,k b8B,R+ e0KL1")
        .position();
    let walked = after(&castles, "Re0KL1-e1KL1 Kb8B-b7B Re1KL1-e0KL1 Kb7B-b8B");
    assert!(!castles.repeats(&walked));
    assert_ne!(castles.key(), walked.key());
    // Marked boards of one side are as good as each other, the other side's are not.
    let swapped = PositionBuilder::new(Color::White).with("K c1W,k b8B,R a1W");
    let other = swapped.clone().swap_owners("QL1", "QL6").position();
    assert!(!swapped.position().repeats(&other));
}

#[test]
fn bare_kings_end_the_game() {
    let mut game = Game::new(
        PositionBuilder::new(Color::White)
            .with("K c1W,k b8B,n c2W")
            .position(),
    );
    assert_eq!(game.outcome(), None, "a knight is no bare king");
    let events = play(&mut game, "Kc1Wxc2W");
    assert_eq!(
        events.last(),
        Some(&Event::Ended(Outcome::InsufficientMaterial))
    );
    assert_eq!(
        game.claim_draw().map(|_| ()),
        Err(ClaimError::Over(Outcome::InsufficientMaterial))
    );
}

#[test]
fn a_new_move_clears_redo() {
    let mut game = Game::standard(NO_ROTATION);
    play(&mut game, "b2W-b3W");
    play(&mut game, "b7B-b6B");
    assert!(game.undo().is_some());
    play(&mut game, "c7B-c6B");
    assert_eq!(game.redo(), None);
    assert_eq!(game.moves().len(), 2);
    assert_eq!(game.positions().count(), 3);
}
