//! Runs that must give the same weights, bit for bit.

use super::super::checkpoint::{Checkpoint, CheckpointError};
use super::super::course::{Course, Place, Plan};
use super::super::history::Row;
use super::super::learner::State;
use super::super::schedule::Fall;
use super::super::strip::Strip;
use super::super::{Kernel, adam::Adam, layout::Layout};
use super::{examples, learner, taught, two_kings};
use crate::data::Example;
use search::net::Shape;
use std::sync::atomic::{AtomicBool, Ordering};

const PLAN: Plan = Plan {
    epochs: 3,
    batch: 700,
    rate: 0.001,
    fall: Fall::Cosine,
    decay: 0.01,
    seed: 9,
};

fn course<'a>(shape: Shape, kernel: Kernel, threads: usize, data: &'a [Example]) -> Course<'a> {
    let (train, validation) = data.split_at(data.len() - 100);
    Course {
        plan: PLAN,
        learner: learner(shape, kernel, threads, 0.3),
        place: Place::default(),
        rows: Vec::new(),
        train,
        validation,
    }
}

fn run(course: &mut Course<'_>) {
    let stop = AtomicBool::new(false);
    while !course.is_over() {
        assert!(course.epoch(&stop, |_| {}).is_some());
    }
}

/// Losses without how long they took.
fn losses(rows: &[Row]) -> Vec<(usize, f64, Option<f64>)> {
    let losses = rows
        .iter()
        .map(|row| (row.epoch, row.train, row.validation));
    losses.collect()
}

pub(super) fn checkpoint(shape: Shape, weights: Vec<Strip>) -> Checkpoint {
    Checkpoint {
        recipe: "a recipe".into(),
        description: "a network".into(),
        shape,
        scale: 200,
        epochs: 3,
        place: Place {
            epoch: 1,
            batch: 2,
            loss: 0.125,
        },
        rows: vec![Row {
            epoch: 1,
            positions: 100,
            train: 0.5,
            validation: None,
            rate: 0.001,
            speed: 1e6,
        }],
        state: State {
            weights,
            adam: Adam::new(&Layout::new(&shape)),
        },
    }
}

#[test]
fn the_same_seed_gives_the_same_network() {
    let data = examples(0..20);
    for threads in [1, 2, 3] {
        let [one, other] = [(); 2].map(|()| {
            let mut course = course(two_kings(64), Kernel::best(), threads, &data);
            run(&mut course);
            (course.learner.state().clone(), losses(&course.rows))
        });
        assert_eq!(one, other);
    }
}

#[test]
fn every_kernel_gives_the_same_network() {
    let data = examples(0..20);
    let results: Vec<State> = Kernel::all()
        .map(|kernel| {
            let mut course = course(two_kings(128), kernel, 2, &data);
            run(&mut course);
            course.learner.state().clone()
        })
        .collect();
    assert!(results.iter().all(|state| *state == results[0]));
}

#[test]
fn a_resumed_run_is_as_if_never_stopped() {
    let data = examples(0..20);
    let begin = || course(two_kings(64), Kernel::best(), 2, &data);
    let mut whole = begin();
    run(&mut whole);

    let mut broken = begin();
    let stop = AtomicBool::new(false);
    assert!(broken.epoch(&stop, |_| {}).is_some());
    // In the middle of the second epoch.
    let stopped = broken.epoch(&stop, |_| stop.store(true, Ordering::Relaxed));
    assert!(stopped.is_none() && broken.place.batch == 1);
    let kept = Checkpoint {
        place: broken.place,
        rows: broken.rows.clone(),
        state: broken.learner.state().clone(),
        ..checkpoint(two_kings(64), Vec::new())
    };
    let read = Checkpoint::read(&kept.to_bytes()).unwrap();
    let mut resumed = begin();
    resumed.place = read.place;
    resumed.rows = read.rows;
    resumed.learner = taught(two_kings(64), read.state, Kernel::best(), 2, 0.3);
    run(&mut resumed);
    assert_eq!(resumed.learner.state(), whole.learner.state());
    assert_eq!(losses(&resumed.rows), losses(&whole.rows));
}

#[test]
fn checkpoints_come_back_and_damage_is_seen() {
    let shape = two_kings(64);
    let kept = checkpoint(shape, State::new(&shape, 4).weights);
    let bytes = kept.to_bytes();
    assert_eq!(Checkpoint::read(&bytes).unwrap(), kept);

    let damaged = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        Checkpoint::read(&bytes)
    };
    assert!(matches!(damaged(0), Err(CheckpointError::Magic)));
    assert!(matches!(damaged(8), Err(CheckpointError::Version { .. })));
    for at in [20, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(matches!(damaged(at), Err(CheckpointError::Checksum { .. })));
    }
    for length in [0, 5, 11, 50, bytes.len() - 1] {
        assert!(Checkpoint::read(&bytes[..length]).is_err());
    }
}
