//! Every condition of castling alone: all kinds, both colours.

use crate::helpers::{PositionBuilder, after, error_of};
use tridim::{CastlingError, CastlingKind, Color, Move};

use CastlingKind::{KingsideKl, KingsideQl, Queenside};

/// A kind with everything in order, and what the tests need to know of it. Squares as White
/// has them.
struct Case {
    kind: CastlingKind,
    king: (&'static str, &'static str),
    rook: (&'static str, &'static str),
    scene: PositionBuilder,
}

fn cases() -> Vec<(Color, Case)> {
    let kinds = [
        (KingsideKl, ("d0KL1", "e0KL1"), ("e0KL1", "d0KL1")),
        (KingsideQl, ("z0QL1", "a0QL1"), ("a0QL1", "z0QL1")),
        (Queenside, ("d0KL1", "a0QL1"), ("z0QL1", "d0KL1")),
    ];
    let with_both = |side| {
        kinds.map(|(kind, king, rook)| {
            let pieces = format!("K+ {},R+ {},k b8B", king.0, rook.0);
            let scene = PositionBuilder::new(side).with(&pieces);
            (
                side,
                Case {
                    kind,
                    king,
                    rook,
                    scene,
                },
            )
        })
    };
    Color::ALL.into_iter().flat_map(with_both).collect()
}

/// The error_of of a kind in a scene; the notation must be castling_error with the same words.
fn castling_error(scene: &PositionBuilder, kind: CastlingKind) -> CastlingError {
    let position = scene.position();
    let reason = position
        .why_no_castling(kind)
        .expect("castling is castling_error");
    assert!(
        !position
            .castling_options(position.side_to_move())
            .contains(&kind)
    );
    let castles = |mv: &Move| matches!(mv, Move::Castle(castling) if castling.kind == kind);
    assert!(!position.legal_moves().iter().any(castles), "{position}");
    reason
}

/// Replaces the pieces of a square.
fn instead(scene: &PositionBuilder, at: &str, pieces: &str) -> PositionBuilder {
    scene.clone().without(at).with(pieces)
}

#[test]
fn castling_is_legal_when_all_conditions_hold() {
    for (side, case) in cases() {
        let position = case.scene.position();
        assert_eq!(position.castling_options(side), [case.kind], "{position}");
        assert_eq!(position.why_no_castling(case.kind), None);
        // It is not the other side's side_to_move.
        assert_eq!(position.castling_options(!side), []);
        let castling = position.castle(case.kind).expect("it is open");
        let at = |name| case.scene.square(name);
        assert_eq!(castling.kind, case.kind);
        assert_eq!(
            (castling.king_from, castling.king_to),
            (at(case.king.0), at(case.king.1))
        );
        assert_eq!(
            (castling.rook_from, castling.rook_to),
            (at(case.rook.0), at(case.rook.1))
        );
        assert!(position.is_legal(Move::Castle(castling)));

        let next = after(&position, case.kind.notation());
        let piece = |name| next.piece_on(at(name)).map(|piece| piece.role().letter());
        assert_eq!(
            (piece(case.king.1), piece(case.rook.1)),
            (Some('k'), Some('r'))
        );
        for name in [case.king.0, case.king.1, case.rook.0, case.rook.1] {
            assert!(!next.is_unmoved(at(name)), "both have moved");
        }
        assert_eq!(next.placement().side(side).count(), 2);
        assert_eq!((next.side_to_move(), next.halfmove_clock()), (!side, 1));
    }
}

#[test]
fn condition_1_not_the_first_move() {
    for (_, case) in cases() {
        let kind = case.kind;
        let first = case.scene.clone().number(1);
        assert_eq!(
            castling_error(&first, kind),
            CastlingError::FirstMove { kind }
        );
        let words = error_of(&first.position(), kind.notation());
        assert_eq!(
            words,
            format!("cannot castle {kind}: castling is not allowed as the first move")
        );
    }
}

#[test]
fn condition_2_no_board_activated() {
    for (_, case) in cases() {
        let kind = case.kind;
        // A board that may move: the empty one, or the rook's own.
        let board = if kind == KingsideQl { "KL1" } else { "QL1" };
        let activated = case.scene.clone().activated(board);
        let pin = case.scene.pin(board);
        let expected = CastlingError::AnotherBoardActivated { kind, pin };
        assert_eq!(castling_error(&activated, kind), expected);
        // Let go of, it is as if nothing had been; activating says the same as setting up.
        let position = case.scene.position();
        assert_eq!(position.activate(pin), Ok(activated.position()));
        assert_eq!(activated.position().release(), position);
        assert_eq!(activated.position().release().why_no_castling(kind), None);
    }
}

