//! Every condition of castling alone: all kinds, both colours.

use crate::scene::{Scene, after, refusal};
use tridim::{CastlingKind, CastlingRefusal, Color, Move};

use CastlingKind::{KingsideKl, KingsideQl, Queenside};

/// A kind with everything in order, and what the tests need to know of it. Squares as White
/// has them.
struct Case {
    kind: CastlingKind,
    king: (&'static str, &'static str),
    rook: (&'static str, &'static str),
    scene: Scene,
}

fn cases() -> Vec<(Color, Case)> {
    let kinds = [
        (KingsideKl, ("d0KL1", "e0KL1"), ("e0KL1", "d0KL1")),
        (KingsideQl, ("z0QL1", "a0QL1"), ("a0QL1", "z0QL1")),
        (Queenside, ("d0KL1", "a0QL1"), ("z0QL1", "d0KL1")),
    ];
    let with_both = |side| {
        kinds.map(|(kind, king, rook)| {
            let men = format!("K+ {},R+ {},k b8B", king.0, rook.0);
            let scene = Scene::new(side).with(&men);
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

/// The refusal of a kind in a scene; the notation must be refused with the same words.
fn refused(scene: &Scene, kind: CastlingKind) -> CastlingRefusal {
    let position = scene.position();
    let reason = position.why_not(kind).expect("castling is refused");
    assert!(!position.castling_options(position.turn()).contains(&kind));
    let castles = |mv: &Move| matches!(mv, Move::Castle(castling) if castling.kind == kind);
    assert!(!position.legal_moves().iter().any(castles), "{position}");
    reason
}

/// Replaces the men of a square.
fn instead(scene: &Scene, at: &str, men: &str) -> Scene {
    scene.clone().without(at).with(men)
}

#[test]
fn allowed_when_all_hold() {
    for (side, case) in cases() {
        let position = case.scene.position();
        assert_eq!(position.castling_options(side), [case.kind], "{position}");
        assert_eq!(position.why_not(case.kind), None);
        // It is not the other side's turn.
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
        let man = |name| next.man_on(at(name)).map(|man| man.role().letter());
        assert_eq!((man(case.king.1), man(case.rook.1)), (Some('k'), Some('r')));
        for name in [case.king.0, case.king.1, case.rook.0, case.rook.1] {
            assert!(!next.is_unmoved(at(name)), "both have moved");
        }
        assert_eq!(next.world().side(side).count(), 2);
        assert_eq!((next.turn(), next.halfmove_clock()), (!side, 1));
    }
}

#[test]
fn one_not_as_the_first_move() {
    for (_, case) in cases() {
        let kind = case.kind;
        let first = case.scene.clone().number(1);
        assert_eq!(refused(&first, kind), CastlingRefusal::FirstMove { kind });
        let words = refusal(&first.position(), kind.notation());
        assert_eq!(
            words,
            format!("cannot castle {kind}: not as the first move of the game")
        );
    }
}

#[test]
fn two_no_board_activated_this_turn() {
    for (_, case) in cases() {
        let kind = case.kind;
        // A board that may move: the empty one, or the rook's own.
        let board = if kind == KingsideQl { "KL1" } else { "QL1" };
        let held = case.scene.clone().held(board);
        let pin = case.scene.pin(board);
        let expected = CastlingRefusal::BoardActivated { kind, pin };
        assert_eq!(refused(&held, kind), expected);
        // Let go of, it is as if nothing had been; activating says the same as setting up.
        let position = case.scene.position();
        assert_eq!(position.activate(pin), Ok(held.position()));
        assert_eq!(held.position().release(), position);
        assert_eq!(held.position().release().why_not(kind), None);
    }
}

#[test]
fn three_not_in_check() {
    for (_, case) in cases() {
        let kind = case.kind;
        // Down the king's file, over squares that are not there where need be.
        let from = if kind == KingsideQl { "z9QL6" } else { "d5N" };
        let scene = case.scene.clone().with(&format!("r {from}"));
        let checker = scene.square(from);
        assert_eq!(
            refused(&scene, kind),
            CastlingRefusal::InCheck { kind, checker }
        );
        // Nothing else was wrong: a shadow on the line, at whatever height, and it is open.
        let shadow = if kind == KingsideQl { "z4QL2" } else { "d4W" };
        let shielded = scene.with(&format!("N {shadow}"));
        let shielded = match kind {
            KingsideQl => shielded.board("KL1", "QL2"),
            _ => shielded,
        };
        assert_eq!(shielded.position().why_not(kind), None, "{kind}");
    }
}

#[test]
fn four_the_boards_stand_on_their_home_pins() {
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
        let men = format!("K+ {},R+ {}", carried(case.king.0), carried(case.rook.0));
        let away = case.scene.clone().without(case.king.0).without(case.rook.0);
        let away = away.with(&men).board(from, to);
        let pin = away.pin(from);
        assert_eq!(
            refused(&away, kind),
            CastlingRefusal::BoardNotHome { kind, pin }
        );
    }
}

#[test]
fn five_the_boards_are_the_players() {
    for (side, case) in cases() {
        let kind = case.kind;
        let (board, at) = match kind {
            KingsideKl => ("KL1", "e1KL1"),
            _ => ("QL1", "z1QL1"),
        };
        let scene = case.scene.clone().with(&format!("n {at}"));
        let passenger = Some(scene.square(at));
        let pin = scene.pin(board);
        let expected = CastlingRefusal::NotControlled {
            kind,
            pin,
            side,
            passenger,
        };
        assert_eq!(refused(&scene, kind), expected);
        // A man of one's own there takes nothing away, nor does a foreign marking under one's
        // own men.
        let own = case.scene.clone().with(&format!("N {at}"));
        assert_eq!(own.position().why_not(kind), None);
        let marked = case
            .scene
            .clone()
            .swap_owners(board, &format!("{}6", &board[..2]));
        assert_eq!(marked.position().why_not(kind), None);
    }
}

#[test]
fn five_an_empty_board_is_its_owners() {
    for side in Color::ALL {
        let scene = Scene::new(side)
            .with("K+ d0KL1,k b8B")
            .swap_owners("QL1", "QL6");
        let expected = CastlingRefusal::NotControlled {
            kind: Queenside,
            pin: scene.pin("QL1"),
            side,
            passenger: None,
        };
        assert_eq!(refused(&scene, Queenside), expected);
    }
}

#[test]
fn six_king_and_rook_are_there() {
    for (side, case) in cases() {
        let kind = case.kind;
        let rank = if side == Color::White { 0 } else { 9 };
        // One rank up on the same board is not there.
        let up = case.king.0.replace('0', "1");
        let kingless = instead(&case.scene, case.king.0, &format!("K+ {up}"));
        let expected = CastlingRefusal::KingNotFound { kind, side, rank };
        assert_eq!(refused(&kingless, kind), expected);

        let pin = case
            .scene
            .square(case.rook.0)
            .pin()
            .expect("an attack board");
        let expected = CastlingRefusal::RookNotFound { kind, pin, rank };
        let rookless = case.scene.clone().without(case.rook.0);
        assert_eq!(refused(&rookless, kind), expected);
        let bishop = instead(&case.scene, case.rook.0, &format!("B {}", case.rook.0));
        assert_eq!(refused(&bishop, kind), expected);
        let up = case.rook.0.replace('0', "1");
        let rook_up = instead(&case.scene, case.rook.0, &format!("R+ {up}"));
        assert_eq!(refused(&rook_up, kind), expected);
    }
}

#[test]
fn seven_neither_has_moved() {
    for (_, case) in cases() {
        let kind = case.kind;
        let moved = instead(&case.scene, case.king.0, &format!("K {}", case.king.0));
        let king = case.scene.square(case.king.0);
        assert_eq!(
            refused(&moved, kind),
            CastlingRefusal::KingMoved { kind, king }
        );
        let moved = instead(&case.scene, case.rook.0, &format!("R {}", case.rook.0));
        let rook = case.scene.square(case.rook.0);
        assert_eq!(
            refused(&moved, kind),
            CastlingRefusal::RookMoved { kind, rook }
        );
    }
}

#[test]
fn eight_nobody_between() {
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
            let free = Scene::new(side).with(&format!("K+ {king},R+ {rook},k b8B"));
            assert_eq!(free.position().why_not(kind), None, "{king} {rook}");
            let blocked = free.with(&format!("N {between}"));
            let square = blocked.square(between);
            assert_eq!(
                refused(&blocked, kind),
                CastlingRefusal::Blocked { kind, square }
            );
        }
    }
}

#[test]
fn nine_the_kings_goal_is_not_attacked() {
    for (_, case) in cases() {
        let kind = case.kind;
        let from = if kind == KingsideKl { "e8KL6" } else { "a5N" };
        let scene = case.scene.clone().with(&format!("r {from}"));
        let (square, attacker) = (scene.square(case.king.1), scene.square(from));
        let expected = CastlingRefusal::Attacked {
            kind,
            square,
            attacker,
        };
        assert_eq!(refused(&scene, kind), expected);
        let words = refusal(&scene.position(), kind.notation());
        let expected = format!(
            "cannot castle {kind}: {square}, where the king would go, is attacked from {attacker}"
        );
        assert_eq!(words, expected);
    }
}

#[test]
fn an_attacked_rook_may_castle() {
    for side in Color::ALL {
        let scene = Scene::new(side).with("K+ d0KL1,R+ z0QL1,k b8B,r z9QL6");
        assert_eq!(scene.position().why_not(Queenside), None);
    }
}

#[test]
fn the_conditions_are_asked_in_their_order() {
    // Everything is wrong at once; mending one after the other brings up the next.
    for side in Color::ALL {
        let all = Scene::new(side).with("r e8KL6,k b8B");
        let kind = KingsideKl;
        let reason = |scene: &Scene| scene.position().why_not(kind);
        let bare = all.clone().with("K d0KL1,n d1KL1,r d7B").number(1);
        assert_eq!(reason(&bare), Some(CastlingRefusal::FirstMove { kind }));
        // The knight on d1 stands in the rook's line until it has gone.
        let checked = bare.clone().number(2).without("d1KL1");
        let checker = checked.square("d7B");
        assert_eq!(
            reason(&checked),
            Some(CastlingRefusal::InCheck { kind, checker })
        );
        let safe = bare.number(2);
        assert!(matches!(
            reason(&safe),
            Some(CastlingRefusal::NotControlled { .. })
        ));
        let lone = safe.without("d1KL1").without("d7B");
        assert!(matches!(
            reason(&lone),
            Some(CastlingRefusal::RookNotFound { .. })
        ));
        let met = lone.with("R e0KL1");
        assert!(matches!(
            reason(&met),
            Some(CastlingRefusal::KingMoved { .. })
        ));
        let king = met.without("d0KL1").with("K+ d0KL1");
        assert!(matches!(
            reason(&king),
            Some(CastlingRefusal::RookMoved { .. })
        ));
        let rook = king.without("e0KL1").with("R+ e0KL1");
        assert!(matches!(
            reason(&rook),
            Some(CastlingRefusal::Attacked { .. })
        ));
        assert_eq!(reason(&rook.without("e8KL6")), None);
    }
}
