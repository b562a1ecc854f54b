//! The results of a search: scores, lines of analysis, and the result. Plain values, which can be pickled.

use std::cmp::Ordering;

use formats::notation;
use movegen::{Color, Move, Position};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use search::{Bound as ScoreBound, Info, Score, SearchResult, centipawns};

use crate::errors::value_error;
use crate::moves::{MoveArg, MoveObject};
use crate::position::PyPosition;

/// The chances to win, draw and lose, in permille.
type Wdl = (u32, u32, u32);

/// A score for the side to move: centipawns, where 100 is an even chance to win, or moves to mate.
/// The greater one is better.
///
/// >>> Score(cp=30) < Score(mate=5), Score(mate=-2) < Score(cp=-900)
/// (True, True)
#[pyclass(
    name = "Score",
    module = "castellan",
    frozen,
    get_all,
    eq,
    ord,
    hash,
    from_py_object
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyScore {
    /// None for a mate.
    cp: Option<i32>,
    /// Moves to mate: negative when the side to move is mated, 0 in checkmate; else None.
    mate: Option<i32>,
    /// True for 0 moves to mate from the side of who has mated.
    given: bool,
}

impl Ord for PyScore {
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |score: &Self| match score.mate {
            Some(0) if score.given => (1, 0),
            Some(moves) if moves > 0 => (1, moves.saturating_neg()),
            Some(moves) => (-1, moves.saturating_neg()),
            None => (0, score.cp.unwrap_or_default()),
        };
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for PyScore {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<(Score, &Position)> for PyScore {
    fn from((score, position): (Score, &Position)) -> Self {
        Self::of(centipawns(score, position), score.mate_distance())
    }
}

impl PyScore {
    pub(crate) fn of(cp: i32, mate: Option<i32>) -> Self {
        let cp = mate.is_none().then_some(cp);
        let given = false;
        Self { cp, mate, given }
    }

    fn for_white(self, position: &Position) -> Self {
        match position.side_to_move() {
            Color::White => self,
            Color::Black => self.__neg__(),
        }
    }
}

#[pymethods]
impl PyScore {
    #[new]
    #[pyo3(signature = (*, cp = None, mate = None, given = false))]
    fn new(cp: Option<i32>, mate: Option<i32>, given: bool) -> PyResult<Self> {
        if cp.is_some() == mate.is_some() || given && mate != Some(0) {
            return Err(value_error("expected either cp or mate"));
        }
        Ok(Self { cp, mate, given })
    }

    /// The score from the other side.
    fn __neg__(&self) -> Self {
        Self {
            cp: self.cp.map(i32::saturating_neg),
            mate: self.mate.map(i32::saturating_neg),
            given: self.mate == Some(0) && !self.given,
        }
    }

    fn __str__(&self) -> String {
        match (self.mate, self.cp) {
            (Some(moves), _) => format!("mate {moves}"),
            (None, cp) => format!("cp {}", cp.unwrap_or_default()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Score: {}>", self.__str__())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("cp", self.cp)?;
        named.set_item("mate", self.mate)?;
        named.set_item("given", self.given)?;
        Ok(((), named))
    }
}

/// A line of analysis.
#[pyclass(name = "Info", module = "castellan", frozen, eq, from_py_object)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PyInfo {
    position: Position,
    #[pyo3(get)]
    depth: u32,
    #[pyo3(get)]
    seldepth: u32,
    /// The number of the line, from 1.
    #[pyo3(get)]
    multipv: usize,
    #[pyo3(get)]
    score: PyScore,
    /// `"exact"`, or what the score is for the true value: a `"lower"` or `"upper"` bound.
    #[pyo3(get)]
    bound: &'static str,
    /// The chances to win, draw and lose, in permille.
    #[pyo3(get)]
    wdl: Wdl,
    #[pyo3(get)]
    nodes: u64,
    /// Seconds since the start.
    #[pyo3(get)]
    time: f64,
    /// Nodes per second.
    #[pyo3(get)]
    nps: u64,
    /// The share of the hash table in use, in permille.
    #[pyo3(get)]
    hashfull: u32,
    #[pyo3(get)]
    tbhits: u64,
    pv: Vec<Move>,
}

impl From<(Info, Position)> for PyInfo {
    fn from((info, position): (Info, Position)) -> Self {
        let chances = info.chances;
        Self {
            position,
            depth: info.depth,
            seldepth: info.selective_depth,
            multipv: info.line,
            score: (info.score, &position).into(),
            bound: match info.bound {
                ScoreBound::Exact => "exact",
                ScoreBound::Lower => "lower",
                ScoreBound::Upper => "upper",
            },
            wdl: (chances.win, chances.draw, chances.loss),
            nodes: info.nodes,
            time: info.time.as_secs_f64(),
            nps: info.nodes_per_second(),
            hashfull: info.hash_full,
            tbhits: info.tablebase_hits,
            pv: info.pv,
        }
    }
}

#[pymethods]
impl PyInfo {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "those of a pickled object")]
    fn new(
        position: PyPosition,
        numbers: (u32, u32, usize),
        score: PyScore,
        bound: &str,
        wdl: Wdl,
        work: (u64, f64, u64),
        tables: (u32, u64),
        pv: Vec<MoveArg>,
    ) -> PyResult<Self> {
        let ((depth, seldepth, multipv), (nodes, time, nps), (hashfull, tbhits)) =
            (numbers, work, tables);
        let position = position.0.position;
        let mut now = position;
        let bound = ["exact", "lower", "upper"]
            .into_iter()
            .find(|&known| known == bound);
        Ok(Self {
            position,
            depth,
            seldepth,
            multipv,
            score,
            bound: bound.ok_or_else(|| value_error("expected 'exact', 'lower' or 'upper'"))?,
            wdl,
            nodes,
            time,
            nps,
            hashfull,
            tbhits,
            pv: pv
                .iter()
                .map(|mv| {
                    let mv = mv.legal(&now)?;
                    now = now.play_unchecked(mv);
                    Ok(mv)
                })
                .collect::<PyResult<_>>()?,
        })
    }

    /// The score from White's side.
    #[getter]
    fn white_score(&self) -> PyScore {
        self.score.for_white(&self.position)
    }

    /// The principal variation.
    #[getter]
    fn pv(&self) -> Vec<MoveObject> {
        MoveObject::list(self.pv.iter().copied(), self.position.variant())
    }

    /// The principal variation in SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        notation::san_moves(&self.position, self.pv.iter().copied())
    }

