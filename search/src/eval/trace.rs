//! The eval trace: the board with the value of each piece, which is what the evaluation loses
//! when that piece is removed.

use super::evaluate;
use crate::nnue::{Network, Shape};
use movegen::{Color, File, Piece, Position, Rank, Role, Setup, Square, Variant};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TracedPiece {
    piece: Piece,
    /// `None` for kings, and if the position without the piece is illegal.
    value: Option<i32>,
}

/// The static evaluation of a position, piece by piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalTrace {
    pieces: [Option<TracedPiece>; 64],
    piece_count: u32,
    shape: Shape,
    description: String,
    white: i32,
    side_to_move: Color,
    in_check: bool,
}

/// Traces the evaluation of a position by a network.
pub fn eval_trace(position: &Position, network: &Network) -> EvalTrace {
    let value =
        |position: &Position| for_white(position.side_to_move(), evaluate(position, network));
    let white = value(position);
    let setup = Setup::from(position);
    let mut pieces = [None; 64];
    for (square, piece) in position.piece_map() {
        let value = without(&setup, square, piece).map(|rest| white - value(&rest));
        pieces[square.index()] = Some(TracedPiece { piece, value });
    }
    EvalTrace {
        pieces,
        piece_count: position.occupied().count(),
        shape: *network.shape(),
        description: network.description().to_owned(),
        white,
        side_to_move: position.side_to_move(),
        in_check: position.in_check(),
    }
}

impl EvalTrace {
    /// The value for White, in evaluation units.
    pub fn for_white(&self) -> i32 {
        self.white
    }

    /// The value for the side to move.
    pub fn for_side_to_move(&self) -> i32 {
        for_white(self.side_to_move, self.white)
    }

    /// The contribution of the piece on a square for White. `None` for a king, and for a
    /// piece that shields the king of the side not to move.
    pub fn piece_value(&self, square: Square) -> Option<i32> {
        self.pieces[square.index()]?.value
    }
}

/// Converts between a value for `color` and one for White.
fn for_white(color: Color, value: i32) -> i32 {
    match color {
        Color::White => value,
        Color::Black => -value,
    }
}

fn without(setup: &Setup, square: Square, piece: Piece) -> Option<Position> {
    if piece.role() == Role::King {
        return None;
    }
    let mut rest = setup.clone();
    rest.pieces[square.index()] = None;
    // The rights name the rook's file, which is valid in either variant.
    Some(rest.position(Variant::Chess960).ok()?.position)
}

