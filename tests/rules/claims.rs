//! Draw claims, and repetition.

use crate::positions::{push, standard, with_clock};
use movegen::{Claim, ClaimError, Event, Game, Outcome, Position};
use test_common::{game_after, table};

/// Both knights out and back.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn claim_at_100() {
    let mut game = with_clock(99);
    push(&mut game, "a1a2");
    assert_eq!(game.claims(), [Claim::FiftyMoves]);
    let finished = game.clone();
    let claimed = game.claim_draw().expect("100 plies");
    assert_eq!(claimed.claim, Claim::FiftyMoves);
    assert_eq!(claimed.record, finished);
    let outcome = Outcome::DrawClaimed(Claim::FiftyMoves);
    assert_eq!(claimed.outcome(), outcome);
    assert_eq!(outcome.result(), "1/2-1/2");
    assert_eq!(outcome.winner(), None);
    let expected = [Event::DrawClaimed(Claim::FiftyMoves), Event::Ended(outcome)];
    assert_eq!(claimed.events(), expected);
    assert!(with_clock(100).claim_draw().is_ok(), "at the start too");
}

#[test]
fn claim_puts_the_board_back_to_the_start_with_nothing_to_undo_or_redo() {
    let mut game = with_clock(99);
    push(&mut game, "a1a2 e8e7");
    assert!(game.undo().is_some());
    game.claim_draw().expect("100 plies");
    assert_eq!(*game.position(), Position::default());
    assert_eq!(game.moves().len(), 0);
    assert_eq!((game.undo(), game.redo()), (None, None));
    assert_eq!(game.outcome(), None);
}

#[test]
fn claim_at_99() {
    let mut game = with_clock(98);
    push(&mut game, "a1a2");
    let before = game.clone();
    let error = game.claim_draw().expect_err("99 plies");
    assert_eq!(error, ClaimError::NotTriggered);
    assert_eq!(
        error.to_string(),
        "neither fifty moves without a capture or pawn move nor a threefold repetition is complete"
    );
    assert_eq!(game, before, "nothing changes");
}

#[test]
fn claim_by_threefold_repetition() {
    let mut game = Game::default();
    assert_eq!(game.occurrences(), 1);
    push(&mut game, SHUFFLE);
    assert_eq!(game.occurrences(), 2);
    assert!(game.claims().is_empty());
    assert!(game.claim_draw().is_err());
    push(&mut game, SHUFFLE);
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.claims(), [Claim::Threefold]);
    assert_eq!(game.outcome(), None, "only a claim ends the game");
    game.undo();
    assert_eq!(game.occurrences(), 2);
    game.redo();
    assert_eq!(game.occurrences(), 3);
    let claimed = game.claim_draw().expect("three occurrences");
    assert_eq!(claimed.outcome(), Outcome::DrawClaimed(Claim::Threefold));
    assert_eq!(claimed.record.moves().len(), 8);
}

#[test]
fn fivefold_repetition_ends_the_game() {
    let mut game = Game::default();
    push(&mut game, &[SHUFFLE; 3].join(" "));
    assert_eq!(game.occurrences(), 4);
    assert_eq!(game.outcome(), None);
    push(&mut game, SHUFFLE);
    assert_eq!(game.occurrences(), 5);
    let outcome = Outcome::FivefoldRepetition;
    assert_eq!(game.outcome(), Some(outcome));
    assert_eq!(game.claim_draw(), Err(ClaimError::Over(outcome)));
}