#[test]
fn condition_3_not_in_check() {
    for (_, case) in cases() {
        let kind = case.kind;
        // Down the king's file, over squares that are not there where need be.
        let from = if kind == KingsideQl { "z9QL6" } else { "d5N" };
        let scene = case.scene.clone().with(&format!("r {from}"));
        let checker = scene.square(from);
        assert_eq!(
            castling_error(&scene, kind),
            CastlingError::InCheck { kind, checker }
        );
        // Nothing else was wrong: a shadow on the line, at whatever height, and it is open.
        let shadow = if kind == KingsideQl { "z4QL2" } else { "d4W" };
        let shielded = scene.with(&format!("N {shadow}"));
        let shielded = match kind {
            KingsideQl => shielded.board("KL1", "QL2"),
            _ => shielded,
        };
        assert_eq!(shielded.position().why_no_castling(kind), None, "{kind}");
    }
}

#[test]
fn condition_4_boards_on_their_home_pins() {
    for (_, case) in cases() {
        let kind = case.kind;
        // King and rook are on the board, the rook's alone for the queenside; only it is away.
        let (from, to) = match kind {
            KingsideKl => ("KL1", "KL3"),
            _ => ("QL1", "QL3"),
        };
        let carried = |name: &str| match name.strip_suffix(from) {
            Some(place) => format!("{}2{to}", &place[..1]),
            None => name.to_owned(),
        };
        let pieces = format!("K+ {},R+ {}", carried(case.king.0), carried(case.rook.0));
        let away = case.scene.clone().without(case.king.0).without(case.rook.0);
        let away = away.with(&pieces).board(from, to);
        let pin = away.pin(from);
        assert_eq!(
            castling_error(&away, kind),
            CastlingError::BoardNotHome { kind, pin }
        );
    }
}

#[test]
fn condition_5_the_player_controls_the_boards() {
    for (side, case) in cases() {
        let kind = case.kind;
        let (board, at) = match kind {
            KingsideKl => ("KL1", "e1KL1"),
            _ => ("QL1", "z1QL1"),
        };
        let scene = case.scene.clone().with(&format!("n {at}"));
        let passenger = Some(scene.square(at));
        let pin = scene.pin(board);
        let expected = CastlingError::NotControlled {
            kind,
            pin,
            side,
            passenger,
        };
        assert_eq!(castling_error(&scene, kind), expected);
        // A piece of one's own there takes nothing away, nor does a foreign marking under one's
        // own pieces.
        let own = case.scene.clone().with(&format!("N {at}"));
        assert_eq!(own.position().why_no_castling(kind), None);
        let marked = case
            .scene
            .clone()
            .swap_owners(board, &format!("{}6", &board[..2]));
        assert_eq!(marked.position().why_no_castling(kind), None);
    }
}

#[test]
fn condition_5_the_owner_controls_an_empty_board() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side)
            .with("K+ d0KL1,k b8B")
            .swap_owners("QL1", "QL6");
        let expected = CastlingError::NotControlled {
            kind: Queenside,
            pin: scene.pin("QL1"),
            side,
            passenger: None,
        };
        assert_eq!(castling_error(&scene, Queenside), expected);
    }
}

#[test]
fn condition_6_king_and_rook_in_place() {
    for (side, case) in cases() {
        let kind = case.kind;
        let rank = if side == Color::White { 0 } else { 9 };
        // One rank up on the same board is not there.
        let up = case.king.0.replace('0', "1");
        let kingless = instead(&case.scene, case.king.0, &format!("K+ {up}"));
        let expected = CastlingError::KingNotFound { kind, side, rank };
        assert_eq!(castling_error(&kingless, kind), expected);

        let pin = case
            .scene
            .square(case.rook.0)
            .pin()
            .expect("an attack board");
        let expected = CastlingError::RookNotFound { kind, pin, rank };
        let rookless = case.scene.clone().without(case.rook.0);
        assert_eq!(castling_error(&rookless, kind), expected);
        let bishop = instead(&case.scene, case.rook.0, &format!("B {}", case.rook.0));
        assert_eq!(castling_error(&bishop, kind), expected);
        let up = case.rook.0.replace('0', "1");
        let rook_up = instead(&case.scene, case.rook.0, &format!("R+ {up}"));
        assert_eq!(castling_error(&rook_up, kind), expected);
    }
}

