//! Games as their saved lines restore them: turns, claims, clocks, ends and PGN.

use std::time::Duration;

use movegen::{Color, START_FEN};

use super::saved_game::load;
use super::{Action, GameState, TimeControl, TridimState, parse_move};
use crate::Side;

/// A game in which the user plays this side.
fn begin(side: &str, fen: &str) -> GameState {
    follow(&format!("begin standard {side} {fen}"))
}

fn follow(lines: &str) -> GameState {
    let mut state = GameState::default();
    for line in lines.lines() {
        let followed = state.follow(line);
        followed.unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    state
}

fn play(state: &mut GameState, moves: &str) {
    for text in moves.split(' ') {
        let mv = parse_move(&state.game, text).expect(text);
        state.play(mv).expect(text);
    }
}

fn fen(state: &GameState) -> String {
    state.game.position().fen()
}

#[test]
fn a_claim_starts_a_new_game() {
    let mut state = begin("both", "8/8/8/4k3/8/7P/8/R3K3 w - - 98 80");
    assert!(state.apply(&Action::Draw).is_err());
    play(&mut state, "Ra2");
    let intended = parse_move(&state.game, "Kd4").expect("legal");
    state.apply(&Action::DrawWith(intended)).expect("100 plies");
    let lines = state.lines().join("\n");
    assert!(lines.ends_with("\ndraw e5d4"), "{lines}");
    let pgn = state.pgn("Ada", "Bo");
    let tags = "[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/7P/8/R3K3 w - - 98 80\"]\n";
    assert!(pgn.contains(tags), "{pgn}");
    let moves = "80. Ra2 {draw claimed by the fifty-move rule with Kd4} 1/2-1/2";
    assert!(pgn.ends_with(&format!("\n{moves}\n\n")), "{pgn}");
    for mut state in [follow(&lines), state] {
        assert!(state.is_over() && !state.is_unfinished());
        assert_eq!(fen(&state), START_FEN);
        assert!(!state.can_undo_turn() && !state.can_redo());
        play(&mut state, "e4");
        assert!(state.is_unfinished() && state.claimed().is_none());
    }
}

#[test]
fn ends_admit_nothing_more() {
    for (line, rejection, ending) in [
        ("resign white", "White resigned", "White resigns"),
        ("agree", "draw by agreement", "draw by agreement"),
        (
            "flag black",
            "the time of Black has run out",
            "Black loses on time",
        ),
    ] {
        let mut state = follow(&format!("move e2e4\n{line}"));
        let rejection = format!("the game is over: {rejection}");
        for more in ["move e7e5", "undo", "redo", "draw", "resign black", "agree"] {
            let error = state.follow(more).expect_err(more);
            assert_eq!(error.to_string(), rejection);
        }
        assert_eq!((state.can_undo_turn(), state.can_redo()), (false, false));
        assert_eq!(state.ending().map(|(words, _)| words), Some(ending.into()));
        assert_eq!(state.time_left(), None);
    }
    for (line, words) in [
        ("flag white", "you lose on time"),
        ("flag black", "Castellan loses on time"),
        ("resign white", "you resign"),
    ] {
        let state = follow(&format!(
            "begin standard white {START_FEN}\nmove e2e4\n{line}"
        ));
        let told = state.ending_for_user().map(|(words, _)| words);
        assert_eq!(told.as_deref(), Some(words));
    }
    let bare = follow("begin standard black 4k3/8/8/8/8/8/8/R3K3 b - - 0 1\nmove e8e7\nflag white");
    let words = "draw: Castellan's time has run out, but you cannot mate";
    assert_eq!(
        bare.ending_for_user().map(|(words, _)| words),
        Some(words.into())
    );
    let mated = follow("move f2f3\nmove e7e5\nmove g2g4\nmove d8h4");
    assert!(mated.is_over() && mated.can_undo_turn());
}

/// White has no time left.
fn flagged(fen: &str, moves: [&str; 2]) -> GameState {
    let [white, black] = moves;
    follow(&format!(
        "begin standard both {fen}\nclock 300+3\nmove {white} 0\nmove {black} 299.5"
    ))
}

#[test]
fn clocks_run_from_the_first_move() {
    let mut state = follow("clock 300+3");
    state.resume_clock();
    assert_eq!(state.time_left(), None);
    play(&mut state, "e4 e5");
    let control = Duration::from_secs(303);
    let [white, black] = Color::ALL.map(|color| state.clocks().expect("clocks").of(color));
    assert_eq!(black.as_secs(), 302);
    assert!(state.lines()[2].starts_with("move e2e4 303 at "));
    assert!(state.lines()[3].starts_with("move e7e5 302."));
    assert!(white < control && black < control && state.time_left() <= Some(white));
    // No time passes during a pause.
    state.pause_clock();
    let paused = state.clocks();
    assert_eq!((state.clocks(), state.time_left()), (paused, None));
    state.resume_clock();
    assert!(state.is_clock_running());
    let pgn = state.pgn("Ada", "Bo");
    assert!(
        pgn.contains("[TimeControl \"300+3\"]\n[Termination \"unterminated\"]"),
        "{pgn}"
    );
    assert_eq!(pgn.matches("[%clk 0:05:0").count(), 2, "{pgn}");
    // Undone moves give the time back.
    state.undo_turn().expect("a move");
    assert_eq!(
        state.clocks().expect("clocks").black,
        Duration::from_secs(300)
    );
}

#[test]
fn a_game_that_is_over_gets_clocks_and_a_strength_when_it_continues() {
    let mated = "clock 60+1\nlevel 1000\n\
                 move f2f3 61\nmove e7e5 61\nmove g2g4 61\nmove d8h4 61";
    let mut state = follow(mated);
    let lines = state.lines().to_vec();
    let control = TimeControl::from_seconds("300+0").expect("valid");
    let given = vec![Action::Clock(control), Action::Level(2000)];
    state.give(given).expect("for later");
    assert_eq!(state.lines(), lines);
    assert!(state.pgn("You", "I").contains("[TimeControl \"60+1\"]"));
    let next = state.next_game(*state.game.start(), Side::Black);
    let next = next.expect("a game");
    assert_eq!((next.control(), next.level()), (Some(control), Some(2000)));
    state.undo_turn().expect("two moves");
    for state in [follow(&state.lines().join("\n")), state] {
        assert_eq!(state.level(), Some(2000));
        let clocks = state.clocks().expect("clocks");
        assert_eq!((clocks.control, clocks.black), (control, control.base));
    }

    let mut claimed = begin("both", "8/8/8/4k3/8/8/8/R3K3 w - - 100 80");
    claimed.apply(&Action::Draw).expect("100 plies");
    let given = vec![Action::Level(2000)];
    claimed.give(given).expect("for later");
    assert_eq!(claimed.level(), None);
    play(&mut claimed, "e4");
    assert_eq!(claimed.level(), Some(2000));
}

#[test]
fn a_side_without_time_loses_unless_the_other_has_a_bare_king() {
    let mut state = flagged(START_FEN, ["e2e4", "e7e5"]);
    assert_eq!(state.time_left(), Some(Duration::ZERO));
    state.apply(&Action::Flag(Color::White)).expect("not over");
    let pgn = state.pgn("Ada", "Bo");
    assert!(pgn.contains("[Result \"0-1\"]\n"), "{pgn}");
    assert!(pgn.contains("[Termination \"time forfeit\"]\n"), "{pgn}");
    let moves = "1. e4 {[%clk 0:00:00]} 1... e5 {[%clk 0:04:59.5] White loses on time} 0-1\n\n";
    assert!(pgn.ends_with(moves), "{pgn}");
    // The clocks stop as they are.
    let clocks = state.clocks().expect("clocks");
    assert_eq!(
        (clocks.white, clocks.black.as_millis()),
        (Duration::ZERO, 299_500)
    );
    assert_eq!(state.running_clocks(), None);

    let mut bare = flagged("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", ["a1a2", "e8e7"]);
    bare.apply(&Action::Flag(Color::White)).expect("not over");
    let (words, result) = bare.ending().expect("over");
    assert_eq!(
        words,
        "draw: White's time has run out, but Black cannot mate"
    );
    assert_eq!(result.as_str(), "1/2-1/2");
}

#[test]
fn a_pgn_game_keeps_its_tags_and_result() {
    let pgn = "[Event \"Cup \\\"A\\\"\"]\n[Site \"Ulm\"]\n[Date \"2020.??.??\"]\n[Round \"3\"]\n\
               [White \"Ada\"]\n[Black \"Bo\"]\n[Result \"0-1\"]\n[ECO \"C20\"]\n\
               [Termination \"time forfeit\"]\n[WhiteAccuracy \"97.5\"]\n\n\
               1. e4 {[%clk 0:04:59]} 1... e5 0-1\n\n";
    let folder = test_common::TempDir::new("play tags");
    // A name with a blank is none, and must not become another's value.
    let read = pgn.replace("[Black", "[White Elo \"2850\"]\n[Black");
    let file = folder.write("game.pgn", &read);
    let (mut state, _) = load(file.as_ref(), &begin("both", START_FEN)).expect("a game");
    assert_eq!(state.pgn("You", "I"), pgn);
    let error = state
        .takes_moves()
        .expect_err("it has a result")
        .to_string();
    assert!(
        error.starts_with("the game is over: 0-1 by its Result tag"),
        "{error}"
    );
    // An undo plays on.
    assert_eq!(state.undo_turn(), Ok(()));
    play(&mut state, "f5");
    for state in [follow(&state.lines().join("\n")), state] {
        let text = state.pgn("You", "I");
        for tag in [
            "White \"Ada\"",
            "ECO \"C20\"",
            "Result \"*\"",
            "Termination \"unterminated\"",
        ] {
            assert!(text.contains(&format!("[{tag}]\n")), "{tag}: {text}");
        }
        assert!(!text.contains("Accuracy"), "{text}");
        assert!(
            text.ends_with("\n\n1. e4 {[%clk 0:04:59]} 1... f5 *\n\n"),
            "{text}"
        );
    }
    let file = folder.write(
        "960.pgn",
        "[Variant \"Chess960\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *\n",
    );
    let (state, _) = load(file.as_ref(), &begin("both", START_FEN)).expect("a game");
    assert!(state.lines().contains(&"move e1h1".to_owned()));
    assert!(state.pgn("You", "I").contains("[Variant \"Chess960\"]"));
    // PGN has neither the clocks nor the strength to go on with.
    let (state, _) = load(file.as_ref(), &follow("clock 300+3\nlevel 1200")).expect("a game");
    assert_eq!(state.lines()[1..3], ["clock 300+3", "level 1200"]);
}

#[test]
fn moves_have_the_time_when_they_were_made() {
    let mut state = TridimState::default();
    let mv = state.game.position().read_move("b2W-b4N").expect("legal");
    let before = chrono::Utc::now();
    state.play(mv).expect("legal");
    let time = state.times()[0].expect("a time");
    assert!(before <= time && time <= chrono::Utc::now());
    let line = state.lines().last().expect("a line").clone();
    assert_eq!(
        line,
        format!("move b2W-b4N at {}", super::written_time(time))
    );
    let mut restored = TridimState::default();
    for line in state.lines() {
        restored.follow(line).expect("valid");
    }
    assert_eq!(
        restored.times()[0].map(super::written_time),
        Some(super::written_time(time))
    );
    // Games from PGN, and older ones, have none.
    restored.follow("undo").expect("a move");
    restored.follow("move b2W-b4N 12.5").expect("valid");
    assert_eq!(restored.times(), [None]);
    let clock = "move b7B-b5N 12.5 at 2026-11-24T21:59:21Z";
    restored.follow(clock).expect("valid");
    assert_eq!(restored.lines().last().map(String::as_str), Some(clock));
    assert!(restored.follow("move a2W-a3W at noon").is_err());
}

#[test]
fn the_date_of_a_game_is_that_of_its_first_move() {
    let state = follow("move e2e4 at 2025-11-24T11:00:00Z\nmove e7e5 at 2025-11-26T11:00:00Z");
    let pgn = state.pgn("You", "I");
    let begun: chrono::DateTime<chrono::Local> = "2025-11-24T11:00:00Z".parse().expect("a time");
    assert!(
        pgn.contains(&begun.format("[Date \"%Y.%m.%d\"]").to_string()),
        "{pgn}"
    );
}

#[test]
fn invalid_lines_are_named() {
    let folder = test_common::TempDir::new("play invalid");
    let chess = "castellan game 1\nbegin standard both rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    for (lines, expected) in [
        ("move e2e5", "line 3: illegal move 'e2e5'"),
        ("dance", "line 3: invalid action 'dance'"),
        ("undo", "line 3: no move to undo"),
        (
            "clock 300+3000\nmove e2e4 18446744073709549568",
            "line 4: invalid action 'move e2e4 18446744073709549568'",
        ),
        ("begin standard red 8/8 w", "line 3: invalid action 'begin"),
        ("begin standard white 8/8 w", "line 3: "),
        (
            "begin draughts white 8/8 w",
            "line 3: invalid action 'begin",
        ),
    ] {
        let file = folder.write("chess", format!("{chess}{lines}\n"));
        let error = load(file.as_ref(), &begin("both", START_FEN)).expect_err(lines);
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn saved_games_of_tridim_are_followed() {
    let follow = |state: &mut TridimState, lines: &str| {
        lines.lines().try_for_each(|line| state.follow(line))
    };
    let start = tridim::START_TEXT;
    for (lines, expected) in [
        (
            "rotation maybe",
            "expected 'rotation on' or 'rotation off', found 'rotation maybe'",
        ),
        ("rotation off\nstart x", "board 'x': expected W, N or B"),
        ("rotation off\nbegin", "invalid action 'begin'"),
        ("side red", "invalid action 'side red'"),
        ("move b2W-b4N\nmove O-O-O", "cannot castle"),
        (
            "move b2W-b4N (a remark\n",
            "invalid action 'move b2W-b4N (a remark'",
        ),
    ] {
        let error = follow(&mut TridimState::default(), lines).expect_err(lines);
        assert!(error.to_string().contains(expected), "{error}");
    }
    // Older games have no side.
    let old = format!(
        "rotation on\nstart {start}\nmove b2W-b4N\nmove b7B-b5N\n\
         move O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)\n"
    );
    let mut state = GameState::new(*TridimState::default().game.start(), Side::Black);
    follow(&mut state, &old).expect("a game");
    assert_eq!((state.side, state.game.moves().len()), (Side::Black, 3));
    assert!(state.game.start().rules().rotation);
    assert_eq!(
        state.lines().last().map(String::as_str),
        Some("move O-O (kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1)")
    );
}

#[test]
fn an_activated_board_of_tridim_is_no_part_of_the_game() {
    let start = "W:4/4/4/4,N:4/4/4/4,B:4/1P2/4/4,QL1w:2/R+1,KL1w:2/K+R+,QL6b:1k/2,KL6b:2/2 \
                 w@QL1 - 0 9";
    let activated = tridim::Position::from_text(start, tridim::Rules::default());
    let activated = activated.expect("legal");
    let promotion = activated.release().read_move("b7B-b8B=N").expect("legal");
    let mut state = GameState::new(activated, Side::Both);
    assert_eq!(*state.position(), activated);
    assert!(state.play(promotion).is_err());
    state.choose(activated.release());
    state.play(promotion).expect("legal");
    state.apply(&Action::Undo).expect("a move");
    state.choose(activated);
    assert_eq!(*state.position(), activated);
    state.apply(&Action::Redo).expect("a move");
    assert_eq!(*state.position(), *state.game.position());
    // Older games were saved with it.
    for lines in [
        state.lines().join("\n"),
        format!("rotation off\nstart {start}\nside both\nmove b7B-b8B=N"),
        format!("start {start}\nmove b7B-b8B=N"),
    ] {
        let mut restored = TridimState::default();
        for line in lines.lines() {
            restored.follow(line).expect(line);
        }
        assert_eq!(restored.game, state.game);
    }
}
