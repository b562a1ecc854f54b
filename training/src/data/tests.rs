//! Files of games: what is written is read back, and damage is found and located.

use super::chunk;
use super::*;
use anyhow::Result;
use common::rng::SplitMix64;
use movegen::{Color, Position, Square, Variant};
use std::fs;
use std::path::{Path, PathBuf};
use test_common::TempDir;

/// An opening, castling in Chess960, promotions and en-passant captures.
const STARTS: [&str; 4] = [
    movegen::START_FEN,
    "r3k2r/1Pppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1pPBBPPP/R3K2R w KQkq - 0 1",
    "1rk1qnr1/ppb2ppp/2npp3/8/4P3/2NP1N2/PPB2PPP/1RK1Q1R1 w GBgb - 0 9",
    "4k3/P6p/8/2pP4/8/8/p5P1/4K3 w - c6 0 30",
];

/// Games of random moves with random scores.
fn random_games(count: u32) -> Vec<GameRecord> {
    let mut rng = SplitMix64::new(7);
    let starts = STARTS.iter().cycle();
    let games = (0..count).zip(starts).map(|(number, fen)| {
        let start = Position::from_fen(fen, Variant::Chess960).unwrap();
        let mut game = GameRecord::random(number, start);
        for played in &mut game.moves {
            played.score = rng.next_u64() as i16;
        }
        game.winner = [None, Some(Color::White), Some(Color::Black)][number as usize % 3];
        game.termination = Termination::ALL[number as usize % Termination::ALL.len()];
        game
    });
    games.collect()
}

/// Short games, for tests that try every byte.
fn short_games(count: u32) -> Vec<GameRecord> {
    let mut games = random_games(count);
    for game in &mut games {
        game.moves.truncate(10);
    }
    games
}

fn games_path(directory: &TempDir) -> PathBuf {
    directory.directory().join("games")
}

pub(crate) fn read_all(path: &Path) -> Result<Vec<GameRecord>> {
    let mut games = Vec::new();
    for chunk in ChunkReader::open(path)? {
        games.extend(chunk?.games()?);
    }
    Ok(games)
}

/// Writes each group of games as a chunk.
pub(crate) fn write(path: &Path, groups: &[&[GameRecord]]) {
    let mut file = ChunkWriter::open(path, |_| Ok(())).unwrap();
    for games in groups {
        file.append("recipe", games).unwrap();
    }
}

#[test]
fn games_round_trip_through_a_file() {
    let directory = TempDir::new("data");
    let path = games_path(&directory);
    let games = random_games(40);
    let (first, second) = games.split_at(17);
    write(&path, &[first]);
    let mut seen = Vec::new();
    let mut file = ChunkWriter::open(&path, |chunk| {
        seen.push((chunk.recipe()?.to_string(), chunk.games()?.len()));
        Ok(())
    })
    .unwrap();
    file.append("second", second).unwrap();
    assert_eq!(seen, [("recipe".to_string(), 17)]);
    assert_eq!(read_all(&path).unwrap(), games);
}

/// Old files stay readable: the bytes are what they have always been.
#[test]
fn the_format_is_stable() {
    let directory = TempDir::new("data");
    let path = games_path(&directory);
    let games = short_games(4);
    let raw = chunk::encode(&games);
    assert_eq!(crc32fast::hash(&raw), 0xe2fa_c99c);
    write(&path, &[&games]);
    let bytes = fs::read(&path).unwrap();
    let head = [
        b"CASTGAME\x01\0\0\0CHNK\x06\0\0\0",
        &(raw.len() as u32).to_le_bytes()[..],
    ];
    assert!(bytes.starts_with(&head.concat()));
    assert!(bytes[28..].starts_with(&4u32.to_le_bytes()));
    assert!(bytes[36..].starts_with(b"recipe"));
}

#[test]
fn truncation_anywhere_loses_only_the_last_chunk() {
    let directory = TempDir::new("data");
    let path = games_path(&directory);
    let games = short_games(4);
    write(&path, &[&games[..2]]);
    let first_chunk = fs::metadata(&path).unwrap().len();
    write(&path, &[&games[2..]]);
    let bytes = fs::read(&path).unwrap();
    for length in first_chunk + 1..bytes.len() as u64 {
        fs::write(&path, &bytes[..length as usize]).unwrap();
        assert!(read_all(&path).is_err(), "cut at {length}");
        write(&path, &[]);
        let repaired = fs::metadata(&path).unwrap().len();
        assert_eq!(repaired, first_chunk, "cut at {length}");
    }
    assert_eq!(read_all(&path).unwrap(), games[..2]);
}

#[test]
fn every_changed_byte_is_detected() {
    let directory = TempDir::new("data");
    let path = games_path(&directory);
    write(&path, &[&short_games(2)]);
    let first_chunk = fs::metadata(&path).unwrap().len() as usize;
    write(&path, &[&short_games(2)]);
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        fs::write(&path, &damaged).unwrap();
        let error = read_all(&path).expect_err("damage not detected");
        assert!(error.to_string().contains("games"), "{error}");
        // It is not taken for an incomplete last chunk, which would be truncated.
        if at < first_chunk {
            assert!(ChunkWriter::open(&path, |_| Ok(())).is_err(), "byte {at}");
            assert!(fs::read(&path).unwrap() == damaged, "byte {at}");
        }
    }
}