/// The occurrences after moves that bring the pieces back to the same squares.
#[test]
fn what_makes_a_position_another_one() {
    for [fen, moves, why, occurrences] in table(
        "
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1b1 e8e7 b1a1 e7e8                     | castling rights are lost      | 1
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8 | only the first time           | 2
        4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1 | e2e4 e8d8 e1d1 d8e8 d1e1                     | en passant was legal          | 1
        4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1 | e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1 | only the first time           | 2
        3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1 | e2e4 d8c8 e1f1 c8d8 f1e1                    | en passant illegal in a pin   | 2
        4k3/8/8/8/8/8/8/R3K3 w - - 0 1 | e1d1 e8d8 d1e2 d8e8 e2e1                        | the other side is to move     | 1
        4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1 | e1d1 e8d8 d1e1 d8e8                           | pawn moves end the sequence   | 2
        4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1 | e1d1 e8d8 d1e1 d8e8 a2a3 a7a6                 | pawn moves end the sequence   | 1
        ",
    ) {
        let found = game_after(fen, moves).occurrences().to_string();
        assert_eq!(found, occurrences, "{fen} {moves}: {why}");
    }
}

/// Claims with each intended move, by the rules of FIDE 9.2 and 9.3.
#[test]
fn claims_with_an_intended_move() {
    const TWICE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    for [fen, moves, intended, claims] in table(
        "
        4k3/8/8/8/8/8/P7/R3K2R w KQ - 98 90 |           | e1d1 | -
        4k3/8/8/8/8/8/P7/R3K2R w KQ - 99 90 |           | e1d1 | fifty
        4k3/8/8/8/8/8/P7/R3K2R w KQ - 99 90 |           | e1g1 | fifty
        4k3/8/8/8/8/8/P7/R3K2R w KQ - 99 90 |           | a2a3 | -
        4k3/8/8/8/8/8/P7/R3K2R w KQ - 99 90 |           | h1h8 | fifty
        4k2r/8/8/8/8/8/P7/R3K2R w KQ - 99 90 |          | h1h8 | -
        4k3/8/8/8/8/8/8/R3K3 w - - 100 90   |           | a1a2 | fifty
        4k3/8/8/8/8/8/8/R3K3 w - - 148 90   |           | a1a2 | fifty
        START                               | TWICE     | f6g8 | threefold
        START                               | TWICE     | f6e4 | -
        START                               | TWICE     | e7e5 | -
        START                               | g1f3 g8f6 f3g1 | f6g8 | -
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 | e7e8 | -
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8 | a1b1 | -
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8 a1b1 | e8e7 | threefold
        4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1   | e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 | d1e1 | -
        4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1   | e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 | d1e1 | threefold
        3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1  | e2e4 d8c8 e1f1 c8d8 f1e1 d8c8 e1f1 c8d8 | f1e1 | threefold
        4k3/8/8/8/8/8/8/R3K3 w - - 92 90    | e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1 | d8e8 | fifty threefold
        k7/8/1K6/8/8/8/8/7R w - - 99 90     |           | h1h8 | fifty
        k7/8/1K6/8/8/8/8/2Q5 w - - 99 90    |           | c1c7 | fifty
        k7/8/1K6/8/8/8/8/2Q5 w - - 98 90    |           | c1c7 | -
        ",
    ) {
        let fen = fen.replace("START", movegen::START_FEN);
        let game = game_after(&fen, &moves.replace("TWICE", TWICE));
        let mv = game.position().move_from_uci(intended).expect(intended);
        let name = |claim: Claim| match claim {
            Claim::FiftyMoves => "fifty",
            Claim::Threefold => "threefold",
        };
        let found: Vec<&str> = game.claims_with(mv).into_iter().map(name).collect();
        let expected: Vec<&str> = claims.split(' ').filter(|&claim| claim != "-").collect();
        assert_eq!(found, expected, "{fen} {moves} {intended}");
        let mut claiming = game.clone();
        match (claiming.claim_with(mv), game.claims_with(mv).first()) {
            (Ok(claimed), Some(&claim)) => {
                assert_eq!((claimed.claim, claimed.intended), (claim, Some(mv)));
                assert_eq!(claimed.record, game, "the move is not played");
                assert_eq!(claiming, Game::default());
            }
            (Err(error), None) => {
                assert_eq!(error, ClaimError::NotCompleted);
                assert_eq!(claiming, game, "nothing changes");
            }
            other => panic!("{fen} {moves} {intended}: {other:?}"),
        }
    }
}

