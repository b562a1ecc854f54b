//! Lines of annotated moves, which records have and scripts make.

use std::sync::Arc;
use std::time::Duration;

use formats::pgn::{Comment, Eval, MAX_DEPTH, MoveNode, Nag, Variation};
use movegen::{Move, Position};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;
use crate::moves::{MoveArg, MoveObject};
use crate::number::Number;
use crate::position::PyPosition;

/// The position before a node's move, and the move.
type NodeMove = (PyPosition, Option<MoveObject>);

/// The start of a line, and its moves.
type LineMoves = (PyPosition, Vec<Node>);

/// A comment of the parts that Python names.
fn comment(
    text: String,
    eval: Option<f64>,
    mate: Option<i32>,
    clock: Option<f64>,
) -> PyResult<Comment> {
    /// Readers take no greater `[%eval]`.
    const MAX_CENTIPAWNS: f64 = 999_999.0;
    if eval.is_some_and(|eval| !eval.is_finite()) || eval.is_some() && mate.is_some() {
        return Err(value_error("expected either a finite eval or mate"));
    }
    // Nor do they take `#0`, which does not say who has won.
    if mate == Some(0) {
        return Err(value_error("expected a mate in at least one move, found 0"));
    }
    let centipawns = eval.map(|pawns| (100.0 * pawns).round());
    if centipawns.is_some_and(|value| value.abs() > MAX_CENTIPAWNS) {
        return Err(value_error("expected an eval between -10000 and 10000"));
    }
    let eval = centipawns.map(|value| Eval::Centipawns(value as i32));
    Ok(Comment {
        text,
        eval: mate.map(Eval::Mate).or(eval),
        clock: clock
            .map(Duration::try_from_secs_f64)
            .transpose()
            .map_err(value_error)?,
    })
}

/// White's evaluation in pawns, unless it is a mate.
fn pawns(comment: &Comment) -> Option<f64> {
    match comment.eval {
        Some(Eval::Centipawns(value)) => Some(f64::from(value) / 100.0),
        _ => None,
    }
}

fn moves_to_mate(comment: &Comment) -> Option<i32> {
    match comment.eval {
        Some(Eval::Mate(moves)) => Some(moves),
        _ => None,
    }
}

fn clock_seconds(comment: &Comment) -> Option<f64> {
    comment.clock.map(|clock| clock.as_secs_f64())
}

/// The deepest nesting of variations in a line.
fn depth(line: &Variation) -> usize {
    let variations = line.moves.iter().flat_map(|node| &node.variations);
    let depths = variations.map(|line| 1 + depth(line));
    depths.max().unwrap_or(0)
}

/// A legal move, or None for a null move: `--`.
fn move_or_null(position: &Position, mv: Option<MoveArg>) -> PyResult<Option<Move>> {
    match mv {
        Some(MoveArg::Text(text)) if text == "--" => move_or_null(position, None),
        Some(mv) => mv.legal(position).map(Some),
        None if position.in_check() => Err(value_error("a null move is not possible in check")),
        None => Ok(None),
    }
}

/// A move of a line, with annotations or without.
#[derive(Debug, FromPyObject)]
enum LineMove<'py> {
    Node(Bound<'py, Node>),
    Move(MoveArg),
}

/// A line of annotated moves: the main line of a game or a variation.
///
/// >>> Line(Position(), ["e4", "c5"], "a comment before the first move").sans
/// ['e4', 'c5']
#[pyclass(module = "castellan", frozen, eq, from_py_object)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) start: Position,
    pub(crate) variation: Arc<Variation>,
}

impl Line {
    pub(crate) fn new(start: Position, variation: &Variation) -> Self {
        let variation = Arc::new(variation.clone());
        Self { start, variation }
    }
}

#[pymethods]
impl Line {
    #[new]
    #[pyo3(signature = (start, moves, comment = String::new(), *, eval = None, mate = None, clock = None))]
    fn from_moves(
        start: PyPosition,
        moves: Vec<LineMove<'_>>,
        comment: String,
        eval: Option<f64>,
        mate: Option<i32>,
        clock: Option<f64>,
    ) -> PyResult<Self> {
        let start = start.0.position;
        let mut position = start;
        let mut variation = Variation {
            comment: self::comment(comment, eval, mate, clock)?,
            ..Variation::default()
        };
        for given in moves {
            let node = match given {
                LineMove::Node(node) if node.get().before == position => node.get().node.clone(),
                LineMove::Node(node) => {
                    let (mv, fen) = (node.get().san(), position.fen());
                    return Err(value_error(format!("the node of {mv} is not one of {fen}")));
                }
                LineMove::Move(mv) => MoveNode::new(move_or_null(&position, Some(mv))?),
            };
            position = node.after(&position);
            variation.moves.push(node);
        }
        let variation = Arc::new(variation);
        Ok(Self { start, variation })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(LineMoves, Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("comment", self.comment())?;
        named.set_item("eval", self.eval())?;
        named.set_item("mate", self.mate())?;
        named.set_item("clock", self.clock())?;
        Ok(((self.start(), self.moves()), named))
    }

    #[getter]
    fn start(&self) -> PyPosition {
        self.start.into()
    }

    /// The comment before the first move, without `[%eval]` and `[%clk]`.
    #[getter]
    fn comment(&self) -> &str {
        &self.variation.comment.text
    }

    /// White's evaluation from `[%eval]`, in pawns; None if there is none or it is a mate.
    #[getter]
    fn eval(&self) -> Option<f64> {
        pawns(&self.variation.comment)
    }

    /// The moves to mate from `[%eval]`, negative if White is mated.
    #[getter]
    fn mate(&self) -> Option<i32> {
        moves_to_mate(&self.variation.comment)
    }

    /// The clock before the first move from `[%clk]`, in seconds.
    #[getter]
    fn clock(&self) -> Option<f64> {
        clock_seconds(&self.variation.comment)
    }

    /// The moves in SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        self.moves().iter().map(Node::san).collect()
    }

