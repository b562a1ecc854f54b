//! The legal moves as people read them.

use common::{capitalized, excerpt};
use movegen::{CastlingSide, Color, Game, MoveList, Role, SanError, Square};
use thiserror::Error;

/// The reason a text does not name a piece of the side to move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PieceError {
    #[error("invalid square '{0}': expected a1 to h8")]
    Square(String),
    #[error("{0} has no piece on {1}")]
    NoPiece(Color, Square),
}

/// The legal moves by piece, one line for each kind; then castling where it is not legal, with the
/// reason.
pub fn legal(game: &Game) -> Vec<String> {
    let position = game.position();
    let moves = position.legal_moves();
    let mut lines: Vec<String> = Vec::new();
    for role in Role::ALL {
        let of_role = moves
            .iter()
            .filter(|mv| position.role_on(mv.from()) == Some(role));
        let sans: Vec<String> = of_role.map(|&mv| position.san(mv)).collect();
        if !sans.is_empty() {
            lines.push(format!(
                "{:<8}{}",
                format!("{}:", capitalized(role.name())),
                sans.join(" ")
            ));
        }
    }
    let us = position.side_to_move();
    let may_castle = |side| {
        let king = position.king(us);
        position.castling_rights().rook(us, side, king).is_some()
    };
    let sides = CastlingSide::ALL
        .into_iter()
        .filter(|&side| may_castle(side));
    lines.extend(closed_castling(game, sides));
    lines
}

/// The legal moves of one piece; castling with the reason why it is not legal for a king.
pub fn legal_from(game: &Game, text: &str) -> Result<Vec<String>, PieceError> {
    let square = text.to_ascii_lowercase().parse();
    let square: Square = square.map_err(|_| PieceError::Square(excerpt(text)))?;
    let position = game.position();
    let color = position.side_to_move();
    let piece = position
        .piece_on(square)
        .filter(|piece| piece.color() == color);
    let piece = piece.ok_or(PieceError::NoPiece(color, square))?;
    let role = piece.role();
    let moves: MoveList = position.legal_moves();
    let moves = moves.iter().filter(|mv| mv.from() == square);
    let sans: Vec<String> = moves.map(|&mv| position.san(mv)).collect();
    let mut lines = vec![if sans.is_empty() {
        format!("The {} on {square} has no legal move.", role.name())
    } else {
        sans.join(" ")
    }];
    if role == Role::King {
        lines.extend(closed_castling(game, CastlingSide::ALL));
    }
    Ok(lines)
}

/// The reasons why castling is not legal on these sides.
fn closed_castling(
    game: &Game,
    sides: impl IntoIterator<Item = CastlingSide>,
) -> impl Iterator<Item = String> {
    sides
        .into_iter()
        .filter_map(|side| match game.move_from_san(side.san()) {
            Err(SanError::Illegal { reasons, .. }) => Some(format!("{}: {reasons:#}", side.san())),
            _ => None,
        })
}