#[test]
fn other_files_are_rejected_and_left_alone() {
    let directory = TempDir::new("data");
    let path = games_path(&directory);
    for content in ["", "PGN", "[Event \"a PGN file that is long enough\"]"] {
        fs::write(&path, content).unwrap();
        let error = ChunkReader::open(&path).unwrap_err().to_string();
        assert!(error.contains("is not a game file"), "{error}");
    }
    assert!(ChunkWriter::open(&path, |_| Ok(())).is_err());
    let content = fs::read_to_string(&path).unwrap();
    assert!(content.starts_with("[Event"));
}

#[test]
fn illegal_moves_are_rejected() {
    let mut games = random_games(1);
    let repeated = games[0].moves[0];
    games[0].moves.insert(1, repeated);
    let error = chunk::decode(&chunk::encode(&games), 1).unwrap_err();
    assert!(error.to_string().contains("move 1"), "{error}");
}

#[test]
fn journal_recovers_all_complete_games() {
    let directory = TempDir::new("data");
    let path = games_path(&directory);
    let games = short_games(3);
    let mut journal = GamesJournal::create(&path, "recipe").unwrap();
    let journal_path = directory.path("games.journal");
    let length = || fs::metadata(&journal_path).unwrap().len();
    let mut ends = vec![length()];
    for game in &games {
        journal.write(game).unwrap();
        ends.push(length());
    }
    let bytes = fs::read(&journal_path).unwrap();
    for length in ends[0]..=ends[3] {
        fs::write(&journal_path, &bytes[..length as usize]).unwrap();
        let complete = ends.iter().filter(|&&end| end <= length).count() - 1;
        let recovered = GamesJournal::recover(&path).unwrap();
        assert_eq!(recovered.recipe, "recipe");
        assert_eq!(recovered.games, games[..complete]);
    }
    journal.clear().unwrap();
    journal.write(&games[1]).unwrap();
    let recovered = GamesJournal::recover(&path).unwrap();
    assert_eq!(recovered.games, games[1..2]);
}

#[test]
fn examples_show_the_board_from_the_side_to_move() {
    let fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3";
    let position = Position::from_fen(fen, Variant::Standard).unwrap();
    let example = Example::new(&position, -30, Some(GameResult::Win));
    let flipped = position
        .piece_map()
        .map(|(square, piece)| (square.flip_rank(), !piece.color(), piece.role()));
    let mut expected: Vec<_> = flipped.collect();
    expected.sort_by_key(|(square, ..)| square.index());
    let pieces = example.pieces();
    let pieces = pieces.map(|(piece, square)| (square, piece.color(), piece.role()));
    assert_eq!(pieces.collect::<Vec<_>>(), expected);
    assert_eq!(example.piece_count() as usize, expected.len());
    let kings = [example.own_king(), example.their_king()];
    assert_eq!(kings.map(Square::index), [4, 60]);
}

#[test]
fn filter_accepts_quiet_balanced_positions_of_the_middlegame() {
    let filter = PositionFilter {
        from_ply: 4,
        score_within: 500,
        keep_noisy: false,
    };
    let quiet = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 3";
    let early = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 2";
    let in_check = "4k3/8/8/8/4r3/8/8/4K3 w - - 0 3";
    for (fen, mv, score, accepted, accepted_if_noisy) in [
        (quiet, "e1d1", 500, true, true),
        (quiet, "e1d1", 501, false, false),
        (quiet, "e1d1", -501, false, false),
        (early, "e1d1", 0, false, false),
        // A capture.
        (quiet, "e4d5", 0, false, true),
        (in_check, "e1d1", 0, false, true),
    ] {
        let position = Position::from_fen(fen, Variant::Standard).unwrap();
        let mv = position.move_from_uci(mv).unwrap();
        let played = ScoredMove { mv, score };
        let noisy = PositionFilter {
            keep_noisy: true,
            ..filter
        };
        assert_eq!(filter.accepts(&position, played), accepted, "{fen} {score}");
        assert_eq!(
            noisy.accepts(&position, played),
            accepted_if_noisy,
            "{fen} {score}"
        );
    }
}

#[test]
fn a_smaller_share_of_the_games_is_part_of_a_larger_one() {
    let directory = TempDir::new("shares");
    let path = games_path(&directory);
    write(&path, &[&short_games(1000)]);
    let load = |share| {
        let split = Split {
            validation: 10,
            share,
        };
        let filter = PositionFilter::ALL;
        load(std::slice::from_ref(&path), &filter, &split, None, &|_| ()).unwrap()
    };
    let (whole, half, tenth) = (load(100), load(50), load(10));
    assert_eq!(whole.games, 1000);
    for (large, small, share) in [(&whole, &half, 0.5), (&half, &tenth, 0.2)] {
        assert_eq!(small.validation, large.validation);
        let mut rest = large.train.iter();
        assert!(small.train.iter().all(|one| rest.any(|other| one == other)));
        let found = small.train.len() as f64 / large.train.len() as f64;
        assert!((found - share).abs() < 0.08, "{found} for {share}");
    }
}