/// A value in hundreds of units, with a sign.
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
        for rank in Rank::ALL.into_iter().rev() {
            let row = || File::ALL.into_iter().map(|file| Square::new(file, rank));
            for square in row() {
                match self.pieces[square.index()] {
                    Some(TracedPiece { piece, .. }) => write!(f, " |   {piece}  ")?,
                    None => write!(f, " |      ")?,
                }
            }
            writeln!(f, " | {rank}")?;
            for square in row() {
                match self.piece_value(square) {
                    Some(value) => write!(f, " |{:^6}", Hundreds(value))?,
                    None => write!(f, " |      ")?,
                }
            }
            writeln!(f, " |\n{EDGE}")?;
        }
        for file in 'a'..='h' {
            write!(f, "     {file}  ")?;
        }
        let Self {
            shape,
            description,
            piece_count,
            side_to_move,
            ..
        } = self;
        let (white, own) = (Hundreds(self.white), Hundreds(self.for_side_to_move()));
        let (bucket, buckets) = (
            shape.output_bucket(*piece_count) + 1,
            shape.output_buckets(),
        );
        writeln!(f, "\n\nNetwork {shape}: {description}")?;
        writeln!(
            f,
            "Output bucket {bucket} of {buckets}, for {piece_count} pieces"
        )?;
        writeln!(
            f,
            "Below each piece: what White's value loses without it, in hundreds of units"
        )?;
        writeln!(f, "Network: {white} for White")?;
        write!(f, "         {own} for {side_to_move}, to move")?;
        if self.in_check {
            write!(
                f,
                "\n{side_to_move} is in check: the static evaluation is not meaningful."
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::at;
    use crate::nnue::{Tensor, embedded};
    use crate::score::Score;

    fn trace(fen: &str) -> EvalTrace {
        eval_trace(&at(fen), embedded())
    }

    #[test]
    fn piece_that_shields_the_waiting_king_has_no_value() {
        let pinned = trace("4k3/4n3/8/8/8/8/8/K3R3 w - - 0 1");
        assert_eq!(pinned.piece_value(Square::E7), None);
        assert!(pinned.piece_value(Square::E1).is_some());
    }

    #[test]
    fn text_has_the_board_the_totals_and_the_warning() {
        let calm = trace("4k3/8/8/8/8/8/8/QK6 w - - 0 1");
        let text = calm.to_string();
        assert_eq!(text.matches('Q').count(), 1, "{text}");
        assert_eq!(text.lines().filter(|line| *line == EDGE).count(), 9);
        assert!(text.contains(&format!("{} for White", Hundreds(calm.white))));
        assert!(!text.contains("in check"));
        let check = trace("4k3/8/8/8/8/8/8/K3Q3 b - - 0 1");
        assert!(check.to_string().contains("Black is in check"));
    }

    /// A network that counts each side's own pieces: each gives a neuron a tenth of its range.
    fn piece_counter() -> Network {
        let shape = Shape::without_king_buckets(64, 8).expect("a shape");
        let own = |feature: usize| feature % 768 < 384;
        Network::from_fn(shape, 400, "counts pieces", |tensor, index| match tensor {
            Tensor::FeatureWeights => i32::from(own(index / 64) && index % 64 == 0) * 16,
            Tensor::OutputWeights if index % 128 == 0 => 64,
            Tensor::OutputWeights if index % 128 == 64 => -64,
            _ => 0,
        })
        .expect("a network")
    }

    #[test]
    fn values_are_those_of_the_network() {
        let network = piece_counter();
        let trace = |fen: &str| eval_trace(&at(fen), &network);
        // Squares of activations, 48² - 32² and 48² - 16², of 160² for a logit of 400.
        let full = trace("4k3/p7/8/8/8/8/PP6/4K3 b - - 0 1");
        let rest = trace("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1");
        assert_eq!(full.for_white(), 20);
        assert_eq!(full.for_side_to_move(), -20);
        let b2 = full.piece_value(Square::B2);
        assert_eq!(b2, Some(20 - rest.for_white()));
        assert_eq!(full.piece_value(Square::A7), Some(20 - 31));
        assert_eq!(full.piece_value(Square::E1), None);
        let text = full.to_string();
        for part in [
            "(768 -> 64)x2 -> 8: counts pieces",
            "Output bucket 1 of 8, for 5 pieces",
            "hundreds of units",
            "Network: +0.20 for White",
        ] {
            assert!(text.contains(part), "no '{part}' in {text}");
        }
        // A drawn ending is not left to the network.
        assert_eq!(trace("4k3/8/8/8/8/8/8/4KN2 w - - 0 1").for_white(), 0);
    }

    #[test]
    fn values_of_any_network_are_evaluations() {
        let shape = Shape::without_king_buckets(64, 8).expect("a shape");
        let network = Network::from_fn(shape, u16::MAX, "", |tensor, _| match tensor {
            Tensor::OutputBiases => i32::MIN,
            _ => 0,
        });
        let network = network.expect("a network");
        let black_to_move = eval_trace(&at("4k3/p7/8/8/8/8/PP6/4K3 b - - 0 1"), &network);
        assert_eq!(black_to_move.for_white(), Score::MAX_EVAL.raw());
    }

    #[test]
    fn hundreds_have_a_sign_and_two_decimals() {
        for (value, text) in [(-5, "-0.05"), (0, "+0.00"), (1234, "+12.34")] {
            assert_eq!(Hundreds(value).to_string(), text);
        }
    }
}