    /// The moves with their annotations.
    #[getter]
    fn moves(&self) -> Vec<Node> {
        let mut position = self.start;
        let nodes = self.variation.moves.iter();
        nodes
            .map(|node| {
                let before = position;
                position = node.after(&before);
                Node {
                    before,
                    node: node.clone(),
                }
            })
            .collect()
    }

    fn __len__(&self) -> usize {
        self.variation.moves.len()
    }
}

/// A move with its annotations.
///
/// >>> start = Position()
/// >>> node = Node(start, "e4", nags=[1], variations=[Line(start, ["d4"])])
/// >>> node.replace(comment="best by test").variations[0].sans
/// ['d4']
#[pyclass(module = "castellan", frozen, eq, from_py_object)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    before: Position,
    node: MoveNode,
}

impl Node {
    fn comment(&self) -> &Comment {
        &self.node.comment
    }
}

#[pymethods]
impl Node {
    #[new]
    #[pyo3(signature = (before, r#move, *, nags = Vec::new(), comment = String::new(), eval = None, mate = None, clock = None, variations = Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        before: PyPosition,
        r#move: Option<MoveArg>,
        nags: Vec<Number<u8>>,
        comment: String,
        eval: Option<f64>,
        mate: Option<i32>,
        clock: Option<f64>,
        variations: Vec<Line>,
    ) -> PyResult<Self> {
        let before = before.0.position;
        let mut node = MoveNode::new(move_or_null(&before, r#move)?);
        node.nags = nags.into_iter().map(|nag| Nag(nag.0)).collect();
        node.comment = self::comment(comment, eval, mate, clock)?;
        for line in variations {
            if line.start != before {
                return Err(value_error(
                    "a variation begins before the move that it is an alternative to",
                ));
            }
            if depth(&line.variation) >= MAX_DEPTH {
                return Err(value_error(format!(
                    "variations are nested more than {MAX_DEPTH} deep"
                )));
            }
            node.variations.push(Arc::unwrap_or_clone(line.variation));
        }
        Ok(Self { before, node })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(NodeMove, Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("nags", self.nags())?;
        named.set_item("comment", self.comment_text())?;
        named.set_item("eval", self.eval())?;
        named.set_item("mate", self.mate())?;
        named.set_item("clock", self.clock())?;
        named.set_item("variations", self.variations())?;
        Ok(((self.before(), self.r#move()), named))
    }

    /// The node with other annotations, named as for a new one.
    #[pyo3(signature = (**changes))]
    fn replace<'py>(
        slf: &Bound<'py, Self>,
        changes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (place, named) = slf.get().__getnewargs_ex__(slf.py())?;
        let is_given =
            |name| changes.is_some_and(|changes| changes.contains(name).unwrap_or(false));
        // One takes the place of the other.
        for [one, other] in [["eval", "mate"], ["mate", "eval"]] {
            if is_given(one) {
                named.set_item(other, slf.py().None())?;
            }
        }
        for (name, value) in changes.into_iter().flatten() {
            named.set_item(name, value)?;
        }
        slf.get_type().call(place, Some(&named))
    }

    /// The position before the move.
    #[getter]
    fn before(&self) -> PyPosition {
        self.before.into()
    }

    /// None for a null move, which a variation may have.
    #[getter]
    fn r#move(&self) -> Option<MoveObject> {
        let variant = self.before.variant();
        self.node.mv.map(|mv| MoveObject::new(mv, variant))
    }

    #[getter]
    fn san(&self) -> String {
        self.node.san(&self.before)
    }

    /// The numeric annotation glyphs, such as 4 for a blunder.
    #[getter]
    fn nags(&self) -> Vec<u16> {
        let nags = self.node.nags.iter();
        nags.map(|nag| nag.0.into()).collect()
    }

    /// The comment without `[%eval]` and `[%clk]`.
    #[getter(comment)]
    fn comment_text(&self) -> &str {
        &self.comment().text
    }

    /// White's evaluation from `[%eval]`, in pawns; None if there is none or it is a mate.
    #[getter]
    fn eval(&self) -> Option<f64> {
        pawns(self.comment())
    }

    /// The moves to mate from `[%eval]`, negative if White is mated.
    #[getter]
    fn mate(&self) -> Option<i32> {
        moves_to_mate(self.comment())
    }

    /// The clock after the move from `[%clk]`, in seconds.
    #[getter]
    fn clock(&self) -> Option<f64> {
        clock_seconds(self.comment())
    }

    /// The alternatives to this move.
    #[getter]
    fn variations(&self) -> Vec<Line> {
        let lines = self.node.variations.iter();
        lines.map(|line| Line::new(self.before, line)).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Node: {}>", self.san())
    }
}