    fn __repr__(&self) -> String {
        let (score, pv) = (self.score.__str__(), self.sans().join(" "));
        format!("<Info: depth {} {score} pv {pv}>", self.depth)
    }

    #[expect(clippy::type_complexity, reason = "the arguments of `new`")]
    fn __getnewargs__(
        &self,
    ) -> (
        PyPosition,
        (u32, u32, usize),
        PyScore,
        &str,
        Wdl,
        (u64, f64, u64),
        (u32, u64),
        Vec<MoveObject>,
    ) {
        (
            self.position.into(),
            (self.depth, self.seldepth, self.multipv),
            self.score,
            self.bound,
            self.wdl,
            (self.nodes, self.time, self.nps),
            (self.hashfull, self.tbhits),
            self.pv(),
        )
    }
}

/// The result of a search.
#[pyclass(name = "SearchResult", module = "castellan", frozen, eq)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PySearchResult {
    position: Position,
    /// Limited strength may not play the best move.
    mv: Option<Move>,
    ponder: Option<Move>,
    #[pyo3(get)]
    score: PyScore,
    /// The chances to win, draw and lose, in permille.
    #[pyo3(get)]
    wdl: Wdl,
    /// The depth the best move was searched to.
    #[pyo3(get)]
    depth: u32,
    #[pyo3(get)]
    nodes: u64,
    /// Seconds.
    #[pyo3(get)]
    time: f64,
    /// The lines of analysis, the best first: as many as `multipv` or legal moves.
    #[pyo3(get)]
    lines: Vec<PyInfo>,
    /// The parts of the line of a batch that its position cannot have or that break the standard.
    #[pyo3(get)]
    pub(crate) warnings: Vec<String>,
    /// The number of the line of a batch, from 1; None for another search.
    #[pyo3(get)]
    pub(crate) line: Option<u64>,
    /// The operand of `id` in the line of a batch.
    #[pyo3(get)]
    pub(crate) id: Option<String>,
    /// True if the move is one of `bm` and none of `am`, and a mate in `dm` is found; None without these.
    #[pyo3(get)]
    pub(crate) solved: Option<bool>,
}

