//! Chess in the terminal.

mod messages;
mod review_status;

use std::path::{Path, PathBuf};
use std::time::Duration;

use formats::notation;
use formats::pgn::{Eval, Record};
use game::Side;
use game::annotation::{self, GameEvaluation};
use game::library::GameKind;
use game::play::saved_game::{self, SavedGameError};
use game::play::{self, Clocks, Command, GameState, Job, Refusal, Reply, TextError};
use movegen::{CHESS960_POSITIONS, Color, Game, Move, Position};
use search::{Bound, Info, Limits, Observer, SearchError, SearchOptions, SearchResult};
use service::strength::{MoveLimits, engine_name};
use service::{Engine, GameSeed};

use super::command_line::{ArgumentError, CommandLine};
use super::console::{Console, ConsoleError, ConsoleGame, Help};
use super::search_status::{Iteration, SearchStatus};
use crate::output::board::BoardStyle;
use review_status::ReviewStatus;

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
    fn next(&mut self) -> (Position, Option<String>) {
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
    /// A claim with an intended move.
    DrawWith(String),
    Offer,
    Review,
    Pgn(PathBuf),
}

impl Chess {
    /// The start of the next game, and its name unless that is obvious.
    pub(crate) fn new_game(&mut self) -> (Position, Option<String>) {
        self.engine.new_game();
        self.start.next()
    }

    /// The engine's name as a player.
    fn name(&self) -> String {
        let config = self.engine.config();
        engine_name(config.limit_strength.then_some(config.elo))
    }
}

impl Console<Chess> {
    /// The game as a record.
    fn played(&self) -> Record {
        let [white, black] = Color::ALL.map(|color| {
            if self.state().side.includes(color) {
                self.player.clone()
            } else {
                self.kind.name()
            }
        });
        self.state().record(&white, &black)
    }

    fn write_pgn(&mut self, path: &Path) -> Result<(), ConsoleError> {
        self.write(path, &self.played().pgn())
    }

    /// Evaluates all positions of the game that is over, and prints what decided it.
    fn review(&mut self) -> Result<(), ConsoleError> {
        if !self.state().is_over() {
            return Err(Refusal::NotOver.into());
        }
        let mut record = self.played();
        let total = record.moves().len() + 1;
        let status = ReviewStatus::new(total);
        let evaluation = GameEvaluation {
            record: &record,
            done: 0,
            jobs: 1,
            options: &SearchOptions::new(Limits::nodes(REVIEW_NODES)),
            stop: &status.stop,
        };
        let mut builder = self.kind.engine.builder();
        builder.threads = 1;
        let mut evaluations = Vec::new();
        let run = || {
            evaluation.run(
                || builder.build(),
                || status.count(),
                |chunk| evaluations.extend(chunk),
            )
        };
        self.terminal.work(&status, run).map_err(TextError::from)?;
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
            let found = self.think().inspect_err(|_| self.game.give_up())?;
            notices = self.game.judged(found.score)?;
        }
        self.changed(notices);
        Ok(())
    }
}

impl ConsoleGame for Chess {
    const KIND: GameKind = GameKind::Chess;

    type Position = Position;
    type Command = ChessCommand;
    type Found = SearchResult;

    const MOVE_HELP: &'static [Help] = &[(
        "e2e4, Nf3, nf3, 0-0",
        "play a move, by its squares or in SAN",
    )];
    const HELP: &'static [Help] = &[
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
    ];
    const AFTER_CLAIM: &'static str = "New game; 'pgn FILE' still writes the drawn game.";
    const AFTER_END: &'static str = "Enter starts a new game, 'rematch' one with the other side; 'review' \
                                     shows the mistakes, 'pgn FILE' writes the game.";

    fn parse(keyword: &str, line: CommandLine<'_>) -> Result<Option<ChessCommand>, ArgumentError> {
        match keyword {
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
            ChessCommand::DrawWith(text) => {
                let mv = console.typed_move(&text)?;
                console.command(Command::Claim(Some(mv)))
            }
            ChessCommand::Offer => console.offer_draw(),
            ChessCommand::Review => console.review(),
            ChessCommand::Pgn(path) => console.write_pgn(&path),
        }
    }

    fn kept(console: &Console<Chess>) -> String {
        console.played().pgn()
    }

    fn next_start(&mut self, _: &GameState) -> (Position, Option<String>) {
        self.new_game()
    }

    fn load(&mut self, path: &Path, side: Side) -> Result<GameState, SavedGameError> {
        saved_game::load_or_read_pgn(path, side)
    }

    fn parse_move(&self, game: &Game, text: &str) -> Result<Move, TextError> {
        Ok(play::parse_move(game, text)?)
    }

    fn numbered_move(&self, before: &Position, mv: Move) -> String {
        format!("{} {}", notation::move_number(before), before.san(mv))
    }

    fn legal_moves(game: &Game) -> Vec<String> {
        let position = game.position();
        let moves = position.legal_moves();
        moves.iter().map(|&mv| position.san(mv)).collect()
    }

    fn legal(&self, state: &GameState, of: Option<&str>) -> Result<Vec<String>, TextError> {
        state.takes_moves()?;
        match of {
            None => Ok(play::legal(&state.game)),
            Some(square) => Ok(play::legal_from(&state.game, square)?),
        }
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

    fn fen(&self, game: &Game) -> String {
        notation::fen(game.position(), game.position().variant())
    }

    fn score_sheet(&self, state: &GameState) -> Vec<String> {
        messages::score_sheet(state)
    }

    fn move_time(&self) -> Option<Duration> {
        self.limits.with(None).move_time
    }

    fn think(
        &mut self,
        game: &Game,
        status: &SearchStatus,
    ) -> Result<Option<SearchResult>, SearchError> {
        let mut watch = Watch(game.position(), status);
        let job = self.engine.analysis(game.clone(), self.limits.with(None));
        Ok(Some(job.run(&status.stop, &mut watch)?))
    }

    fn choose(
        &mut self,
        game: &Game,
        clocks: Option<Clocks>,
        status: &SearchStatus,
    ) -> Result<Option<Reply>, SearchError> {
        let clocks = clocks.map(|clocks| clocks.for_search());
        let mut watch = Watch(game.position(), status);
        let limits = self.limits.with(clocks);
        let job = self.engine.reply(game.clone(), limits, None);
        Ok(job.reply(&job.run(&status.stop, &mut watch)?))
    }

    fn hint(&self, game: &Game, found: &SearchResult) -> Option<String> {
        let (position, mv) = (game.position(), found.best_move?);
        let squares = mv.uci(position.variant());
        Some(format!("Try {} ({squares}).", position.san(mv)))
    }

    fn evaluation(&self, game: &Game, found: &SearchResult) -> String {
        messages::evaluation(game, found)
    }
}

/// Reports the iterations of a search from this position.
struct Watch<'a>(&'a Position, &'a SearchStatus);

impl Observer for Watch<'_> {
    fn wants_info(&self) -> bool {
        self.1.shows_iterations
    }

    fn info(&mut self, info: &Info) {
        let Watch(position, status) = self;
        if info.line != 1 || info.bound != Bound::Exact {
            return;
        }
        let score = match annotation::eval_for_white(info.score, position) {
            Eval::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            mate @ Eval::Mate(_) => mate.to_string(),
        };
        status.report(Iteration {
            depth: info.depth,
            score,
            line: notation::numbered_moves(position, info.pv.iter().copied()),
        });
    }
}
