//! Displayed values can be parsed again, as text and through serde.

use movegen::{
    CastlingRights, Color, File, Piece, Position, Rank, Role, Setup, Square, UciMove, Variant,
};
use serde_json::json;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Checks the text of a value, and that `FromStr` and serde read it.
fn check<T>(value: &T, text: &str)
where
    T: Display + FromStr<Err: Debug> + PartialEq + Debug,
    T: serde::Serialize + serde::de::DeserializeOwned,
{
    assert_eq!(value.to_string(), text);
    assert_eq!(&text.parse::<T>().unwrap(), value);
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
}

#[test]
fn small_values() {
    for (file, letter) in File::ALL.iter().zip("abcdefgh".chars()) {
        check(file, &letter.to_string());
    }
    for (rank, digit) in Rank::ALL.iter().zip(1..) {
        check(rank, &digit.to_string());
    }
    check(&Square::A1, "a1");
    check(&Square::H1, "h1");
    check(&Square::C6, "c6");
    check(&Square::H8, "h8");
    check(&Color::White, "White");
    check(&Color::Black, "Black");
    assert_eq!(serde_json::to_string(&Color::White).unwrap(), "\"white\"");
    check(&Role::Queen, "queen");
    check(&Piece::WhiteKing, "K");
    check(&Piece::BlackPawn, "p");
    let from = |from, to, promotion| UciMove {
        from,
        to,
        promotion,
    };
    check(&from(Square::E2, Square::E4, None), "e2e4");
    check(&from(Square::A7, Square::B8, Some(Role::Knight)), "a7b8n");
}

#[test]
fn errors_say_what_is_expected() {
    let expect = |error: String, message: &str| assert_eq!(error, message);
    let square = "i9".parse::<Square>().unwrap_err();
    expect(
        square.to_string(),
        "invalid square 'i9': expected a file a-h and a rank 1-8, such as e4",
    );
    let file = "A".parse::<File>().unwrap_err();
    expect(
        file.to_string(),
        "invalid file 'A': expected one of abcdefgh",
    );
    let rank = "0".parse::<Rank>().unwrap_err();
    expect(
        rank.to_string(),
        "invalid rank '0': expected one of 12345678",
    );
    let piece = "Kk".parse::<Piece>().unwrap_err();
    expect(
        piece.to_string(),
        "invalid piece 'Kk': expected one of PNBRQKpnbrqk",
    );
    for text in ["", "-K", "KX", "♔", "é"] {
        assert!(text.parse::<CastlingRights>().is_err(), "{text}");
        assert!(text.parse::<Role>().is_err(), "{text}");
        assert!(text.parse::<Color>().is_err(), "{text}");
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
    assert!(serde_json::from_str::<Position>("\"8/8/8/8/8/8/8/8 w - - 0 1\"").is_err());
    assert!(serde_json::from_str::<Square>("12").is_err());
}

#[test]
fn castling_rights_name_corners_by_side_and_other_rooks_by_file() {
    for (fen, text) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1", "Qk"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "-"),
        ("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1", "GBgb"),
    ] {
        let position = Position::from_fen(fen, Variant::Chess960).unwrap();
        check(&position.castling_rights(), text);
    }
}

#[test]
fn positions_as_fen() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        // Chess960: the king is not on e1, or the castling rook is not in the corner.
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
        "rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1",
        "4k3/8/8/8/8/8/8/5K1R w H - 0 1",
    ] {
        let position: Position = fen.parse().unwrap();
        check(&position, fen);
        let setup: Setup = fen.parse().unwrap();
        check(&setup, fen);
        let shredder = Setup::from(&position);
        check(&shredder, &position.shredder_fen());
        for variant in [Variant::Standard, Variant::Chess960] {
            if let Ok(expected) = Position::from_fen(fen, variant) {
                assert_eq!(
                    Setup::from(&expected).position(variant),
                    Ok(expected.into())
                );
            }
        }
    }
}

#[test]
fn diagrams() {
    let position: Position = "r3k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let empty = ". . . . . . . .\n".repeat(6);
    assert_eq!(
        format!("{position:#}"),
        format!("r . . . k . . .\n{empty}. . . . K . . R")
    );
    assert_eq!(
        position.occupied().to_string(),
        format!("1 . . . 1 . . .\n{empty}. . . . 1 . . 1")
    );
    assert_eq!(
        format!("{position:?}"),
        "Position(\"r3k3/8/8/8/8/8/8/4K2R w K - 0 1\")"
    );
}

#[test]
fn reasons_are_serialized_with_their_data() {
    let reasons = |fen: &str, from, to| {
        let position: Position = fen.parse().unwrap();
        let reasons = position.why_illegal(from, to, None).unwrap();
        serde_json::to_value(reasons.iter().collect::<Vec<_>>()).unwrap()
    };
    assert_eq!(
        reasons("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", Square::E2, Square::C3),
        json!([{
            "code": "pinned",
            "detail": { "role": "knight", "square": "e2", "pinner": { "role": "rook", "square": "e8" } },
        }])
    );
    let attackers = json!([{ "role": "queen", "square": "f3" }]);
    assert_eq!(
        reasons("4k3/8/8/8/8/5q2/8/4K2R w K - 0 1", Square::E1, Square::G1),
        json!([{
            "code": "castling",
            "detail": {
                "code": "attacked",
                "detail": { "side": "kingside", "square": "f1", "attackers": attackers },
            },
        }])
    );
}
