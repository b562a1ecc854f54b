//! Every condition of castling alone: all kinds, both colors.

use crate::helpers::PositionBuilder;
use tridim::{CastlingKind, Move};

use CastlingKind::{KingsideKl, KingsideQl, Queenside};

/// A kind that is legal in `scene`, and the squares of both pieces.
struct Case {
    kind: CastlingKind,
    king: [&'static str; 2],
    rook: [&'static str; 2],
    scene: PositionBuilder,
}

fn cases() -> Vec<Case> {
    let kinds = [
        (KingsideKl, ["d0KL1", "e0KL1"], ["e0KL1", "d0KL1"]),
        (KingsideQl, ["z0QL1", "a0QL1"], ["a0QL1", "z0QL1"]),
        (Queenside, ["d0KL1", "a0QL1"], ["z0QL1", "d0KL1"]),
    ];
    let cases = kinds.map(|(kind, king, rook)| {
        let pieces = format!("K+ {},R+ {},k b8B", king[0], rook[0]);
        PositionBuilder::both(&pieces).map(|scene| Case {
            kind,
            king,
            rook,
            scene,
        })
    });
    cases.into_iter().flatten().collect()
}

impl Case {
    fn assert_legal(&self, scene: &PositionBuilder) {
        assert_eq!(
            scene.position().why_no_castling(self.kind),
            None,
            "{}",
            scene.text()
        );
    }

    /// Asserts that castling is illegal for a reason, by every way to ask.
    fn assert_illegal(&self, scene: &PositionBuilder, reason: &str) {
        assert_illegal(scene, self.kind, reason);
    }
}

fn assert_illegal(scene: &PositionBuilder, kind: CastlingKind, reason: &str) {
    let position = scene.position();
    let error = position
        .why_no_castling(kind)
        .unwrap_or_else(|| panic!("{kind} is legal in {position}"));
    let expected = format!("cannot castle {kind}: {reason}");
    assert_eq!(scene.name(&error.to_string()), expected, "{position}");
    assert!(!position.castling_options(scene.us()).contains(&kind));
    let castles = |mv: &Move| matches!(mv, Move::Castle(castling) if castling.kind == kind);
    assert!(!position.legal_moves().iter().any(castles), "{position}");
    if kind == Queenside || kind == position.kingside() {
        assert_eq!(scene.error(kind.notation()), expected);
    }
}

#[test]
fn castling_is_legal_when_all_conditions_hold() {
    for case in cases() {
        let Case {
            kind,
            king,
            rook,
            scene,
        } = &case;
        let (position, us) = (scene.position(), scene.us());
        case.assert_legal(scene);
        assert_eq!(position.castling_options(us), [*kind], "{position}");
        assert_eq!(
            position.castling_options(!us),
            [],
            "it is not that side's turn"
        );
        let castling = position.castle(*kind).expect("it is legal");
        let at = |name: &&str| scene.square(name);
        assert_eq!(castling.kind, *kind);
        assert_eq!(
            [castling.king_from, castling.king_to],
            king.each_ref().map(at)
        );
        assert_eq!(
            [castling.rook_from, castling.rook_to],
            rook.each_ref().map(at)
        );
        assert!(position.is_legal(Move::Castle(castling)));

        let next = scene.after(kind.notation());
        assert_eq!(scene.letter(&next, king[1]), Some('K'));
        assert_eq!(scene.letter(&next, rook[1]), Some('R'));
        for name in king.iter().chain(rook) {
            assert!(!next.is_unmoved(scene.square(name)), "both have moved");
        }
        assert_eq!(next.placement().by_color(us).count(), 2);
        assert_eq!((next.side_to_move(), next.halfmove_clock()), (!us, 1));
    }
}

#[test]
fn condition_1_not_the_first_move() {
    for case in cases() {
        let reason = "castling is not allowed as the first move";
        case.assert_illegal(&case.scene.number(1), reason);
    }
}

#[test]
fn condition_2_no_board_activated() {
    for case in cases() {
        // A board that may move: the empty one, or the rook's own.
        let board = if case.kind == KingsideQl {
            "KL1"
        } else {
            "QL1"
        };
        let activated = case.scene.activated(board);
        let reason = format!("the attack board on {board} is activated this turn");
        case.assert_illegal(&activated, &reason);
        // Activating a board equals setting it up; releasing it restores the position.
        let position = case.scene.position();
        assert_eq!(
            position.activate(case.scene.pin(board)),
            Ok(activated.position())
        );
        assert_eq!(activated.position().release(), position);
    }
}

#[test]
fn condition_3_not_in_check() {
    for case in cases() {
        // Along the king's file, over missing squares; a shadow on any level shields the king.
        let (from, scene, shield) = match case.kind {
            KingsideQl => ("z9QL6", case.scene.board("KL1", "QL2"), "z4QL2"),
            _ => ("d5N", case.scene.clone(), "d4W"),
        };
        let scene = scene.with(&format!("r {from}"));
        case.assert_illegal(&scene, &format!("the king is in check from {from}"));
        case.assert_legal(&scene.with(&format!("N {shield}")));
    }
}

#[test]
fn condition_4_boards_on_their_home_pins() {
    for case in cases() {
        // The board of the king, or of the rook for the queenside, stands elsewhere.
        let (from, to) = match case.kind {
            KingsideKl => ("KL1", "KL3"),
            _ => ("QL1", "QL3"),
        };
        let carried = |name: &str| match name.strip_suffix(from) {
            Some(place) => format!("{}2{to}", &place[..1]),
            None => name.to_owned(),
        };
        let pieces = format!("K+ {},R+ {}", carried(case.king[0]), carried(case.rook[0]));
        let bare = case.scene.without(case.king[0]).without(case.rook[0]);
        let reason = format!("no attack board stands on its home pin {from}");
        case.assert_illegal(&bare.with(&pieces).board(from, to), &reason);
    }
}

#[test]
fn condition_5_the_player_controls_the_boards() {
    for case in cases() {
        let (board, other, at) = match case.kind {
            KingsideKl => ("KL1", "KL6", "e1KL1"),
            _ => ("QL1", "QL6", "z1QL1"),
        };
        let reason = format!("Black controls the board on {board}, by the piece on {at}");
        case.assert_illegal(&case.scene.with(&format!("n {at}")), &reason);
        // An own piece does not take control away, nor does the owner of an occupied board.
        case.assert_legal(&case.scene.with(&format!("N {at}")));
        case.assert_legal(&case.scene.swap_owners(board, other));
    }
    for scene in PositionBuilder::both("K+ d0KL1,k b8B") {
        let reason = "Black controls the board on QL1, which is empty and theirs";
        assert_illegal(&scene.swap_owners("QL1", "QL6"), Queenside, reason);
    }
}

#[test]
fn condition_6_king_and_rook_in_place() {
    for case in cases() {
        let Case {
            kind,
            king: [king, _],
            rook: [rook, _],
            scene,
        } = &case;
        let up = |name: &str| name.replacen('0', "1", 1);
        let pins = match kind {
            KingsideKl => "KL1",
            KingsideQl => "QL1",
            Queenside => "KL1 or QL1",
        };
        let kingless = scene.without(king).with(&format!("K+ {}", up(king)));
        case.assert_illegal(&kingless, &format!("the king is not on rank 0 of {pins}"));
        let reason = format!("no rook on rank 0 of {}", &rook[2..]);
        let rookless = scene.without(rook);
        case.assert_illegal(&rookless, &reason);
        case.assert_illegal(&rookless.with(&format!("B {rook}")), &reason);
        case.assert_illegal(&rookless.with(&format!("R+ {}", up(rook))), &reason);
    }
}

#[test]
fn condition_7_neither_has_moved() {
    for case in cases() {
        for (letter, name, at) in [('K', "king", case.king[0]), ('R', "rook", case.rook[0])] {
            let moved = case.scene.with(&format!("{letter} {at}"));
            case.assert_illegal(&moved, &format!("the {name} on {at} has moved"));
        }
    }
}

#[test]
fn condition_8_no_piece_between() {
    for (king, rook, between) in [
        ("d0KL1", "z0QL1", "a0QL1"),
        ("e0KL1", "z0QL1", "a0QL1"),
        ("e0KL1", "z0QL1", "d0KL1"),
        ("e0KL1", "a0QL1", "d0KL1"),
        ("z0QL1", "d0KL1", "a0QL1"),
        ("z0QL1", "e0KL1", "d0KL1"),
    ] {
        for scene in PositionBuilder::both(&format!("K+ {king},R+ {rook},k b8B")) {
            assert_eq!(
                scene.position().why_no_castling(Queenside),
                None,
                "{king} {rook}"
            );
            let reason = format!("{between} between king and rook is occupied");
            assert_illegal(&scene.with(&format!("N {between}")), Queenside, &reason);
        }
    }
}

#[test]
fn condition_9_destination_not_attacked() {
    for case in cases() {
        let from = if case.kind == KingsideKl {
            "e8KL6"
        } else {
            "a5N"
        };
        let to = case.king[1];
        let reason = format!("{to}, the destination of the king, is attacked from {from}");
        case.assert_illegal(&case.scene.with(&format!("r {from}")), &reason);
    }
    // The rook may be attacked.
    for scene in PositionBuilder::both("K+ d0KL1,R+ z0QL1,k b8B,r z9QL6") {
        assert_eq!(scene.position().why_no_castling(Queenside), None);
    }
}

#[test]
fn conditions_are_checked_in_order() {
    // Every condition fails at first; each step removes the reason reported last.
    for scene in PositionBuilder::both("K d0KL1,n d1KL1,r d7B,r e8KL6,k b8B") {
        let first = scene.number(1);
        assert_illegal(
            &first,
            KingsideKl,
            "castling is not allowed as the first move",
        );
        // The knight on d1 shields the king from the rook.
        let reason = "the king is in check from d7B";
        assert_illegal(&scene.without("d1KL1"), KingsideKl, reason);
        let reason = "Black controls the board on KL1, by the piece on d1KL1";
        assert_illegal(&scene, KingsideKl, reason);
        let mut scene = scene.without("d1KL1").without("d7B");
        for (reason, pieces) in [
            ("no rook on rank 0 of KL1", "R e0KL1"),
            ("the king on d0KL1 has moved", "K+ d0KL1"),
            ("the rook on e0KL1 has moved", "R+ e0KL1"),
        ] {
            assert_illegal(&scene, KingsideKl, reason);
            scene = scene.with(pieces);
        }
        let reason = "e0KL1, the destination of the king, is attacked from e8KL6";
        assert_illegal(&scene, KingsideKl, reason);
        assert_eq!(
            scene
                .without("e8KL6")
                .position()
                .why_no_castling(KingsideKl),
            None
        );
    }
}
