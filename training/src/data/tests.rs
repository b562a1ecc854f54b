//! Files of games: what is written comes back, and damage is told in words.

use super::chunk;
use super::*;
use crate::rng::Rng;
use movegen::{Color, Position, Variant};
use std::fs;
use std::path::PathBuf;

/// A game of random moves with random values.
fn random_game(number: u32, fen: &str) -> Game {
    let mut rng = Rng::new(7, number.into());
    let start = Position::from_fen(fen, Variant::Chess960).unwrap();
    let mut position = start;
    let mut plies = Vec::new();
    while plies.len() < 150 {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(rng.below(moves.len())) else {
            break;
        };
        let score = rng.bits() as i16;
        plies.push(Ply { mv, score });
        position = position.play_unchecked(mv);
    }
    Game {
        number,
        start,
        plies,
        winner: [None, Some(Color::White), Some(Color::Black)][number as usize % 3],
        ending: Ending::ALL[number as usize % Ending::ALL.len()],
    }
}

/// Openings, castling in Chess960, promotions and captures in passing at hand.
const STARTS: [&str; 4] = [
    movegen::START_FEN,
    "r3k2r/1Pppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1pPBBPPP/R3K2R w KQkq - 0 1",
    "1rk1qnr1/ppb2ppp/2npp3/8/4P3/2NP1N2/PPB2PPP/1RK1Q1R1 w GBgb - 0 9",
    "4k3/P6p/8/2pP4/8/8/p5P1/4K3 w - c6 0 30",
];

fn random_games(count: u32) -> Vec<Game> {
    let starts = STARTS.iter().cycle();
    (0..count)
        .zip(starts)
        .map(|(number, fen)| random_game(number, fen))
        .collect()
}

/// A folder of this test's own, gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("castellan-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("games")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn read_all(path: &std::path::Path) -> Result<Vec<Game>, DataError> {
    let mut games = Vec::new();
    for chunk in Chunks::open(path)? {
        games.extend(chunk?.games()?);
    }
    Ok(games)
}

#[test]
fn games_come_back_from_a_file_as_they_were() {
    let folder = Folder::new("round-trip");
    let games = random_games(40);
    let (first, second) = games.split_at(17);
    let mut file = Appender::open(&folder.file(), |_| Ok(())).unwrap();
    file.append("one", first).unwrap();
    drop(file);
    let mut seen = Vec::new();
    let mut file = Appender::open(&folder.file(), |chunk| {
        seen.push((chunk.recipe()?.to_string(), chunk.count()));
        Ok(())
    })
    .unwrap();
    file.append("two", second).unwrap();
    assert_eq!(seen, [("one".to_string(), 17)]);
    assert_eq!(read_all(&folder.file()).unwrap(), games);
}

#[test]
fn a_file_cut_short_anywhere_loses_the_unfinished_chunk_only() {
    let folder = Folder::new("cut");
    let path = folder.file();
    let games = random_games(4);
    let mut file = Appender::open(&path, |_| Ok(())).unwrap();
    file.append("recipe", &games[..2]).unwrap();
    let whole = fs::metadata(&path).unwrap().len();
    file.append("recipe", &games[2..]).unwrap();
    drop(file);
    let bytes = fs::read(&path).unwrap();
    for length in whole + 1..bytes.len() as u64 {
        fs::write(&path, &bytes[..length as usize]).unwrap();
        assert!(read_all(&path).is_err(), "cut at {length}");
        drop(Appender::open(&path, |_| Ok(())).unwrap());
        assert_eq!(fs::metadata(&path).unwrap().len(), whole, "cut at {length}");
    }
    assert_eq!(read_all(&path).unwrap(), games[..2]);
}

#[test]
fn any_changed_byte_is_noticed() {
    let folder = Folder::new("changed");
    let path = folder.file();
    let mut file = Appender::open(&path, |_| Ok(())).unwrap();
    file.append("recipe", &random_games(2)).unwrap();
    drop(file);
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut harmed = bytes.clone();
        harmed[at] ^= 0x10;
        fs::write(&path, &harmed).unwrap();
        let error = read_all(&path).expect_err("a changed byte was not noticed");
        assert!(error.to_string().contains("games"), "{error}");
    }
}

#[test]
fn what_is_no_file_of_games_is_refused_and_left_alone() {
    let folder = Folder::new("foreign");
    for content in ["", "PGN", "[Event \"a PGN file that is long enough\"]"] {
        fs::write(folder.file(), content).unwrap();
        assert!(matches!(
            Chunks::open(&folder.file()),
            Err(DataError::Magic { .. })
        ));
    }
    assert!(Appender::open(&folder.file(), |_| Ok(())).is_err());
    let kept = fs::read_to_string(folder.file()).unwrap();
    assert!(kept.starts_with("[Event"));
}

#[test]
fn a_chunk_of_illegal_moves_is_refused() {
    let mut games = random_games(1);
    let illegal = games[0].plies[0];
    games[0].plies.insert(1, illegal);
    let error = chunk::decode(&chunk::encode(&games), 1).unwrap_err();
    assert!(error.to_string().contains("move 1"), "{error}");
}

#[test]
fn a_journal_gives_back_all_games_but_one_cut_short() {
    let folder = Folder::new("journal");
    let path = folder.file();
    let games = random_games(3);
    let mut journal = Journal::begin(&path, "recipe").unwrap();
    let beside = folder.0.join("games.journal");
    let mut ends = vec![fs::metadata(&beside).unwrap().len()];
    for game in &games {
        journal.write(game).unwrap();
        ends.push(fs::metadata(&beside).unwrap().len());
    }
    let bytes = fs::read(&beside).unwrap();
    for length in ends[0]..=ends[3] {
        fs::write(&beside, &bytes[..length as usize]).unwrap();
        let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
        let left = Left::beside(&path).unwrap();
        assert_eq!((left.recipe.as_str(), left.games.len()), ("recipe", whole));
        assert_eq!(left.games, games[..whole]);
    }
}

#[test]
fn an_example_shows_the_board_from_the_side_to_move() {
    let fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3";
    let position = Position::from_fen(fen, Variant::Standard).unwrap();
    let example = Example::new(&position, -30, GameResult::Won);
    assert_eq!(example.count() as usize, position.piece_map().count());
    for (square, piece) in position.piece_map() {
        let man = Man {
            own: piece.color() == Color::Black,
            role: piece.role().index(),
            square: square.flip_rank().index(),
        };
        assert!(example.men().any(|there| there == man), "{man:?}");
    }
    assert_eq!((example.own_king(), example.their_king()), (4, 60));
}

#[test]
fn the_filter_keeps_what_is_learnt_from() {
    let filter = Filter {
        from_ply: 4,
        score_within: 500,
        keep_noisy: false,
    };
    let takes = |fen: &str, uci: &str, score: i16| {
        let position = Position::from_fen(fen, Variant::Standard).unwrap();
        let moves = position.legal_moves();
        let named = |mv: movegen::Move| format!("{}{}", mv.from(), mv.to());
        let mv = moves.iter().copied().find(|&mv| named(mv) == uci).unwrap();
        filter.takes(&position, Ply { mv, score })
    };
    let quiet = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 3";
    assert!(takes(quiet, "e1d1", 500));
    assert!(!takes(quiet, "e1d1", 501));
    assert!(!takes(quiet, "e1d1", -501));
    assert!(!takes(quiet, "e4d5", 0));
    assert!(!takes(&quiet.replace("0 3", "0 2"), "e1d1", 0));
    assert!(!takes("4k3/8/8/8/4r3/8/8/4K3 w - - 0 3", "e1d1", 0));
}
