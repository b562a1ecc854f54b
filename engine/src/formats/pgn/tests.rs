//! PGN files as people and programs write them.

use std::io::BufReader;

use movegen::Color;
use proptest::prelude::*;

use super::{GameResult, Games, Record};

const ALL: usize = usize::MAX;

/// Each game of a file, or the error message.
fn read_bytes(text: &[u8], plies: usize) -> Vec<Result<Record, String>> {
    // A small buffer, so that lines and games cross its boundaries.
    let mut games = Games::new(BufReader::with_capacity(7, text), plies);
    let mut read = Vec::new();
    while let Some(game) = games.next_game().expect("memory can be read") {
        read.push(game.map_err(|error| error.to_string()));
    }
    read
}

fn read(text: &str) -> Vec<Result<Record, String>> {
    read_bytes(text.as_bytes(), ALL)
}

/// The moves of each game, or `!` and the error message.
fn moves(text: &str) -> Vec<String> {
    read(text)
        .into_iter()
        .map(|game| match game {
            Ok(game) => san(&game),
            Err(error) => format!("!{error}"),
        })
        .collect()
}

fn san(game: &Record) -> String {
    let mut position = game.start;
    let mut moves = Vec::new();
    for mv in game.moves() {
        moves.push(position.san(mv));
        position = position.try_play(mv).expect("legal");
    }
    moves.join(" ")
}

const TWO: &str = "\
[Event \"One\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 1-0

