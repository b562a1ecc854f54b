//! Games of standard chess.

use movegen::{Game, Move, Position, UciMoveError, Variant};

/// A game that starts here.
pub fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen, Variant::Standard).unwrap_or_else(|error| panic!("{error}")))
}

/// The game after moves in UCI notation or in SAN, even if the game is over.
pub fn game_after(fen: &str, moves: &str) -> Game {
    let mut game = game(fen);
    for text in moves.split_whitespace() {
        let mv = legal_move(game.position(), text);
        game.push(mv).expect("a legal move");
    }
    game
}

pub fn legal_move(position: &Position, text: &str) -> Move {
    match position.move_from_uci(text) {
        Err(UciMoveError::Malformed(_)) => position.move_from_san(text).expect(text),
        result => result.expect(text),
    }
}
