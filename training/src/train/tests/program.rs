//! The commands `train` and `quantize` as a whole, on files of random games.

use super::super::checkpoint::Checkpoint;
use super::super::{Args, quantize, run_files, run_with_output};
use super::material;
use crate::data::{ChunkWriter, GameRecord};
use anyhow::Result;
use clap::Parser;
use movegen::{Color, Position};
use search::nnue::Network;
use std::fs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use test_common::TempDir;

/// A directory with 60 random games, won by the side that is ahead at the end.
fn directory_with_games() -> TempDir {
    let directory = TempDir::new("train");
    let path = directory.directory().join("games");
    let games: Vec<GameRecord> = (0..60).map(record).collect();
    let mut file = ChunkWriter::open(&path, |_| Ok(())).unwrap();
    file.append("random games", &games).unwrap();
    directory
}

fn record(number: u32) -> GameRecord {
    let mut game = GameRecord::random(number, Position::default());
    let scores: Vec<i16> = game
        .positions()
        .map(|(position, _)| match position.side_to_move() {
            Color::White => material(&position),
            Color::Black => -material(&position),
        })
        .collect();
    game.winner = match scores.last().copied().unwrap_or_default() {
        100.. => Some(Color::White),
        ..=-100 => Some(Color::Black),
        _ => None,
    };
    for (played, score) in game.moves.iter_mut().zip(scores) {
        played.score = score;
    }
    game
}

#[derive(Parser)]
struct TrainCli {
    #[command(flatten)]
    args: Args,
}

/// When a run is stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Never,
    BeforeFirstStep,
    /// By a panic, so that nothing more is written.
    InFirstEpoch,
    AfterFirstEpoch,
    /// By an error of the output.
    AtFirstLine,
}

