//! Games with claims, outcomes and undo.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use formats::notation;
use formats::openings::{self, Opening};
use formats::pgn::{GameResult, Record, Variation};
use movegen::{Claim, Color, Game, GamePosition, Move, Outcome, Position, Square, Validated};
use pyo3::prelude::*;

use crate::errors::{ClaimError, play_error, reason, value_error};
use crate::moves::{MoveArg, MoveObject};
use crate::position::{ColorArg, PositionArg, PyPosition};
use crate::svg::svg;

/// The end of a game.
///
/// >>> outcome = Game(moves=["f3", "e5", "g4", "Qh4"]).outcome
/// >>> outcome.kind, outcome.winner, outcome.result, str(outcome)
/// ('checkmate', 'black', '0-1', 'Black wins by checkmate')
#[pyclass(
    name = "Outcome",
    module = "castellan",
    frozen,
    eq,
    hash,
    from_py_object
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyOutcome(pub(crate) End);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    /// By the rules, or claimed under one.
    Rules(Outcome),
    Resigned {
        winner: Color,
    },
    Agreed,
}

impl End {
    fn winner(self) -> Option<Color> {
        match self {
            Self::Rules(outcome) => outcome.winner(),
            Self::Resigned { winner } => Some(winner),
            Self::Agreed => None,
        }
    }

    fn result(self) -> GameResult {
        self.winner().map_or(GameResult::Drawn, GameResult::Won)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(outcome) => outcome.fmt(f),
            Self::Resigned { winner } => write!(f, "{} resigns", !*winner),
            Self::Agreed => f.write_str("draw by agreement"),
        }
    }
}

#[pymethods]
impl PyOutcome {
    #[new]
    #[pyo3(signature = (kind, winner = None))]
    fn new(kind: &str, winner: Option<ColorArg>) -> PyResult<Self> {
        let outcome = match (kind, winner) {
            ("checkmate", Some(ColorArg(winner))) => Outcome::Checkmate { winner },
            ("stalemate", None) => Outcome::Stalemate,
            ("insufficient_material", None) => Outcome::InsufficientMaterial,
            ("seventy_five_moves", None) => Outcome::SeventyFiveMoves,
            ("fivefold_repetition", None) => Outcome::FivefoldRepetition,
            ("fifty_moves", None) => Outcome::DrawClaimed(Claim::FiftyMoves),
            ("threefold_repetition", None) => Outcome::DrawClaimed(Claim::Threefold),
            ("resignation", Some(ColorArg(winner))) => return Ok(Self(End::Resigned { winner })),
            ("agreement", None) => return Ok(Self(End::Agreed)),
            _ => {
                return Err(value_error(format_args!(
                    "no outcome '{kind}' with this winner"
                )));
            }
        };
        Ok(Self(End::Rules(outcome)))
    }

    /// `"checkmate"`, `"stalemate"`, `"insufficient_material"`, `"seventy_five_moves"`,
    /// `"fivefold_repetition"`, a claim: `"fifty_moves"`, `"threefold_repetition"`, or what the players
    /// did: `"resignation"`, `"agreement"`.
    #[getter]
    fn kind(&self) -> &'static str {
        let outcome = match self.0 {
            End::Resigned { .. } => return "resignation",
            End::Agreed => return "agreement",
            End::Rules(outcome) => outcome,
        };
        match outcome {
            Outcome::Checkmate { .. } => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient_material",
            Outcome::SeventyFiveMoves => "seventy_five_moves",
            Outcome::FivefoldRepetition => "fivefold_repetition",
            Outcome::DrawClaimed(claim) => claim_name(claim),
        }
    }

    /// The side that won, `"white"` or `"black"`; None for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.winner().map(Color::name)
    }

    /// The result as PGN writes it.
    #[getter]
    fn result(&self) -> &'static str {
        self.0.result().as_str()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome: {}>", self.0)
    }

    fn __getnewargs__(&self) -> (&'static str, Option<&'static str>) {
        (self.kind(), self.winner())
    }
}

fn claim_name(claim: Claim) -> &'static str {
    match claim {
        Claim::FiftyMoves => "fifty_moves",
        Claim::Threefold => "threefold_repetition",
    }
}

/// A start position and the moves played from it.
///
/// >>> game = Game()
/// >>> for move in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split():
/// ...     _ = game.play(move)
/// >>> game.claims(), game.claims("Ng8")
/// ([], ['threefold_repetition'])
/// >>> game.claim_draw("Ng8")
/// <Outcome: draw claimed by threefold repetition>
#[pyclass(name = "Game", module = "castellan", frozen)]
#[derive(Debug)]
pub(crate) struct PyGame(Mutex<State>);

/// A game, of chess or of Tri-Dimensional chess, and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct State<P: GamePosition<Move: fmt::Debug> = Position> {
    pub(crate) game: Game<P>,
    /// Beside the start; see `Validated::en_passant`.
    passed_at_start: Option<Square>,
    /// The end that a player brought about: a claim, a resignation or an agreement.
    pub(crate) ended: Option<End>,
}

