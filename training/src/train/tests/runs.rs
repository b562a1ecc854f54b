//! Runs: reproducible, resumed from checkpoints, and what a checkpoint file contains.

use super::super::checkpoint::Checkpoint;
use super::super::initial;
use super::super::options::Hyperparameters;
use super::super::trainer::{Run, RunProgress, TrainState, Trainer};
use super::{OBJECTIVE, checkpoint, examples, two_king_buckets, with_attacks};
use crate::data::Example;
use search::nnue::{Shape, Simd};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

fn new_run(shape: Shape, simd: Simd, threads: usize, data: &[Example]) -> Run<'_> {
    let (train, validation) = data.split_at(data.len() - 100);
    let state = TrainState::new(&shape, initial::random(&shape, 1));
    Run {
        parameters: Hyperparameters {
            epochs: NonZeroUsize::new(3).unwrap(),
            batch: NonZeroUsize::new(700).unwrap(),
            rate: 0.001,
            decay: 0.01,
            epsilon: 1e-8,
            bucket_rate: 1.0,
            attack_rate: 1.0,
            wdl: OBJECTIVE.wdl.into(),
            lambda: 0.0,
            power: 2.0,
            above: 1.0,
            seed: 9,
        },
        trainer: Trainer::new(shape, state, OBJECTIVE, simd, threads).unwrap(),
        progress: RunProgress::default(),
        history: Vec::new(),
        train,
        validation,
    }
}

/// Trains to the end; returns the state and the losses.
fn finish(mut run: Run<'_>) -> (TrainState, Vec<(f64, Option<f64>)>) {
    let stop = AtomicBool::new(false);
    while !run.is_finished() {
        assert!(run.epoch(&stop, |_| {}).is_some());
    }
    let losses = run.history.iter();
    let losses = losses.map(|stats| (stats.train, stats.validation));
    (run.trainer.state().clone(), losses.collect())
}

#[test]
fn runs_are_reproducible_on_any_number_of_threads_and_simd() {
    let data = examples(0..20);
    let shape = with_attacks(two_king_buckets(128), 16);
    let run = |simd, threads| finish(new_run(shape, simd, threads, &data));
    let expected = run(Simd::best(), 1);
    for simd in Simd::all() {
        for threads in [2, 3] {
            assert_eq!(run(simd, threads), expected, "{simd}, {threads} threads");
        }
    }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let data = examples(0..20);
    let shape = two_king_buckets(64);
    let new_run = || new_run(shape, Simd::best(), 2, &data);

    let mut stopped = new_run();
    let stop = AtomicBool::new(false);
    assert!(stopped.epoch(&stop, |_| {}).is_some());
    // In the middle of the second epoch.
    let epoch = stopped.epoch(&stop, |_| stop.store(true, Ordering::Relaxed));
    assert!(epoch.is_none() && stopped.progress.batch == 1);
    let saved = Checkpoint {
        progress: stopped.progress,
        history: stopped.history.clone(),
        state: stopped.trainer.state().clone(),
        ..checkpoint(shape, Vec::new())
    };
    let read = Checkpoint::read(&saved.to_bytes()).unwrap();
    let resumed = Run {
        progress: read.progress,
        history: read.history,
        trainer: Trainer::new(shape, read.state, OBJECTIVE, Simd::best(), 2).unwrap(),
        ..new_run()
    };
    assert_eq!(finish(resumed), finish(new_run()));
}

#[test]
fn checkpoints_round_trip_and_damage_is_detected() {
    let shape = two_king_buckets(64);
    let saved = checkpoint(shape, initial::random(&shape, 4));
    let bytes = saved.to_bytes();
    assert_eq!(Checkpoint::read(&bytes).unwrap(), saved);

    let damaged = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        Checkpoint::read(&bytes).unwrap_err().to_string()
    };
    assert!(damaged(0).contains("not a checkpoint"));
    assert!(damaged(8).contains("unsupported checkpoint version"));
    for at in [20, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(damaged(at).contains("damaged checkpoint: checksum"));
    }
    for length in [0, 5, 11, 50, bytes.len() - 1] {
        assert!(Checkpoint::read(&bytes[..length]).is_err());
    }

    // With a valid checksum.
    let read = |content: &[u8]| {
        let checksum = crc32fast::hash(content).to_le_bytes();
        Checkpoint::read(&[content, &checksum].concat())
    };
    let content = &bytes[..bytes.len() - 4];
    for (content, expected) in [
        (
            content[..content.len() - 1].to_vec(),
            "ends within its weights",
        ),
        ([content, &[0; 5]].concat(), "5 extra bytes at the end"),
        (
            [&content[..16], &[0xff], &content[17..]].concat(),
            "recipe is not UTF-8",
        ),
    ] {
        let error = read(&content).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
