//! Castling in standard chess and Chess960: its conditions, its effects, and what revokes the
//! rights.

use crate::positions::{can_castle, chess960, push, rows_for_both_colors, square, standard};
use movegen::CastlingSide::{King, Queen};
use movegen::{CastlingSide, Game, Move, Position, Setup, Square, Variant, engine};

/// All four rights.
const HOME: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// `kingside`, `queenside` or `either`.
fn sides(cell: &str) -> &'static [CastlingSide] {
    match cell {
        "kingside" => &[King],
        "queenside" => &[Queen],
        "either" => &CastlingSide::ALL,
        _ => panic!("{cell}"),
    }
}

/// A position whose rights are given as `KQkq` is one of standard chess.
fn position(fen: &str) -> Position {
    match fen.split(' ').nth(2) {
        Some(rights) if rights.chars().any(|right| "KQkq".contains(right)) => standard(fen),
        _ => chess960(fen),
    }
}

/// The castling field of the FEN.
fn rights(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').nth(2).expect("six fields").to_owned()
}

#[track_caller]
fn assert_castling(position: &Position, side: CastlingSide, legal: bool) {
    assert_eq!(can_castle(position, side), legal, "{position} {side:?}");
    let mv = position.castling_move(side);
    assert_eq!(mv.is_ok(), legal, "{position} {side:?}: {mv:?}");
    let report = position.castling_report(side);
    assert_eq!(report.errors().first(), mv.err().as_ref(), "{position}");
    let all_hold = report.conditions().iter().all(Vec::is_empty);
    assert_eq!(all_hold, legal, "{position} {side:?}");
    let is_legal = mv.is_ok_and(|mv| position.is_legal(mv));
    assert_eq!(is_legal, legal, "{position} {side:?}");
}

/// The numbers of the conditions that fail.
#[test]
fn each_condition_is_reported() {
    let table = "
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1      | either    |
        r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1        | either    | 1
        4k3/8/8/8/8/8/8/R3K2R w - - 0 1           | either    | 1
        r3k2r/8/8/8/8/8/8/R4K1R w kq - 0 1        | either    | 1 2
        4k3/8/8/8/8/8/4K3/R6R w - - 0 1           | either    | 1 2
        r3k2r/8/8/8/8/8/8/R3K1B1 w Qkq - 0 1      | kingside  | 1 3 4
        r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1     | kingside  | 4
        r3k2r/8/8/4q3/8/8/8/R3K2R w KQkq - 0 1    | either    | 5
        r3k2r/8/8/8/8/8/5q2/R3K2R w KQkq - 0 1    | kingside  | 5 6
        r3k2r/8/8/8/8/8/5q2/R3K2R w KQkq - 0 1    | queenside | 5
        r3k2r/8/8/8/8/8/6p1/R3K1NR w KQkq - 0 1   | kingside  | 4 6
        r3k2r/8/8/8/8/4n3/8/RN2K2R w KQkq - 0 1   | queenside | 4 6
        5k2/8/8/8/8/8/8/rRK5 w B - 0 1            | queenside | 6
        ";
    for [fen, on, failing] in rows_for_both_colors(table) {
        for &side in sides(&on) {
            let conditions = position(&fen).castling_report(side).conditions();
            let numbers: Vec<String> = (1..=6)
                .zip(conditions)
                .filter(|(_, reasons)| !reasons.is_empty())
                .map(|(number, _)| number.to_string())
                .collect();
            assert_eq!(numbers.join(" "), failing, "{fen} {side}");
        }
    }
}

#[test]
fn the_path_of_king_and_rook() {
    let table = "
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | kingside  | e1 f1 g1       | h1 g1 f1
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | queenside | e1 d1 c1       | a1 b1 c1 d1
        r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1   | queenside | e1 d1 c1       | a1 b1 c1 d1
        4k3/8/8/8/8/8/8/1K5R w H - 0 1       | kingside  | b1 c1 d1 e1 f1 g1 | h1 g1 f1
        4k3/8/8/8/8/8/8/R1K5 w A - 0 1       | queenside | c1             | a1 b1 c1 d1
        4k3/8/8/8/8/8/8/5KR1 w G - 0 1       | kingside  | f1 g1          | g1 f1
        ";
    for [fen, on, king, rook] in rows_for_both_colors(table) {
        let squares = |text: &str| -> Vec<Square> { text.split(' ').map(square).collect() };
        let path = position(&fen).castling_path(sides(&on)[0]);
        for (squares, home, target, crossed) in [
            (squares(&king), path.king_home, path.king_target, path.king),
            (squares(&rook), path.rook_home, path.rook_target, path.rook),
        ] {
            assert_eq!(squares.first(), Some(&home), "{fen}");
            assert_eq!(squares.last(), Some(&target), "{fen}");
            let without_home = squares.into_iter().filter(|&at| at != home || at == target);
            assert_eq!(crossed, without_home.collect(), "{fen}");
        }
    }
}