#[test]
fn condition_7_neither_has_moved() {
    for (_, case) in cases() {
        let kind = case.kind;
        let moved = instead(&case.scene, case.king.0, &format!("K {}", case.king.0));
        let king = case.scene.square(case.king.0);
        assert_eq!(
            castling_error(&moved, kind),
            CastlingError::KingMoved { kind, king }
        );
        let moved = instead(&case.scene, case.rook.0, &format!("R {}", case.rook.0));
        let rook = case.scene.square(case.rook.0);
        assert_eq!(
            castling_error(&moved, kind),
            CastlingError::RookMoved { kind, rook }
        );
    }
}

#[test]
fn condition_8_no_piece_between() {
    let kind = Queenside;
    for side in Color::ALL {
        for (king, rook, between) in [
            ("d0KL1", "z0QL1", "a0QL1"),
            ("e0KL1", "z0QL1", "a0QL1"),
            ("e0KL1", "z0QL1", "d0KL1"),
            ("e0KL1", "a0QL1", "d0KL1"),
            ("z0QL1", "d0KL1", "a0QL1"),
            ("z0QL1", "e0KL1", "d0KL1"),
        ] {
            let free = PositionBuilder::new(side).with(&format!("K+ {king},R+ {rook},k b8B"));
            assert_eq!(free.position().why_no_castling(kind), None, "{king} {rook}");
            let blocked = free.with(&format!("N {between}"));
            let square = blocked.square(between);
            assert_eq!(
                castling_error(&blocked, kind),
                CastlingError::Blocked { kind, square }
            );
        }
    }
}

#[test]
fn condition_9_destination_not_attacked() {
    for (_, case) in cases() {
        let kind = case.kind;
        let from = if kind == KingsideKl { "e8KL6" } else { "a5N" };
        let scene = case.scene.clone().with(&format!("r {from}"));
        let (square, attacker) = (scene.square(case.king.1), scene.square(from));
        let expected = CastlingError::Attacked {
            kind,
            square,
            attacker,
        };
        assert_eq!(castling_error(&scene, kind), expected);
        let words = error_of(&scene.position(), kind.notation());
        let expected = format!(
            "cannot castle {kind}: {square}, the destination of the king, is attacked from {attacker}"
        );
        assert_eq!(words, expected);
    }
}

#[test]
fn an_attacked_rook_may_castle() {
    for side in Color::ALL {
        let scene = PositionBuilder::new(side).with("K+ d0KL1,R+ z0QL1,k b8B,r z9QL6");
        assert_eq!(scene.position().why_no_castling(Queenside), None);
    }
}

#[test]
fn conditions_are_checked_in_order() {
    // Everything is wrong at once; mending one after the other brings up the next.
    for side in Color::ALL {
        let all = PositionBuilder::new(side).with("r e8KL6,k b8B");
        let kind = KingsideKl;
        let reason = |scene: &PositionBuilder| scene.position().why_no_castling(kind);
        let bare = all.clone().with("K d0KL1,n d1KL1,r d7B").number(1);
        assert_eq!(reason(&bare), Some(CastlingError::FirstMove { kind }));
        // The knight on d1 stands in the rook's line until it has gone.
        let checked = bare.clone().number(2).without("d1KL1");
        let checker = checked.square("d7B");
        assert_eq!(
            reason(&checked),
            Some(CastlingError::InCheck { kind, checker })
        );
        let safe = bare.number(2);
        assert!(matches!(
            reason(&safe),
            Some(CastlingError::NotControlled { .. })
        ));
        let lone = safe.without("d1KL1").without("d7B");
        assert!(matches!(
            reason(&lone),
            Some(CastlingError::RookNotFound { .. })
        ));
        let met = lone.with("R e0KL1");
        assert!(matches!(
            reason(&met),
            Some(CastlingError::KingMoved { .. })
        ));
        let king = met.without("d0KL1").with("K+ d0KL1");
        assert!(matches!(
            reason(&king),
            Some(CastlingError::RookMoved { .. })
        ));
        let rook = king.without("e0KL1").with("R+ e0KL1");
        assert!(matches!(
            reason(&rook),
            Some(CastlingError::Attacked { .. })
        ));
        assert_eq!(reason(&rook.without("e8KL6")), None);
    }
}
