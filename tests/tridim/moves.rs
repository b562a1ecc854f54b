//! How pieces move: chess seen from above, shadows, levels, pawns.

use crate::helpers::{
    NO_ROTATION, PositionBuilder, after, destinations, error_of, legal, position, square,
};
use tridim::{Board, Color, Game, Piece, Position, START_TEXT, Square};

#[test]
fn the_start_position() {
    let start = Position::start(NO_ROTATION);
    assert_eq!(start, position(START_TEXT));
    let pieces = "R z0QL1,Q a0QL1,P z1QL1,P a1QL1,K d0KL1,R e0KL1,P d1KL1,P e1KL1,\
               N a1W,B b1W,B c1W,N d1W,P a2W,P b2W,P c2W,P d2W,\
               r z9QL6,q a9QL6,p z8QL6,p a8QL6,k d9KL6,r e9KL6,p d8KL6,p e8KL6,\
               n a8B,b b8B,b c8B,n d8B,p a7B,p b7B,p c7B,p d7B";
    for pair in pieces.split(',') {
        let (letter, at) = pair.split_once(' ').expect("a piece and a square");
        let piece = start.piece_on(square(at)).map(|piece| piece.to_string());
        assert_eq!(piece.as_deref(), Some(letter), "{at}");
    }
    assert_eq!(start.placement().occupied().count(), 32);
    assert_eq!(start.placement().existing().count(), 64);
}

#[test]
fn squares_of_a_column_have_one_color() {
    for one in Square::all() {
        for other in Square::all().filter(|other| other.column() == one.column()) {
            assert_eq!(one.is_dark(), other.is_dark());
        }
    }
    // As on a chessboard.
    assert!(square("a1W").is_dark() && !square("b1W").is_dark() && !square("a2W").is_dark());
}

#[test]
fn square_names_round_trip() {
    for square in Square::all() {
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    let says = |text: &str| text.parse::<Square>().map_err(|error| error.to_string());
    for text in ["", "b3", "f3W", "b3X", "b3QL7", "B3W", "b", "ß3W", "b3w"] {
        let error = says(text).expect_err(text);
        assert!(
            error.contains("is not a square: expected a file"),
            "{error}"
        );
    }
    let error = says("b5W").expect_err("W ends at rank 4");
    assert_eq!(
        error,
        "'b5W' is not a square: board W has files a-d and ranks 1-4"
    );
    let error = says("a0KL1").expect_err("KL1 is on the other flank");
    assert_eq!(
        error,
        "'a0KL1' is not a square: board KL1 has files d-e and ranks 0-1"
    );
    assert_eq!(Board::all().count(), 15);
}

/// A rook alone, but for the kings.
fn rook_on(at: &str) -> Position {
    PositionBuilder::new(Color::White)
        .with(&format!("R {at},K z0QL1,k z8QL6"))
        .position()
}

#[test]
fn sliders_reach_every_level_but_not_straight_up() {
    // b3 and b4 are on W and N, b5 and b6 on N and B; along rank 3 there is one square each.
    let destinations = destinations(&rook_on("b3W"), "b3W");
    assert_eq!(
        destinations,
        [
            "a3N", "a3W", "b1W", "b2W", "b4N", "b4W", "b5B", "b5N", "b6B", "b6N", "b7B", "b8B",
            "c3N", "c3W", "d3N", "d3W"
        ]
    );
}

#[test]
fn sliders_pass_missing_squares() {
    // Nothing exists between e1 and e8 on this file, and nothing between a0 and d0.
    let rook = rook_on("e1KL1");
    let mut along = destinations(&rook, "e1KL1");
    along.retain(|goal| goal.starts_with('e'));
    assert_eq!(along, ["e0KL1", "e8KL6", "e9KL6"]);
    assert!(destinations(&rook_on("d0KL1"), "d0KL1").contains(&"a0QL1".to_owned()));
    let words = error_of(&rook, "Re1KL1-e4KL2");
    assert_eq!(
        words,
        "square e4KL2 does not exist: no attack board is on that pin"
    );
}

#[test]
fn a_shadow_blocks_on_every_level() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side).with("R b1W,n b4N,K z0QL1,k e9KL6");
        let destinations = destinations(&scene.position(), &scene.name("b1W"));
        // The piece is taken on its own square; below it one may land; beyond there is no way.
        for (at, reached) in [("b4N", true), ("b4W", true), ("b5N", false), ("b5B", false)] {
            assert_eq!(destinations.contains(&scene.name(at)), reached, "{at}");
        }
        let text = format!("R{}-{}", scene.name("b1W"), scene.name("b6B"));
        let (to, by) = (scene.name("b6B"), scene.name("b4N"));
        assert_eq!(
            error_of(&scene.position(), &text),
            format!("{to} is in the shadow of the piece on {by}")
        );
        // A knight is not activated up.
        let scene = PositionBuilder::new(side).with("N b1W,n b2W,n c2W,n c3N,K z0QL1,k e9KL6");
        let position = scene.position();
        let text = format!("N{}-{}", scene.name("b1W"), scene.name("c3W"));
        assert!(position.read_move(&text).is_ok());
    }
}

