//! The subcommands as a whole, on files of games made here.

use super::super::quantise::{self, walk};
use super::super::{Args, TrainError, run_telling};
use super::material;
use crate::data::{Appender, Ending, Game, Ply};
use clap::Parser;
use movegen::{Color, Move, Position};
use search::nnue::Network;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A folder of one test's own, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("castellan-train-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Games at random; whoever is ahead at the end has won.
fn write_games(path: &Path) {
    let games: Vec<Game> = (0..60).map(game).collect();
    let mut file = Appender::open(path, |_| Ok(())).unwrap();
    file.append("random games", &games).unwrap();
}

fn game(number: u32) -> Game {
    let mut position = Position::default();
    let mut plies = Vec::new();
    for next in walk(u64::from(number)) {
        let moves = position.legal_moves();
        let leads = |&mv: &Move| position.play_unchecked(mv).key() == next.key();
        let mv = moves.iter().copied().find(leads).unwrap();
        let sign = if position.side_to_move() == Color::White {
            1
        } else {
            -1
        };
        plies.push(Ply {
            mv,
            score: material(&position) * sign,
        });
        position = next;
    }
    let ahead = plies.last().map_or(0, |ply| ply.score);
    Game {
        number,
        start: Position::default(),
        plies,
        winner: match ahead {
            100.. => Some(Color::White),
            ..=-100 => Some(Color::Black),
            _ => None,
        },
        ending: Ending::Adjudicated,
    }
}

#[derive(Parser)]
struct Train {
    #[command(flatten)]
    args: Args,
}

#[derive(Parser)]
struct Quantise {
    #[command(flatten)]
    args: quantise::Args,
}

fn train(folder: &Folder, net: &str, more: &[&str], stop: bool) -> Result<String, TrainError> {
    let (games, net) = (folder.file("games"), folder.file(net));
    let usual = "train --hidden 64 --epochs 3 --batch 256 --threads 2 --validation 10";
    let words = usual.split(' ').map(Into::into);
    let words = words.chain([games.into(), "--out".into(), net.into_os_string()]);
    let words = words.chain(more.iter().map(Into::into));
    let args = Train::parse_from(words).args;
    let mut said = Vec::new();
    run_telling(&args, &AtomicBool::new(stop), &mut said)?;
    Ok(String::from_utf8(said).unwrap())
}

#[test]
fn a_run_leaves_all_it_should() {
    let folder = Folder::new("whole");
    write_games(&folder.file("games"));
    let said = train(&folder, "a.net", &[], false).unwrap();
    assert!(said.contains("of 60 games") && said.contains("units of the score, fitted"));

    let network = Network::read(&fs::read(folder.file("a.net")).unwrap()).unwrap();
    assert_eq!(network.shape().hidden(), 64);
    assert!(network.description().contains("after epoch 3"));
    assert_eq!(folder.text("a.csv").lines().count(), 4);
    assert!(folder.text("a.svg").starts_with("<svg"));
    let recipe = folder.text("a.toml");
    for part in ["crc32", "random games", "seed = 1", "validation_loss"] {
        assert!(recipe.contains(part), "{recipe}");
    }

    let (checkpoint, again) = (folder.file("a.checkpoint"), folder.file("again.net"));
    let words = ["quantise".into(), checkpoint, "--out".into(), again.clone()];
    let args = Quantise::parse_from(words).args;
    quantise::quantise(&args).unwrap();
    assert_eq!(
        fs::read(again).unwrap(),
        fs::read(folder.file("a.net")).unwrap()
    );
}

#[test]
fn a_stopped_run_is_resumed() {
    let folder = Folder::new("resumed");
    write_games(&folder.file("games"));
    train(&folder, "whole.net", &[], false).unwrap();
    let whole = fs::read(folder.file("whole.net")).unwrap();

    let said = train(&folder, "broken.net", &[], true).unwrap();
    assert!(said.contains("stopped in epoch 1"));
    assert!(!folder.file("broken.net").exists());
    let unasked = train(&folder, "broken.net", &[], false);
    assert!(matches!(
        unasked,
        Err(TrainError::Unfinished { epoch: 1, .. })
    ));
    let other = train(&folder, "broken.net", &["--resume", "--wdl", "0.5"], false);
    assert!(matches!(other, Err(TrainError::OtherRun { .. })));
    train(&folder, "broken.net", &["--resume"], false).unwrap();
    assert_eq!(fs::read(folder.file("broken.net")).unwrap(), whole);

    let nothing = train(&folder, "none.net", &["--resume"], false);
    assert!(matches!(nothing, Err(TrainError::NothingToResume { .. })));
    let name = train(&folder, "a.csv", &[], false);
    assert!(matches!(name, Err(TrainError::Name { .. })));
}
