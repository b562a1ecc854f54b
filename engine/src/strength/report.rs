//! The listener between a search that weighs several moves and a wire that is told of the one a
//! weaker player plays.

use movegen::Move;
use search::{Best, Info, Report};

use super::Chooser;

/// Listens to a search of several lines, and answers with the move that is chosen of them.
#[derive(Debug)]
pub(crate) struct WeakReport<R> {
    told: R,
    chooser: Chooser,
    /// Lines that were asked for; what was searched beyond them is not told.
    wanted: usize,
    /// The last word on every line.
    lines: Vec<Info>,
}

impl<R: Report> WeakReport<R> {
    pub(crate) fn new(told: R, chooser: Chooser, wanted: usize) -> WeakReport<R> {
        WeakReport {
            told,
            chooser,
            wanted,
            lines: Vec::new(),
        }
    }

    /// The line that is played, if there is a choice. A line that an unfinished iteration has
    /// moved up stands in its old place too.
    fn chosen(&self) -> Option<&Info> {
        let mut seen = Vec::new();
        let lines: Vec<&Info> = self
            .lines
            .iter()
            .filter(|info| match info.pv.first() {
                Some(mv) if !seen.contains(mv) => {
                    seen.push(*mv);
                    true
                }
                _ => false,
            })
            .collect();
        let values: Vec<i32> = lines.iter().map(|info| info.centipawns).collect();
        lines.get(self.chooser.pick(&values)).copied()
    }
}

impl<R: Report> Report for WeakReport<R> {
    fn info(&mut self, info: &Info) {
        match self.lines.iter_mut().find(|known| known.line == info.line) {
            Some(known) => known.clone_from(info),
            None => self.lines.push(info.clone()),
        }
        if info.line <= self.wanted {
            self.told.info(info);
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.told.current_move(depth, mv, number);
    }

    fn best(&mut self, best: Best) {
        let chosen = match best.best {
            Some(_) => self.chosen().cloned(),
            None => None,
        };
        let Some(info) = chosen else {
            self.told.best(best);
            return;
        };
        let (mv, ponder) = (info.pv.first().copied(), info.pv.get(1).copied());
        if self.wanted == 1 && mv != best.best {
            self.told.info(&Info { line: 1, ..info });
        }
        self.told.best(Best { best: mv, ponder });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use movegen::{Move, Position};
    use search::{Best, Bound, Chances, Info, Report, Score};

    use super::{Chooser, WeakReport};

    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<(Vec<Info>, Option<Best>)>>);

    impl Report for Heard {
        fn info(&mut self, info: &Info) {
            self.0.lock().unwrap().0.push(info.clone());
        }

        fn current_move(&mut self, _: u32, _: Move, _: usize) {}

        fn best(&mut self, best: Best) {
            self.0.lock().unwrap().1 = Some(best);
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

    /// What is heard of three lines by whoever wanted so many.
    fn heard(wanted: usize, spread: f64, seed: u64) -> (Vec<Info>, Move) {
        let heard = Heard::default();
        let chooser = Chooser {
            spread,
            seed,
            key: 1,
        };
        let mut report = WeakReport::new(heard.clone(), chooser, wanted);
        for info in [
            line(1, "e2e4", 30),
            line(2, "d2d4", 29),
            line(3, "g1f3", 28),
            // An unfinished iteration: what was second is first now.
            line(1, "d2d4", 35),
        ] {
            report.info(&info);
        }
        report.best(Best {
            best: Some(mv("d2d4")),
            ponder: None,
        });
        let (infos, best) = heard.0.lock().unwrap().clone();
        (infos, best.unwrap().best.unwrap())
    }

    #[test]
    fn only_lines_that_were_wanted_are_told() {
        for wanted in 1..=3 {
            let (infos, best) = heard(wanted, 0.0, 1);
            assert!(infos.iter().all(|info| info.line <= wanted));
            assert_eq!(infos.len(), wanted + 1);
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
        // The one that was first before has been overtaken and is no line of its own any more.
        played.sort_by_key(|mv| mv.to_bits());
        let mut expected = ["d2d4", "g1f3"].map(mv);
        expected.sort_by_key(|mv| mv.to_bits());
        assert_eq!(played, expected);
    }

    #[test]
    fn without_lines_the_answer_is_passed_on() {
        for best in [Some(mv("e2e4")), None] {
            let heard = Heard::default();
            let chooser = Chooser {
                spread: 0.5,
                seed: 1,
                key: 1,
            };
            let best = Best { best, ponder: None };
            WeakReport::new(heard.clone(), chooser, 1).best(best);
            assert_eq!(heard.0.lock().unwrap().1, Some(best));
        }
    }
}
