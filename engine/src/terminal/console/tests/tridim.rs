//! Tri-Dimensional chess.

use std::fs;

use ::tridim::search::Searcher;
use ::tridim::{Position, Rules, START_TEXT};
use game::Side;
use game::play::{GameState, TridimState};
use test_common::TempDir;

use super::{check, screen_of};
use crate::args::tridim::LimitArgs;
use crate::terminal::tridim::{NotationStyle, Tridim};

/// Castling is legal on both sides.
const CASTLES: &str =
    "W:4/4/4/4,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/R+1,KL1w:2/K+R+,QL6b:2/2,KL6b:2/2 w - 0 9";

fn play(side: Side, start: &str, rotation: bool) -> (Tridim, TridimState) {
    let tridim = Tridim {
        limits: LimitArgs {
            depth: Some(1),
            ..LimitArgs::default()
        },
        searcher: Searcher::default(),
        style: NotationStyle::Full,
    };
    let start = Position::from_text(start, Rules { rotation }).expect("legal");
    (tridim, GameState::new(start, side))
}

fn both(start: &str) -> (Tridim, TridimState) {
    play(Side::Both, start, false)
}

fn short(start: &str) -> (Tridim, TridimState) {
    let (mut tridim, state) = both(start);
    tridim.style = NotationStyle::Short;
    (tridim, state)
}

#[test]
fn piece_moves_and_castling() {
    check(
        both(START_TEXT),
        "> b2W-b4N    White: 1. b2W-b4N
         > b7B-b5N    Black: 1... b7B-b5N
         Legal castling: O-O (kingside on KL)
         > O-O    White: 2. O-O…
         Legal castling: O-O (kingside on KL)
         > moves    1. b2W-b4N b7B-b5N…
         2. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)…
         > undo    Legal castling: O-O (kingside on KL)
         > text
         W:4/4/P+1P+P+/NBBN,N:4/1p2/1P2/4,B:nbbn/p+1p+p+/4/4,QL1w:P+P+/R+Q,KL1w:P+P+/K+R+,QL6b:r+q/p+p+,KL6b:k+r+/p+p+ w - 0 2",
    );
}

#[test]
fn moves_as_meder_writes_them() {
    check(
        both(START_TEXT),
        "> b4N    White: 1. b2W-b4N
         > ...b5N    Black: 1... b7B-b5N
         Legal castling: O-O (kingside on KL)
         > Nc3N    White: 2. Nd1W-c3N
         Legal castling: O-O (kingside on KL)
         > …Nc6N    Black: 2... Nd8B-c6N
         Legal castling: O-O (kingside on KL)
         > O-O    White: 3. O-O…
         Legal castling: O-O (kingside on KL)
         > moves    1. b2W-b4N b7B-b5N…
         2. Nd1W-c3N Nd8B-c6N…
         3. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)…
         > notation short
         > moves    1. b4N b5N…
         2. Nc3N Nc6N…
         3. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)…
         > d4N    no pawn can move to d4N
         > legal d4N    Black has no piece on d4N",
    );
    check(
        short(CASTLES),
        "Legal castling: O-O (kingside on KL), O-O-O (queenside)
         > QL3    White: 9. QL3",
    );
    // What is ambiguous is said with the moves it may mean.
    check(
        both("W:4/4/4/N1N1,N:4/4/4/4,B:4/4/4/3k,QL1w:2/1K,KL1w:2/2,QL6b:2/2,KL6b:2/2 w - 0 9"),
        "> Nb3W    ambiguous move 'Nb3W': expected Na1W-b3W or Nc1W-b3W
         > Nab3W    White: 9. Na1W-b3W",
    );
}

#[test]
fn lists_of_moves_hints_and_the_end() {
    check(
        both(START_TEXT),
        &format!(
            "> fen    {START_TEXT}
             > legal QL1    Legal: -
             > legal b2W    Legal: b2W-b3W b2W-b4W b2W-b3N b2W-b4N
             > legal d0KL1    Legal: -
             cannot castle kingside on KL: …
             cannot castle kingside on QL: …
             cannot castle queenside: …
             > legal b3W    White has no piece on b3W
             > legal nowhere    expected a square such as b2W…
             > hint    Try …
             > eval    +…
             > resign    White resigns. 0-1
             > b4N    the game is over: White resigned
             > resign    the game is over: White resigned
             > moves    No move has been played."
        ),
    );
}

