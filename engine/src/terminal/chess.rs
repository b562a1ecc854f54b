//! Chess in the terminal.

pub(super) mod messages;

use formats::notation;
use formats::pgn::Eval;
use game::annotation;
use game::play::{Clocks, GameState, Reply};
use movegen::{CHESS960_POSITIONS, Color, Game, Position};
use search::{Bound, Info, Observer, SearchError};
use service::strength::MoveLimits;
use service::{Engine, EngineError, GameSeed};

use super::Work;
use crate::output::board::BoardStyle;

/// The engine as the opponent, and the looks of the board.
#[derive(Debug)]
pub(crate) struct Chess {
    pub(crate) start: Start,
    pub(crate) engine: Engine,
    pub(crate) limits: MoveLimits,
    pub(crate) board_style: BoardStyle,
}

/// The start of the games of a run.
#[derive(Debug)]
pub(crate) enum Start {
    Standard,
    /// For the first game; then the start position.
    Position(Box<Position>),
    Chess960 {
        number: Option<u16>,
        seed: GameSeed,
    },
}

impl Start {
    /// The start of the next game, and its name unless that is obvious.
    pub(crate) fn next(&mut self) -> (Position, Option<String>) {
        match self {
            Self::Standard => (Position::default(), None),
            Self::Position(start) => {
                let start = **start;
                *self = Self::Standard;
                (start, None)
            }
            Self::Chess960 { number, seed } => {
                let number = number.unwrap_or_else(|| {
                    let random = common::rng::keyed(seed.take().into(), 0);
                    (random % u64::from(CHESS960_POSITIONS)) as u16
                });
                seed.next_game();
                // The number is valid.
                let start = Position::chess960(number).unwrap_or_default();
                (start, Some(format!("Chess960 start position {number}.")))
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    /// The engine's own move.
    Move(Option<Clocks>),
    /// For the user: at full strength, without clocks.
    Advice,
}

/// The result of a search.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) reply: Reply,
    /// In words.
    pub(super) evaluation: String,
}

impl Chess {
    /// Plays at this rating, or at full strength.
    pub(crate) fn play_at(&mut self, level: Option<u32>) -> Result<(), EngineError> {
        if let Some(elo) = level {
            self.engine.set("UCI_Elo", elo)?;
        }
        self.engine.set("UCI_LimitStrength", level.is_some())?;
        Ok(())
    }

    pub(super) fn board(&self, state: &GameState, bottom: Color) -> Vec<String> {
        let style = BoardStyle {
            orientation: bottom,
            ..self.board_style
        };
        let position = state.game.position();
        let mut lines = style.lines(position, state.game.moves().next_back());
        if let Some(files) = lines.last_mut()
            && !state.is_over()
        {
            files.push_str(&format!("    {} to move", position.side_to_move()));
        }
        if let Some(clocks) = state.running_clocks() {
            lines.push(format!("    {}", messages::clocks(&clocks)));
        }
        lines
    }

    /// The best move; `None` without a legal one.
    pub(super) fn search(
        &mut self,
        game: &Game,
        purpose: Purpose,
        work: &Work,
    ) -> Result<Option<Found>, SearchError> {
        let job = match purpose {
            Purpose::Advice => self.engine.analysis(game.clone(), self.limits.with(None)),
            Purpose::Move(clocks) => {
                let clocks = clocks.map(|clocks| clocks.for_search());
                self.engine
                    .reply(game.clone(), self.limits.with(clocks), None)
            }
        };
        let found = job.run(&work.stop, &mut Watch(game.position(), work))?;
        Ok(job.reply(&found).map(|(mv, score)| Found {
            reply: Reply { mv, score },
            evaluation: messages::evaluation(game, &found),
        }))
    }
}

/// Reports the iterations of a search from this position.
struct Watch<'a>(&'a Position, &'a Work);

impl Observer for Watch<'_> {
    fn wants_info(&self) -> bool {
        self.1.shows_iterations
    }

    fn info(&mut self, info: &Info) {
        let Watch(position, work) = self;
        if info.line != 1 || info.bound != Bound::Exact {
            return;
        }
        let score = match annotation::eval_for_white(info.score, position) {
            Eval::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            mate @ Eval::Mate(_) => mate.to_string(),
        };
        let line = notation::numbered_moves(position, info.pv.iter().copied());
        work.report(info.depth, &score, &line);
    }
}