#[track_caller]
fn assert_errors(table: &str) {
    for [fen, on, expected] in rows_for_both_colors(table) {
        for &side in sides(&on) {
            let position = position(&fen);
            assert_castling(&position, side, false);
            let error = position.castling_move(side).expect_err(&fen).to_string();
            let expected = format!("cannot castle {side}: {expected}");
            assert_eq!(error, expected, "{fen}");
        }
    }
}

#[test]
fn blocked_by_a_piece_between() {
    assert_errors(
        "
        r3k2r/8/8/8/8/8/8/R3KB1R w KQkq - 0 1 | kingside  | f1 is occupied
        r3k2r/8/8/8/8/8/8/R3K1nR w KQkq - 0 1 | kingside  | g1 is occupied
        r3k2r/8/8/8/8/8/8/RB2K2R w KQkq - 0 1 | queenside | b1 is occupied
        r3k2r/8/8/8/8/8/8/Rn2K2R w KQkq - 0 1 | queenside | b1 is occupied
        4k3/8/8/8/8/8/8/RN2K3 w A - 0 1       | queenside | b1 is occupied
        4k3/8/8/8/8/8/8/RK1N4 w A - 0 1       | queenside | d1 is occupied
        4k3/8/8/8/8/8/8/4KRN1 w F - 0 1       | kingside  | g1 is occupied
        ",
    );
}

#[test]
fn blocked_in_check() {
    assert_errors(
        "
        r3k2r/8/8/4r3/8/8/8/R3K2R w KQkq - 0 1 | either | the king is in check from the rook on e5
        r3k2r/8/8/8/1b6/8/8/R3K2R w KQkq - 0 1 | either | the king is in check from the bishop on b4
        r3k2r/8/8/8/8/3n4/8/R3K2R w KQkq - 0 1 | either | the king is in check from the knight on d3
        r3k2r/8/8/8/8/8/3p4/R3K2R w KQkq - 0 1 | either | the king is in check from the pawn on d2
        r3k2r/8/8/8/7q/8/8/R3K2R w KQkq - 0 1  | either | the king is in check from the queen on h4
        ",
    );
}

/// By each piece, on each square the king crosses or lands on, and through the castling rook.
#[test]
fn blocked_when_a_square_of_the_king_is_attacked() {
    assert_errors(
        "
        r3k2r/8/8/5r2/8/8/8/R3K2R w KQkq - 0 1 | kingside  | f1 is attacked by the rook on f5
        r3k2r/8/8/2r5/8/8/8/R3K2R w KQkq - 0 1 | queenside | c1 is attacked by the rook on c5
        r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1 | kingside  | f1 is attacked by the pawn on g2
        r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1 | kingside  | f1 is attacked by the knight on g3
        r6r/8/8/8/8/8/6k1/R3K2R w KQkq - 0 1   | kingside  | f1 is attacked by the king on g2
        k7/8/8/2r5/8/8/8/1K5R w H - 0 1        | kingside  | c1 is attacked by the rook on c5
        7k/4r3/8/8/8/8/8/2K1R3 w E - 0 1       | kingside  | e1 is attacked by the rook on e7
        4k3/8/8/8/8/8/8/qRK5 w B - 0 1         | queenside | c1 is attacked by the queen on a1
        4k3/8/8/8/8/8/8/5KRq w G - 0 1         | kingside  | g1 is attacked by the queen on h1
        ",
    );
}