#[test]
fn an_own_piece_blocks_its_square_only() {
    let scene = PositionBuilder::new(Color::White).with("B b1W,P c2W,P d3N,K z0QL1,k e9KL6");
    assert_eq!(destinations(&scene.position(), "b1W"), ["a0QL1", "a2W"]);
    let scene = PositionBuilder::new(Color::White).with("B b1W,P d3N,K z0QL1,k e9KL6");
    assert_eq!(
        destinations(&scene.position(), "b1W"),
        ["a0QL1", "a2W", "c2W", "d3W"]
    );
    let words = error_of(&scene.position(), "Bb1W-d3N");
    assert_eq!(words, "d3N is occupied by a piece of the same side");
}

#[test]
fn a_king_is_checked_on_every_level() {
    // The rook stands on N, the king on W or on an attack board: the column counts.
    for at in ["b3W", "b3N"] {
        let scene = PositionBuilder::new(Color::White).with(&format!("K {at},r b6N,k e9KL6"));
        assert!(scene.position().in_check(), "{at}");
    }
    // Straight below nothing is attacked.
    let scene = PositionBuilder::new(Color::White).with("K b3W,r b3N,k e9KL6");
    assert!(!scene.position().in_check());
    assert_eq!(
        error_of(&scene.position(), "Kb3W-b2W"),
        "the king would be attacked on b2W"
    );
}

#[test]
fn pawn_single_and_double_steps() {
    for side in Color::ALL {
        let kings = "K z0QL1,k e9KL6";
        let from = |pieces: &str, at: &str| {
            let scene = PositionBuilder::new(side).with(kings).with(pieces);
            let destinations = destinations(&scene.position(), &scene.name(at));
            let mut named: Vec<String> = destinations.iter().map(|goal| scene.name(goal)).collect();
            named.sort_unstable();
            named
        };
        assert_eq!(from("P+ b2W", "b2W"), ["b3N", "b3W", "b4N", "b4W"]);
        assert_eq!(from("P b2W", "b2W"), ["b3N", "b3W"]);
        // Landing beside a shadow is allowed, passing under it is not.
        assert_eq!(from("P+ b2W,n b3N", "b2W"), ["b3W"]);
        assert_eq!(from("P+ b2W,n b4N", "b2W"), ["b3N", "b3W", "b4W"]);
        // From an attack board, over a column without squares or with them.
        assert_eq!(from("P+ e1KL1", "e1KL1"), Vec::<String>::new());
        let scene = PositionBuilder::new(side).with(kings).with("P+ d1KL1");
        let destinations = destinations(&scene.position(), &scene.name("d1KL1"));
        assert_eq!(destinations.len(), 3, "d2W, d3W, d3N: {destinations:?}");
        // Diagonally they take, on any level, and do not go.
        assert_eq!(
            from("P b2W,n c3W,n a3N", "b2W"),
            ["a3N", "b3N", "b3W", "c3W"]
        );
    }
}

#[test]
fn double_steps_from_attack_boards() {
    let scene = PositionBuilder::new(Color::White)
        .with("K b1W,k e9KL6,P+ z1QL1")
        .board("KL1", "QL3");
    let goals_of = destinations(&scene.position(), "z1QL1");
    assert_eq!(goals_of, ["z2QL3", "z3QL3"]);
    // A piece on the passed column is in the way.
    let scene = scene.with("N z2QL3");
    assert_eq!(
        destinations(&scene.position(), "z1QL1"),
        Vec::<String>::new()
    );
}

