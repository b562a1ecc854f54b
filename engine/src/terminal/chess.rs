//! Chess in the terminal.

mod messages;

use std::path::PathBuf;

use formats::notation;
use formats::pgn::{Eval, Record};
use game::annotation::{self, GameEvaluation};
use game::play::{self, Command, GameState, Job, Refusal, TextError};
use movegen::{CHESS960_POSITIONS, Color, Game, Move, Position};
use search::{Bound, Info, Limits, Observer, Score, SearchError, SearchOptions};
use service::strength::{MoveLimits, engine_name};
use service::{Engine, GameSeed};

use super::Work;
use super::command_line::{ArgumentError, CommandLine};
use super::console::{Console, ConsoleError, ConsoleGame, Found, Purpose, Texts};
use crate::output::board::BoardStyle;

/// Per position.
const REVIEW_NODES: u64 = 100_000;

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
            Start::Standard => (Position::default(), None),
            Start::Position(start) => {
                let start = **start;
                *self = Start::Standard;
                (start, None)
            }
            Start::Chess960 { number, seed } => {
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChessCommand {
    /// Of one piece, if its square is given.
    Legal(Option<String>),
    /// A claim with an intended move.
    DrawWith(String),
    Offer,
    Review,
    Pgn(PathBuf),
}

impl Chess {
    /// The engine's name as a player.
    pub(crate) fn name(&self) -> String {
        let config = self.engine.config();
        engine_name(config.limit_strength.then_some(config.elo))
    }
}

impl Console<Chess> {
    /// The game as a record.
    fn played(&self) -> Record {
        let [white, black] = self.players();
        self.state().record(white, black)
    }

    /// Prints the legal moves; of one piece, if its square is given.
    fn legal(&mut self, of: Option<&str>) -> Result<(), ConsoleError> {
        self.state().takes_moves()?;
        let game = &self.state().game;
        let lines = match of {
            None => play::legal(game),
            Some(square) => play::legal_from(game, square).map_err(TextError::from)?,
        };
        self.terminal.lines(lines);
        Ok(())
    }

    /// Evaluates all positions of the game that is over, and prints what decided it.
    fn review(&mut self) -> Result<(), ConsoleError> {
        if !self.state().is_over() {
            return Err(Refusal::NotOver.into());
        }
        let mut record = self.played();
        let mut builder = self.kind.engine.builder();
        builder.threads = 1;
        let mut evaluations = Vec::new();
        let run = |work: &Work| {
            let evaluation = GameEvaluation {
                record: &record,
                done: 0,
                jobs: 1,
                options: &SearchOptions::new(Limits::nodes(REVIEW_NODES)),
                stop: &work.stop,
            };
            evaluation.run(
                || builder.build(),
                || work.bar.inc(1),
                |chunk| evaluations.extend(chunk),
            )
        };
        let work = Work::positions(record.moves().len() + 1);
        self.terminal.work(&work, run).map_err(TextError::from)?;
        // A review that was stopped is about the moves up to there.
        let report = annotation::annotate(&mut record, &evaluations);
        self.terminal
            .lines(messages::review(&record, &evaluations, &report));
        Ok(())
    }

    /// Offers the engine a draw. Two players agree on one.
    fn offer_draw(&mut self) -> Result<(), ConsoleError> {
        let mut notices = self.game.offer_draw()?;
        if self.game.next_job() == Some(Job::DrawOffer) {
            let found = self.search(Purpose::Advice);
            let found = found.inspect_err(|_| self.game.give_up())?;
            let score = found.and_then(|found| found.reply.score);
            notices = self.game.judged(score.unwrap_or(Score::DRAW))?;
        }
        self.changed(notices);
        Ok(())
    }
}

impl ConsoleGame for Chess {
    type Position = Position;
    type Command = ChessCommand;

    const TEXTS: Texts = Texts {
        move_help: &[(
            "e2e4, Nf3, nf3, 0-0",
            "play a move, by its squares or in SAN",
        )],
        help: &[
            (
                "legal SQUARE",
                "list the moves of one piece; for a king, why it cannot castle",
            ),
            ("draw MOVE", "claim a draw with the move that completes it"),
            ("offer", "offer a draw"),
            (
                "review",
                "show accuracy and mistakes, when the game is over",
            ),
            ("pgn FILE", "write the game to a new PGN file"),
            ("load PGN", "resume the first game of a PGN file"),
        ],
        after_claim: "New game; 'pgn FILE' still writes the drawn game.",
        after_end: "Enter starts a new game, 'rematch' one with the other side; 'review' shows \
                    the mistakes, 'pgn FILE' writes the game.",
    };

    fn parse(keyword: &str, line: CommandLine<'_>) -> Result<Option<ChessCommand>, ArgumentError> {
        match keyword {
            "legal" => Ok(Some(ChessCommand::Legal(
                line.optional().map(str::to_owned),
            ))),
            "draw" => Ok(line
                .optional()
                .map(|mv| ChessCommand::DrawWith(mv.to_owned()))),
            "offer" => line.alone(ChessCommand::Offer),
            "review" => line.alone(ChessCommand::Review),
            "pgn" => line.with("a file name", |path| ChessCommand::Pgn(path.into())),
            _ => Ok(None),
        }
    }

    fn execute(console: &mut Console<Chess>, command: ChessCommand) -> Result<(), ConsoleError> {
        match command {
            ChessCommand::Legal(of) => console.legal(of.as_deref()),
            ChessCommand::DrawWith(text) => {
                let mv = console.typed_move(&text)?;
                console.command(Command::Claim(Some(mv)))
            }
            ChessCommand::Offer => console.offer_draw(),
            ChessCommand::Review => console.review(),
            ChessCommand::Pgn(path) => console.write(&path, &console.played().pgn()),
        }
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn next_start(&mut self, _: &GameState) -> (Position, Option<String>) {
        self.start.next()
    }

    fn board(&self, state: &GameState, bottom: Color, _: Option<usize>) -> Vec<String> {
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

    fn written(&self, before: &Position, mv: Move) -> String {
        before.san(mv)
    }

    fn search(
        &mut self,
        game: &Game,
        purpose: Purpose,
        work: &Work,
    ) -> Result<Option<Found<Move>>, SearchError> {
        let job = match purpose {
            Purpose::Advice => self.engine.analysis(game.clone(), self.limits.with(None)),
            Purpose::Move(clocks) => {
                let clocks = clocks.map(|clocks| clocks.for_search());
                self.engine
                    .reply(game.clone(), self.limits.with(clocks), None)
            }
        };
        let found = job.run(&work.stop, &mut Watch(game.position(), work))?;
        Ok(job.reply(&found).map(|reply| Found {
            reply,
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
