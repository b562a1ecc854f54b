//! Every condition of castling alone: all kinds, both colors; and what castling leads to.

use crate::helpers::{Scene, boards, both, legal};
use test_common::table;
use tridim::{CastlingKind, Game, Move, Outcome, Position};

use CastlingKind::{KingsideKl, KingsideQl, Queenside};

/// Positions, and for a kind of castling the first condition that fails, if any does.
const CONDITIONS: &str = "
KL | K+ d0KL1,R+ e0KL1,k b8B              |
QL | K+ z0QL1,R+ a0QL1,k b8B              |
Q  | K+ d0KL1,R+ z0QL1,k b8B              |
KL | K+ d0KL1,R+ e0KL1,R+ z0QL1,k b8B     |
Q  | K+ d0KL1,R+ e0KL1,R+ z0QL1,k b8B     |
KL | K+ d0KL1,R+ e0KL1,k b8B,#1           | castling is not allowed as the first move
QL | K+ z0QL1,R+ a0QL1,k b8B,#1           | castling is not allowed as the first move
Q  | K+ d0KL1,R+ z0QL1,k b8B,#1           | castling is not allowed as the first move
KL | K+ d0KL1,R+ e0KL1,k b8B,@QL1         | the attack board on QL1 is activated this turn
QL | K+ z0QL1,R+ a0QL1,k b8B,@KL1         | the attack board on KL1 is activated this turn
Q  | K+ d0KL1,R+ z0QL1,k b8B,@QL1         | the attack board on QL1 is activated this turn
KL | K+ d0KL1,R+ e0KL1,k b8B,r d5N        | the king is in check from d5N
KL | K+ d0KL1,R+ e0KL1,k b8B,r d5N,N d4W  |
QL | K+ z0QL1,R+ a0QL1,k b8B,KL1>QL2,r z9QL6         | the king is in check from z9QL6
QL | K+ z0QL1,R+ a0QL1,k b8B,KL1>QL2,r z9QL6,N z4QL2 |
Q  | K+ d0KL1,R+ z0QL1,k b8B,r d5N        | the king is in check from d5N
Q  | K+ d0KL1,R+ z0QL1,k b8B,r d5N,N d4W  |
KL | K+ d2KL3,R+ e2KL3,k b8B,KL1>KL3      | no attack board stands on its home pin KL1
QL | K+ z2QL3,R+ a2QL3,k b8B,QL1>QL3      | no attack board stands on its home pin QL1
Q  | K+ d0KL1,R+ z2QL3,k b8B,QL1>QL3      | no attack board stands on its home pin QL1
KL | K+ d0KL1,R+ e0KL1,k b8B,n e1KL1      | Black controls the board on KL1, by the piece on e1KL1
KL | K+ d0KL1,R+ e0KL1,k b8B,N e1KL1      |
KL | K+ d0KL1,R+ e0KL1,k b8B,KL1=KL6      |
QL | K+ z0QL1,R+ a0QL1,k b8B,n z1QL1      | Black controls the board on QL1, by the piece on z1QL1
QL | K+ z0QL1,R+ a0QL1,k b8B,N z1QL1      |
QL | K+ z0QL1,R+ a0QL1,k b8B,QL1=QL6      |
Q  | K+ d0KL1,R+ z0QL1,k b8B,n z1QL1      | Black controls the board on QL1, by the piece on z1QL1
Q  | K+ d0KL1,R+ z0QL1,k b8B,N z1QL1      |
Q  | K+ d0KL1,R+ z0QL1,k b8B,QL1=QL6      |
Q  | K+ d0KL1,k b8B,QL1=QL6               | Black controls the board on QL1, which is empty and theirs
KL | K+ d1KL1,R+ e0KL1,k b8B              | the king is not on rank 0 of KL1
QL | K+ z1QL1,R+ a0QL1,k b8B              | the king is not on rank 0 of QL1
Q  | K+ d1KL1,R+ z0QL1,k b8B              | the king is not on rank 0 of KL1 or QL1
KL | K+ d0KL1,k b8B                       | no rook on rank 0 of KL1
KL | K+ d0KL1,B e0KL1,k b8B               | no rook on rank 0 of KL1
KL | K+ d0KL1,R+ e1KL1,k b8B              | no rook on rank 0 of KL1
QL | K+ z0QL1,k b8B                       | no rook on rank 0 of QL1
QL | K+ z0QL1,B a0QL1,k b8B               | no rook on rank 0 of QL1
QL | K+ z0QL1,R+ a1QL1,k b8B              | no rook on rank 0 of QL1
Q  | K+ d0KL1,k b8B                       | no rook on rank 0 of QL1
Q  | K+ d0KL1,B z0QL1,k b8B               | no rook on rank 0 of QL1
Q  | K+ d0KL1,R+ z1QL1,k b8B              | no rook on rank 0 of QL1
KL | K d0KL1,R+ e0KL1,k b8B               | the king on d0KL1 has moved
KL | K+ d0KL1,R e0KL1,k b8B               | the rook on e0KL1 has moved
QL | K z0QL1,R+ a0QL1,k b8B               | the king on z0QL1 has moved
QL | K+ z0QL1,R a0QL1,k b8B               | the rook on a0QL1 has moved
Q  | K d0KL1,R+ z0QL1,k b8B               | the king on d0KL1 has moved
Q  | K+ d0KL1,R z0QL1,k b8B               | the rook on z0QL1 has moved
Q  | K+ d0KL1,R z0QL1,R a0QL1,k b8B       | the rook on a0QL1 has moved
Q  | K+ d0KL1,R+ z0QL1,R a0QL1,k b8B      | a0QL1 between king and rook is occupied
Q  | K+ d0KL1,R+ z0QL1,N a0QL1,k b8B      | a0QL1 between king and rook is occupied
Q  | K+ e0KL1,R+ z0QL1,k b8B              |
Q  | K+ e0KL1,R+ z0QL1,N a0QL1,k b8B      | a0QL1 between king and rook is occupied
Q  | K+ e0KL1,R+ z0QL1,N d0KL1,k b8B      | d0KL1 between king and rook is occupied
Q  | K+ e0KL1,R+ a0QL1,k b8B              |
Q  | K+ e0KL1,R+ a0QL1,N d0KL1,k b8B      | d0KL1 between king and rook is occupied
Q  | K+ z0QL1,R+ d0KL1,k b8B              |
Q  | K+ z0QL1,R+ d0KL1,N a0QL1,k b8B      | a0QL1 between king and rook is occupied
Q  | K+ z0QL1,R+ e0KL1,k b8B              |
Q  | K+ z0QL1,R+ e0KL1,N d0KL1,k b8B      | d0KL1 between king and rook is occupied
KL | K+ d0KL1,R+ e0KL1,k b8B,r e8KL6      | e0KL1, the destination of the king, is attacked from e8KL6
QL | K+ z0QL1,R+ a0QL1,k b8B,r a5N        | a0QL1, the destination of the king, is attacked from a5N
Q  | K+ d0KL1,R+ z0QL1,k b8B,r a5N        | a0QL1, the destination of the king, is attacked from a5N
Q  | K+ d0KL1,R+ z0QL1,k b8B,r z9QL6      |
";

