//! Games as text, compared with the standard and read again.

use std::io::BufReader;
use std::time::Duration;

use movegen::{Color, Game, Position, Variant};
use proptest::prelude::*;

use crate::formats::pgn::{Comment, Eval, GameResult, Games, Nag, Record, Variation};

fn played(moves: &str) -> Record {
    from(Position::default(), Variant::Standard, moves)
}

fn from(start: Position, variant: Variant, moves: &str) -> Record {
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        let mv = game.position().move_from_san(text).expect(text);
        game.push(mv).expect("legal");
    }
    Record {
        main_line: Variation::new(game.moves()),
        ..Record::new(start, variant)
    }
}

/// The movetext without the tags.
fn movetext(record: &Record) -> String {
    let text = record.pgn();
    let (_, moves) = text.split_once("\n\n").expect("tags and moves");
    moves.trim_end().to_owned()
}

fn read_again(text: &str) -> Vec<Record> {
    let mut games = Games::annotated(BufReader::new(text.as_bytes()), Variant::Standard);
    let mut read = Vec::new();
    while let Some(game) = games.next_game().expect("memory can be read") {
        read.push(game.expect("a valid game"));
    }
    read
}

#[test]
fn a_complete_game() {
    let mut record = played("f3 e5 g4 Qh4#");
    record.result = GameResult::Won(Color::Black);
    record.tags.set("Annotator", "A \"quoted\" \\ name\n");
    record.tags.set("Black", "Fox");
    assert_eq!(
        record.pgn(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
         [Black \"Fox\"]\n[Result \"0-1\"]\n[Annotator \"A \\\"quoted\\\" \\\\ name \"]\n\n\
         1. f3 e5 2. g4 Qh4# 0-1\n\n"
    );
}

#[test]
fn the_result_is_in_the_tag_and_the_movetext() {
    for (score, result) in [
        (GameResult::Won(Color::White), "1-0"),
        (GameResult::Won(Color::Black), "0-1"),
        (GameResult::Drawn, "1/2-1/2"),
        (GameResult::Unknown, "*"),
    ] {
        let mut record = played("e4");
        record.result = score;
        // The tag of the file that was read is ignored.
        record.tags.set("Result", "1-0");
        let text = record.pgn();
        assert!(text.contains(&format!("[Result \"{result}\"]\n")), "{text}");
        assert_eq!(text.matches("[Result ").count(), 1);
        assert!(text.ends_with(&format!(" e4 {result}\n\n")), "{text}");
    }
    assert_eq!(movetext(&played("")), "*");
}

#[test]
fn other_start_positions_have_a_fen() {
    let start = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 42 60", Variant::Standard);
    let text = from(start.expect("a position"), Variant::Standard, "Kd7 e4").pgn();
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 42 60\"]\n"));
    assert!(text.ends_with("\n60... Kd7 61. e4 *\n\n"), "{text}");
    let fen = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1";
    let start = Position::from_fen(fen, Variant::Chess960).expect("a position");
    let text = from(start, Variant::Chess960, "O-O O-O-O").pgn();
    assert!(text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n"));
    assert!(text.contains(&format!("[FEN \"{fen}\"]")), "{text}");
    assert!(!played("e4").pgn().contains("FEN"));
}

#[test]
fn annotations() {
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
    let [mut again]: [Record; 1] = read_again(&record.pgn()).try_into().expect("one game");
    again.tags = record.tags.clone();
    let e4 = record.main_line.moves.first_mut().expect("a move");
    e4.comment.text = "best) by [test".to_owned();
    assert_eq!(again, record);
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
    let text = movetext(&record);
    for line in text.lines() {
        assert!(line.chars().count() < 80, "{line}");
        assert!(!line.starts_with(['[', '%', ';', ' ']), "{line}");
        assert!(!line.ends_with(' '), "{line}");
    }
    let again = read_again(&record.pgn());
    assert_eq!(again[0].main_line, record.main_line);
}

#[test]
fn illegal_variations_are_cut_with_a_comment() {
    let text = "1. e4 e5 (1... c5 2. Nh5 {lost} (2. Nf3) d6) (1... Ke4) 2. Nf3 *";
    let read = read_again(text);
    let said = movetext(&read[0]);
    let expected = "1. e4 e5 {illegal move 'Ke4': a king on e8 cannot move to e4} \
                    (1... c5 {illegal move 'Nh5': no knight can move to h5}) 2. Nf3 *";
    assert_eq!(said.replace('\n', " "), expected);
}

#[test]
fn the_depth_of_variations_is_limited() {
    let nested = |depth: usize| {
        let open = "(1. d4 ".repeat(depth);
        format!("1. e4 {open}{} *", ")".repeat(depth))
    };
    let good = read_again(&nested(50));
    assert_eq!(movetext(&good[0]).matches('(').count(), 50);
    for depth in [51, 100_000] {
        let text = nested(depth);
        let mut games = Games::annotated(BufReader::new(text.as_bytes()), Variant::Standard);
        let result = games.next_game().expect("memory").expect("a game");
        let error = result.expect_err("too deep").to_string();
        assert!(error.contains("more than 50 deep"), "{error}");
    }
}

#[test]
fn latin_1_becomes_utf_8() {
    let mut text = b"[Event \"Z\xfcrich\"]\n[White \"O\\\"Neil\"]\n\n1. e4 {sch\xf6n ".to_vec();
    text.extend(b"und lang ".repeat(100));
    text.extend(b"} *");
    let mut games = Games::annotated(BufReader::new(text.as_slice()), Variant::Standard);
    let game = games.next_game().expect("memory").expect("a game");
    let record = game.expect("not broken");
    assert_eq!(record.tags.get("Event"), Some("Zürich"));
    assert_eq!(record.tags.get("White"), Some("O\"Neil"));
    let said = &record.main_line.moves[0].comment.text;
    assert!(said.starts_with("schön und lang und"), "{said}");
    assert_eq!(said.split(' ').count(), 201);
    assert_eq!(
        read_again(&record.pgn())[0].tags.get("Event"),
        Some("Zürich")
    );
}

#[test]
fn comments_to_the_end_of_the_line_are_kept() {
    let text = "1. e4 ; the {king's} pawn
{a brace; not the end
of ; it} e5 (1... c5 ; or this
% an escape ; not a comment
2. Nf3) 2. Nf3 ;
*";
    let said = movetext(&read_again(text)[0]).replace('\n', " ");
    let expected = "1. e4 {the {king's) pawn a brace; not the end of ; it} 1... e5 \
                    (1... c5 {or this} 2. Nf3) 2. Nf3 *";
    assert_eq!(said, expected);
}

#[test]
fn unknown_commands_stay_in_the_comment() {
    for (text, eval, clock, rest) in [
        ("[%eval 0.3,18]", Some(Eval::Centipawns(30)), None, ""),
        ("[%eval #4] x", Some(Eval::Mate(4)), None, "x"),
        ("[%eval  -12]", Some(Eval::Centipawns(-1200)), None, ""),
        ("[%clk 0:00:09]y", None, Some(Duration::from_secs(9)), "y"),
        ("[%eval NaN]", None, None, "[%eval NaN]"),
        ("[%eval 1e9]", None, None, "[%eval 1e9]"),
        ("[%eval ]", None, None, "[%eval ]"),
        ("[%clk 1:99:00]", None, None, "[%clk 1:99:00]"),
        ("[%clk 1:00:-1]", None, None, "[%clk 1:00:-1]"),
        (
            "[%clk 99999999999:00:00]",
            None,
            None,
            "[%clk 99999999999:00:00]",
        ),
        ("[%csl Ga1] [%eval", None, None, "[%csl Ga1] [%eval"),
    ] {
        let mut comment = Comment::default();
        comment.add(text);
        assert_eq!((comment.eval, comment.clock), (eval, clock), "{text}");
        assert_eq!(comment.text, rest, "{text}");
    }
}

proptest! {
    /// Whatever tags and comments contain, the next game is read, and writing what was read
    /// gives the same text.
    #[test]
    fn arbitrary_text_in_tags_and_comments(tag in ".{0,40}", comment in ".{0,120}", before in "[ -~]{0,60}") {
        let mut record = played("e4 e5 Nf3");
        record.tags.set("Event", tag);
        record.main_line.comment.text = before.clone();
        record.main_line.moves[1].comment.text = comment;
        let variation = Variation {
            comment: Comment { text: before, ..Comment::default() },
            ..Variation::new([record.main_line.moves[2].mv])
        };
        record.main_line.moves[2].variations.push(variation);
        let text = record.pgn();
        let both = read_again(&format!("{text}{}", played("d4 d5").pgn()));
        prop_assert_eq!(both.len(), 2, "{}", text);
        prop_assert_eq!(both[0].moves().len(), 3);
        prop_assert_eq!(both[1].moves().len(), 2);
        prop_assert_eq!(both[0].pgn(), read_again(&both[0].pgn())[0].pgn());
    }
}