/// All conditions but the right fail at first; each one fixed, the next is reported.
#[test]
fn conditions_are_checked_in_order() {
    for [fen] in rows_for_both_colors("r3k2r/8/8/4rr2/8/8/8/R3K1NR w Qkq - 0 1") {
        let error = standard(&fen).castling_move(King).expect_err(&fen);
        assert!(
            error.to_string().contains("may no longer castle"),
            "{error}"
        );
    }
    assert_errors(
        "
        r3k2r/8/8/4rr2/8/8/8/R3K1NR w KQkq - 0 1 | kingside | g1 is occupied
        r3k2r/8/8/4rr2/8/8/8/R3K2R w KQkq - 0 1  | kingside | the king is in check from the rook on e5
        r3k2r/8/8/5r2/8/8/8/R3K2R w KQkq - 0 1   | kingside | f1 is attacked by the rook on f5
        ",
    );
}

/// Blockers, checkers and the attackers of each square, in the order of the conditions.
#[test]
fn every_reason_is_named() {
    for [fen, side, expected] in rows_for_both_colors(
        "
        r3k2r/8/8/8/8/8/8/RNBQK2R w KQkq - 0 1     | O-O-O | b1 is occupied; c1 is occupied; d1 is occupied
        r3k2r/8/8/4rr2/8/8/8/R3K1NR w KQkq - 0 1   | O-O   | g1 is occupied; the king is in check from the rook on e5; f1 is attacked by the rook on f5
        r3k2r/8/8/4r3/8/5n2/8/R3K2R w KQkq - 0 1   | O-O   | the king is in check from the knight on f3 and the rook on e5; g1 is attacked by the knight on f3
        r3k2r/8/8/2r2r2/8/4nq2/8/R3K2R w KQkq - 0 1 | O-O-O | c1 is attacked by the rook on c5; d1 is attacked by the knight on e3 and the queen on f3
        r3k2r/8/8/8/8/6n1/6p1/R3K2R w KQkq - 0 1   | O-O   | f1 is attacked by the pawn on g2 and the knight on g3
        4k3/8/8/8/2b5/5q2/6p1/4K2R w K - 0 1       | O-O   | f1 is attacked by the pawn on g2, the bishop on c4 and the queen on f3
        4k3/8/8/8/8/8/8/4KB1R w - - 0 1            | O-O   | f1 is occupied
        ",
    ) {
        let error = standard(&fen).move_from_san(&side).expect_err(&fen);
        let every = format!("{error:#}");
        let details = every.rsplit_once(": ").map(|(_, details)| details);
        if standard(&fen).castling_rights().is_empty() {
            let right = "the king or the rook has moved, or the right is not in the FEN";
            assert_eq!(details, Some(format!("{right}; {expected}").as_str()));
        } else {
            assert_eq!(details, Some(expected.as_str()), "{fen}");
        }
        assert!(every.starts_with(&error.to_string()), "{every}: {error}");
    }
}

#[test]
fn legal_with_a_piece_on_the_other_side_or_an_attack_on_b1_or_the_rook() {
    for [fen, on, attacked] in rows_for_both_colors(
        "
        r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1  | kingside  |
        r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1  | queenside |
        r3k2r/8/8/7r/8/8/8/R3K2R w KQkq - 0 1  | kingside  | h1
        r3k2r/8/8/r7/8/8/8/R3K2R w KQkq - 0 1  | queenside | a1
        r3k2r/8/8/1r6/8/8/8/R3K2R w KQkq - 0 1 | either    | b1
        ",
    ) {
        for &side in sides(&on) {
            assert_castling(&standard(&fen), side, true);
        }
        let threats = engine::threats(&standard(&fen)).all;
        assert!(
            attacked.is_empty() || threats.has(square(&attacked)),
            "{fen}"
        );
    }
}

#[test]
fn each_right_is_needed_by_its_castling_alone() {
    const RIGHTS: [(&str, char, CastlingSide); 4] = [
        ("w", 'K', King),
        ("w", 'Q', Queen),
        ("b", 'k', King),
        ("b", 'q', Queen),
    ];
    for (_, lost, _) in RIGHTS {
        for (side_to_move, right, side) in RIGHTS {
            let left = "KQkq".replace(lost, "");
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R {side_to_move} {left} - 0 1");
            let position = standard(&fen);
            assert_castling(&position, side, right != lost);
            if let Err(error) = position.castling_move(side) {
                let color = position.side_to_move();
                let expected = format!(
                    "{color} may no longer castle {side}: \
                     the king or the rook has moved, or the right is not in the FEN"
                );
                assert_eq!(error.to_string(), expected);
            }
        }
    }
}

