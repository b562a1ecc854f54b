//! `castellan tridim play`.

use super::CASTELLAN;
use super::tridim::{CASTLES, START};
use std::fs;
use test_common::TempDir;

/// A white pawn is one step from promotion.
const PROMOTES: &str =
    "W:4/4/4/K3,N:4/4/4/4,B:4/1P2/4/3k,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 w - 0 9";

/// The output of a game while these lines are typed, without boards.
fn output_of(arguments: &[&str], typed: &str) -> Vec<String> {
    let words = [&["tridim", "play", "--side", "both"], arguments].concat();
    let output = CASTELLAN.run(&words, typed).success();
    let lines = output
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_alphanumeric() || first == '\''))
        .filter(|line| !line.ends_with(" to move."));
    lines.map(str::to_owned).collect()
}

#[test]
fn piece_moves_and_castling() {
    let typed = "b2W-b4N\nb7B-b5N\nO-O\nmoves\nundo\ntext\n";
    let output = output_of(&[], typed);
    assert_eq!(
        output,
        [
            "White: 1. b2W-b4N",
            "Black: 1... b7B-b5N",
            "Legal castling: O-O (kingside on KL)",
            "White: 2. O-O",
            "Legal castling: O-O (kingside on KL)",
            "1. b2W-b4N b7B-b5N",
            "2. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)",
            "Legal castling: O-O (kingside on KL)",
            "Position: W:4/4/P+1P+P+/NBBN,N:4/1p2/1P2/4,B:nbbn/p+1p+p+/4/4,QL1w:P+P+/R+Q,\
             KL1w:P+P+/K+R+,QL6b:r+q/p+p+,KL6b:k+r+/p+p+ w - 0 2",
        ]
    );
}

#[test]
fn moves_as_meder_writes_them() {
    let typed = "b4N\n...b5N\nNc3N\n…Nc6N\nO-O\nmoves\nnotation short\nmoves\nd4N\nlegal d4N\n";
    let output = output_of(&[], typed);
    let output: Vec<&str> = output
        .iter()
        .map(String::as_str)
        .filter(|line| !line.starts_with("Legal c"))
        .collect();
    assert_eq!(
        output,
        [
            "White: 1. b2W-b4N",
            "Black: 1... b7B-b5N",
            "White: 2. Nd1W-c3N",
            "Black: 2... Nd8B-c6N",
            "White: 3. O-O",
            "1. b2W-b4N b7B-b5N",
            "2. Nd1W-c3N Nd8B-c6N",
            "3. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)",
            "1. b4N b5N",
            "2. Nc3N Nc6N",
            "3. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)",
            "no pawn can move to d4N",
            "Black has no piece on d4N",
        ]
    );
    // Attack boards and promotions.
    let output = output_of(&[CASTLES, "--notation", "short"], "QL3\nKL5\n");
    assert!(output.contains(&"White: 9. QL3".to_owned()), "{output:?}");
    for typed in ["b8BQ", "b8B=Q", "b8BQ+", "b7B-b8B=Q"] {
        let output = output_of(&[PROMOTES], &format!("{typed}\n"));
        assert!(
            output[0].starts_with("White: 9. b7B-b8B=Q"),
            "{typed}: {output:?}"
        );
    }
    // What is ambiguous is said with the moves it may mean.
    let output = output_of(&[], "Nb2W\nBc2W\nNb3W\n");
    assert_eq!(output[2], "White: 1. Na1W-b3W", "{output:?}");
    let knights = "W:4/4/4/N1N1,N:4/4/4/4,B:4/4/4/3k,QL1w:2/1K,KL1w:2/2,QL6b:2/2,KL6b:2/2 w - 0 9";
    let output = output_of(&[knights], "Nb3W\nNab3W\n");
    assert_eq!(
        output[..2],
        [
            "ambiguous move 'Nb3W': expected Na1W-b3W or Nc1W-b3W",
            "White: 9. Na1W-b3W"
        ]
    );
}

#[test]
fn the_words_of_castellan_play() {
    let typed = "fen\nlegal QL1\nlegal b2W\nlegal d0KL1\nlegal b3W\nlegal nowhere\nhint\neval\nresign\nb4N\nresign\nmoves\n";
    let output = output_of(&["--depth", "1"], typed);
    assert_eq!(
        output[..3],
        [
            &format!("Position: {START}"),
            "Legal: -",
            "Legal: b2W-b3W b2W-b4W b2W-b3N b2W-b4N",
        ]
    );
    assert_eq!(output[3], "Legal: -");
    assert!(
        output[4].starts_with("cannot castle kingside on KL"),
        "{output:?}"
    );
    assert_eq!(output[7], "White has no piece on b3W");
    assert!(
        output[8].starts_with("expected a square such as b2W"),
        "{output:?}"
    );
    assert!(output[9].starts_with("Try "), "{output:?}");
    assert_eq!(
        output[10..],
        [
            "Game over: White resigns. 0-1",
            "the game is over: White resigned",
            "the game is over: White resigned",
            "No move has been played.",
        ]
    );
    let words = ["tridim", "play", "--depth", "1"];
    let evaluated = CASTELLAN.run(&words, "eval\n").success();
    assert!(evaluated.contains(" for White; expected: "), "{evaluated}");
    let flipped = CASTELLAN
        .run(&["tridim", "play", "--side", "both"], "flip\nnew black\n")
        .success();
    assert!(
        flipped.contains(
            "\n    e  d    a  z    e  d    a  z    d  c  b  a    d  c  b  a    d  c  b  a\n"
        ),
        "{flipped}"
    );
}

