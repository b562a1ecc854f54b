//! How pieces move: chess seen from above, shadows, levels, pawns.

use crate::helpers::{NO_ROTATION, PositionBuilder, error_of, legal, position, square, table};
use tridim::{Board, Game, Position, START_TEXT, Square};

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
        let mut column = Square::all().filter(|other| other.column() == one.column());
        assert!(column.all(|other| one.is_dark() == other.is_dark()));
    }
    // As on a chessboard.
    let dark = ["a1W", "b1W", "a2W"].map(|name| square(name).is_dark());
    assert_eq!(dark, [true, false, false]);
}

#[test]
fn square_names_round_trip() {
    for square in Square::all() {
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    let error = |text: &str| text.parse::<Square>().expect_err(text).to_string();
    for text in ["", "b3", "f3W", "b3X", "b3QL7", "B3W", "b", "ß3W", "b3w"] {
        let error = error(text);
        assert!(
            error.contains("is not a square: expected a file"),
            "{error}"
        );
    }
    for (text, expected) in [
        ("b5W", "board W has files a-d and ranks 1-4"),
        ("a0KL1", "board KL1 has files d-e and ranks 0-1"),
    ] {
        assert_eq!(error(text), format!("'{text}' is not a square: {expected}"));
    }
    assert_eq!(Board::all().count(), 15);
}

/// The destinations of White's piece on `from`.
fn destinations(pieces: &str, from: &str) -> String {
    PositionBuilder::white(pieces).destinations(from).join(" ")
}

#[test]
fn sliders_reach_every_level_but_not_straight_up() {
    // b3 and b4 are on W and N, b5 and b6 on N and B; along rank 3 there is one square each.
    assert_eq!(
        destinations("R b3W,K z0QL1,k z8QL6", "b3W"),
        "a3N a3W b1W b2W b4N b4W b5B b5N b6B b6N b7B b8B c3N c3W d3N d3W"
    );
}

#[test]
fn sliders_pass_missing_squares() {
    // Nothing exists between e1 and e8 on this file, and nothing between a0 and d0.
    let rook = PositionBuilder::white("R e1KL1,K z0QL1,k z8QL6");
    let mut along = rook.destinations("e1KL1");
    along.retain(|to| to.starts_with('e'));
    assert_eq!(along, ["e0KL1", "e8KL6", "e9KL6"]);
    assert!(destinations("R d0KL1,K z0QL1,k z8QL6", "d0KL1").contains("a0QL1"));
    assert_eq!(
        rook.error("Re1KL1-e4KL2"),
        "square e4KL2 does not exist: no attack board is on that pin"
    );
}

#[test]
fn a_shadow_blocks_on_every_level() {
    for scene in PositionBuilder::both("R b1W,n b4N,K z0QL1,k e9KL6") {
        // The piece is captured on its own square; the other level is free; nothing is beyond.
        let reached = scene.destinations("b1W");
        for (at, expected) in [("b4N", true), ("b4W", true), ("b5N", false), ("b5B", false)] {
            assert_eq!(reached.contains(&at.to_owned()), expected, "{at}");
        }
        let expected = "b6B is in the shadow of the piece on b4N";
        assert_eq!(scene.error("Rb1W-b6B"), expected);
    }
    // A knight jumps.
    for scene in PositionBuilder::both("N b1W,n b2W,n c2W,n c3N,K z0QL1,k e9KL6") {
        scene.after("Nb1W-c3W");
    }
}

#[test]
fn an_own_piece_blocks_its_square_only() {
    let pieces = "B b1W,P d3N,K z0QL1,k e9KL6";
    assert_eq!(destinations(pieces, "b1W"), "a0QL1 a2W c2W d3W");
    let error = PositionBuilder::white(pieces).error("Bb1W-d3N");
    assert_eq!(error, "d3N is occupied by a piece of the same side");
    assert_eq!(destinations(&format!("{pieces},P c2W"), "b1W"), "a0QL1 a2W");
}

#[test]
fn a_king_is_checked_on_every_level() {
    for at in ["b3W", "b3N"] {
        let scene = PositionBuilder::white(&format!("K {at},r b6N,k e9KL6"));
        assert!(scene.position().in_check(), "{at}");
    }
    // A piece does not attack its own column.
    let scene = PositionBuilder::white("K b3W,r b3N,k e9KL6");
    assert!(!scene.position().in_check());
    assert_eq!(scene.error("Kb3W-b2W"), "the king would be attacked on b2W");
}

#[test]
fn pawn_steps_and_captures() {
    for scene in PositionBuilder::both("K z0QL1,k e9KL6") {
        for (pieces, from, expected) in [
            ("P+ b2W", "b2W", "b3N b3W b4N b4W"),
            ("P b2W", "b2W", "b3N b3W"),
            // A piece on a column blocks its square, and the double step over the column.
            ("P+ b2W,n b3N", "b2W", "b3W"),
            ("P+ b2W,n b4N", "b2W", "b3N b3W b4W"),
            // From an attack board, over a column without squares or with them.
            ("P+ e1KL1", "e1KL1", ""),
            ("P+ d1KL1", "d1KL1", "d2W d3N d3W"),
            // Captures are diagonal, on any level.
            ("P b2W,n c3W,n a3N", "b2W", "a3N b3N b3W c3W"),
        ] {
            let destinations = scene.with(pieces).destinations(from);
            assert_eq!(destinations.join(" "), expected, "{pieces}");
        }
    }
    // The double step from one attack board to another needs a free column.
    let scene = PositionBuilder::white("K b1W,k e9KL6,P+ z1QL1").board("KL1", "QL3");
    assert_eq!(scene.destinations("z1QL1"), ["z2QL3", "z3QL3"]);
    assert_eq!(scene.with("N z2QL3").destinations("z1QL1").len(), 0);
}

#[test]
fn en_passant_on_any_level() {
    for scene in PositionBuilder::both("K z0QL1,k e9KL6,p c4W,P+ b2W") {
        let double_step = scene.after("b2W-b4N");
        assert_eq!(double_step.en_passant(), Some(scene.square("b4N")));
        for to in ["b3W", "b3N"] {
            let captured = scene.after(&format!("b2W-b4N c4Wx{to}"));
            assert_eq!(scene.letter(&captured, "b4N"), None, "the pawn is captured");
            assert_eq!(captured.placement().occupied().count(), 3);
            assert_eq!(captured.halfmove_clock(), 0);
        }
        // The right lasts one ply.
        let later = scene.after("b2W-b4N e9KL6-e8KL6 z0QL1-z1QL1");
        assert_eq!(later.en_passant(), None);
        assert!(later.read_move(&scene.name("c4Wxb3W")).is_err());
        assert_eq!(scene.after("b2W-b3N").en_passant(), None, "a single step");
    }
}

#[test]
fn carried_pawns_have_no_en_passant_or_double_step() {
    let scene = PositionBuilder::white("K b1W,k b8B,P+ e1KL1,p d4W").board("QL1", "QL3");
    let carried = scene.after("KL1-KL3");
    assert_eq!(scene.letter(&carried, "e3KL3"), Some('P'));
    assert_eq!(carried.en_passant(), None);
    assert!(!carried.is_unmoved(square("e3KL3")));
    // So also on another start square of a pawn.
    let scene = PositionBuilder::white("K b1W,k e9KL6,P+ e1KL1").board("QL1", "QL3");
    let sideways = scene.after("KL1-QL1");
    assert_eq!(scene.letter(&sideways, "a1QL1"), Some('P'));
    assert!(!sideways.is_unmoved(square("a1QL1")));
}

/// Moves in the start position and their errors.
const ILLEGAL: &str = "
e2        | invalid move 'e2': expected for example Nd1W-c3N, b2W-b4N, QL1-QL3, O-O, O-O-O or, for a pawn that waited, a8B=Q
b2W-b9W   | 'b9W' is not a square: board W has files a-d and ranks 1-4
b3W-b4W   | b3W is empty
b7B-b6B   | the pawn on b7B does not belong to White
Rb2W-b3W  | the piece on b2W is a pawn, not a rook
b2W-c3W   | the pawn on b2W cannot move to c3W
Bb1W-a2W  | a2W is occupied by a piece of the same side
b2W-b3W=Q | the move does not promote a pawn
b2W-b3W=K | invalid move 'b2W-b3W=K': a pawn promotes to Q, R, B or N, not 'K'
a8B=Q     | no pawn on a8B is waiting for promotion
Bb1W-d3N  | d3N is in the shadow of the piece on c2W
O-O       | cannot castle kingside on KL: castling is not allowed as the first move
";

#[test]
fn illegal_moves_have_reasons() {
    let start = Position::start(NO_ROTATION);
    for [text, expected] in table(ILLEGAL) {
        assert_eq!(error_of(&start, text), expected, "{text}");
    }
    for scene in PositionBuilder::both("K b1W,N b2W,r b6N,k z9QL6") {
        let expected = "the knight on b2W is pinned to its king";
        assert_eq!(scene.error("Nb2W-d3W"), expected);
        let checked = scene.without("b2W").with("N a1W");
        let expected = "the king is in check from b6N, and the move does not answer it";
        assert_eq!(checked.error("Na1W-c2W"), expected);
        assert_eq!(checked.error("QL1-QL2"), expected);
    }
}

#[test]
fn notation_of_legal_moves_round_trips() {
    let mut game = Game::new(Position::start(NO_ROTATION));
    for text in ["b2W-b4N", "c7B-c5B", "b4Nxc5B", "d7B-d5N", "c5Bxd6N"] {
        let position = *game.position();
        for mv in position.legal_moves() {
            let name = position.notation(mv);
            assert_eq!(position.read_move(&name), Ok(mv), "{name}");
        }
        game.play(position.read_move(text).expect(text))
            .expect(text);
    }
    let position = *game.position();
    // A capture of an own piece.
    assert!(position.read_move("Qa9QL6xa7B").is_err());
    assert_eq!(legal(&position).len(), position.legal_moves().len());
}
