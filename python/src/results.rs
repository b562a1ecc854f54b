//! What a search finds: scores, lines of analysis, and the result.

use std::cmp::Ordering;

use formats::notation;
use movegen::{Move, Position};
use pyo3::prelude::*;
use search::{Bound as ScoreBound, Info, Score, SearchResult, centipawns, chances};

use crate::moves::MoveObject;
use crate::position::PyPosition;

/// A score for the side to move: centipawns, where 100 is an even chance to win, or moves to mate.
/// The greater one is better.
#[pyclass(name = "Score", module = "castellan", frozen, get_all, eq, ord, hash)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyScore {
    /// None for a mate.
    cp: Option<i32>,
    /// Moves to mate: negative when the side to move is mated, 0 in checkmate; else None.
    mate: Option<i32>,
}

impl Ord for PyScore {
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |score: &Self| match score.mate {
            Some(moves) if moves > 0 => (1, -moves),
            Some(moves) => (-1, -moves),
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

impl PyScore {
    fn new(score: Score, position: &Position) -> Self {
        let mate = score.mate_distance();
        let cp = mate.is_none().then(|| centipawns(score, position));
        Self { cp, mate }
    }
}

#[pymethods]
impl PyScore {
    fn __str__(&self) -> String {
        match (self.mate, self.cp) {
            (Some(moves), _) => format!("mate {moves}"),
            (None, cp) => format!("cp {}", cp.unwrap_or_default()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Score: {}>", self.__str__())
    }
}

/// A line of analysis.
#[pyclass(name = "Info", module = "castellan", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct PyInfo {
    pub(crate) info: Info,
    pub(crate) position: Position,
}

#[pymethods]
impl PyInfo {
    #[getter]
    fn depth(&self) -> u32 {
        self.info.depth
    }

    #[getter]
    fn seldepth(&self) -> u32 {
        self.info.selective_depth
    }

    /// The number of the line, from 1.
    #[getter]
    fn multipv(&self) -> usize {
        self.info.line
    }

    #[getter]
    fn score(&self) -> PyScore {
        PyScore::new(self.info.score, &self.position)
    }

    /// `"exact"`, or what the score is for the true value: a `"lower"` or `"upper"` bound.
    #[getter]
    fn bound(&self) -> &'static str {
        match self.info.bound {
            ScoreBound::Exact => "exact",
            ScoreBound::Lower => "lower",
            ScoreBound::Upper => "upper",
        }
    }

    /// The chances to win, draw and lose, in permille.
    #[getter]
    fn wdl(&self) -> (u32, u32, u32) {
        let chances = self.info.chances;
        (chances.win, chances.draw, chances.loss)
    }

    #[getter]
    fn nodes(&self) -> u64 {
        self.info.nodes
    }

    /// Seconds since the start.
    #[getter]
    fn time(&self) -> f64 {
        self.info.time.as_secs_f64()
    }

    /// Nodes per second.
    #[getter]
    fn nps(&self) -> u64 {
        self.info.nodes_per_second()
    }

    /// The share of the hash table in use, in permille.
    #[getter]
    fn hashfull(&self) -> u32 {
        self.info.hash_full
    }

    #[getter]
    fn tbhits(&self) -> u64 {
        self.info.tablebase_hits
    }

    /// The principal variation.
    #[getter]
    fn pv(&self) -> Vec<MoveObject> {
        MoveObject::list(self.info.pv.iter().copied(), self.position.variant())
    }

    /// The principal variation in SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        notation::san_moves(&self.position, self.info.pv.iter().copied())
    }

    fn __repr__(&self) -> String {
        let pv = self.sans().join(" ");
        format!(
            "<Info: depth {} {} pv {pv}>",
            self.info.depth,
            self.score().__str__()
        )
    }
}

/// The result of a search.
#[pyclass(name = "SearchResult", module = "castellan", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct PySearchResult {
    pub(crate) result: SearchResult,
    /// Limited strength may not play the best move.
    pub(crate) mv: Option<Move>,
    pub(crate) position: Position,
}

impl PySearchResult {
    pub(crate) fn new(result: SearchResult, position: Position) -> Self {
        Self {
            mv: result.best_move,
            result,
            position,
        }
    }
}

#[pymethods]
impl PySearchResult {
    /// The position that was searched.
    #[getter]
    fn position(&self) -> PyPosition {
        self.position.into()
    }

    /// The move to play; None if there is no legal move.
    #[getter]
    fn r#move(&self) -> Option<MoveObject> {
        let mv = self.mv?;
        Some(MoveObject::new(mv, self.position.variant()))
    }

    /// The expected reply.
    #[getter]
    fn ponder(&self) -> Option<MoveObject> {
        let mv = self.result.ponder?;
        Some(MoveObject::new(mv, self.position.variant()))
    }

    #[getter]
    fn score(&self) -> PyScore {
        PyScore::new(self.result.score, &self.position)
    }

    /// The chances to win, draw and lose, in permille.
    #[getter]
    fn wdl(&self) -> (u32, u32, u32) {
        let chances = chances(self.result.score, &self.position);
        (chances.win, chances.draw, chances.loss)
    }

    /// The depth the best move was searched to.
    #[getter]
    fn depth(&self) -> u32 {
        self.result.depth
    }

    #[getter]
    fn nodes(&self) -> u64 {
        self.result.nodes
    }

    /// Seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.result.time.as_secs_f64()
    }

    /// The principal variation.
    #[getter]
    fn pv(&self) -> Vec<MoveObject> {
        MoveObject::list(self.result.pv().iter().copied(), self.position.variant())
    }

    /// The principal variation in SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        notation::san_moves(&self.position, self.result.pv().iter().copied())
    }

    /// The lines of analysis, the best first: as many as `multipv` or legal moves.
    #[getter]
    fn lines(&self) -> Vec<PyInfo> {
        let position = self.position;
        let infos = self.result.lines.iter().cloned();
        infos.map(|info| PyInfo { info, position }).collect()
    }

    fn __repr__(&self) -> String {
        let mv = self.sans().into_iter().next().unwrap_or_default();
        let score = self.score().__str__();
        format!("<SearchResult: {mv} {score} depth {}>", self.result.depth)
    }
}
