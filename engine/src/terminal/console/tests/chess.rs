//! Chess.

use std::fs;

use game::Side;
use game::play::GameState;
use movegen::{Position, START_FEN, Variant};
use service::strength::MoveLimits;
use service::{Engine, OptionTable};
use test_common::TempDir;

use super::{check, screen_of};
use crate::output::board::BoardStyle;
use crate::terminal::chess::{Chess, Start};

const CLAIM: &str = "Fifty-move rule: type 'draw' to claim a draw.";
const REFUSED: &str = "Draw cannot be claimed: the 50-move rule has not been triggered.";
const AFTER_CLAIM: &str = "New game; 'pgn FILE' still writes the drawn game.";

/// A game against the engine, which gets few nodes.
fn against(nodes: u64, side: Side, fen: &str) -> (Chess, GameState) {
    let variant = Variant::from_chess960(fen.contains(" FBfb "));
    let mut engine = Engine::new(OptionTable::default());
    for (name, value) in [("Hash", 1), ("StrengthSeed", 1), ("BookSeed", 1)] {
        engine.set(name, value).expect("a valid option");
    }
    let chess = Chess {
        start: Start::Standard,
        engine,
        limits: MoveLimits {
            nodes: Some(nodes),
            ..MoveLimits::default()
        },
        board_style: BoardStyle::PLAIN,
    };
    let start = Position::from_fen(fen, variant).expect("legal");
    (chess, GameState::new(start, side))
}

fn both(fen: &str) -> (Chess, GameState) {
    against(300, Side::Both, fen)
}

fn white(nodes: u64, fen: &str) -> (Chess, GameState) {
    against(nodes, Side::White, fen)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("the file exists")
}

#[test]
fn moves_by_squares_in_san_and_as_people_type_them() {
    check(
        both(START_FEN),
        "> e2e4    White: 1. e4
         > e5    Black: 1... e5
         > nf3    White: 2. Nf3
         > b8c6    Black: 2... Nc6
         > bc4    White: 3. Bc4
         > nf6    Black: 3... Nf6
         > 0-0    White: 4. O-O
         > nd4    Black: 4... Nd4
         > queen    invalid move 'queen'…
         > moves    1. e4 e5
         2. Nf3 Nc6
         3. Bc4 Nf6
         4. O-O Nd4
         > fen    r1bqkb1r/pppp1ppp/5n2/4p3/2BnP3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 6 5",
    );
    check(
        both("1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1"),
        "> c1f1    White: 1. O-O
         > O-O-O    Black: 1... O-O-O
         > fen    2kr1r2/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2",
    );
}