[Event \"Two\"]
[Result \"1/2-1/2\"]

1. d4 d5 1/2-1/2
";

#[test]
fn reads_several_games() {
    let expected = ["e4 e5 Nf3", "d4 d5"];
    assert_eq!(moves(TWO), expected);
    assert_eq!(moves(&TWO.replace('\n', "\r\n")), expected);
    assert_eq!(moves(&format!("\u{feff}{TWO}")), expected);
    assert_eq!(moves(&format!("\n\n{}", TWO.trim_end())), expected);
    assert_eq!(moves(&TWO.replace("\n\n", "\n")), expected, "no blank line");
    let results: Vec<GameResult> = read(TWO)
        .into_iter()
        .map(|game| game.unwrap().result)
        .collect();
    assert_eq!(results, [GameResult::Won(Color::White), GameResult::Drawn]);
    for nothing in ["", "\n \n", "% only an escape\n", "\u{feff}"] {
        assert_eq!(moves(nothing), [""; 0], "{nothing:?}");
    }
}

#[test]
fn comments_variations_and_nags_are_skipped() {
    let text = "1. e4! {[%clk 1:00] a (nested { brace} e5?! $6 (1... c5 2. Nf3 (2. c3 {x ) y}) d6)
2. Nf3 ; 2. d4 may be better
% an escape with moves: 3. a4
2... Nc6 3. Bb5 += a6 N 4. O-O?? Nf6 5. Re1 {a comment

with a blank line and
[a bracket} 5... Be7 *";
    assert_eq!(moves(text), ["e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 Re1 Be7"]);
}

#[test]
fn accepts_zeros_for_castling_and_numbers_without_spaces() {
    let text = "1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.0-0 0-0 5.d3 d6 6.exf5 e.p. 1/2-1/2";
    let read = moves(text);
    assert!(
        read[0].starts_with("!game 1") && read[0].contains("move 6.: illegal move 'exf5'"),
        "{read:?}"
    );
    let text = text.replace("6.exf5 e.p. ", "");
    assert_eq!(moves(&text), ["e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O d3 d6"]);
    assert_eq!(
        moves("1. e4 d5 2. e5 f5 3. exf6 e.p. *"),
        ["e4 d5 e5 f5 exf6"]
    );
}

#[test]
fn a_blank_line_between_moves_does_not_end_a_game() {
    assert_eq!(moves("1. e4\n\ne5\n \n2. Nf3\n*\n"), ["e4 e5 Nf3"]);
}

#[test]
fn a_game_without_tags_ends_with_its_result() {
    let text = "1. e4 e5 1-0\n\n1. d4 *\n\n\n1. c4 0-1";
    assert_eq!(moves(text), ["e4 e5", "d4", "c4"]);
    let last = read(text).pop().unwrap().unwrap();
    assert_eq!(
        last.result,
        GameResult::Won(Color::Black),
        "from the movetext"
    );
}

#[test]
fn a_game_may_have_only_tags() {
    let text = "[Event \"A\"]\n[Site \"?\"]\n\n[Event \"B\"]\n\n1. e4 *\n\n[Event \"C\"]\n";
    assert_eq!(moves(text), ["", "e4", ""]);
}

#[test]
fn start_positions_and_variants() {
    let game = |tags: &str, moves: &str| format!("[Event \"?\"]\n{tags}\n\n{moves} *\n\n");
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 40\"]";
    let chess960 = "[FEN \"1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1\"]";
    let text = [
        game(fen, "40. e4 Kd7"),
        game(
            &format!("[Variant \"Chess960\"]\n{chess960}"),
            "1. O-O O-O-O",
        ),
        game(&format!("[Variant \"fischerandom\"]\n{chess960}"), "1. O-O"),
        game("[Variant \"From Position\"]", "1. e4"),
        game("[Variant \"Atomic\"]", "1. e4"),
        game("[FEN \"nonsense\"]", "1. e4"),
        game("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "1. e4"),
        game("", "1. c4"),
    ];
    let read = moves(&text.concat());
    let (last, front) = read.split_last().unwrap();
    assert_eq!(last, "c4");
    let (good, broken) = front.split_at(4);
    assert_eq!(good, ["e4 Kd7", "O-O O-O-O", "O-O", "e4"]);
    for (error, word) in broken.iter().zip(["'Atomic'", "FEN tag", "king"]) {
        assert!(
            error.starts_with("!game ") && error.contains(word),
            "{error}"
        );
    }
}

/// An error in one game does not affect the others, and is reported with its line.
#[test]
fn errors_do_not_affect_other_games() {
    for (bad, line, words) in [
        ("1. e4 e5 2. Nf6 *", 12, "move 2.: illegal move 'Nf6'"),
        ("1. e4\ne5 2. Ke2\nNf9 *", 14, "'Nf9'"),
        (
            "1. e4 e5 2.\nBa6 Ke4 *",
            13,
            "move 2...: illegal move 'Ke4'",
        ),
        (
            "1. e4 (1. d4\nd5) c5 2. Nh5 *",
            13,
            "move 2.: illegal move 'Nh5'",
        ),
        ("1. e4 e5 2. Sf3 Sc6 *", 12, "invalid move 'Sf3'"),
        ("1. e4 e5 2. Nf3xx Nc6 *", 12, "'Nf3xx'"),
        ("1. e4 e5 2. -- Nc6 *", 12, "'--'"),
        ("1. e4 e5 hello *", 12, "'hello'"),
        ("1. e4 {never closed e5\n*", 12, "not closed"),
        ("1. e4 (1. d4 d5 *", 9, "variation is not closed"),
        ("\0\u{1}\u{7f} e5 e5", 12, "'e5'"),
    ] {
        let tags = "[Event \"Bad\"]\n[Site \"?\"]\n";
        let second = TWO.find("[Event \"Two\"]").unwrap();
        let text = format!(
            "{}\n\n{tags}\n{bad}\n\n{}",
            TWO.get(..second).unwrap(),
            TWO.get(second..).unwrap()
        );
        let read = moves(&text);
        let [one, broken, two] = read.as_slice() else {
            panic!("{bad:?} gave {read:#?}");
        };
        assert_eq!(
            (one.as_str(), two.as_str()),
            ("e4 e5 Nf3", "d4 d5"),
            "{bad:?}"
        );
        assert!(broken.starts_with("!game 2 (line 8): "), "{broken}");
        assert!(broken.contains(words), "{bad:?}: {broken}");
        if line > 9 {
            let place = format!("line {}", line - 1);
            assert!(broken.contains(&place), "{bad:?}: no {place} in {broken}");
        }
        assert!(!broken.contains(char::is_control), "{broken:?}");
    }
}

#[test]
fn reads_no_more_plies_than_wanted() {
    let text = "1. e4 e5 2. Nf6 then nothing *";
    assert!(moves(text)[0].starts_with('!'));
    let read = read_bytes(b"1. e4 e5 2. Nf6 Nf3 1-0", 2);
    let game = read[0].as_ref().expect("the invalid move is not read");
    assert_eq!(san(game), "e4 e5");
    assert_eq!(
        game.result,
        GameResult::Won(Color::White),
        "the result is read nevertheless"
    );
}

#[test]
fn the_result_tag_takes_precedence() {
    let text = "[Result \"0-1\"]\n\n1. e4 1-0\n\n[Result \"*\"]\n\n1. e4 1-0\n";
    let results: Vec<GameResult> = read(text)
        .into_iter()
        .map(|game| game.unwrap().result)
        .collect();
    assert_eq!(
        results,
        [GameResult::Won(Color::Black), GameResult::Won(Color::White)]
    );
}

#[test]
fn reads_latin_1() {
    let mut text = b"[Event \"Z".to_vec();
    text.extend(b"\xfcrich\"]\n[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} e5 1-0\n");
    let read = read_bytes(&text, ALL);
    assert_eq!(san(read[0].as_ref().unwrap()), "e4 e5");
}

#[test]
fn overlong_lines_and_games_are_skipped() {
    let long_line = format!("[Event \"?\"]\n\n1. {} *\n\n{TWO}", "e4 ".repeat(1 << 19));
    let long_game = format!("[Event \"?\"]\n\n{}\n{TWO}", "{x} 1. e4\n".repeat(1 << 21));
    for text in [long_line, long_game] {
        let read = moves(&text);
        let [long, one, two] = read.as_slice() else {
            panic!("{} games", read.len());
        };
        assert!(long.contains("longer than"), "{long}");
        assert_eq!((one.as_str(), two.as_str()), ("e4 e5 Nf3", "d4 d5"));
    }
}

/// Random sequences of PGN fragments.
fn pgnish() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "[Event \"",
        "\"]\n",
        "[FEN \"",
        "[",
        "]",
        "\n",
        "\n\n",
        "{",
        "}",
        "(",
        ")",
        ";",
        "%",
        "1.",
        "e4 ",
        "e5 ",
        "Nf3 ",
        "O-O ",
        "0-0-0 ",
        "1-0",
        "*",
        "$1 ",
        "!?",
        "--",
        "\"",
        "\\",
        "\u{feff}",
        "e8=Q ",
        "–",
        "½",
        "\0",
        "1/2",
        "..",
    ]);
    let words = prop::collection::vec(piece, 0..60).prop_map(|words| words.concat().into_bytes());
    prop_oneof![words, prop::collection::vec(any::<u8>(), 0..120)]
}

proptest! {
    /// Whatever is between two games, both are read and nothing panics.
    #[test]
    fn arbitrary_text_between_two_games(junk in pgnish()) {
        let first = b"[Event \"One\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
        let second = b"\n\n[Event \"Two\"]\n\n1. d4 d5 1/2-1/2\n";
        let text = [&first[..], &junk, second].concat();
        let read = read_bytes(&text, ALL);
        let good: Vec<String> = read.iter().flatten().map(san).collect();
        prop_assert_eq!(good.last().map(String::as_str), Some("d4 d5"));
        prop_assert_eq!(good.first().map(String::as_str), Some("e4 e5 Nf3"));
    }
}