#[test]
fn no_claim_with_an_illegal_move_or_after_the_end() {
    let mut open = with_clock(99);
    let illegal = movegen::Move::normal(movegen::Square::A1, movegen::Square::B2);
    let before = open.clone();
    assert_eq!(open.claim_with(illegal), Err(ClaimError::Illegal));
    assert_eq!(open, before);
    let mut drawn = with_clock(150);
    let mv = drawn.position().move_from_uci("a1a2").expect("legal");
    let over = Err(ClaimError::Over(Outcome::SeventyFiveMoves));
    assert_eq!(drawn.claim_with(mv), over);
    assert!(drawn.claims_with(mv).is_empty());
}

/// The claims that a game announces when it starts or is resumed.
#[test]
fn available_claims_at_the_start() {
    for (game, expected) in [
        (with_clock(99), &[][..]),
        (with_clock(100), &[Event::FiftyMoveRuleAvailable]),
        (
            game_after(movegen::START_FEN, &[SHUFFLE; 2].join(" ")),
            &[Event::ThreefoldAvailable],
        ),
        (
            game_after(
                "4k3/8/8/8/8/8/8/R3K3 w - - 92 90",
                &["e1d1 e8d8 d1e1 d8e8"; 2].join(" "),
            ),
            &[Event::FiftyMoveRuleAvailable, Event::ThreefoldAvailable],
        ),
        (
            Game::new(standard("k7/2Q5/1K6/8/8/8/8/8 b - - 120 120")),
            &[],
        ),
    ] {
        assert_eq!(game.available_claims().collect::<Vec<_>>(), expected);
    }
}

/// The positions that count for a claim, and the plies that are missing.
#[test]
fn evidence_for_claims() {
    const NONE: &str = "the position has not occurred before; ";
    const RULE: &str = "the fifty-move rule needs ";
    const MORE: &str = " without a capture or pawn move";
    for [fen, moves, plies, expected] in table(
        "
        START                               |                            |       | NONERULE100 more half-movesMORE
        START                               | e2e4                       |       | NONERULE100 more half-movesMORE; the last was 1. e4
        START                               | g1f3 g8f6 f3g1 f6g8        | 0     | the position has occurred at the start and now; RULE96 more half-movesMORE
        START                               | e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 | 4 | the position has occurred after 2... Nf6 and now; RULE94 more half-movesMORE; the last was 1... e5
        START                               | e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 | 2 6 | the position has occurred after 1... e5, after 3... Ng8 and now; RULE92 more half-movesMORE; the last was 1... e5
        4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1   | e2e4 e8d8 e1d1 d8e8 d1e1   |       | NONERULE96 more half-movesMORE; the last was 1. e4
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1b1 e8e7 b1a1 e7e8       |       | NONERULE96 more half-movesMORE
        4k3/8/8/8/8/8/8/R3K3 w - - 98 80    | a1a2                       |       | NONERULE1 more half-moveMORE
        4k3/8/8/8/8/8/8/R3K3 w - - 98 80    | a1a2 e8e7                  |       | NONE50 movesMORE are complete
        r3k3/8/8/8/8/8/8/R3K3 w - - 98 80   | a1a8 e8e7                  |       | NONERULE99 more half-movesMORE; the last was 80. Rxa8
        ",
    ) {
        let game = game_after(&fen.replace("START", movegen::START_FEN), moves);
        let report = game.draw_report();
        let numbers = report.earlier.iter().map(|mv| mv.map_or(0, |mv| mv.ply).to_string());
        assert_eq!(numbers.collect::<Vec<_>>().join(" "), plies, "{fen} {moves}");
        assert_eq!(report.earlier.len() + 1, game.occurrences());
        let expected = expected.replace("NONE", NONE);
        let expected = expected.replace("RULE", RULE).replace("MORE", MORE);
        assert_eq!(report.to_string(), expected, "{fen} {moves}");
    }
}