#[test]
fn rights_without_the_king_or_the_rook_at_home_are_dropped() {
    for [fen, on, expected] in rows_for_both_colors(
        "
        r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1    | kingside  | expected the rook on h1, found no piece
        r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1    | queenside | expected the rook on a1, found no piece
        r3k2r/8/8/8/8/8/8/R3K2B w KQkq - 0 1   | kingside  | expected the rook on h1, found a White bishop
        r3k2r/8/8/8/8/8/8/B3K2R w KQkq - 0 1   | queenside | expected the rook on a1, found a White bishop
        r3k2r/8/8/8/8/8/8/R3K2r w KQkq - 0 1   | kingside  | expected the rook on h1, found a Black rook
        r3k2r/8/8/8/8/8/8/r3K2R w KQkq - 0 1   | queenside | expected the rook on a1, found a Black rook
        r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1   | either    | the king stands on e2, not on e1
        ",
    ) {
        let setup: Setup = fen.parse().expect(&fen);
        let dropped = setup.position(Variant::Standard).expect(&fen).dropped;
        let reasons: Vec<String> = dropped
            .iter()
            .filter_map(|dropped| Some(dropped.to_string().split_once(": ")?.1.to_owned()))
            .collect();
        let expected = expected.replace("White", "white").replace("Black", "black");
        let expect = |side: &CastlingSide| format!("cannot castle {side}: {expected}");
        assert_eq!(reasons, sides(&on).iter().map(expect).collect::<Vec<_>>(), "{fen}");
        for &side in sides(&on) {
            let error = standard(&fen).castling_move(side).expect_err(&fen);
            assert_eq!(error.to_string(), expect(&side), "{fen}");
            assert_castling(&standard(&fen), side, false);
        }
    }
}

#[test]
fn attacks_do_not_depend_on_castling_rights() {
    let with = standard(HOME);
    let without = standard(&HOME.replace("KQkq", "-"));
    assert_eq!(engine::threats(&with), engine::threats(&without));
}

#[test]
fn castling_is_a_quiet_move_of_the_king_to_its_rook() {
    for [fen, on, standard_uci, chess960_uci] in rows_for_both_colors(
        "
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | kingside  | e1g1 | e1h1
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | queenside | e1c1 | e1a1
        ",
    ) {
        let position = standard(&fen);
        let mv = position.castling_move(sides(&on)[0]).expect("legal");
        assert_eq!(
            mv,
            Move::castling(square(&chess960_uci[..2]), square(&chess960_uci[2..]))
        );
        for (uci, variant) in [
            (&standard_uci, Variant::Standard),
            (&chess960_uci, Variant::Chess960),
        ] {
            assert_eq!(&mv.uci(variant).to_string(), uci);
            assert_eq!(position.move_from_uci(uci), Ok(mv));
        }
        assert!(position.legal_moves().contains(&mv));
        assert!(position.quiet_moves().contains(&mv));
        assert!(!position.noisy_moves().contains(&mv));
    }
    let position = standard("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for to in Square::all() {
        let mv = Move::castling(Square::E1, to);
        let expected = to == Square::A1 || to == Square::H1;
        assert_eq!(position.is_legal(mv), expected, "{to}");
    }
}

/// From every kind of home; also with attacks on squares that only the rook crosses or lands on.
#[test]
fn board_and_rights_after_castling() {
    for [fen, on, expected] in rows_for_both_colors(
        "
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | kingside  | r3k2r/8/8/8/8/8/8/R4RK1
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | queenside | r3k2r/8/8/8/8/8/8/2KR3R
        4k3/8/8/8/8/8/8/3RK3 w D - 0 1       | queenside | 4k3/8/8/8/8/8/8/2KR4
        4k3/8/8/8/8/8/8/5KR1 w G - 0 1       | kingside  | 4k3/8/8/8/8/8/8/5RK1
        4k3/8/8/8/8/8/8/R1K5 w A - 0 1       | queenside | 4k3/8/8/8/8/8/8/2KR4
        4k3/8/8/8/8/8/8/1RK5 w B - 0 1       | queenside | 4k3/8/8/8/8/8/8/2KR4
        4k3/8/8/8/8/8/8/1K5R w H - 0 1       | kingside  | 4k3/8/8/8/8/8/8/5RK1
        1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1     | queenside | 1r2k3/8/8/8/8/8/8/2KR4
        3r2k1/8/8/8/8/8/8/R1K5 w A - 0 1     | queenside | 3r2k1/8/8/8/8/8/8/2KR4
        ",
    ) {
        let (position, side) = (position(&fen), sides(&on)[0]);
        assert_castling(&position, side, true);
        let mut game = Game::new(position);
        let mv = position.castling_move(side).expect(&fen);
        game.play(mv).expect(&fen);
        let next = *game.position();
        assert_eq!(
            next.fen().split(' ').next(),
            Some(expected.as_str()),
            "{fen}"
        );
        assert_eq!(next.key(), next.key_from_scratch());
        let (us, them) = (position.side_to_move(), next.side_to_move());
        assert!(next.castling_rights().of(us).is_empty());
        assert_eq!(
            next.castling_rights().of(them),
            position.castling_rights().of(them)
        );
        assert_eq!(game.undo(), Some(mv));
        assert_eq!(
            (*game.position(), game.position().fen()),
            (position, position.fen())
        );
        assert_eq!(game.redo(), Some(mv));
        assert_eq!(*game.position(), next);
    }
}