impl PySearchResult {
    pub(crate) fn new(
        result: SearchResult,
        mv: Option<Move>,
        ponder: Option<Move>,
        position: Position,
    ) -> Self {
        let wdl = match result.lines.first() {
            Some(line) => (line.chances.win, line.chances.draw, line.chances.loss),
            None if position.in_check() => (0, 0, 1000),
            None => (0, 1000, 0),
        };
        let lines = result.lines.into_iter();
        Self {
            position,
            mv,
            ponder,
            score: (result.score, &position).into(),
            wdl,
            depth: result.depth,
            nodes: result.nodes,
            time: result.time.as_secs_f64(),
            lines: lines.map(|info| (info, position).into()).collect(),
            warnings: Vec::new(),
            line: None,
            id: None,
            solved: None,
        }
    }

    fn object(&self, mv: Option<Move>) -> Option<MoveObject> {
        Some(MoveObject::new(mv?, self.position.variant()))
    }
}

#[pymethods]
impl PySearchResult {
    #[new]
    #[pyo3(signature = (position, r#move, ponder, score, wdl, work, lines, warnings = Vec::new(), line = None, id = None, solved = None))]
    #[expect(clippy::too_many_arguments, reason = "those of __getnewargs__")]
    fn from_parts(
        position: PyPosition,
        r#move: Option<MoveArg>,
        ponder: Option<MoveArg>,
        score: PyScore,
        wdl: Wdl,
        work: (u32, u64, f64),
        lines: Vec<PyInfo>,
        warnings: Vec<String>,
        line: Option<u64>,
        id: Option<String>,
        solved: Option<bool>,
    ) -> PyResult<Self> {
        let (depth, nodes, time) = work;
        let position = position.0.position;
        let mv = r#move.map(|mv| mv.legal(&position)).transpose()?;
        let after = mv.map_or(position, |mv| position.play_unchecked(mv));
        Ok(Self {
            position,
            mv,
            ponder: ponder.map(|reply| reply.legal(&after)).transpose()?,
            score,
            wdl,
            depth,
            nodes,
            time,
            lines,
            warnings,
            line,
            id,
            solved,
        })
    }

    /// The position that was searched.
    #[getter]
    fn position(&self) -> PyPosition {
        self.position.into()
    }

    /// The move to play; None if there is no legal move.
    #[getter]
    fn r#move(&self) -> Option<MoveObject> {
        self.object(self.mv)
    }

    /// The expected reply.
    #[getter]
    fn ponder(&self) -> Option<MoveObject> {
        self.object(self.ponder)
    }

    /// The score from White's side.
    #[getter]
    fn white_score(&self) -> PyScore {
        self.score.for_white(&self.position)
    }

    /// The principal variation.
    #[getter]
    fn pv(&self) -> Vec<MoveObject> {
        self.lines.first().map(PyInfo::pv).unwrap_or_default()
    }

    /// The principal variation in SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        self.lines.first().map(PyInfo::sans).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        let mv = self.sans().into_iter().next().unwrap_or_default();
        format!(
            "<SearchResult: {mv} {} depth {}>",
            self.score.__str__(),
            self.depth
        )
    }

    #[expect(clippy::type_complexity, reason = "the arguments of `from_parts`")]
    fn __getnewargs__(
        &self,
    ) -> (
        PyPosition,
        Option<MoveObject>,
        Option<MoveObject>,
        PyScore,
        Wdl,
        (u32, u64, f64),
        Vec<PyInfo>,
        Vec<String>,
        Option<u64>,
        Option<String>,
        Option<bool>,
    ) {
        (
            self.position(),
            self.r#move(),
            self.ponder(),
            self.score,
            self.wdl,
            (self.depth, self.nodes, self.time),
            self.lines.clone(),
            self.warnings.clone(),
            self.line,
            self.id.clone(),
            self.solved,
        )
    }
}
