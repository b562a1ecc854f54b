//! The kinds of games that are played in the terminal.

use game::play::saved_game::SavedPosition;
use game::play::{Clocks, GameState, Opponent, Reply};
use movegen::{Color, GamePosition};
use search::SearchError;

use super::super::command_line::{ArgumentError, CommandLine};
use super::{Console, ConsoleError, Help, Work};

pub(crate) type Position<G> = <G as ConsoleGame>::Position;
pub(crate) type Game<G> = movegen::Game<Position<G>>;
pub(crate) type Move<G> = <Position<G> as GamePosition>::Move;
pub(crate) type State<G> = GameState<Position<G>>;

/// A kind of game with its notation, its drawings and its engine.
pub(crate) trait ConsoleGame: Sized {
    type Position: Opponent + SavedPosition;
    /// A command that only this game has.
    type Command;

    const TEXTS: Texts;

    fn parse(keyword: &str, line: CommandLine<'_>) -> Result<Option<Self::Command>, ArgumentError>;

    fn execute(console: &mut Console<Self>, command: Self::Command) -> Result<(), ConsoleError>;

    /// The engine forgets the last game.
    fn new_game(&mut self);

    /// The start of the game after this one, and its name unless that is obvious.
    fn next_start(&mut self, last: &State<Self>) -> (Position<Self>, Option<String>);

    fn board(&self, state: &State<Self>, bottom: Color, columns: Option<usize>) -> Vec<String>;

    /// A move as it is printed.
    fn written(&self, before: &Position<Self>, mv: Move<Self>) -> String;

    /// The best move; `None` without a legal one.
    fn search(
        &mut self,
        game: &Game<Self>,
        purpose: Purpose,
        work: &Work,
    ) -> Result<Option<Found<Move<Self>>>, SearchError>;
}

/// The texts about a kind of game.
pub(crate) struct Texts {
    /// The help for typing moves.
    pub(crate) move_help: &'static [Help],
    /// The commands that only this game has.
    pub(crate) help: &'static [Help],
    pub(crate) after_claim: &'static str,
    /// The actions at the end of a game.
    pub(crate) after_end: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The engine's own move.
    Move(Option<Clocks>),
    /// For the user: at full strength, without clocks.
    Advice,
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Found<M> {
    pub(crate) reply: Reply<M>,
    /// In words.
    pub(crate) evaluation: String,
}
