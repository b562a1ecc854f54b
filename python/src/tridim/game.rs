//! Games of Tri-Dimensional chess.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use game::Side;
use game::play::{Action, GameState, PlayablePosition, TridimState, saved_game};
use movegen::Outcome;
use pyo3::prelude::*;
use tridim::search::{Limits, MAX_DEPTH, Searcher};
use tridim::{Castling, Game, GamePosition, Move, Position, Rules};

use super::{TridimPosition, activated, svg};
use crate::clock::seconds;
use crate::engine::{lock, run};
use crate::errors::{play_error, value_error};
use crate::game::{End, PyOutcome, State};
use crate::number::Number;
use crate::position::ColorArg;
use crate::results::PyScore;

/// The parts of a pickled game: a function, its argument, and the board that is activated.
type Reduced<'py> = (Bound<'py, PyAny>, (String,), Option<String>);

/// A castling move of Tri-Dimensional chess.
#[pyclass(
    name = "Castling",
    module = "castellan.tridim",
    frozen,
    get_all,
    eq,
    hash
)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TridimCastling {
    /// `"kingside on KL"`, `"kingside on QL"` or `"queenside"`.
    kind: String,
    /// The pins of the boards.
    boards: Vec<String>,
    /// The squares of the king, before and after.
    king: (String, String),
    /// The squares of the rook, before and after.
    rook: (String, String),
}

/// A move of Tri-Dimensional chess that was played.
#[pyclass(name = "Move", module = "castellan.tridim", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TridimMove {
    /// The move in full notation.
    notation: String,
    /// The boards and squares of castling; None for another move.
    castling: Option<TridimCastling>,
}

impl TridimMove {
    fn of(before: &Position, mv: Move) -> Self {
        let castling = match mv {
            Move::Castle(castling) => Some(castling),
            _ => None,
        };
        let side = before.side_to_move();
        let data = |Castling {
                        kind,
                        king_from,
                        king_to,
                        rook_from,
                        rook_to,
                    }: Castling| TridimCastling {
            kind: kind.to_string(),
            boards: kind.pins(side).map(|pin| pin.to_string()).collect(),
            king: (king_from.to_string(), king_to.to_string()),
            rook: (rook_from.to_string(), rook_to.to_string()),
        };
        Self {
            notation: before.notation(mv),
            castling: castling.map(data),
        }
    }
}

#[pymethods]
impl TridimMove {
    fn __str__(&self) -> String {
        self.notation.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Move: {}>", self.notation)
    }
}

/// The result of a search in Tri-Dimensional chess.
#[pyclass(module = "castellan.tridim", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// The principal variation in full notation; empty if there is no legal move.
    line: Vec<String>,
    /// The score for the side to move.
    score: PyScore,
    depth: u32,
}

/// A start position of Tri-Dimensional chess and the moves played from it.
///
/// >>> from castellan.tridim import Game
/// >>> game = Game(moves=["Nd1W-c3N", "b7B-b5B"])
/// >>> game.undo(), game.position.side_to_move, game.redo()
/// (<Move: b7B-b5B>, 'black', <Move: b7B-b5B>)
#[pyclass(name = "Game", module = "castellan.tridim", frozen)]
#[derive(Debug)]
pub(crate) struct TridimGame(Mutex<Play>);

#[derive(Clone, Debug)]
struct Play {
    state: State<Position>,
    /// The current position with a board that its player has activated.
    activated: Option<Position>,
}

impl Play {
    fn position(&self) -> &Position {
        self.activated
            .as_ref()
            .unwrap_or(self.state.game.position())
    }

    fn play(&mut self, text: &str) -> PyResult<TridimMove> {
        self.state.check_not_over(play_error)?;
        let mv = self.position().read_move(text).map_err(play_error)?;
        let played = TridimMove::of(self.state.game.position(), mv);
        self.state.game.play(mv).map_err(play_error)?;
        self.activated = None;
        Ok(played)
    }

