//! PGN as people and programs write it, and as this module writes it.

use std::io::BufReader;
use std::time::Duration;

use movegen::Color;
use proptest::prelude::*;
use test_common::{game_after, positions::START, table};

use super::{Comment, Eval, GameResult, Games, Nag, Record, Variation, decode};

const WHITE_WON: GameResult = GameResult::Won(Color::White);
const BLACK_WON: GameResult = GameResult::Won(Color::Black);

/// Each game, or the error message.
fn all(mut games: Games<BufReader<&[u8]>>) -> Vec<Result<Record, String>> {
    let mut read = Vec::new();
    while let Some(game) = games.next_game().expect("memory can be read") {
        read.push(game.map_err(|error| error.to_string()));
    }
    read
}

/// The games, or the error messages.
fn read(text: impl AsRef<[u8]>) -> Vec<Result<Record, String>> {
    // A small buffer, so that lines and games cross its boundaries.
    let input = BufReader::with_capacity(7, text.as_ref());
    all(Games::new(input, None))
}

/// The only game of a text, with its annotations.
fn one(text: impl AsRef<[u8]>) -> Record {
    let [game]: [_; 1] = read(text).try_into().expect("one game");
    game.expect("a valid game")
}

/// The moves of each game, or `!` and the error message.
fn moves(text: impl AsRef<[u8]>) -> Vec<String> {
    let error = |error| format!("!{error}");
    let games = read(text).into_iter();
    games
        .map(|game| game.map_or_else(error, |game| san(&game)))
        .collect()
}

fn san(game: &Record) -> String {
    crate::notation::san_moves(&game.start, game.moves()).join(" ")
}

fn results(text: &str) -> Vec<GameResult> {
    read(text)
        .into_iter()
        .flatten()
        .map(|game| game.result)
        .collect()
}

fn played(moves: &str) -> Record {
    let game = game_after(START, moves);
    Record {
        main_line: Variation::new(game.moves()),
        ..Record::new(*game.start())
    }
}

/// A text of a table, with line breaks and control characters.
fn unescaped(text: &str) -> String {
    let text = text.replace(r"\n", "\n");
    text.replace(r"\0", "\0").replace(r"\x7f", "\x7f")
}

/// The movetext without the tags.
fn movetext(record: &Record) -> String {
    let text = record.pgn();
    let (_, moves) = text.split_once("\n\n").expect("tags and moves");
    moves.trim_end().to_owned()
}

const ONE: &str = "[Event \"One\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
const TWO: &str = "[Event \"Two\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n";

#[test]
fn several_games() {
    let both = format!("{ONE}{TWO}");
    for text in [
        both.clone(),
        both.replace('\n', "\r\n"),
        format!("\u{feff}{both}"),
        format!("\n\n{}", both.trim_end()),
        both.replace("\n\n", "\n"),
    ] {
        assert_eq!(moves(&text), ["e4 e5 Nf3", "d4 d5"], "{text:?}");
    }
    for (text, expected) in [
        ("", &[][..]),
        ("\n \n", &[]),
        ("% only an escape\n", &[]),
        ("\u{feff}", &[]),
        ("1. e4\n\ne5\n \n2. Nf3\n*\n", &["e4 e5 Nf3"]),
        // Without tags a game ends with its result.
        (
            "1. e4 e5 1-0\n\n1. d4 *\n\n\n1. c4 0-1",
            &["e4 e5", "d4", "c4"],
        ),
        (
            "[Event \"A\"]\n[Site \"?\"]\n\n[Event \"B\"]\n\n1. e4 *\n\n[Event \"C\"]\n",
            &["", "e4", ""],
        ),
        ("; only a comment\n", &[]),
        ("1. e4 *\n\n; the end\n", &["e4"]),
        // Comments between games and among tags are no games.
        (
            "; my games\n\n[Event \"A\"]\n; a note\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"] ; another\n[White \"B\"]\n\n\
             1... Kd7 *\n\n; more\n[Event \"C\"]\n\n1. e4 *\n",
            &["Kd7", "e4"],
        ),
    ] {
        assert_eq!(moves(text), expected, "{text:?}");
    }
}