/// Every condition fails at first; each row removes the reason before.
const ORDER: &str = "
KL | K d0KL1,n d1KL1,r d7B,r e8KL6,k b8B,#1  | castling is not allowed as the first move
KL | K d0KL1,r d7B,r e8KL6,k b8B             | the king is in check from d7B
KL | K d0KL1,n d1KL1,r d7B,r e8KL6,k b8B     | Black controls the board on KL1, by the piece on d1KL1
KL | K d0KL1,r e8KL6,k b8B                   | no rook on rank 0 of KL1
KL | K d0KL1,R e0KL1,r e8KL6,k b8B           | the king on d0KL1 has moved
KL | K+ d0KL1,R e0KL1,r e8KL6,k b8B          | the rook on e0KL1 has moved
KL | K+ d0KL1,R+ e0KL1,r e8KL6,k b8B         | e0KL1, the destination of the king, is attacked from e8KL6
KL | K+ d0KL1,R+ e0KL1,k b8B                 |
";

/// The reason castling is illegal, in White's squares; empty if it is legal. Every way to ask must
/// agree.
fn reason(scene: &Scene, position: &Position, kind: CastlingKind) -> String {
    let error = position.why_no_castling(kind);
    let castles = |mv: &Move| matches!(mv, Move::Castle(castling) if castling.kind == kind);
    let is_legal = position.legal_moves().iter().any(castles);
    assert_eq!(error.is_none(), is_legal, "{position}");
    let error = error.map(|error| scene.name(&error.to_string()));
    if kind == Queenside || kind == position.kingside() {
        let read = position.read_move(kind.notation());
        let read = read.map_err(|error| scene.name(&error.to_string())).err();
        assert_eq!(read, error, "{position}");
    }
    let error = error.unwrap_or_default();
    error.replace(&format!("cannot castle {kind}: "), "")
}