#[test]
fn boards_are_drawn_side_by_side_from_either_side() {
    let (tridim, state) = both(START_TEXT);
    let screen = screen_of(tridim, state, &["new black"]);
    let expected = "
        W             N             B         QL1w    KL1w    QL6b    KL6b
 9                                                            r  q    k  r
 8                              n  b  b  n                    p  p    p  p
 7                              p  p  p  p
 6                .  .  .  .    .  .  .  .
 5                .  .  .  .    .  .  .  .
 4  .  .  .  .    .  .  .  .
 3  .  .  .  .    .  .  .  .
 2  P  P  P  P
 1  N  B  B  N                                P  P    P  P
 0                                            R  Q    K  R
    a  b  c  d    a  b  c  d    a  b  c  d    z  a    d  e    z  a    d  e
White to move.

> new black
";
    assert!(screen.starts_with(expected), "{screen}");
    let files = "\n    e  d    a  z    e  d    a  z    d  c  b  a    d  c  b  a    d  c  b  a\n";
    assert!(screen.contains(files), "{screen}");
    // The engine, White now, has moved.
    assert!(screen.contains("\nCastellan: 1. "), "{screen}");
}

#[test]
fn castle_shows_squares_or_reasons() {
    let (tridim, state) = both(CASTLES);
    let screen = screen_of(tridim, state, &["castle?"]);
    let row = "\n 0                                           [R][.]  [K][R]\n";
    assert!(screen.contains(row), "{screen}");
    assert!(screen.ends_with(
        "O-O (kingside on KL) is legal: king d0KL1-e0KL1, rook e0KL1-d0KL1\n\
         cannot castle kingside on QL: the king is not on rank 0 of QL1\n\
         O-O-O (queenside) is legal: king d0KL1-a0QL1, rook z0QL1-d0KL1; \
         the king crosses c0, b0\n"
    ));
    check(
        both(START_TEXT),
        "> castle?    cannot castle kingside on KL: castling is not allowed as the first move
         cannot castle kingside on QL: castling is not allowed as the first move
         cannot castle queenside: castling is not allowed as the first move
         > O-O    cannot castle kingside on KL: castling is not allowed as the first move",
    );
}

#[test]
fn boards_are_activated_and_released() {
    check(
        both(CASTLES),
        "Legal castling: O-O (kingside on KL), O-O-O (queenside)
         > board KL1    the board on KL1 carries 2 pieces; it moves with at most one
         > board QL1    The board on QL1 is activated; 'release' cancels.
         > O-O    cannot castle kingside on KL: the attack board on QL1 is activated this turn
         > board KL1    the board on QL1 is activated: move it or release it
         > release    The board on QL1 is released.
         > release    no board is activated
         > QL1-QL3    White: 9. QL1-QL3",
    );
}

#[test]
fn errors_leave_the_game_unchanged() {
    check(
        both(START_TEXT),
        &format!(
            "> b2W-b5N    the pawn on b2W cannot move to b5N
             > set nonsense    board 'nonsense': expected W, N or B, or a pin and the board's owner such as QL1w…
             > set    'set' requires a position
             > b2W b4W    invalid move 'b2W b4W': …
             > notation long    'notation': expected full or short, found 'long'
             > text    {START_TEXT}"
        ),
    );
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = TempDir::new("console tridim games");
    let saved = folder.path("one game");
    check(
        play(Side::Both, START_TEXT, true),
        &format!(
            "> b2W-b4N    White: 1. b2W-b4N
             > b7B-b5N    Black: 1... b7B-b5N
             Legal castling: O-O (kingside on KL)
             > O-O    White: 2. O-O…
             Legal castling: O-O (kingside on KL)
             > save {saved}    Game saved to '{saved}'.
             > new
             > load {saved}    Legal castling: O-O (kingside on KL)
             > moves    1. b2W-b4N b7B-b5N…
             2. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)…"
        ),
    );
    // Each move has the time when it was made.
    let lines = fs::read_to_string(&saved).expect("the file exists");
    assert_eq!(lines.matches(" at 20").count(), 3, "{lines}");
    let lines: String = lines
        .lines()
        .map(|line| line.split(" at ").next().unwrap_or_default().to_owned() + "\n")
        .collect();
    assert_eq!(
        lines,
        format!(
            "castellan tridim game 1\nrotation on\nstart {START_TEXT}\nside both\nmove b2W-b4N\nmove b7B-b5N\n\
             move O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)\n"
        )
    );
}

#[test]
fn the_engine_plays_its_side() {
    check(
        play(Side::White, START_TEXT, false),
        "> b2W-b4N    You: 1. b2W-b4N
         Castellan: 1... …
         Legal castling: …
         > undo
         > moves    No move has been played.",
    );
    let (tridim, state) = both(START_TEXT);
    let helped = screen_of(tridim, state, &["go"]);
    assert!(helped.contains("\nCastellan: 1. "), "{helped}");
}