#[test]
fn en_passant_on_any_level() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side).with("K z0QL1,k e9KL6,p c4W,P+ b2W");
        // It is the runner's move.
        let start = scene.position();
        let run = format!("{}-{}", scene.name("b2W"), scene.name("b4N"));
        let ran = after(&start, &run);
        assert_eq!(ran.en_passant(), Some(scene.square("b4N")));
        let captures: Vec<String> = destinations(&ran, &scene.name("c4W"));
        let (low, high) = (scene.name("b3W"), scene.name("b3N"));
        assert!(
            captures.contains(&low) && captures.contains(&high),
            "{captures:?}"
        );
        for to in [low, high] {
            let taken = after(&ran, &format!("{}x{to}", scene.name("c4W")));
            assert_eq!(
                taken.piece_on(scene.square("b4N")),
                None,
                "the runner is gone"
            );
            assert_eq!(taken.placement().occupied().count(), 3);
            assert_eq!(taken.halfmove_clock(), 0);
        }
        // A ply later it is too late.
        let king = |from: &str, to: &str| format!("{}-{}", scene.name(from), scene.name(to));
        let later = after(&ran, &king("e9KL6", "e8KL6"));
        let later = after(&later, &king("z0QL1", "z1QL1"));
        assert_eq!(later.en_passant(), None);
        assert!(!destinations(&later, &scene.name("c4W")).contains(&scene.name("b3W")));
        // One step is not two.
        let stepped = after(&start, &king("b2W", "b3N"));
        assert_eq!(stepped.en_passant(), None);
    }
}

#[test]
fn carried_pawns_have_no_en_passant_or_double_step() {
    let scene = PositionBuilder::new(Color::White)
        .with("K b1W,k b8B,P+ e1KL1,p d4W")
        .board("QL1", "QL3");
    let carried = after(&scene.position(), "KL1-KL3");
    assert_eq!(
        carried.piece_on(square("e3KL3")).map(Piece::letter),
        Some('P')
    );
    assert_eq!(carried.en_passant(), None);
    assert!(!carried.is_unmoved(square("e3KL3")));
    // Back on a pawn's start square it stays a pawn that has moved.
    let sideways = PositionBuilder::new(Color::White)
        .with("K b1W,k e9KL6,P+ e1KL1")
        .board("QL1", "QL3")
        .position();
    let sideways = after(&sideways, "KL1-QL1");
    assert!(!sideways.is_unmoved(square("a1QL1")));
}

#[test]
fn illegal_moves_have_reasons() {
    let start = Position::start(NO_ROTATION);
    for (text, words) in [
        (
            "e2",
            "invalid move 'e2': expected for example Nd1W-c3N, b2W-b4N, QL1-QL3, O-O, O-O-O or, for a pawn that waited, a8B=Q",
        ),
        (
            "b2W-b9W",
            "'b9W' is not a square: board W has files a-d and ranks 1-4",
        ),
        ("b3W-b4W", "b3W is empty"),
        ("b7B-b6B", "the pawn on b7B does not belong to White"),
        ("Rb2W-b3W", "the piece on b2W is a pawn, not a rook"),
        ("b2W-c3W", "the pawn on b2W cannot move to c3W"),
        ("Bb1W-a2W", "a2W is occupied by a piece of the same side"),
        ("b2W-b3W=Q", "the move does not promote a pawn"),
        (
            "b2W-b3W=K",
            "invalid move 'b2W-b3W=K': a pawn promotes to Q, R, B or N, not 'K'",
        ),
        ("a8B=Q", "no pawn on a8B is waiting for promotion"),
        ("Bb1W-d3N", "d3N is in the shadow of the piece on c2W"),
        (
            "O-O",
            "cannot castle kingside on KL: castling is not allowed as the first move",
        ),
    ] {
        assert_eq!(error_of(&start, text), words, "{text}");
    }
    let pinned = position(
        "W:4/4/1N2/1K2,N:1r2/4/4/4,B:4/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 2",
    );
    assert_eq!(
        error_of(&pinned, "Nb2W-d3W"),
        "the knight on b2W is pinned to its king"
    );
    let checked =
        position("W:4/4/4/NK2,N:1r2/4/4/4,B:4/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w - 0 2");
    let words = "the king is in check from b6N, and the move does not answer it";
    assert_eq!(error_of(&checked, "Na1W-c2W"), words);
    assert_eq!(error_of(&checked, "QL1-QL2"), words);
}

#[test]
fn notation_of_legal_moves_round_trips() {
    let mut game = Game::new(Position::start(NO_ROTATION));
    for text in [
        "b2W-b4N",
        "c7B-c5B",
        "b4Nxc5B",
        "d7B-d5N",
        "c5Bxd6N",
        "Qa9QL6xa7B",
    ] {
        // The last of them is one's own pawn.
        let position = *game.position();
        for mv in position.legal_moves() {
            let name = position.notation(mv);
            assert_eq!(position.read_move(&name), Ok(mv), "{name}");
        }
        if let Ok(mv) = position.read_move(text) {
            game.play(mv).expect(text);
        }
    }
    assert_eq!(game.moves().len(), 5);
    assert_eq!(
        legal(game.position()).len(),
        game.position().legal_moves().len()
    );
}
