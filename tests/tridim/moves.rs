//! Squares, the start position, Meder's notation, and the reasons of illegal moves. How pieces move
//! is in `reference`.

use crate::helpers::{NO_ROTATION, after, assert_errors, error_of, position, square, white};
use test_common::table;
use tridim::{MoveError, Position, START_TEXT, Square, SquareSet};

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

/// The rook in the king's own column gives no check.
const PINNED_AND_CHECKED: &str = "
R e1KL1,K b3W,r b3N,k z8QL6 | Re1KL1-e4KL2 | square e4KL2 does not exist: no attack board is on that pin
R e1KL1,K b3W,r b3N,k z8QL6 | Kb3W-b2W     | the king would be attacked on b2W
K b1W,N b2W,r b6N,k z9QL6   | Nb2W-d3W     | the knight on b2W is pinned to its king
K b1W,N a1W,r b6N,k z9QL6   | Na1W-c2W     | the king is in check from b6N, and the move does not answer it
K b1W,N a1W,r b6N,k z9QL6   | QL1-QL2      | the king is in check from b6N, and the move does not answer it
";

#[test]
fn illegal_moves_have_reasons() {
    let start = Position::start(NO_ROTATION);
    for [text, expected] in table(ILLEGAL) {
        assert_eq!(error_of(&start, text), expected, "{text}");
    }
    assert_errors(PINNED_AND_CHECKED);
}

#[test]
fn moves_as_meder_writes_them() {
    let start = Position::start(NO_ROTATION);
    let short = after(&start, "b4N ...b5N Nc3N …Nc6N O-O");
    let full = after(&start, "b2W-b4N b7B-b5N Nd1W-c3N Nd8B-c6N O-O");
    assert_eq!(short, full);
    assert_eq!(start.read_move("... b4N"), start.read_move("b2W-b4N"));
    assert_eq!(error_of(&short, "d4N"), "no pawn can move to d4N");
    let knights = white("K e1KL1,N a1W,N c1W,k d5B");
    assert_eq!(
        knights.error("Nb3W"),
        "ambiguous move 'Nb3W': expected Na1W-b3W or Nc1W-b3W"
    );
    assert_eq!(knights.after("Nab3W"), knights.after("Na1W-b3W"));
    assert_eq!(knights.after("QL3"), knights.after("QL1-QL3"));
}

#[test]
fn squares_of_a_reason() {
    let squares = |text: &str, pieces: &str| {
        let scene = white(pieces).position();
        match scene.read_move(text) {
            Err(MoveError::Illegal(reason)) => reason.squares(),
            other => panic!("{text}: {other:?}"),
        }
    };
    let set = |names: &str| -> SquareSet { names.split(' ').map(square).collect() };
    let pinned = "K b2W,N b4N,r b8B,k d8B";
    assert_eq!(squares("Nb4N-c6N", pinned), set("b4N b8B"));
    assert_eq!(squares("Kb2W-a3W", "K b2W,r a8B,k d8B"), set("a3W a8B"));
    // The rook casts its shadow from another level.
    assert_eq!(
        squares("Ra1W-a5N", "K d1W,R a1W,n a3W,k d8B"),
        set("a5N a3W")
    );
    assert_eq!(squares("Ra1W-b2W", "K d1W,R a1W,k d8B"), set("a1W b2W"));
    assert_eq!(squares("O-O", "K+ d0KL1,R+ e0KL1,r d8B,k a8B"), set("d8B"));
    let attacked = "K+ d0KL1,R+ e0KL1,r e9KL6,k a8B";
    assert_eq!(squares("O-O", attacked), set("e0KL1 e9KL6"));
}
