//! Positions as text, and the errors of invalid ones.

use crate::helpers::{NO_ROTATION, position};
use test_common::table;
use tridim::{IllegalPosition, Position, START_TEXT, TextError};

fn error(text: &str) -> TextError {
    Position::from_text(text, NO_ROTATION).expect_err(text)
}

fn illegal(text: &str) -> IllegalPosition {
    match error(text) {
        TextError::Illegal(reason) => reason,
        other => panic!("{other}"),
    }
}

#[test]
fn optional_fields_and_any_board_order() {
    let (boards, _) = START_TEXT.split_once(' ').expect("there are fields");
    assert_eq!(
        position(&format!("{boards} w -")),
        Position::start(NO_ROTATION)
    );
    let mut parts: Vec<&str> = boards.split(',').collect();
    parts.reverse();
    let reversed = position(&format!("{} w - 0 1", parts.join(",")));
    assert_eq!(reversed.to_string(), START_TEXT);
}

/// Replaced text, its replacement, and the error.
const MALFORMED: &str = "
w - 0 1   |           | missing side to move: expected boards, side to move and en passant at least
- 0 1     | - 0 1 2   | unexpected text after the fifth field: '2'
W:        | V:        | board 'V:4/4/P+P+P+P+/NBBN': expected W, N or B, or a pin and the board's owner such as QL1w, then ':' and ranks
QL1w      | QL1       | board 'QL1:P+P+/R+Q': expected W, N or B, or a pin and the board's owner such as QL1w, then ':' and ranks
KL1w      | QL1w      | board QL1 appears twice
N:4/4/4/4,|           | board N is missing
N:4/4/4/4 | N:4       | board N: found 1 rank, expected 4, separated by '/'
N:4/4/4/4 | N:4/4/4   | board N: found 3 ranks, expected 4, separated by '/'
N:4/4/4/4 | N:4/4/4/5 | board N: invalid piece '5', expected one of PNBRQKpnbrqk, 1-4 or '+'
N:4/4/4/4 | N:4/4/4/3 | board N, rank '3': found 3 squares, expected 4
N:4/4/4/4 | N:4/4/4/32| board N, rank '32': found 5 squares, expected 4
R+Q       | RQ+       | board QL1: '+' must follow a king, rook or pawn
R+Q       | R++Q      | board QL1: '+' must follow a king, rook or pawn
w - 0     | x - 0     | side to move 'x': expected 'w' or 'b', optionally followed by '@' and a pin
w - 0     | w@QL9 - 0 | side to move 'w@QL9': expected 'w' or 'b', optionally followed by '@' and a pin
w - 0     | w b4 0    | en passant 'b4': expected '-' or the square of a pawn such as b4N
w - 0     | w - -1    | halfmove clock '-1': expected a whole number from 0 to 65535
- 0 1     | - 0 65536 | move number '65536': expected a whole number from 0 to 65535
";

const ILLEGAL: &str = "
K+R+      | 1R+       | White has 0 kings, expected 1
q/p+p+    | k/p+p+    | Black has 2 kings, expected 1
QL1w      | QL1b      | White has 1 attack board, expected 2
N:4/4/4/4 | N:4/4/4/P+3 | the pawn on a3N cannot be marked as unmoved: pawns do not start there
B:nbbn    | B:nPbn    | the pawn on b8B is on its last rank and has not been promoted
/NBBN     | /NpBN     | the pawn on b1W is on its last rank and has not been promoted
w - 0     | w b4N 0   | the pawn on b4N cannot have made a double step
w - 0     | w@QL1 - 0 | the board on QL1 cannot be activated: it has no legal move
";

#[test]
fn malformed_texts_have_reasons() {
    for [from, to, expected] in table(MALFORMED) {
        let text = START_TEXT.replace(from, to);
        assert_eq!(error(&text).to_string(), expected, "{text}");
    }
    let long = error(&"é".repeat(500)).to_string();
    assert!(long.len() < 300, "long texts are cut short: {long}");
}

#[test]
fn illegal_positions_have_reasons() {
    for [from, to, expected] in table(ILLEGAL) {
        let text = START_TEXT.replace(from, to);
        assert_eq!(illegal(&text).to_string(), expected, "{text}");
    }
    let checked = "W:4/4/4/K3,N:4/4/4/r3,B:4/4/4/k3,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 b - 0 9";
    let words = "White is in check from a3N, but the opponent is to move";
    assert_eq!(illegal(checked).to_string(), words);
    assert!(Position::from_text(&checked.replace(" b ", " w "), NO_ROTATION).is_ok());
}

#[test]
fn pawns_wait_only_for_their_own_side() {
    // Uncovered on a8 by Black's move: White promotes it. Black cannot be to move.
    let text = "W:4/4/4/K3,N:4/4/4/4,B:P3/4/4/2k1,QL1w:2/2,KL1w:2/2,QL5b:2/2,KL6b:2/2";
    assert!(
        position(&format!("{text} w - 0 9"))
            .pending_promotion()
            .is_some()
    );
    let words = "the pawn on a8B is on its last rank and has not been promoted";
    assert_eq!(illegal(&format!("{text} b - 0 9")).to_string(), words);
    // No board move may uncover a pawn that attacks the king once promoted.
    let beside = text.replace("2k1", "4").replace("P3/4", "P3/1k2");
    let words = "no board move can have uncovered the pawn on a8B: it attacks the king as a queen or knight";
    assert_eq!(illegal(&format!("{beside} w - 0 9")).to_string(), words);
    // One board move uncovers one pawn, and only in a corner.
    let two = text.replace("P3/", "P2P/").replace("KL6b", "KL5b");
    assert!(matches!(
        illegal(&format!("{two} w - 0 9")),
        IllegalPosition::UnpromotedPawn(_)
    ));
    let inner = text.replace("P3/", "PP2/");
    assert!(matches!(
        illegal(&format!("{inner} w - 0 9")),
        IllegalPosition::UnpromotedPawn(_)
    ));
}

#[test]
fn en_passant_only_when_legal() {
    let boards = "W:1p2/4/4/K3,N:4/4/4/4,B:4/4/4/2k1,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2";
    let double_step = boards.replace("N:4/4/4/4", "N:4/4/2P1/4");
    let taken = position(&format!("{double_step} b c4N 0 9"));
    assert_eq!(
        taken.en_passant().map(|pawn| pawn.to_string()).as_deref(),
        Some("c4N")
    );
    assert_eq!(taken.to_string(), format!("{double_step} b c4N 0 9"));
    // No pawn can capture it: the square is cleared.
    let alone = double_step.replace("W:1p2", "W:4");
    let quiet = position(&format!("{alone} b c4N 0 9"));
    assert_eq!(quiet.to_string(), format!("{alone} b - 0 9"));
}