impl<P: GamePosition<Move: fmt::Debug>> State<P> {
    pub(crate) fn new(game: Game<P>) -> Self {
        Self {
            game,
            passed_at_start: None,
            ended: None,
        }
    }

    pub(crate) fn end(&self) -> Option<End> {
        self.ended.or_else(|| self.game.outcome().map(End::Rules))
    }

    /// Fails with this error if the game has ended.
    pub(crate) fn check_not_over(&self, error: fn(String) -> PyErr) -> PyResult<()> {
        match self.end() {
            Some(end) => Err(error(format!("the game is over: {end}"))),
            None => Ok(()),
        }
    }

    /// Takes back the end, or the last move, which is returned.
    pub(crate) fn undo(&mut self) -> Option<P::Move> {
        match self.ended.take() {
            Some(_) => None,
            None => self.game.undo(),
        }
    }

    /// Plays the last move that was taken back again, unless a player has ended the game.
    pub(crate) fn redo(&mut self) -> Option<P::Move> {
        match self.ended {
            Some(_) => None,
            None => self.game.redo(),
        }
    }

    /// The claims that are open, with a move by naming it.
    pub(crate) fn claims(&self, mv: Option<P::Move>) -> Vec<&'static str> {
        let claims = match mv {
            _ if self.end().is_some() => Vec::new(),
            None => self.game.claims(),
            Some(mv) => self.game.claims_with(mv),
        };
        claims.into_iter().map(claim_name).collect()
    }

    /// Claims a draw; the library's game starts over, this one stays at its end.
    pub(crate) fn claim(&mut self, mv: Option<P::Move>) -> PyResult<PyOutcome> {
        self.check_not_over(ClaimError::new_err)?;
        let claimed = match mv {
            None => self.game.claim_draw(),
            Some(mv) => self.game.claim_with(mv),
        };
        let claimed = claimed.map_err(|error| ClaimError::new_err(error.to_string()))?;
        let end = End::Rules(claimed.outcome());
        self.game = claimed.record;
        self.ended = Some(end);
        Ok(PyOutcome(end))
    }

    /// Ends the game, unless it has ended.
    pub(crate) fn end_by(&mut self, end: End) -> PyResult<PyOutcome> {
        self.check_not_over(ClaimError::new_err)?;
        self.ended = Some(end);
        Ok(PyOutcome(end))
    }
}