#[test]
fn legal_moves_and_why_castling_is_not_legal() {
    check(
        both("4kr2/8/8/8/8/8/7P/R3K2R w KQ - 0 1"),
        "> legal    Pawn:   h3 h4
         Rook:   Rb1 Rc1 Rd1 Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Ra8+ Rf1 Rg1
         King:   Kd1 Kd2 Ke2 O-O-O
         O-O: cannot castle kingside: f1 is attacked by the rook on f8
         > legal e1    Kd1 Kd2 Ke2 O-O-O
         O-O: cannot castle kingside: f1 is attacked by the rook on f8
         > legal A1    Rb1 Rc1 Rd1 Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Ra8+
         > legal b4    White has no piece on b4
         > legal f8    White has no piece on f8
         > legal x9    invalid square 'x9': expected a1 to h8
         > Ke2    White: 1. Ke2
         > Kd8    Black: 1... Kd8
         > Ke1    White: 2. Ke1
         > Ke8    Black: 2... Ke8
         > legal    Pawn:   h3 h4
         Rook:   Rb1 Rc1 Rd1 Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Ra8+ Rf1 Rg1
         King:   Kd1 Kd2 Ke2
         > legal e1    Kd1 Kd2 Ke2
         O-O: White may no longer castle kingside: the king has moved…
         O-O-O: White may no longer castle queenside: the king has moved…",
    );
    check(
        both(START_FEN),
        "> legal a1    The rook on a1 has no legal move.",
    );
    check(
        both("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
        "White wins by checkmate. 1-0
         > legal    the game is over: White wins by checkmate
         > hint    the game is over: White wins by checkmate",
    );
}

#[test]
fn rejected_commands_have_reasons() {
    for (typed, why) in [
        ("e1g1", "f1 is attacked"),
        ("O-O", "f1 is attacked"),
        ("Nf3", "pinned"),
        ("draw Qd4", "White has no queen"),
        ("castle", "invalid move 'castle'"),
        ("resgin", "did you mean 'resign'?"),
        ("\u{1b}[31mred", "invalid move"),
        ("pgn", "requires a file name"),
        ("new red", "white, black or both"),
        ("undo 2", "takes no argument"),
    ] {
        let game = both("4kr2/8/8/b7/8/8/3N4/R3K2R w KQ - 0 1");
        let screen = screen_of(game.0, game.1, &[typed, "moves"]);
        assert!(screen.contains(why), "{typed}: {screen}");
        assert_eq!(
            screen.matches('\u{1b}').count(),
            typed.matches('\u{1b}').count()
        );
        assert!(screen.ends_with("No move has been played.\n"), "{screen}");
    }
}

#[test]
fn claims_are_said_again_after_undo_and_redo() {
    check(
        both("8/8/8/4k3/8/8/8/R3K3 w - - 99 80"),
        &format!(
            "> Ra2\nWhite: 80. Ra2\n{CLAIM}\n> undo\n> redo\n{CLAIM}\n> Kd4\nBlack: 80... Kd4\n{CLAIM}\n> undo\n{CLAIM}"
        ),
    );
}

#[test]
fn resignation_and_a_new_game() {
    check(
        white(300, START_FEN),
        "> resign    You resign. 0-1
         > e5    the game is over: White resigned
         > new both
         > d4    White: 1. d4
         > d5    Black: 1... d5
         > resign    White resigns. 0-1",
    );
}

/// The rules of claims are tested in `tests/rules/claims.rs`.
#[test]
fn claims_are_announced_and_start_a_new_game() {
    let folder = TempDir::new("console announced");
    let saved = folder.path("fifty.game");
    check(
        both("8/8/8/4k3/8/8/8/R3K3 w - - 98 80"),
        &format!(
            "> Ra2    White: 80. Ra2
             > draw    {REFUSED}
             the position has not occurred before; the fifty-move rule needs 1 more half-move without a capture or pawn move
             > Ke6    Black: 80... Ke6
             {CLAIM}
             > save {saved}    Game saved to '{saved}'.
             > new
             > load {saved}    {CLAIM}
             > draw    Draw claimed by the fifty-move rule. 1/2-1/2
             {AFTER_CLAIM}
             > fen    {START_FEN}
             > undo    no move to undo
             > redo    no move to redo"
        ),
    );
    // The engine makes a move of the next game if it is asked to, also the first of its own.
    let drawn =
        format!("{CLAIM}\n> draw    Draw claimed by the fifty-move rule. 1/2-1/2\n{AFTER_CLAIM}");
    check(
        white(300, "8/8/8/4k3/8/8/8/R3K3 w - - 100 80"),
        &format!("{drawn}\n> go    Castellan: 1. …\nCastellan: 1... …\n> moves    1. …"),
    );
    check(
        against(300, Side::Black, "8/8/8/4k3/8/8/8/R3K3 b - - 100 80"),
        &format!(
            "{drawn}\n'go' lets Castellan begin it.\n> go    Castellan: 1. …\n> moves    1. …"
        ),
    );
}

#[test]
fn draws_by_agreement() {
    check(
        both(START_FEN),
        "> e4    White: 1. e4
         > offer    Draw by agreement. 1/2-1/2
         > e5    the game is over: draw by agreement",
    );
}

#[test]
fn clocks_are_kept_and_a_side_without_time_loses() {
    let (chess, mut state) = both(START_FEN);
    state.follow("clock 3600+600").expect("a clock");
    // Ten minutes a move are more than the test takes.
    let screen = screen_of(chess, state, &["e4", "e5", "moves", "new", "moves"]);
    assert!(
        screen.contains("\n    White 1:00:00   Black 1:00:00\n"),
        "{screen}"
    );
    assert!(
        screen.contains("\n    White 1:10:00   Black 1:0"),
        "{screen}"
    );
    assert!(screen.contains("\n1. e4 (1:10:00) e5 (1:"), "{screen}");
    // The clocks of a new game start again.
    let (_, new) = screen.split_once("\n> new\n").expect("typed");
    assert!(
        new.contains("\n    White 1:00:00   Black 1:00:00\n"),
        "{new}"
    );

    let (chess, mut state) = both(START_FEN);
    for line in ["clock 300+0", "move e2e4 0", "move e7e5 300"] {
        state.follow(line).expect(line);
    }
    check(
        (chess, state),
        "> d4    White loses on time. 0-1
         the game is over: the time of White has run out",
    );
}

#[test]
fn a_hint_and_an_evaluation_change_nothing() {
    let game = || white(500, START_FEN);
    let typed = ["e4", "hint", "eval", "d4"];
    let screens = [(); 2].map(|()| screen_of(game().0, game().1, &typed));
    assert_eq!(screens[0], screens[1], "reproducible");
    for expected in [
        "\nTry ",
        "; White wins ",
        "; expected: 2. ",
        "\nYou: 2. d4\n",
        "\nCastellan: 2... ",
    ] {
        assert!(screens[0].contains(expected), "{}", screens[0]);
    }
    // It mates in one, and then has no move to show.
    check(
        against(5000, Side::Black, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"),
        "Castellan: 1. Ra8#
         Castellan wins by checkmate. 1-0
         > Kf8    the game is over: White wins by checkmate
         > eval    the game is over: White wins by checkmate",
    );
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = TempDir::new("console save and load");
    let (saved, pgn) = (folder.path("a.save"), folder.path("a.pgn"));
    check(
        both(START_FEN),
        &format!(
            "> e4    White: 1. e4
             > c5    Black: 1... c5
             > Nf3    White: 2. Nf3
             > undo
             > save {saved}    Game saved to '{saved}'.
             > pgn {pgn}    Game saved to '{pgn}'.
             > new
             > d4    White: 1. d4
             > load {saved}
             > moves    1. e4 c5
             > redo
             > moves    1. e4 c5
             2. Nf3
             > load {pgn}
             > moves    1. e4 c5
             > redo    no move to redo"
        ),
    );
    let result = folder.write("result.pgn", "[Result \"0-1\"]\n\n1. e4 e5 0-1\n");
    check(
        both(START_FEN),
        &format!(
            "> load {result}    The result is recorded in the PGN. 0-1
             > d4    the game is over: 0-1 by its Result tag; 'undo' or 'new' to play on
             > undo
             > f5    Black: 1... f5"
        ),
    );
    let dropped = folder.write(
        "dropped.pgn",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w K - 0 1\"]\n\n1. e4 *\n",
    );
    let warning = "castling right K dropped: cannot castle kingside: expected the rook on h1, \
                   found no piece";
    check(both(START_FEN), &format!("> load {dropped}    {warning}"));
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = TempDir::new("console stay");
    let (taken, pgn) = (folder.write("taken", "as it was"), folder.path("new.pgn"));
    let missing = folder.path("no such folder/x");
    let broken = folder.write("broken.pgn", "[Event \"?\"]\n\n1. e4 e5\n2. Ke4 *\n");
    check(
        both(START_FEN),
        &format!(
            "> e4    White: 1. e4
             > pgn {taken}    '{taken}' already exists; not overwritten
             > save {taken}    '{taken}' already exists; not overwritten
             > pgn {missing}    cannot write '{missing}': …
             > load {missing}    cannot read '{missing}': …
             > load {taken}    cannot load '{taken}': …
             > load {broken}    cannot load '{broken}': …
             > pgn {pgn}    Game saved to '{pgn}'.
             > e5    Black: 1... e5
             > pgn {pgn}    Game saved to '{pgn}'.
             > moves    1. e4 e5"
        ),
    );
    assert_eq!(read(&taken), "as it was");
    // A file written by this run may be written again.
    assert!(read(&pgn).ends_with("\n\n1. e4 e5 *\n\n"));
}

#[test]
fn after_the_end_a_rematch_and_a_new_game() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1";
    check(
        white(300, fen),
        "> rematch    the game is not over
         > Re8    You: 1. Re8#
         You win by checkmate. 1-0
         > rematch
         Castellan: 1. Re8#
         Castellan wins by checkmate. 1-0",
    );
    // A blank line starts the next game, and does nothing within one.
    let (chess, state) = both(START_FEN);
    let typed = ["f3", "", "e5", "g4", "Qh4", "", "fen"];
    let screen = screen_of(chess, state, &typed);
    assert!(screen.trim_end().ends_with(START_FEN), "{screen}");
}