#[test]
fn unfinished_games_are_kept_listed_and_deleted() {
    let folder = TempDir::new("tridim kept");
    let run = |words: &[&str], typed: &str| {
        let words = [&["tridim", "play"], words].concat();
        CASTELLAN.run_in(&folder.path(""), &words, typed).success()
    };
    assert_eq!(run(&["--games"], ""), "No unfinished games.\n");
    // Without a terminal no game is kept unless asked.
    run(&["--side", "both"], "b4N\n");
    assert_eq!(run(&["--games"], ""), "No unfinished games.\n");
    let played = run(&["--side", "both", "--keep"], "b4N\nb5N\nd3W\nundo\n");
    assert!(played.contains("use --resume to continue it."), "{played}");
    assert_eq!(
        run(&["--games"], ""),
        "  1  both sides, 2 half-moves, now move 2\n"
    );
    let resumed = run(&["--resume"], "moves\nredo\nmoves\n");
    assert!(resumed.contains("\n1. b2W-b4N b7B-b5N\n"), "{resumed}");
    assert!(resumed.contains("\n2. d2W-d3W\n"), "{resumed}");
    let words = ["tridim", "play", "--resume", "1", "--session", "x"];
    let refused = CASTELLAN.run_failing(&words, 1);
    assert!(
        refused.contains("--resume takes no number with --session"),
        "{refused}"
    );
    assert_eq!(run(&["--delete", "1"], ""), "Game deleted.\n");
    assert_eq!(run(&["--games"], ""), "No unfinished games.\n");
    // Finished games are not kept.
    run(&["--side", "both", "--keep"], "b4N\nresign\n");
    assert_eq!(run(&["--games"], ""), "No unfinished games.\n");
}

#[test]
fn draws_the_boards_side_by_side() {
    let drawn = CASTELLAN
        .run(&["tridim", "play", "--side", "both"], "")
        .success();
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

";
    assert_eq!(drawn, expected);
}

#[test]
fn castle_shows_squares_or_reasons() {
    let all = CASTELLAN
        .run(&["tridim", "play", "--side", "both", CASTLES], "castle?\n")
        .success();
    assert!(
        all.contains("Legal castling: O-O (kingside on KL), O-O-O (queenside)\n"),
        "{all}"
    );
    let last = all.lines().rev().take(20).collect::<Vec<_>>();
    let row = last
        .iter()
        .find(|line| line.starts_with(" 0 "))
        .expect("rank 0");
    assert_eq!(
        row.trim_start(),
        "0                                           [R][.]  [K][R]"
    );
    assert!(all.ends_with(
        "O-O (kingside on KL) is legal: king d0KL1-e0KL1, rook e0KL1-d0KL1\n\
         cannot castle kingside on QL: the king is not on rank 0 of QL1\n\
         O-O-O (queenside) is legal: king d0KL1-a0QL1, rook z0QL1-d0KL1\n"
    ));
    let typed = "castle?\nO-O\n";
    let output = output_of(&[], typed);
    assert_eq!(
        output[..4],
        [
            "cannot castle kingside on KL: castling is not allowed as the first move",
            "cannot castle kingside on QL: castling is not allowed as the first move",
            "cannot castle queenside: castling is not allowed as the first move",
            "cannot castle kingside on KL: castling is not allowed as the first move",
        ]
    );
}

#[test]
fn boards_are_activated_and_released() {
    let output = output_of(
        &[CASTLES],
        "board KL1\nboard QL1\nO-O\nboard KL1\nrelease\nrelease\nQL1-QL3\n",
    );
    assert_eq!(
        output[1..],
        [
            "the board on KL1 carries 2 pieces; it moves with at most one",
            "The board on QL1 is activated; 'release' cancels.",
            "cannot castle kingside on KL: the attack board on QL1 is activated this turn",
            "the board on QL1 is activated: move it or release it",
            "The board on QL1 is released.",
            "no board is activated",
            "White: 9. QL1-QL3",
        ]
    );
}