/// The king has no legal step and all other pieces are blocked, but it can castle.
#[test]
fn no_stalemate_when_castling_is_the_only_move() {
    for [fen, on] in rows_for_both_colors(
        "
        4r2k/8/8/8/8/6p1/6P1/5KRB w G - 0 1   | kingside
        4r2k/8/8/8/8/p1p5/P1P5/1BRK4 w C - 0 1 | queenside
        ",
    ) {
        let position = chess960(&fen);
        let mv = position
            .castling_move(sides(&on)[0])
            .expect("castling is legal");
        assert_eq!(position.legal_moves().to_vec(), [mv], "{fen}");
        assert!(position.has_moves() && !position.is_stalemate(), "{fen}");
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[2] = "-";
        assert!(chess960(&fields.join(" ")).is_stalemate(), "{fen}");
    }
}

/// Home squares as origin and destination revoke, others, checks and blocked squares do not.
#[test]
fn what_revokes_rights() {
    for [fen, moves, left] in rows_for_both_colors(
        "
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1            | h1g1   | Qkq
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1            | a1b1   | Kkq
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1            | e1d1   | kq
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1            | a1a8   | Kk
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1            | h1h8   | Qq
        r3k2r/1b6/8/8/8/8/8/R3K2R b KQkq - 0 1          | b7h1   | Qkq
        r3k2r/8/8/8/8/8/6p1/R3K2R b KQkq - 0 1          | g2h1q  | Qkq
        r3k2r/6b1/8/8/8/8/8/R3K2R b KQkq - 0 1          | g7a1   | Kkq
        r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1        | a2a3   | KQkq
        r3k2r/p6p/1N6/8/8/8/P6P/R3K2R w KQkq - 0 1      | b6a8   | KQk
        r3k2r/pQ5p/8/8/8/8/P6P/R3K2R w KQkq - 0 1       | b7b8   | KQkq
        rn2k2r/P6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1       | a7b8q  | KQkq
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | h1h2 e8e7 h2h1 e7e8 | Q
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | a1a2 e8e7 a2a1 e7e8 e1g1 | -
        4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1                | g1h1 e8e7 | Q
        r3k2r/8/8/1N6/8/8/8/R3K2R w KQkq - 0 1          | b5c7   | KQkq
        r3k2r/8/8/3r4/8/2N5/8/R3K2R b KQkq - 0 1        | d5e5   | KQkq
        r3k2r/8/8/3r4/8/2N5/8/R3K2R b KQkq - 0 1        | d5e5 c3e4 e5b5 | KQkq
        r3k2r/8/8/3r4/8/2N5/8/R3K2R b KQkq - 0 1        | d5e5 c3e4 e5b5 e1g1 | kq
        r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1           | g1f3 e8e7 e1g1 | -
        1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1        | g1g8   | Qq
        1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1        | g1g2 g8g7 g2g1 g7g8 | Qq
        ",
    ) {
        let start = position(&fen);
        let mut game = Game::new(start);
        push(&mut game, &moves);
        let position = *game.position();
        assert_eq!(rights(&position), left, "{fen} {moves}");
        let us = position.side_to_move();
        for side in CastlingSide::ALL {
            let rook = position.castling_rights().rook(us, side, position.king(us));
            assert!(
                rook.is_some() || !can_castle(&position, side),
                "{fen} {moves}"
            );
        }
        while game.undo().is_some() {}
        assert_eq!(*game.position(), start, "{fen} {moves}");
    }
}
