//! The learning rate over a run.

/// How the learning rate falls from its first value to a hundredth of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Fall {
    /// Along half a wave of the cosine
    Cosine,
    /// To a tenth after three fifths of the run, to a hundredth after six sevenths
    Step,
}

const LAST: f64 = 0.01;

impl Fall {
    /// The part of the first learning rate left when this part of the run is over.
    #[must_use]
    pub fn left(self, over: f64) -> f64 {
        match self {
            Self::Cosine => {
                let wave = (1.0 + (over * std::f64::consts::PI).cos()) / 2.0;
                LAST + (1.0 - LAST) * wave
            }
            Self::Step if over < 3.0 / 5.0 => 1.0,
            Self::Step if over < 6.0 / 7.0 => 0.1,
            Self::Step => LAST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_fall_from_the_whole_to_a_hundredth() {
        for fall in [Fall::Cosine, Fall::Step] {
            assert!((fall.left(0.0) - 1.0).abs() < 1e-9);
            assert!((fall.left(1.0) - 0.01).abs() < 1e-9);
            let mut before = 1.0;
            for step in 0..=100 {
                let left = fall.left(f64::from(step) / 100.0);
                assert!(left <= before);
                before = left;
            }
        }
    }
}