#[test]
fn errors_leave_the_game_unchanged() {
    let typed = "b2W-b5N\nQL1-QL3\nO-O-O\nundo\nredo\ndraw\nset nonsense\nset \nload nowhere\n\
                 b2W b4W\ngarbage\nundo it\n\u{1b}[31m\ntext\n";
    let output = CASTELLAN
        .run(&["tridim", "play", "--side", "both"], typed)
        .success();
    for words in [
        "the pawn on b2W cannot move to b5N",
        "the board on QL1 carries 4 pieces; it moves with at most one",
        "cannot castle queenside: castling is not allowed as the first move",
        "no move to undo",
        "no move to redo",
        "Draw cannot be claimed: the 50-move rule has not been triggered.",
        "board 'nonsense': expected W, N or B, or a pin and the board's owner such as QL1w",
        "'set' requires a position",
        "cannot read 'nowhere': ",
        "unknown command 'b2W b4W'",
        "invalid move 'garbage': expected for example Nd1W-c3N",
        "'undo' takes no argument, found 'it'",
        "\\u{1b}[31m",
    ] {
        assert!(output.contains(words), "no '{words}' in {output}");
    }
    assert!(!output.contains('\u{1b}'));
    assert!(
        output.ends_with(&format!("Position: {START}\n")),
        "{output}"
    );
}

#[test]
fn a_claimed_draw_starts_a_new_game() {
    let text = "W:4/4/4/R1K1,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 w - 99 80";
    let output = output_of(&[text], "draw\nKc1W-c2W\ndraw\ntext\n");
    assert_eq!(
        output,
        [
            "Draw cannot be claimed: the 50-move rule has not been triggered.",
            "White: 80. Kc1W-c2W",
            "Fifty-move rule: type 'draw' to claim a draw.",
            "Draw claimed: fifty-move rule.",
            "Game over: draw claimed by the fifty-move rule. 1/2-1/2",
            &format!("Position: {START}"),
        ]
    );
}

#[test]
fn saves_and_loads_games_without_overwriting() {
    let folder = TempDir::new("tridim games");
    let (game, other) = (folder.path("one game"), folder.write("other", "mine"));
    let typed = format!("b2W-b4N\nb7B-b5N\nO-O\nsave {game}\nsave {other}\n");
    let first = output_of(&["--rotation"], &typed);
    assert!(
        first.contains(&format!("Game saved to '{game}'.")),
        "{first:?}"
    );
    assert!(
        first
            .iter()
            .any(|line| line.contains("already exists; not overwritten"))
    );
    assert_eq!(fs::read_to_string(&other).expect("the file exists"), "mine");
    let saved = fs::read_to_string(&game).expect("the file exists");
    assert_eq!(
        saved,
        format!(
            "castellan tridim game 1\nrotation on\nstart {START}\nside both\nmove b2W-b4N\nmove b7B-b5N\n\
             move O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)\n"
        )
    );
    let again = output_of(&[], &format!("load {game}\nmoves\n"));
    assert_eq!(
        again.last().map(String::as_str),
        Some("2. O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)")
    );
    // Games saved before sides and squares were recorded can be read.
    let old = folder.write(
        "old",
        format!("castellan tridim game 1\nrotation off\nstart {START}\nmove b2W-b4N\n"),
    );
    let again = output_of(&[], &format!("load {old}\nmoves\n"));
    assert_eq!(again.last().map(String::as_str), Some("1. b2W-b4N"));
    // An invalid file leaves the current game unchanged.
    for (text, words) in [
        (
            "",
            "is not a saved game: expected 'castellan tridim game 1' in line 1",
        ),
        (
            "castellan tridim game 1\n",
            "line 2: expected 'rotation on' or 'rotation off', found ''",
        ),
        (
            "castellan tridim game 1\nrotation off\nbegin\n",
            "line 3: expected 'start' and a position",
        ),
        (
            "castellan tridim game 1\nrotation off\nstart x\n",
            "line 3: board 'x': expected W, N or B",
        ),
        (
            &saved.replace("O-O", "O-O-O"),
            "line 7: cannot castle queenside: a0QL1 between",
        ),
        (
            &saved.replace("move O-O", "b2W"),
            "line 7: expected 'move' and a move, found 'b2W",
        ),
    ] {
        let broken = folder.write("broken", text);
        let output = output_of(&[], &format!("d2W-d3W\nload {broken}\nmoves\n"));
        assert!(
            output.iter().any(|line| line.contains(words)),
            "no '{words}' in {output:?}"
        );
        assert_eq!(output.last().map(String::as_str), Some("1. d2W-d3W"));
    }
}

#[test]
fn the_engine_plays_its_side() {
    let typed = "b2W-b4N\nundo\nmoves\n";
    let output = CASTELLAN
        .run(&["tridim", "play", "--depth", "1"], typed)
        .success();
    let moves = |side| {
        output
            .lines()
            .filter(move |line| line.starts_with(side))
            .count()
    };
    assert_eq!((moves("White: "), moves("Black: ")), (1, 1), "{output}");
    assert!(
        output.ends_with("No move has been played.\n"),
        "the reply is undone with the move: {output}"
    );
    let black = CASTELLAN
        .run(&["tridim", "play", "--depth", "1", "--side", "black"], "")
        .success();
    assert!(black.contains("\nWhite: 1. "), "{black}");
    let helped = CASTELLAN
        .run(
            &["tridim", "play", "--side", "both", "--nodes", "500"],
            "go\n",
        )
        .success();
    assert!(helped.contains("\nWhite: 1. "), "{helped}");
}
