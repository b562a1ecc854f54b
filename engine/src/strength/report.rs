//! The observer between a search of several lines and an output that shows only what was asked
//! for, and the choice of the move a weaker player plays.

use movegen::Move;
use search::{Info, Observer, Outcome};

use super::Chooser;

/// Observes a search of several lines, and passes on those that the user wants.
#[derive(Debug)]
pub(crate) struct WeakReport<O> {
    observer: O,
    /// Lines that were asked for; what was searched beyond them is not passed on.
    wanted: usize,
}

impl<O: Observer> WeakReport<O> {
    pub(crate) fn new(observer: O, wanted: usize) -> WeakReport<O> {
        WeakReport { observer, wanted }
    }

    pub(crate) fn into_inner(self) -> O {
        self.observer
    }

    /// The move that is played, and the reply to ponder on.
    pub(crate) fn choose(
        &mut self,
        outcome: &Outcome,
        chooser: &Chooser,
    ) -> (Option<Move>, Option<Move>) {
        let values: Vec<i32> = outcome.lines.iter().map(|info| info.centipawns).collect();
        let Some(info) = outcome.lines.get(chooser.pick(&values)) else {
            return (outcome.best_move, outcome.ponder);
        };
        let (mv, ponder) = (info.pv.first().copied(), info.pv.get(1).copied());
        if self.wanted == 1 && mv != outcome.best_move {
            let info = info.clone();
            self.observer.info(&Info { line: 1, ..info });
        }
        (mv, ponder)
    }
}

impl<O: Observer> Observer for WeakReport<O> {
    fn info(&mut self, info: &Info) {
        if info.line <= self.wanted {
            self.observer.info(info);
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.observer.current_move(depth, mv, number);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use movegen::{Move, Position};
    use search::{Bound, Chances, Info, Observer, Outcome, Score};

    use super::{Chooser, WeakReport};

    #[derive(Default)]
    struct Recorder(Vec<Info>);

    impl Observer for Recorder {
        fn info(&mut self, info: &Info) {
            self.0.push(info.clone());
        }
    }

    fn mv(text: &str) -> Move {
        Position::default().move_from_uci(text).unwrap()
    }

    fn line(line: usize, text: &str, centipawns: i32) -> Info {
        Info {
            depth: 3,
            selective_depth: 3,
            line,
            score: Score::eval(centipawns),
            centipawns,
            chances: Chances {
                win: 0,
                draw: 1000,
                loss: 0,
            },
            bound: Bound::Exact,
            nodes: 10,
            time: Duration::ZERO,
            hash_full: 0,
            tablebase_hits: 0,
            pv: vec![mv(text)],
        }
    }

    fn outcome(lines: Vec<Info>) -> Outcome {
        let first = lines.first();
        Outcome {
            best_move: first.and_then(|info| info.pv.first().copied()),
            ponder: None,
            score: Score::DRAW,
            depth: 3,
            nodes: 10,
            time: Duration::ZERO,
            lines,
        }
    }

    /// What is reported of three lines when so many are wanted, and the move that is chosen.
    fn heard(wanted: usize, spread: f64, seed: u64) -> (Vec<Info>, Move) {
        let chooser = Chooser {
            spread,
            seed,
            key: 1,
        };
        let mut report = WeakReport::new(Recorder::default(), wanted);
        let lines = vec![
            line(1, "d2d4", 35),
            line(2, "e2e4", 30),
            line(3, "g1f3", 28),
        ];
        for info in &lines {
            report.info(info);
        }
        let (best, _) = report.choose(&outcome(lines), &chooser);
        (report.into_inner().0, best.unwrap())
    }

    #[test]
    fn only_lines_that_were_wanted_are_told() {
        for wanted in 1..=3 {
            let (infos, best) = heard(wanted, 0.0, 1);
            assert!(infos.iter().all(|info| info.line <= wanted));
            assert_eq!(infos.len(), wanted);
            assert_eq!(best, mv("d2d4"));
        }
    }

    #[test]
    fn the_move_that_is_played_is_the_last_one_told() {
        let mut played = Vec::new();
        for seed in 0..200 {
            let (infos, best) = heard(1, 0.5, seed);
            let last = infos.last().unwrap();
            assert_eq!((last.line, last.pv.first()), (1, Some(&best)));
            if !played.contains(&best) {
                played.push(best);
            }
        }
        played.sort_by_key(|mv| mv.to_bits());
        let mut expected = ["d2d4", "e2e4", "g1f3"].map(mv);
        expected.sort_by_key(|mv| mv.to_bits());
        assert_eq!(played, expected);
    }

    #[test]
    fn without_lines_there_is_no_move() {
        let chooser = Chooser {
            spread: 0.5,
            seed: 1,
            key: 1,
        };
        let mut report = WeakReport::new(Recorder::default(), 1);
        let chosen = report.choose(&outcome(Vec::new()), &chooser);
        assert_eq!(chosen, (None, None));
    }
}