impl PyGame {
    pub(crate) fn of(game: Game, passed_at_start: Option<Square>) -> Self {
        Self(Mutex::new(State {
            passed_at_start,
            ..State::new(game)
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The record without tags.
    pub(crate) fn pgn(&self) -> Record {
        let state = self.state();
        let start = *state.game.start();
        let end = state.end();
        Record {
            main_line: Variation::new(state.game.moves()),
            result: end.map_or(GameResult::Unknown, End::result),
            ..Record::new(start)
        }
    }

    /// A copy of the position and the moves that led to it, and the square that a pawn had skipped
    /// before.
    pub(crate) fn history(&self) -> (Game, Option<Square>) {
        let state = self.state();
        (state.game.clone(), state.passed_at_start)
    }
}

#[pymethods]
impl PyGame {
    /// The moves may go on after the end of the game, as a GUI's may.
    #[new]
    #[pyo3(signature = (start = None, moves = None))]
    fn new(start: Option<PositionArg>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let start = start.map_or_else(|| Position::default().into(), |start| start.0);
        let mut game = Game::new(start.position);
        let moves = moves.map(PyAnyMethods::try_iter).transpose()?;
        for mv in moves.into_iter().flatten() {
            let mv = mv?;
            mv.py().check_signals()?;
            let mv = mv.extract::<MoveArg>()?.legal_in_game(&game)?;
            game.push(mv).map_err(play_error)?;
        }
        Ok(Self::of(game, start.en_passant))
    }

    #[getter]
    fn start(&self) -> PyPosition {
        let state = self.state();
        let mut start = Validated::from(*state.game.start());
        start.en_passant = state.passed_at_start.or(start.en_passant);
        PyPosition(start)
    }

    #[getter]
    fn position(&self) -> PyPosition {
        (*self.state().game.position()).into()
    }

    /// The moves played.
    #[getter]
    fn moves(&self) -> Vec<MoveObject> {
        let game = &self.state().game;
        MoveObject::list(game.moves(), game.start().variant())
    }

    /// The moves played, in SAN.
    #[getter]
    fn sans(&self) -> Vec<String> {
        let game = &self.state().game;
        notation::san_moves(game.start(), game.moves())
    }

    /// The positions from the start to the current one.
    fn positions(&self) -> Vec<PyPosition> {
        let game = &self.state().game;
        game.positions().copied().map(PyPosition::from).collect()
    }

    /// Plays a move and returns it. Fails if it is illegal or the game is over.
    fn play(&self, r#move: MoveArg) -> PyResult<MoveObject> {
        let mut state = self.state();
        state.check_not_over(play_error)?;
        let mv = r#move.legal_in_game(&state.game)?;
        state.game.play(mv).map_err(play_error)?;
        Ok(MoveObject::new(mv, state.game.start().variant()))
    }

    /// Takes back the last move, or the claim, resignation or agreement; returns the move.
    fn undo(&self) -> Option<MoveObject> {
        let mut state = self.state();
        let mv = state.undo()?;
        Some(MoveObject::new(mv, state.game.start().variant()))
    }

    /// Plays the last move that was taken back again, and returns it; None after a claim, resignation
    /// or agreement.
    fn redo(&self) -> Option<MoveObject> {
        let mut state = self.state();
        let mv = state.redo()?;
        Some(MoveObject::new(mv, state.game.start().variant()))
    }

    /// The reason a move is illegal; None if it is legal. Unlike a position, a game knows how a castling
    /// right was lost.
    ///
    /// >>> Game(moves=["e4", "e5", "Nf3", "d6", "Be2", "Nf6", "Kf1", "Be7", "Ke1", "h6"]).why_illegal("O-O")
    /// 'White may no longer castle kingside: the king has moved from e1 (4. Kf1)'
    fn why_illegal(&self, r#move: MoveArg) -> Option<String> {
        let found = r#move.find_in_game(&self.state().game);
        found.err().map(|error| reason(&error))
    }

    /// The number of times the current position has occurred, including now.
    fn occurrences(&self) -> usize {
        self.state().game.occurrences()
    }

    /// The rules under which the side to move may claim a draw, with a move by naming it before
    /// it is played.
    #[pyo3(signature = (r#move = None))]
    fn claims(&self, r#move: Option<MoveArg>) -> PyResult<Vec<&'static str>> {
        let state = self.state();
        let mv = r#move.map(|mv| mv.legal_in_game(&state.game)).transpose()?;
        Ok(state.claims(mv))
    }

    /// Claims a draw, which ends the game; with a move by naming it before it is played.
    #[pyo3(signature = (r#move = None))]
    fn claim_draw(&self, r#move: Option<MoveArg>) -> PyResult<PyOutcome> {
        let mut state = self.state();
        let mv = r#move.map(|mv| mv.legal_in_game(&state.game)).transpose()?;
        state.claim(mv)
    }

    /// Ends the game: this color resigns.
    ///
    /// >>> game = Game(moves=["e4", "e5"])
    /// >>> game.resign("black")
    /// <Outcome: Black resigns>
    /// >>> Record.from_game(game).result
    /// '1-0'
    fn resign(&self, color: ColorArg) -> PyResult<PyOutcome> {
        self.state().end_by(End::Resigned { winner: !color.0 })
    }

    /// Ends the game: the players agree on a draw.
    fn agree_draw(&self) -> PyResult<PyOutcome> {
        self.state().end_by(End::Agreed)
    }

    /// The outcome; None while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<PyOutcome> {
        self.state().end().map(PyOutcome)
    }

    /// The ECO code and the name of the opening; None if it has none.
    ///
    /// >>> Game(moves=["e4", "c5"]).opening
    /// ('B20', 'Sicilian Defense')
    #[getter]
    fn opening(&self) -> Option<Opening> {
        let game = &self.state().game;
        openings::find(game.start(), game.moves())
    }

    /// A drawing of the position.
    pub(crate) fn _repr_svg_(&self) -> String {
        svg(self.state().game.position())
    }

    fn fen(&self) -> String {
        self.state().game.position().fen()
    }

    fn __str__(&self) -> String {
        self.fen()
    }

    fn __repr__(&self) -> String {
        let moves: Vec<String> = self.sans().iter().map(|san| format!("'{san}'")).collect();
        let start = self.start().__repr__();
        format!("Game({start}, [{}])", moves.join(", "))
    }

    fn __len__(&self) -> usize {
        self.state().game.moves().len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        let parts = |state: &State| {
            let moves: Vec<Move> = state.game.moves().collect();
            (*state.game.start(), moves, state.ended)
        };
        let other = parts(&other.state());
        parts(&self.state()) == other
    }

    fn __copy__(&self) -> Self {
        Self(Mutex::new(self.state().clone()))
    }

    fn __getnewargs__(&self) -> (PyPosition, Vec<String>) {
        (self.start(), self.sans())
    }

    fn __getstate__(&self) -> Option<PyOutcome> {
        self.state().ended.map(PyOutcome)
    }

    fn __setstate__(&self, ended: Option<PyOutcome>) -> PyResult<()> {
        let mut state = self.state();
        let end = ended.map(|outcome| outcome.0);
        if let Some(End::Rules(outcome)) = end {
            let game = &state.game;
            let moves = game.position().legal_moves();
            let with_moves = moves.iter().flat_map(|&mv| game.claims_with(mv));
            let mut claims = game.claims().into_iter().chain(with_moves);
            if !claims.any(|claim| Outcome::DrawClaimed(claim) == outcome) {
                return Err(value_error("no such draw can be claimed in this game"));
            }
        }
        state.ended = end;
        Ok(())
    }
}
