//! The board with what every man on it is worth to the evaluation.
//!
//! A man's worth is what the value loses when it is taken off the board. Nothing here knows
//! how positions are valued, only that they are, and by which network.

use super::value;
use crate::nnue::{Network, Shape};
use movegen::{CastlingRight, Color, Piece, Position, Role, Setup, Square, Variant};
use std::fmt;

/// A man as the trace shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shown {
    man: Piece,
    /// `None` for kings, and where the board without the man would be no legal position.
    worth: Option<i32>,
}

/// The network that values a position, and which of its outputs does.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Source {
    shape: Shape,
    description: String,
    men: u32,
    bucket: usize,
}

/// What the evaluation says of a position, man by man.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalTrace {
    men: [Option<Shown>; 64],
    source: Source,
    white: i32,
    mover: Color,
    in_check: bool,
}

/// Takes the trace of a position as a network values it.
#[must_use]
pub fn eval_trace(position: &Position, network: &Network) -> EvalTrace {
    let for_white =
        |position: &Position| seen_by(position.side_to_move(), value(position, network));
    let white = for_white(position);
    let setup = setup(position);
    let mut men = [None; 64];
    for (square, man) in position.piece_map() {
        let worth = without(&setup, square, man).map(|rest| white - for_white(&rest));
        men[square.index()] = Some(Shown { man, worth });
    }
    EvalTrace {
        men,
        source: Source::of(position, network),
        white,
        mover: position.side_to_move(),
        in_check: position.in_check(),
    }
}

impl Source {
    fn of(position: &Position, network: &Network) -> Self {
        let men = position.occupied().count();
        Self {
            shape: *network.shape(),
            description: network.description().to_owned(),
            men,
            bucket: network.shape().output_bucket(men),
        }
    }
}

impl EvalTrace {
    /// The value of the position for White, in the network's units.
    #[must_use]
    pub fn for_white(&self) -> i32 {
        self.white
    }

    /// The value of the position for the side to move.
    #[must_use]
    pub fn for_mover(&self) -> i32 {
        seen_by(self.mover, self.white)
    }

    /// What the man on a square adds to White's value; for a king, and for a man that may not
    /// leave because it shields the king of the side not to move, nothing can be said.
    #[must_use]
    pub fn worth(&self, square: Square) -> Option<i32> {
        self.men[square.index()]?.worth
    }
}

/// A value for White as `color` sees it, and the other way round.
fn seen_by(color: Color, value: i32) -> i32 {
    match color {
        Color::White => value,
        Color::Black => -value,
    }
}

/// The position as a setup, from which men can be taken.
fn setup(position: &Position) -> Setup {
    let mut setup = Setup::empty();
    for (square, man) in position.piece_map() {
        setup.pieces[square.index()] = Some(man);
    }
    setup.side_to_move = position.side_to_move();
    for color in Color::ALL {
        let rooks = position.castling_rights().of(color).into_iter();
        let rights = rooks.map(|rook| CastlingRight::File(color, rook.file()));
        setup.castling_rights.extend(rights);
    }
    setup.en_passant = position.en_passant();
    setup.halfmove_clock = position.halfmove_clock();
    setup.fullmove_number = position.fullmove_number();
    setup
}

fn without(setup: &Setup, square: Square, man: Piece) -> Option<Position> {
    if man.role() == Role::King {
        return None;
    }
    let mut rest = setup.clone();
    rest.pieces[square.index()] = None;
    // Rights are named by the rook's file, which every home in either variant has.
    rest.position(Variant::Chess960).ok()
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Valued by a network {}: {}",
            self.shape, self.description
        )?;
        let (bucket, buckets) = (self.bucket + 1, self.shape.output_buckets());
        write!(f, "Output {bucket} of {buckets}, for {} men", self.men)
    }
}

/// Hundreds of units and what is left of them, with a sign.
struct Hundreds(i32);

impl fmt::Display for Hundreds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        let (whole, rest) = (self.0.abs() / 100, self.0.abs() % 100);
        f.pad(&format!("{sign}{whole}.{rest:02}"))
    }
}

const EDGE: &str = " +-------+-------+-------+-------+-------+-------+-------+-------+";