/// The output of a run, which stops it when the line of the first epoch is written.
struct Output<'a> {
    text: Vec<u8>,
    stop: &'a AtomicBool,
    when: Stop,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend(bytes);
        let text = String::from_utf8_lossy(&self.text);
        if self.when == Stop::InFirstEpoch && text.contains(run_files::HEADINGS) {
            panic!("killed");
        }
        if text.contains("\n    1 ") {
            match self.when {
                Stop::AfterFirstEpoch => self.stop.store(true, Ordering::Relaxed),
                Stop::AtFirstLine => return Err(io::Error::other("no space")),
                _ => {}
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs `train`, to the end or until it is stopped; returns its output.
fn train(directory: &TempDir, net: &str, options: &[&str], when: Stop) -> Result<String> {
    let (games, net) = (directory.path("games"), directory.path(net));
    let common = "train --hidden 64 --epochs 3 --batch 256 --threads 2 --validation 10 --out";
    let words = common.split(' ').chain([net.as_str(), &games]);
    let cli = TrainCli::parse_from(words.chain(options.iter().copied()));
    let stop = &AtomicBool::new(when == Stop::BeforeFirstStep);
    let text = Vec::new();
    let mut out = Output { text, stop, when };
    run_with_output(&cli.args, stop, &mut out)?;
    Ok(String::from_utf8(out.text).unwrap())
}

#[test]
fn a_run_writes_its_files() {
    let directory = directory_with_games();
    let read = |name: &str| fs::read(directory.path(name)).unwrap();
    let text = |name: &str| String::from_utf8(read(name)).unwrap();
    let out = train(&directory, "a.net", &[], Stop::Never).unwrap();
    assert!(out.contains("of 60 games") && out.contains("score units (fitted)"));

    let network = Network::read(&read("a.net")).unwrap();
    assert_eq!(network.shape().hidden(), 64);
    assert!(network.description().contains("after epoch 3"));
    assert_eq!(text("a.csv").lines().count(), 4);
    let recipe = text("a.toml");
    for part in ["crc32", "random games", "seed = 1", "validation_loss"] {
        assert!(recipe.contains(part), "{recipe}");
    }

    let checkpoint = Checkpoint::load(directory.path("a.checkpoint").as_ref()).unwrap();
    quantize::write(&checkpoint, directory.path("quantized.net").as_ref()).unwrap();
    assert_eq!(read("quantized.net"), read("a.net"));
}

#[test]
fn scores_are_blended_with_later_ones_on_request() {
    let directory = directory_with_games();
    let losses = |net: &str, options: &[&str]| {
        train(&directory, &format!("{net}.net"), options, Stop::Never).unwrap();
        fs::read_to_string(directory.path(&format!("{net}.csv"))).unwrap()
    };
    let plain = losses("plain", &["--scale", "300"]);
    assert_ne!(
        losses("blended", &["--scale", "300", "--lambda", "0.5"]),
        plain
    );
    let recipe = fs::read_to_string(directory.path("blended.toml")).unwrap();
    assert!(recipe.contains("lambda = 0.5"), "{recipe}");

    let words = "train --lambda 0.5 --out a.net games".split(' ');
    let error = TrainCli::try_parse_from(words).err().unwrap().to_string();
    assert!(error.contains("--scale"), "{error}");
}

#[test]
fn a_run_starts_from_a_network() {
    let directory = directory_with_games();
    let train = |net: &str, options: &[&str]| train(&directory, net, options, Stop::Never);
    train("a.net", &[]).unwrap();
    let network = directory.path("a.net");
    let unchanged = ["--init", &network, "--rate", "1e-9", "--decay", "0"];
    train("b.net", &unchanged).unwrap();
    let [a, b] = ["a.net", "b.net"].map(|name| {
        let network = Network::read(&fs::read(directory.path(name)).unwrap()).unwrap();
        network.evaluate_from_scratch(&Position::default())
    });
    assert_eq!(a, b);
    let recipe = fs::read_to_string(directory.path("b.toml")).unwrap();
    assert!(recipe.contains("[init]\nname = \"a.net\""), "{recipe}");

    for (options, expected) in [
        (
            ["--output-buckets", "4"],
            "it is (768 -> 64)x2 -> 8, this run (768 -> 64)x2 -> 4",
        ),
        (["--output-buckets", "9"], "invalid network shape"),
    ] {
        let error = train("c.net", &[&["--init", &network][..], &options].concat());
        let error = error.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_stopped_run_resumes_only_as_itself() {
    let message = |refused: Result<String>| refused.unwrap_err().to_string();
    let directory = directory_with_games();
    let train = |net: &str, options: &[&str], when| train(&directory, net, options, when);
    train("whole.net", &[], Stop::Never).unwrap();

    let out = train("stopped.net", &[], Stop::BeforeFirstStep).unwrap();
    assert!(out.contains("stopped in epoch 1"));
    assert!(!directory.directory().join("stopped.net").exists());
    let new = train("stopped.net", &[], Stop::Never);
    assert!(message(new).contains("an unfinished run in epoch 1;"));
    let other = train("stopped.net", &["--resume", "--wdl", "0.5"], Stop::Never);
    assert!(message(other).contains("'wdl = 0.0', this one 'wdl = 0.5'"));
    train("stopped.net", &["--resume"], Stop::Never).unwrap();
    let killed = || train("killed.net", &[], Stop::InFirstEpoch);
    assert!(catch_unwind(AssertUnwindSafe(killed)).is_err());
    train("killed.net", &["--resume"], Stop::Never).unwrap();
    let whole = fs::read(directory.path("whole.net")).unwrap();
    for name in ["stopped.net", "killed.net"] {
        assert!(fs::read(directory.path(name)).unwrap() == whole, "{name}");
    }

    // Nor does a new run replace the files of another one, or of somebody else.
    for extension in ["toml", "csv", "net", "checkpoint"] {
        let name = &format!("taken.{extension}");
        let path = directory.write(name, "theirs");
        let refused = train("taken.net", &[], Stop::Never);
        assert!(refused.is_err(), "{name}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        train("taken.net", &["--force"], Stop::Never).unwrap();
        let net = directory.directory().join("taken.net");
        for path in run_files::all(&net).filter(|path| path.exists()) {
            fs::remove_file(path).unwrap();
        }
    }

    let nothing = train("none.net", &["--resume"], Stop::Never);
    assert!(message(nothing).contains("cannot resume: no checkpoint"));
    let name = train("a.csv", &[], Stop::Never);
    assert!(message(name).contains("invalid network name"));
}

#[test]
fn an_epoch_is_kept_when_its_line_cannot_be_written() {
    let directory = directory_with_games();
    let options = ["--save-every", "3"];
    train(&directory, "a.net", &options, Stop::AtFirstLine).unwrap_err();
    let checkpoint = Checkpoint::load(directory.path("a.checkpoint").as_ref()).unwrap();
    assert_eq!(checkpoint.progress.epoch, 1);
}

/// A full disk leaves such a run.
#[test]
fn a_finished_run_without_its_network_is_not_started_over() {
    let directory = directory_with_games();
    train(&directory, "a.net", &[], Stop::Never).unwrap();
    let path = directory.path("a.net");
    let network = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let error = train(&directory, "a.net", &[], Stop::Never).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("an unfinished run in epoch 3;"), "{error}");
    train(&directory, "a.net", &["--resume"], Stop::Never).unwrap();
    assert!(fs::read(&path).unwrap() == network);
}

/// Weights decay towards the network, not towards those of the checkpoint.
#[test]
fn a_run_that_starts_from_a_network_resumes_with_it() {
    let directory = directory_with_games();
    train(&directory, "a.net", &[], Stop::Never).unwrap();
    let network = directory.path("a.net");
    let options = ["--init", &network, "--decay", "20", "--rate", "0.01"];
    train(&directory, "whole.net", &options, Stop::Never).unwrap();

    let out = train(&directory, "stopped.net", &options, Stop::AfterFirstEpoch).unwrap();
    assert!(out.contains("stopped in epoch 2"), "{out}");
    let resumed = [&options[..], &["--resume"]].concat();
    train(&directory, "stopped.net", &resumed, Stop::Never).unwrap();
    let [stopped, whole] =
        ["stopped.net", "whole.net"].map(|name| fs::read(directory.path(name)).unwrap());
    assert_eq!(stopped, whole);
}