    /// The game in the form of saved ones.
    fn saved(&self) -> PyResult<TridimState> {
        let mut state = GameState::new(*self.state.game.start(), Side::Both);
        let moves = self.state.game.moves();
        let moves = moves.map(|mv| Action::Move {
            mv,
            clock: None,
            time: None,
        });
        let end = self.state.ended.map(|end| match end {
            End::Rules(_) => Action::Draw,
            End::Resigned { winner } => Action::Resign(!winner),
            End::Agreed => Action::Agree,
        });
        for action in moves.chain(end) {
            state.apply(&action).map_err(value_error)?;
        }
        Ok(state)
    }
}

impl TridimGame {
    fn of(game: Game, activated: Option<Position>) -> Self {
        let state = State::new(game);
        Self(Mutex::new(Play { state, activated }))
    }

    fn play_state(&self) -> MutexGuard<'_, Play> {
        lock(&self.0)
    }
}

#[pymethods]
impl TridimGame {
    #[new]
    #[pyo3(signature = (start = None, moves = None))]
    fn new(start: Option<TridimPosition>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let start = start.map_or_else(|| Position::start(Rules::default()), |start| start.0);
        let activated = start.activated_board().map(|_| start);
        let game = Self::of(Game::new(start.release()), activated);
        let moves = moves.map(PyAnyMethods::try_iter).transpose()?;
        for mv in moves.into_iter().flatten() {
            let mv = mv?;
            mv.py().check_signals()?;
            game.play_state().play(&mv.str()?.extract::<String>()?)?;
        }
        Ok(game)
    }

    /// The game of a record.
    ///
    /// >>> from castellan.tridim import Game
    /// >>> game = Game(moves=["b2W-b4N"])
    /// >>> Game.from_record(game.record()) == game
    /// True
    #[staticmethod]
    fn from_record(text: &str) -> PyResult<Self> {
        let signature = Position::SIGNATURE;
        let lines = text
            .strip_prefix(signature)
            .and_then(|rest| rest.strip_prefix('\n'));
        let lines =
            lines.ok_or_else(|| value_error(format!("expected '{signature}' in line 1")))?;
        let mut state = TridimState::default();
        let mut ended = None;
        for (line, number) in lines.lines().zip(2..) {
            let followed = state.follow(line);
            followed.map_err(|error| value_error(format!("line {number}: {error}")))?;
            let words: Vec<&str> = line.split(' ').collect();
            ended = match (words.as_slice(), state.outcome()) {
                (["agree"], _) => Some(End::Agreed),
                (["resign", loser], _) => {
                    let loser: movegen::Color = loser.parse().map_err(value_error)?;
                    Some(End::Resigned { winner: !loser })
                }
                (["draw"], Some(outcome @ Outcome::DrawClaimed(_))) => Some(End::Rules(outcome)),
                _ => None,
            };
        }
        let game = Self::of(state.played().0.clone(), None);
        game.play_state().state.ended = ended;
        Ok(game)
    }

    /// The game as the page saves it: a line for each move, castling with its squares.
    fn record(&self) -> PyResult<String> {
        Ok(saved_game::text(&self.play_state().saved()?))
    }

    #[getter]
    fn start(&self) -> TridimPosition {
        TridimPosition(*self.play_state().state.game.start())
    }

    /// The position, with the board that is activated.
    #[getter]
    fn position(&self) -> TridimPosition {
        TridimPosition(*self.play_state().position())
    }

    /// The moves played.
    #[getter]
    fn moves(&self) -> Vec<TridimMove> {
        let game = &self.play_state().state.game;
        let moves = game.positions().zip(game.moves());
        moves
            .map(|(before, mv)| TridimMove::of(before, mv))
            .collect()
    }