#[test]
fn castling_is_legal_or_has_the_first_reason_why_not() {
    for [kind, spec, expected] in table(CONDITIONS).into_iter().chain(table(ORDER)) {
        let kind = match kind {
            "KL" => KingsideKl,
            "QL" => KingsideQl,
            _ => Queenside,
        };
        for scene in both(spec) {
            let found = reason(&scene, &scene.position(), kind);
            assert_eq!(found, expected, "{kind} in {}", scene.text());
        }
    }
}

/// Positions, castling, and the places after it. The nearer of two unmoved rooks castles; one on a0
/// has no square beside it, and king and rook exchange squares.
const PLACES: &str = "
K+ d0KL1,R+ e0KL1,k b8B           | O-O   | K e0KL1,R d0KL1,k b8B
K+ z0QL1,R+ a0QL1,k b8B           | O-O   | K a0QL1,R z0QL1,k b8B
K+ d0KL1,R+ z0QL1,k b8B           | O-O-O | K a0QL1,R d0KL1,k b8B
K+ d0KL1,R+ a0QL1,k b8B           | O-O-O | K a0QL1,R d0KL1,k b8B
K+ d0KL1,R+ z0QL1,R+ a0QL1,k b8B  | O-O-O | K a0QL1,R d0KL1,R+ z0QL1,k b8B
K+ d0KL1,R z0QL1,R+ a0QL1,k b8B   | O-O-O | K a0QL1,R d0KL1,R z0QL1,k b8B
";

#[test]
fn king_and_rook_change_places() {
    for [before, castling, after] in table(PLACES) {
        for (scene, expected) in both(before).iter().zip(both(after)) {
            let castled = scene.after(castling).to_string();
            assert_eq!(boards(&castled), boards(expected.text()), "{before}");
        }
    }
}

/// Pieces that move, are carried or rotated lose their right for good; others keep it. Moves, and
/// why castling kingside and queenside is then illegal.
const RETURNS: &str = "
d0KL1-d1W b8B-b7B d1W-d0KL1 b7B-b8B     | the king on d0KL1 has moved | the king on d0KL1 has moved
e0KL1-e1KL1 b8B-b7B e1KL1-e0KL1 b7B-b8B | the rook on e0KL1 has moved |
O-O b8B-b7B e0KL1-e1KL1 b7B-b8B d0KL1-d1KL1 b8B-b7B e1KL1-d0KL1 b7B-b8B d1KL1-e1KL1 b8B-b7B e1KL1-e0KL1 b7B-b8B | the king on d0KL1 has moved | the king on d0KL1 has moved
QL1-QL2 b8B-b7B | | no attack board stands on its home pin QL1
QL1-QL2 b8B-b7B z4QL2-a4W b7B-b8B QL2-QL1 b8B-b7B a4W-a0QL1 b7B-b8B a0QL1-z0QL1 b8B-b7B | | the rook on z0QL1 has moved
";

#[test]
fn returning_home_restores_no_right() {
    for [moves, kingside, queenside] in table(RETURNS) {
        for scene in both("K+ d0KL1,R+ e0KL1,R+ z0QL1,k b8B") {
            let position = scene.after(moves);
            assert_eq!(reason(&scene, &position, KingsideKl), kingside, "{moves}");
            assert_eq!(reason(&scene, &position, Queenside), queenside, "{moves}");
        }
    }
    // An empty board that was away does not matter.
    for scene in both("K+ d0KL1,R+ e0KL1,k b8B") {
        let position = scene.after("QL1-QL2 b8B-b7B QL2-QL1 b7B-b8B");
        assert_eq!(reason(&scene, &position, KingsideKl), "");
    }
}

#[test]
fn the_castled_rook_gives_check_or_mate() {
    // To mate, queens attack the files beside the king's.
    for (queens, notation) in [("", "O-O-O+"), (",Q c3N,Q e4KL2", "O-O-O#")] {
        for scene in both(&format!("K+ d0KL1,R+ z0QL1,k d8B,KL6>KL2{queens}")) {
            let position = scene.position();
            let castle = position.read_move("O-O-O").expect("it is legal");
            assert_eq!(position.notation(castle), notation);
            let checkers: Vec<_> = scene.after("O-O-O").checkers().into_iter().collect();
            assert_eq!(checkers, [scene.square("d0KL1")]);
        }
    }
}

#[test]
fn castling_as_the_only_move_is_not_stalemate() {
    // The opposing rook attacks the first rank and controls the other board.
    let spec = "K+ d0KL1,R+ e0KL1,P e1KL1,r a1QL1,k b8B";
    for (second, first) in both(spec).iter().zip(both(&format!("{spec},#1"))) {
        assert_eq!(legal(&second.position()), ["O-O"]);
        assert!(!second.position().is_stalemate());
        let game = Game::new(first.position());
        assert_eq!(game.outcome(), Some(Outcome::Stalemate));
    }
}
