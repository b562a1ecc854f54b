//! Keys against those published with the format, and against python-chess's.

use movegen::{Game, Position, Setup, Variant};

use super::{key, passed_by, passed_square};

/// From the description of the format: the start position, then the key after each move.
const PUBLISHED: [&[(&str, u64)]; 2] = [
    &[
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("d7d5", 0x0756_b944_61c5_0fb0),
        ("e4e5", 0x662f_afb9_65db_29d4),
        ("f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e1e2", 0x652a_607c_a3f2_42c1),
        ("e8f7", 0x00fd_d303_c946_bdd9),
    ],
    &[
        ("", 0x463b_9618_1691_fc9c),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ],
];

#[test]
fn the_published_keys() {
    for line in PUBLISHED {
        let mut game = Game::default();
        for (moves, expected) in line {
            for text in moves.split_whitespace() {
                let mv = game.position().move_from_uci(text).expect(text);
                game.push(mv).expect("legal");
            }
            let found = key(game.position(), passed_square(&game, None));
            assert_eq!(found, *expected, "after {moves}");
        }
    }
}

/// FENs and keys written by python-chess; it puts the square passed over behind every double
/// step, whoever may capture there.
const WRITTEN_BY_PYTHON_CHESS: &str = include_str!("../../../../../tests/data/polyglot_keys.txt");

fn variant_of(fen: &str) -> Variant {
    let rights = fen.split(' ').nth(2).expect("a castling field");
    match rights.contains(|letter: char| "ABCDEFGH".contains(letter.to_ascii_uppercase())) {
        true => Variant::Chess960,
        false => Variant::Standard,
    }
}

#[test]
fn python_chess_has_the_same_keys() {
    let lines = WRITTEN_BY_PYTHON_CHESS
        .lines()
        .filter(|line| !line.starts_with('#'));
    let (mut count, mut only_for_polyglot) = (0, 0);
    for line in lines {
        let (fen, expected) = line.split_once("; ").expect(line);
        let setup: Setup = fen.parse().expect(fen);
        let position = setup.position(variant_of(fen)).expect(fen);
        let passed = passed_square(&Game::new(position), setup.en_passant);
        let found = key(&position, passed);
        assert_eq!(format!("{found:016x}"), expected, "{fen}");
        count += 1;
        only_for_polyglot += usize::from(found != key(&position, position.en_passant()));
    }
    assert_eq!(count, 400);
    assert!(
        only_for_polyglot > 0,
        "captures that are not legal are there"
    );
}

/// The position alone does not tell: the game does, whichever way it came there.
#[test]
fn a_capture_that_is_not_legal_counts_from_the_move_and_from_the_fen() {
    // The capture would take both pawns off the rank on which a rook looks at the king.
    let before = "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1";
    let mut game = Game::new(Position::from_fen(before, Variant::Standard).unwrap());
    let mv = game.position().move_from_uci("e2e4").unwrap();
    game.push(mv).unwrap();
    assert_eq!(game.position().en_passant(), None);
    let passed = passed_square(&game, None);
    assert_eq!(passed, Some("e3".parse().unwrap()));
    let by_move = key(game.position(), passed);
    // From python-chess.
    assert_eq!(by_move, 0xac81_80de_b191_86c6);
    let setup: Setup = "8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1".parse().unwrap();
    let position = setup.position(Variant::Standard).unwrap();
    assert_eq!(key(&position, setup.en_passant), by_move);
    assert_ne!(key(&position, None), by_move);
}

#[test]
fn only_a_pawns_two_steps_pass_a_square() {
    let start = Position::default();
    for (text, passed) in [("e2e4", Some("e3")), ("e2e3", None), ("g1f3", None)] {
        let mv = start.move_from_uci(text).unwrap();
        let expected = passed.map(|square| square.parse().unwrap());
        assert_eq!(passed_by(&start.play_unchecked(mv), mv), expected, "{text}");
    }
    // A king two steps from its rook castles: its move goes two squares too.
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let start = Position::from_fen(fen, Variant::Standard).unwrap();
    let mv = start.move_from_uci("e1g1").unwrap();
    assert_eq!(passed_by(&start.play_unchecked(mv), mv), None);
}