    /// Plays a move and returns it. Fails if it is illegal or the game is over.
    fn play(&self, r#move: &str) -> PyResult<TridimMove> {
        self.play_state().play(r#move)
    }

    /// Activates the board on a pin, without moving it: the turn will be a move of this board.
    fn activate(&self, pin: &str) -> PyResult<()> {
        let mut play = self.play_state();
        play.state.check_not_over(play_error)?;
        play.activated = Some(activated(play.position(), pin)?);
        Ok(())
    }

    /// Releases the board that is activated.
    fn release(&self) {
        self.play_state().activated = None;
    }

    /// Takes back the last move, or the claim, resignation or agreement; returns the move.
    fn undo(&self) -> Option<TridimMove> {
        let mut play = self.play_state();
        play.activated = None;
        let mv = play.state.undo()?;
        Some(TridimMove::of(play.position(), mv))
    }

    /// Plays the last move that was taken back again, and returns it; None after a claim, resignation
    /// or agreement.
    fn redo(&self) -> Option<TridimMove> {
        let mut play = self.play_state();
        play.activated = None;
        let before = *play.position();
        let mv = play.state.redo()?;
        Some(TridimMove::of(&before, mv))
    }

    /// The number of times the current position has occurred, including now.
    fn occurrences(&self) -> usize {
        self.play_state().state.game.occurrences()
    }

    /// The rules under which the side to move may claim a draw.
    fn claims(&self) -> Vec<&'static str> {
        self.play_state().state.claims(None)
    }

    /// Claims a draw, which ends the game.
    fn claim_draw(&self) -> PyResult<PyOutcome> {
        self.play_state().state.claim(None)
    }

    /// Ends the game: this color resigns.
    fn resign(&self, color: ColorArg) -> PyResult<PyOutcome> {
        let end = End::Resigned { winner: !color.0 };
        self.play_state().state.end_by(end)
    }

    /// Ends the game: the players agree on a draw.
    fn agree_draw(&self) -> PyResult<PyOutcome> {
        self.play_state().state.end_by(End::Agreed)
    }

    /// The outcome; None while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<PyOutcome> {
        self.play_state().state.end().map(PyOutcome)
    }

    /// Searches to a depth or for a time in seconds (1).
    #[pyo3(signature = (*, depth = None, time = None))]
    fn search(
        &self,
        py: Python<'_>,
        depth: Option<Number<u32>>,
        time: Option<f64>,
    ) -> PyResult<Search> {
        let play = self.play_state().clone();
        let game = play.activated.map_or(play.state.game, Game::new);
        let mut position = *game.position();
        let time = match (time, depth) {
            (None, None) => Some(Duration::from_secs(1)),
            (time, _) => time.map(seconds).transpose()?,
        };
        let found = run(py, "search", move |control| {
            let limits = Limits {
                depth: depth.map_or(MAX_DEPTH, |depth| depth.0),
                deadline: time.and_then(|time| Instant::now().checked_add(time)),
                is_stopped: &|| control.is_stopped(),
            };
            Searcher::default().search(&game, limits, |_| {})
        })?;
        let Some(found) = found else {
            let mate = position.in_check().then_some(0);
            return Ok(Search {
                line: Vec::new(),
                score: PyScore::of(0, mate),
                depth: 0,
            });
        };
        let line = |mv| {
            let text = position.notation(mv);
            position = position.play_unchecked(mv);
            text
        };
        Ok(Search {
            line: found.line.into_iter().map(line).collect(),
            score: PyScore::of(found.score.in_centipawns(), found.score.mate_in()),
            depth: found.depth,
        })
    }

    /// A drawing of the boards.
    fn _repr_svg_(&self) -> String {
        svg::picture(self.play_state().position())
    }

    fn __len__(&self) -> usize {
        self.play_state().state.game.moves().len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        let parts = |game: &Self| {
            let Play { state, activated } = game.play_state().clone();
            let moves: Vec<Move> = state.game.moves().collect();
            (*state.game.start(), moves, state.ended, activated)
        };
        parts(self) == parts(other)
    }

    fn __copy__(&self) -> Self {
        Self(Mutex::new(self.play_state().clone()))
    }

    /// With the board that is activated, which no record has.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let game = slf.get_type().getattr("from_record")?;
        let activated = slf.get().play_state().position().activated_board();
        let record = slf.get().record()?;
        Ok((game, (record,), activated.map(|pin| pin.to_string())))
    }

    fn __setstate__(&self, pin: &str) -> PyResult<()> {
        let mut play = self.play_state();
        play.activated = Some(activated(play.position(), pin)?);
        Ok(())
    }
}
