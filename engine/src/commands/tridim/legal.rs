//! Legal moves and evaluations as text.

use common::excerpt;
use thiserror::Error;

use super::board_text;
use super::command::NotationStyle;
use tridim::search::SearchResult;
use tridim::{Color, Move, Pin, Position, Role, Square};

/// Why there are no moves to list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum LegalError {
    #[error("expected a square such as b2W or the pin of a board such as QL1, found '{0}'")]
    Neither(String),
    #[error("{color} has no piece on {square}")]
    NoPiece { color: Color, square: Square },
}

/// The legal moves: all, those of the piece on a square, or those of the board on a pin. For a king
/// also the state of castling.
pub(super) fn lines(
    position: &Position,
    of: Option<&str>,
    style: NotationStyle,
) -> Result<Vec<String>, LegalError> {
    let Some(of) = of else {
        return Ok(vec![format!(
            "Legal: {}",
            listed(position, style, |_| true)
        )]);
    };
    if let Ok(pin) = of.parse::<Pin>() {
        let moves = listed(
            position,
            style,
            |mv| matches!(mv, Move::Board { from, .. } if from == pin),
        );
        return Ok(vec![format!("Legal: {moves}")]);
    }
    let square: Square = of.parse().map_err(|_| LegalError::Neither(excerpt(of)))?;
    let color = position.side_to_move();
    let piece = position.piece_on(square);
    let piece = piece.filter(|piece| piece.color() == color);
    let piece = piece.ok_or(LegalError::NoPiece { color, square })?;
    let moves = listed(position, style, |mv| match mv {
        Move::Piece { from, .. } => from == square,
        Move::Castle(castling) => castling.king_from == square,
        Move::Promotion { pawn, .. } => pawn == square,
        Move::Board { .. } => false,
    });
    let mut lines = vec![format!("Legal: {moves}")];
    if piece.role() == Role::King {
        lines.extend(board_text::castling_status(position));
    }
    Ok(lines)
}

fn listed(position: &Position, style: NotationStyle, wanted: impl Fn(Move) -> bool) -> String {
    let moves = position.legal_moves().into_iter().filter(|&mv| wanted(mv));
    let words: Vec<String> = moves
        .map(|mv| match style {
            NotationStyle::Full => position.bare_notation(mv),
            NotationStyle::Short => position.short_notation(mv),
        })
        .collect();
    match words.as_slice() {
        [] => "-".to_owned(),
        words => words.join(" "),
    }
}

/// Describes an evaluation.
pub(super) fn evaluation(
    position: &Position,
    found: &SearchResult,
    style: NotationStyle,
) -> String {
    let (score, color) = match position.side_to_move() {
        Color::White => (found.score, Color::White),
        Color::Black => (-found.score, Color::Black),
    };
    let eval = match found.score.mate_in() {
        Some(moves) if moves > 0 => format!("{color} mates in {moves}"),
        Some(moves) => format!("{} mates in {}", !color, -moves),
        None => format!("{score} for White"),
    };
    let line = moves_text(position, &found.line, style);
    format!("{eval}; expected: {line}")
}

/// Successive moves in notation.
pub(super) fn moves_text(position: &Position, moves: &[Move], style: NotationStyle) -> String {
    let texts = position.write_line(moves, |position, mv| style.write(position, mv));
    texts.join(" ")
}