#[test]
fn the_result_tag_takes_precedence_over_the_movetext() {
    for (text, expected) in [
        (&*format!("{ONE}{TWO}"), &[WHITE_WON, GameResult::Drawn][..]),
        ("1. e4 1-0\n\n1. c4 0-1", &[WHITE_WON, BLACK_WON]),
        ("[Result \"0-1\"]\n\n1. e4 1-0\n\n", &[BLACK_WON]),
        ("[Result \"*\"]\n\n1. e4 1-0\n", &[WHITE_WON]),
        // As they are typeset.
        (
            "[Result \"½–½\"]\n\n1. e4 ½–½\n\n[Result \"0–1\"]\n\n1. e4 e5 0–1\n",
            &[GameResult::Drawn, BLACK_WON],
        ),
    ] {
        assert_eq!(results(text), expected, "{text}");
    }
}

/// Movetext, some of it in long algebraic notation or with a result without a blank, and its moves.
const MOVETEXT: &str = r"
1. e4! {[%clk 1:00] a (nested { brace} e5?! $6 (1... c5 2. Nf3 (2. c3 {x ) y}) d6)\n2. Nf3 ; 2. d4 may be better\n% an escape with moves: 3. a4\n2... Nc6 3. Bb5 += a6 N 4. O-O?? Nf6 5. Re1 {a comment\n\nwith a blank line and\n[a bracket} 5... Be7 * | e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 Re1 Be7
1.e4 e5 2.Nf3 Nf6 3.Bc4 Bc5 4.0-0 0-0 5.d3 d6 1/2-1/2 | e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O d3 d6
1. e4 d5 2. e5 f5 3. exf6 e.p. * | e4 d5 e5 f5 exf6
1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Nf3xe5 Nc6xe5* | e4 e5 Nf3 Nc6 Nxe5 Nxe5
1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 a6 5. bxa8Q Qd7 6. Qxb8++1-0 | e4 d5 exd5 c6 dxc6 Nf6 cxb7 a6 bxa8=Q Qd7 Qxb8
";

#[test]
fn movetext_of_all_kinds() {
    for [text, expected] in table(MOVETEXT) {
        assert_eq!(moves(unescaped(text)), [expected]);
    }
}

/// The tags `Variant` and `FEN`, moves, and what is read: the moves, or `!` and words of the error.
/// `KQkq` never make a game Chess960.
const STARTS: &str = "
              | 4k3/8/8/8/8/8/4P3/4K3 w - - 0 40 | 40. e4 Kd7 | e4 Kd7
Chess960      | 1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1 | 1. O-O O-O-O | O-O O-O-O
fischerandom  | 1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1 | 1. O-O | O-O
Standard      | 1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1 | 1. O-O | O-O
              | 1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1 | 1. O-O | O-O
              | 1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w KQkq - 0 1 | 1. O-O | !on c1, not on e1
From Position |                              | 1. e4 | e4
Classical     |                              | 1. e4 | e4
Atomic        |                              | 1. e4 | !'Atomic'
              | nonsense                     | 1. e4 | !FEN tag
              | 8/8/8/8/8/8/8/8 w - - 0 1    | 1. e4 | !king
";

#[test]
fn start_positions_and_variants() {
    let game = |tags: &str, moves: &str| format!("[Event \"?\"]\n{tags}\n\n{moves} *\n\n");
    for [variant, fen, played, expected] in table(STARTS) {
        let tags = [("Variant", variant), ("FEN", fen)];
        let given = tags.into_iter().filter(|(_, value)| !value.is_empty());
        let tags = given.map(|(name, value)| format!("[{name} \"{value}\"]\n"));
        let tags = &*tags.collect::<String>();
        let read = moves(game(tags, played) + &game("", "1. c4"));
        assert_eq!(read[1], "c4");
        let found = match expected.strip_prefix('!') {
            Some(words) => read[0].starts_with("!game 1, line ") && read[0].contains(words),
            None => read[0] == expected,
        };
        assert!(found, "{tags}: {}", read[0]);
    }
}

/// Games, the line of the error, and its words. Without another, the line is that of the game.
const ERRORS: &str = r"
1. e4 e5 2. Nf6 *                 | 11 | move 2.: illegal move 'Nf6'
1. e4\ne5 2. Ke2\nNf9 *           | 13 | 'Nf9'
1. e4 e5 2.\nBa6 Ke4 *            | 12 | move 2...: illegal move 'Ke4'
1. e4 (1. d4\nd5) c5 2. Nh5 *     | 12 | move 2.: illegal move 'Nh5'
1. e4 e5 2. Sf3 Sc6 *             | 11 | invalid move 'Sf3'
1. e4 e5 2. Nf3xx Nc6 *           | 11 | 'Nf3xx'
1. e4 f5 2. Qh5+ -- *             | 11 | move 2...: illegal move '--'
1. e4 Z0 2. Nc6 *                 | 11 | move 2.: illegal move 'Nc6'
1. e4 e5 hello *                  | 11 | 'hello'
1. e4 e5 2. exf6 e.p. *           | 11 | illegal move 'exf6'
1. e4 {never closed e5\n*         | 11 | not closed
1. e4 (1. d4 d5 *                 |  7 | variation is not closed
\0\x7f e5 e5                      | 11 | 'e5'
1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nf6 5. g3 g6 6. Bg2 Bg7 7. O-O * | 11 | move 7.: illegal move 'O-O': White may no longer castle kingside: the king has moved from e1 (2. Ke2)
";

/// An error in one game does not affect the others, and is reported with its line.
#[test]
fn errors_do_not_affect_other_games() {
    for [bad, line, words] in table(ERRORS) {
        let bad = unescaped(bad);
        let tags = "[Event \"Bad\"]\n[Site \"?\"]\n";
        let read = moves(format!("{ONE}\n{tags}\n\n{bad}\n\n{TWO}"));
        let [first, broken, last] = read.as_slice() else {
            panic!("{bad:?}: {read:#?}");
        };
        assert_eq!([first, last], ["e4 e5 Nf3", "d4 d5"], "{bad:?}");
        assert!(broken.starts_with("!game 2, line "), "{broken}");
        assert!(broken.contains(words), "{bad:?}: {broken}");
        assert!(broken.contains(&format!("line {line}")), "{broken}");
        assert!(!broken.contains(char::is_control), "{broken:?}");
    }
}

/// Texts, their moves and results, and the warning of the first game, if there is one. The rest of
/// a game with a null move is kept, but is not part of what was played.
const DEVIATIONS: &str = r"
1. e4 e5 1/2                  | e4 e5 1/2-1/2        | line 1: result '1/2'
1. e4 e5 1/2-1/2              | e4 e5 1/2-1/2        |
1. e4 e5 1/2–1/2              | e4 e5 1/2-1/2        |
1. e4 -- 2. d4 -- 3. c4 *     | e4 *                 | line 1, move 1...: null move
1. e4 e5\n\n1. d4 d5\n        | e4 e5 *, d4 d5 *     | line 2: expected a result
1. e4 e5\n1. d4 d5            | e4 e5 *, d4 d5 *     | line 1: expected a result
1. e4 e5 1-0\n1. d4 d5 0-1\n  | e4 e5 1-0, d4 d5 0-1 |
1. e4 {\n1. d4\n} 1... e5\n(1... c5\n1. Nf3)\n2. d4 * | e4 e5 d4 * |
1. e4\n1... e5 *              | e4 e5 *              |
1. e4\n1. ... e5 *            | e4 e5 *              |
{Comment}\n1. e4\n*           | e4 *                 |
1. e4 e5 (1... c5 2. Nf3 *)\n\n2. Nf3 1-0     | e4 e5 Nf3 1-0 |
1. e4 e5 (1... c5 *) {a\n\nb}\n2. Nf3 1-0    | e4 e5 Nf3 1-0 |
";

/// Deviations from the standard are read, with a warning.
#[test]
fn small_deviations_are_warnings() {
    for [text, expected, warning] in table(DEVIATIONS) {
        let text = unescaped(text);
        let games: Result<Vec<Record>, String> = read(&text).into_iter().collect();
        let games = games.expect(&text);
        let found = games
            .iter()
            .map(|game| format!("{} {}", san(game), game.result.as_str()));
        assert_eq!(found.collect::<Vec<_>>().join(", "), expected, "{text:?}");
        let warnings = &games[0].warnings;
        let is_there = warnings.iter().any(|found| found.starts_with(warning));
        assert_eq!(warnings.is_empty(), warning.is_empty(), "{text:?}");
        assert!(warning.is_empty() || is_there, "{text:?}: {warnings:?}");
        let pgn: String = games.iter().map(Record::pgn).collect();
        assert_eq!(
            pgn.matches("--").count(),
            text.matches("--").count(),
            "{pgn}"
        );
    }
}

#[test]
fn overlong_lines_and_games_are_skipped() {
    let long_line = format!("[Event \"?\"]\n\n1. {} *\n\n", "e4 ".repeat(1 << 19));
    let long_game = format!("[Event \"?\"]\n\n{}\n", "{x} 1. e4\n".repeat(1 << 21));
    for text in [long_line, long_game] {
        let read = moves(text + TWO);
        assert!(read[0].contains("longer than"), "{}", read[0]);
        assert_eq!(read[1..], ["d4 d5"]);
    }
}

#[test]
fn writes_tags() {
    let mut record = played("f3 e5 g4 Qh4#");
    record.result = BLACK_WON;
    record.tags.set("Annotator", "A \"quoted\" \\ name\n");
    record.tags.set("Black", "Fox");
    // Derived from the game instead.
    record.tags.set("Result", "1-0");
    assert_eq!(
        record.pgn(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
         [Black \"Fox\"]\n[Result \"0-1\"]\n[Annotator \"A \\\"quoted\\\" \\\\ name\"]\n\n\
         1. f3 e5 2. g4 Qh4# 0-1\n\n"
    );
    for (result, text) in [
        (WHITE_WON, "1-0"),
        (BLACK_WON, "0-1"),
        (GameResult::Drawn, "1/2-1/2"),
        (GameResult::Unknown, "*"),
    ] {
        record.result = result;
        let pgn = record.pgn();
        assert!(pgn.contains(&format!("\n[Result \"{text}\"]\n")), "{pgn}");
        assert!(pgn.ends_with(&format!(" Qh4# {text}\n\n")), "{pgn}");
    }
    assert_eq!(movetext(&played("")), "*");
}

#[test]
fn writes_other_start_positions() {
    for (tags, moves) in [
        (
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 42 60\"]\n",
            "60... Kd7 61. e4 *",
        ),
        (
            "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
             [FEN \"1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1\"]\n",
            "1. O-O O-O-O *",
        ),
    ] {
        let text = one(format!("{tags}\n{moves}\n")).pgn();
        assert!(text.contains(&format!("]\n{tags}")), "{text}");
        assert!(text.ends_with(&format!("\n{moves}\n\n")), "{text}");
    }
    assert!(!played("e4").pgn().contains("FEN"));
}

#[test]
fn annotations_are_written_and_read() {
    let mut record = played("e4 e5 Nf3 Nc6");
    record.main_line.comment.text = "An old friend".to_owned();
    let [e4, e5, ..] = record.main_line.moves.as_mut_slice() else {
        panic!("four moves");
    };
    e4.comment = Comment {
        eval: Some(Eval::Centipawns(-5)),
        clock: Some(Duration::from_millis(3_723_500)),
        text: "best} by [test".to_owned(),
    };
    e5.nags = vec![Nag(4), Nag(18)];
    e5.comment.eval = Some(Eval::Mate(-3));
    let mut other = played("e4 c5 Nf3").main_line;
    other.moves.remove(0);
    e5.variations.push(other);
    let expected = "{An old friend} 1. e4 {[%eval -0.05] [%clk 1:02:03.5] best) by [test} 1... e5\n\
                    $4 $18 {[%eval #-3]} (1... c5 2. Nf3) 2. Nf3 Nc6 *";
    assert_eq!(movetext(&record), expected);
    record.main_line.moves[0].comment.text = "best) by [test".to_owned();
    assert_eq!(one(record.pgn()).main_line, record.main_line);
}

/// The numbers and symbols of the PGN standard.
#[test]
fn symbols_are_numbers() {
    const SYMBOLS: [&str; 8] = ["", "!", "?", "!!", "??", "!?", "?!", ""];
    let game = one("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 $7 $7 *");
    let nags = game.main_line.moves.iter().map(|node| node.nags.clone());
    assert!(nags.eq((1..=7).map(|number| vec![Nag(number)])));
    for (number, symbol) in (0..).zip(SYMBOLS) {
        assert_eq!(Nag(number).symbol(), symbol);
        assert_eq!(Nag(number).is_move_assessment(), !symbol.is_empty());
    }
}

#[test]
fn a_removed_tag_leaves_the_others_in_their_places() {
    let mut game = one("[A \"1\"]\n[B \"2\"]\n[C \"3\"]\n[D \"4\"]\n\n*\n");
    for _ in 0..2 {
        game.tags.remove("B");
    }
    game.tags.set("D", "5");
    game.tags.set("A", "6");
    let tags: Vec<_> = game
        .tags
        .iter()
        .filter(|(name, _)| name.len() == 1)
        .collect();
    assert_eq!(tags, [("A", "6"), ("C", "3"), ("D", "5")]);
}

#[test]
fn clocks_have_a_range() {
    for (text, hours) in [
        ("10000:00:00", Some(10_000)),
        ("10001:00:00", None),
        ("0:60:00", None),
        ("0:00:60", None),
    ] {
        let game = one(format!("1. e4 {{[%clk {text}]}} *"));
        let clock = game.main_line.moves[0].comment.clock;
        assert_eq!(
            clock,
            hours.map(|hours| Duration::from_secs(3600 * hours)),
            "{text}"
        );
    }
}

#[test]
fn lines_are_filled() {
    let longest = ["x", "xx"].map(|first| {
        let mut record = played("e4");
        record.main_line.comment.text = format!("{first}{}", " x".repeat(200));
        movetext(&record).lines().map(str::len).max()
    });
    assert_eq!(longest.into_iter().max(), Some(Some(79)));
}

#[test]
fn lines_are_short_and_unambiguous() {
    let mut record = played("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4");
    for (node, length) in record.main_line.moves.iter_mut().zip(0..) {
        let words = ["[word", "%word", ";word", "word]", "1.", "a"];
        let text: Vec<&str> = words.into_iter().cycle().take(9 * length).collect();
        node.comment.text = text.join(" ");
        node.comment.eval = Some(Eval::Centipawns(length as i32));
    }
    for line in movetext(&record).lines() {
        assert!(line.chars().count() < 80, "{line}");
        assert!(!line.starts_with(['[', '%', ';', ' ']), "{line}");
        assert!(!line.ends_with(' '), "{line}");
    }
    assert_eq!(one(record.pgn()).main_line, record.main_line);
}

/// Movetext as read and as written.
const KEPT: &str = r"
1. e4 e5 (1... c5 2. Nh5 {lost} (2. Nf3) d6) (1... Ke4) 2. Nf3 * | 1. e4 e5 (1... c5) 2. Nf3 *
# It would be legal before the last legal move.
1. e4 e5 (1... c5 2. Nh5 (2... d6)) 2. Nf3 * | 1. e4 e5 (1... c5) 2. Nf3 *
1. e4 ; the {king's} pawn\n{a brace; not the end\nof ; it} e5 (1... c5 ; or this\n% an escape ; not a comment\n2. Nf3) 2. Nf3 ;\n* | 1. e4 {the {king's) pawn a brace; not the end of ; it} 1... e5 (1... c5 {or this} 2. Nf3) 2. Nf3 *
1. e4 (1. d4 Z0 2. c4) e5 (1... c5 2. @@@@ {why} a6 (2... -- 3. e5)) 2. d4 * | 1. e4 (1. d4 -- 2. c4) 1... e5 (1... c5 2. -- {why} 2... a6 (2... -- 3. e5)) 2. d4 *
; kept\n\n% not this\n; too\n1. e4 * | {kept too} 1. e4 *
# Before the first move, which it is an alternative to.
(1. d4 d5) 1. e4 e5 *  | 1. e4 (1. d4 d5) 1... e5 *
1. e4 ((1. c4) 1. d4) * | 1. e4 (1. d4 (1. c4)) *
(1. d4 d5) *           | {1. d4 d5} *
# Words that the grammar skips.
$3 1. e4 #### $256 e5 += 2. Nf3 N , ± * | {$3} 1. e4 {#### $256} 1... e5 $14 2. Nf3 $146 $16 {,} *
";

#[test]
fn variations_and_comments_are_kept_as_far_as_they_are_legal() {
    for [text, expected] in table(KEPT) {
        let written = movetext(&one(unescaped(text)));
        assert_eq!(written.replace('\n', " "), expected);
    }
}

#[test]
fn joined_files_may_have_byte_order_marks() {
    let mark = '\u{feff}';
    let read = read(format!("{mark}{ONE}\n{mark}{TWO}\n{mark}\n{mark}1. c4 *\n"));
    let games: Vec<&Record> = read
        .iter()
        .map(|game| game.as_ref().expect("valid"))
        .collect();
    assert_eq!(games.len(), 3);
    let [game_one, game_two] = [ONE, TWO].map(one);
    assert_eq!([games[0], games[1]], [&game_one, &game_two]);
    // In a comment it is text.
    let text = format!("1. e4 {{a\n{mark}b}} *");
    assert!(movetext(&one(&text)).contains(mark));
}

#[test]
fn the_depth_of_variations_is_limited() {
    let nested = |depth: usize| {
        let open = "(1. d4 ".repeat(depth);
        format!("1. e4 {open}{} *", ")".repeat(depth))
    };
    assert_eq!(movetext(&one(nested(50))).matches('(').count(), 50);
    for depth in [51, 100_000] {
        let error = read(nested(depth))[0].clone().expect_err("too deep");
        assert!(error.contains("more than 50 deep"), "{error}");
    }
}

/// Only the length of a line limits that of its tags.
#[test]
fn long_tags_are_read() {
    let name = "w".repeat(1_000_000);
    let record = one(format!(
        "[White \"{name}\"] [Black \"b\"]\n[Annotator \"{name}\n\n1. e4 *\n"
    ));
    for (tag, value) in [("White", &*name), ("Black", "b"), ("Annotator", &name)] {
        assert_eq!(record.tags.get(tag), Some(value), "{tag}");
    }
    assert_eq!(san(&record), "e4");
}

#[test]
fn escapes_in_tags() {
    for (written, value) in [
        (r#"a \"b\""#, r#"a "b""#),
        (r"c:\\d\\", r"c:\d\"),
        (r#"\\\""#, r#"\""#),
        (r"\x", r"\x"),
    ] {
        let record = one(format!("[White \"{written}\"] [Black \"b\"]\n\n1. e4 *\n"));
        let names = ["White", "Black"].map(|tag| record.tags.get(tag));
        assert_eq!(names, [Some(value), Some("b")], "{written}");
    }
}

#[test]
fn latin_1_and_windows_1252_become_utf_8() {
    let mut text = b"[Event \"Z\xfcrich\"]\n[White \"O\\\"Neil\"]\n\n1. e4 {sch\xf6n ".to_vec();
    text.extend(b"und lang ".repeat(100));
    text.extend(b"} *");
    assert_eq!(moves(&text), ["e4"]);
    let record = one(text);
    assert_eq!(record.tags.get("Event"), Some("Zürich"));
    assert_eq!(record.tags.get("White"), Some("O\"Neil"));
    let comment = &record.main_line.moves[0].comment.text;
    assert!(comment.starts_with("schön und lang und"), "{comment}");
    assert_eq!(comment.split(' ').count(), 201);
    assert_eq!(one(record.pgn()).tags.get("Event"), Some("Zürich"));
    let record = one(b"[White \"Du\x9aako\"]\n\n1. e4 {White\x92s \x80} *");
    assert_eq!(record.tags.get("White"), Some("Dušako"));
    let comment = &record.main_line.moves[0].comment.text;
    assert_eq!(comment, "White’s €");
    // Windows-1252 leaves some bytes undefined.
    assert_eq!(decode(b"\x7f\x81\x9d\xa0\xff"), "\u{7f}\u{81}\u{9d}\u{a0}ÿ");
    // A whole text and its words are decoded alike, also where both encodings are in it.
    let mixed = "[White \"Müller\"] "
        .bytes()
        .chain(*b"[Black \"M\xfcller\"]");
    assert_eq!(
        decode(&mixed.collect::<Vec<u8>>()),
        "[White \"Müller\"] [Black \"Müller\"]"
    );
}

/// Movetext from word processors and web pages, also in Windows-1252.
#[test]
fn typeset_movetext_is_read() {
    for text in [
        "1.\u{a0}e4\u{a0}1…e5 ½–½".as_bytes(),
        b"1.\xa0e4 1\x85e5 \xbd-\xbd",
        b"1. e4 e5 1/2\x961/2",
    ] {
        let game = one(text);
        assert_eq!((&*san(&game), game.result), ("e4 e5", GameResult::Drawn));
        assert_eq!(movetext(&game), "1. e4 e5 1/2-1/2");
    }
}

#[test]
fn unknown_commands_stay_in_the_comment() {
    for (text, eval, clock, rest) in [
        ("[%eval 0.3,18]", Some(Eval::Centipawns(30)), None, ""),
        ("[%eval #4] x", Some(Eval::Mate(4)), None, "x"),
        ("[%eval  -12]", Some(Eval::Centipawns(-1200)), None, ""),
        ("[%clk 0:00:09]y", None, Some(Duration::from_secs(9)), "y"),
        ("[%clk 3:05]", None, Some(Duration::from_secs(185)), ""),
    ] {
        let mut comment = Comment::default();
        comment.add(text);
        assert_eq!((comment.eval, comment.clock), (eval, clock), "{text}");
        assert_eq!(comment.text, rest, "{text}");
    }
    for text in [
        "[%eval NaN]",
        "[%eval #0]",
        "[%eval #-0]",
        "[%eval -9999.999]",
        "[%eval 1e9]",
        "[%eval ]",
        "[%clk 1:99:00]",
        "[%clk 1:00:-1]",
        "[%clk 99999999999:00:00]",
        "[%csl Ga1] [%eval",
    ] {
        let mut comment = Comment::default();
        comment.add(text);
        let text = text.to_owned();
        assert_eq!(
            comment,
            Comment {
                text,
                ..Comment::default()
            }
        );
    }
}

#[test]
fn commands_outlive_an_edited_comment() {
    let mut comment = Comment::default();
    comment.add("[%csl Ga1] The idea [%cal Ge2e4,Rd1h5] is clear.");
    let commands: Vec<&str> = comment.commands().collect();
    assert_eq!(commands, ["csl Ga1", "cal Ge2e4,Rd1h5"]);
    assert_eq!(comment.shown_text(), "The idea is clear.");
    comment.set_shown_text(" Not so clear. ");
    assert_eq!(comment.shown_text(), "Not so clear.");
    comment.set_shown_text("");
    assert_eq!(comment.text, "[%csl Ga1] [%cal Ge2e4,Rd1h5]");
}

/// Random sequences of PGN fragments.
fn pgnish() -> impl Strategy<Value = Vec<u8>> {
    let fragments = "[Event \"|\"]\n|[FEN \"|[|]|\n|\n\n|{|}|(|)|;|%|1.|e4 |e5 |Nf3 |O-O |0-0-0 |\
                     1-0|*|$1 |!?|--|\"|\\|\u{feff}|e8=Q |–|½|\0|1/2|..";
    let fragment = prop::sample::select(fragments.split('|').collect::<Vec<_>>());
    let fragments = prop::collection::vec(fragment, 0..60);
    let random = prop::collection::vec(any::<u8>(), 0..120);
    prop_oneof![
        fragments.prop_map(|text| text.concat().into_bytes()),
        random
    ]
}

proptest! {
    /// Whatever is between two games, both are read and nothing panics.
    #[test]
    fn arbitrary_text_between_two_games(junk in pgnish()) {
        let text = [ONE.as_bytes(), &junk, b"\n\n", TWO.as_bytes()].concat();
        let good: Vec<String> = read(&text).iter().flatten().map(san).collect();
        prop_assert_eq!(good.first().map(String::as_str), Some("e4 e5 Nf3"));
        prop_assert_eq!(good.last().map(String::as_str), Some("d4 d5"));
        read(&text);
    }

    /// Whatever tags and comments contain, the next game is read, and writing what was read
    /// gives the same text.
    #[test]
    fn arbitrary_text_in_tags_and_comments(tag in ".{0,40}", comment in ".{0,120}", before in "[ -~]{0,60}") {
        let mut record = played("e4 e5 Nf3");
        record.tags.set("Event", tag);
        record.main_line.comment.text = before.clone();
        record.main_line.moves[1].comment.text = comment;
        let mut variation = Variation::new(record.main_line.moves[2].mv);
        variation.comment.text = before;
        record.main_line.moves[2].variations.push(variation);
        let text = record.pgn();
        let both = read(format!("{text}{TWO}"));
        let both: Vec<&Record> = both.iter().flatten().collect();
        prop_assert_eq!(both.len(), 2, "{}", text);
        prop_assert_eq!((both[0].moves().len(), both[1].moves().len()), (3, 2));
        prop_assert_eq!(both[0].tags.get("Event"), record.tags.get("Event"));
        let again = both[0].pgn();
        prop_assert_eq!(one(&again).pgn(), again);
    }
}
