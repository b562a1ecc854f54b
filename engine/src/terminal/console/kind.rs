//! The kinds of games that are played in the terminal.

use std::path::Path;
use std::time::Duration;

use game::Side;
use game::library::GameKind;
use game::play::saved_game::{self, SavedGameError};
use game::play::{Clocks, GameState, Opponent, Reply, TextError};
use movegen::{Color, GamePosition};
use search::SearchError;

use super::super::command_line::{ArgumentError, CommandLine};
use super::super::search_status::SearchStatus;
use super::{Console, ConsoleError, Help};

pub(crate) type Position<G> = <G as ConsoleGame>::Position;
pub(crate) type Game<G> = movegen::Game<Position<G>>;
pub(crate) type Move<G> = <Position<G> as GamePosition>::Move;
pub(crate) type State<G> = GameState<Position<G>>;

/// A kind of game with its notation, its drawings and its engine.
pub(crate) trait ConsoleGame: Sized {
    const KIND: GameKind;

    type Position: Opponent;
    /// A command that only this game has.
    type Command;
    /// The result of a search.
    type Found;

    /// The help for typing moves.
    const MOVE_HELP: &'static [Help];
    /// The commands that only this game has.
    const HELP: &'static [Help];
    const AFTER_CLAIM: &'static str;
    /// The actions at the end of a game.
    const AFTER_END: &'static str;

    fn parse(keyword: &str, line: CommandLine<'_>) -> Result<Option<Self::Command>, ArgumentError>;

    fn execute(console: &mut Console<Self>, command: Self::Command) -> Result<(), ConsoleError>;

    /// The game as the library keeps it.
    fn kept(console: &Console<Self>) -> String {
        saved_game::text(console.state())
    }

    /// The start of the game after this one, and its name unless that is obvious.
    fn next_start(&mut self, last: &State<Self>) -> (Position<Self>, Option<String>);

    /// Reads the file of a game. One that does not name the user's side gets this one.
    fn load(&mut self, path: &Path, side: Side) -> Result<State<Self>, SavedGameError>;

    fn parse_move(&self, game: &Game<Self>, text: &str) -> Result<Move<Self>, TextError>;

    /// Writes a move with its number.
    fn numbered_move(&self, before: &Position<Self>, mv: Move<Self>) -> String;

    /// The completions of the tab key.
    fn legal_moves(game: &Game<Self>) -> Vec<String>;

    /// The legal moves for people; of one piece, if its square is given.
    fn legal(&self, state: &State<Self>, of: Option<&str>) -> Result<Vec<String>, TextError>;

    fn board(&self, state: &State<Self>, bottom: Color, columns: Option<usize>) -> Vec<String>;

    fn fen(&self, game: &Game<Self>) -> String;

    /// The moves, one line for each move number.
    fn score_sheet(&self, state: &State<Self>) -> Vec<String>;

    /// The time for a search without clocks, if limited.
    fn move_time(&self) -> Option<Duration>;

    /// Searches at full strength, without clocks.
    fn think(
        &mut self,
        game: &Game<Self>,
        status: &SearchStatus,
    ) -> Result<Option<Self::Found>, SearchError>;

    /// The engine's move; `None` without a legal move.
    fn choose(
        &mut self,
        game: &Game<Self>,
        clocks: Option<Clocks>,
        status: &SearchStatus,
    ) -> Result<Option<Reply<Move<Self>>>, SearchError>;

    /// Describes the best move found.
    fn hint(&self, game: &Game<Self>, found: &Self::Found) -> Option<String>;

    /// Describes an evaluation.
    fn evaluation(&self, game: &Game<Self>, found: &Self::Found) -> String;
}