impl fmt::Display for EvalTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{EDGE}")?;
        for rank in (0..8).rev() {
            let row = || (0..8).map(|file| Square::at(file, rank));
            for square in row() {
                match self.men[square.index()] {
                    Some(Shown { man, .. }) => write!(f, " |   {man}  ")?,
                    None => write!(f, " |      ")?,
                }
            }
            writeln!(f, " | {}", rank + 1)?;
            for square in row() {
                match self.worth(square) {
                    Some(worth) => write!(f, " |{:^6}", Hundreds(worth))?,
                    None => write!(f, " |      ")?,
                }
            }
            writeln!(f, " |")?;
            writeln!(f, "{EDGE}")?;
        }
        for file in 'a'..='h' {
            write!(f, "     {file}  ")?;
        }
        writeln!(f, "\n")?;
        writeln!(f, "{}", self.source)?;
        writeln!(
            f,
            "Each man: what White's value would lose without it, in hundreds of units."
        )?;
        writeln!(f, "Network: {} for White", Hundreds(self.white))?;
        write!(
            f,
            "         {} for {}, to move",
            Hundreds(self.for_mover()),
            self.mover
        )?;
        if self.in_check {
            write!(
                f,
                "\n{} is in check: a static evaluation is not meaningful here.",
                self.mover
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::embedded;
    use movegen::FenError;

    fn of_position(position: &Position) -> EvalTrace {
        eval_trace(position, embedded())
    }

    fn of(fen: &str) -> Result<EvalTrace, FenError> {
        Position::from_fen(fen, Variant::Standard).map(|position| of_position(&position))
    }

    #[test]
    fn a_mans_worth_is_the_difference_it_makes() -> Result<(), FenError> {
        let full = of("4k3/pppp4/8/8/8/8/PPPP4/R3K3 b Q - 0 1")?;
        let rest = of("4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1")?;
        let rook = full.worth(Square::A1);
        assert_eq!(rook, Some(full.for_white() - rest.for_white()));
        assert!(rook > Some(300), "{rook:?}");
        assert_eq!(full.for_mover(), -full.for_white());
        Ok(())
    }

    #[test]
    fn white_men_add_and_black_men_take_away() {
        let start = of_position(&Position::default());
        for (square, man) in Position::default().piece_map() {
            match (start.worth(square), man.color()) {
                (None, _) => assert_eq!(man.role(), Role::King),
                (Some(worth), Color::White) => assert!(worth > 0, "{square}: {worth}"),
                (Some(worth), Color::Black) => assert!(worth < 0, "{square}: {worth}"),
            }
        }
    }

    #[test]
    fn a_man_that_shields_the_idle_king_has_no_figure() -> Result<(), FenError> {
        let pinned = of("4k3/4n3/8/8/8/8/8/K3R3 w - - 0 1")?;
        let e7 = Square::at(4, 6);
        assert_eq!(pinned.worth(e7), None);
        assert!(pinned.worth(Square::E1).is_some());
        Ok(())
    }

    #[test]
    fn the_text_has_the_board_the_totals_and_the_warning() -> Result<(), FenError> {
        let calm = of("4k3/8/8/8/8/8/8/QK6 w - - 0 1")?;
        let text = calm.to_string();
        assert_eq!(text.matches('Q').count(), 1, "{text}");
        assert_eq!(text.lines().filter(|line| *line == EDGE).count(), 9);
        assert!(text.contains(&format!("{} for White", Hundreds(calm.white))));
        assert!(!text.contains("in check"));
        let check = of("4k3/8/8/8/8/8/8/K3Q3 b - - 0 1")?;
        assert!(check.to_string().contains("Black is in check"));
        Ok(())
    }

    /// A network that knows only how many men of its own a side has: each gives a neuron a
    /// tenth of its range.
    fn counter_of_men() -> Network {
        let shape = Shape::without_king_buckets(64, 8).expect("a shape");
        let own = |feature: usize| feature % 768 < 384;
        let weights = (0..shape.feature_count() * 64)
            .map(|place| i16::from(own(place / 64) && place % 64 == 0) * 25)
            .collect();
        let outputs = (0..8 * 2 * 64).map(|place| match place % 128 {
            0 => 64,
            64 => -64,
            _ => 0,
        });
        let outputs = outputs.collect();
        let description = String::from("counts men");
        Network::from_parts(
            shape,
            400,
            description,
            weights,
            vec![0; 64],
            outputs,
            vec![0; 8],
        )
        .expect("a network")
    }

    #[test]
    fn a_network_is_named_and_its_men_are_worth_what_it_says() -> Result<(), FenError> {
        let network = counter_of_men();
        let of = |fen: &str| {
            Position::from_fen(fen, Variant::Standard)
                .map(|position| eval_trace(&position, &network))
        };
        // Squares of activations, 75² - 50² and 50² - 25², of 255² for a logit of 400.
        let full = of("4k3/p7/8/8/8/8/PP6/4K3 b - - 0 1")?;
        let rest = of("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1")?;
        assert_eq!(full.for_white(), 19);
        assert_eq!(full.worth(Square::at(1, 1)), Some(19 - rest.for_white()));
        assert_eq!(full.worth(Square::at(0, 6)), Some(19 - 30));
        assert_eq!(full.worth(Square::E1), None);
        let text = full.to_string();
        for part in [
            "(768 -> 64)x2 -> 8: counts men",
            "Output 1 of 8, for 5 men",
            "hundreds of units",
            "Network: +0.19 for White",
        ] {
            assert!(text.contains(part), "no '{part}' in {text}");
        }
        // Endings that cannot be won are not left to the network.
        assert_eq!(of("4k3/8/8/8/8/8/8/4KN2 w - - 0 1")?.for_white(), 0);
        Ok(())
    }

    #[test]
    fn hundreds_keep_sign_and_hundredths() {
        assert_eq!(Hundreds(-5).to_string(), "-0.05");
        assert_eq!(Hundreds(0).to_string(), "+0.00");
        assert_eq!(Hundreds(1234).to_string(), "+12.34");
    }
}
