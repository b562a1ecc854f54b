//! Moves and evaluations as text.

use clap::ValueEnum;
use common::excerpt;

use super::boards;
use tridim::search::{Score, SearchResult};
use tridim::{Color, Move, Pin, Position, Role, Square};

/// The style of printed moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NotationStyle {
    /// Both squares: b2W-b4N
    Full,
    /// As Meder prints games: b4N
    Short,
}

impl NotationStyle {
    /// Writes a legal move.
    pub(super) fn write(self, position: &Position, mv: Move) -> String {
        match self {
            NotationStyle::Full => position.notation(mv),
            NotationStyle::Short => position.short_notation(mv),
        }
    }

    /// Writes successive moves.
    pub(super) fn write_line(self, position: &Position, moves: &[Move]) -> String {
        let texts = position.write_line(moves, |position, mv| self.write(position, mv));
        texts.join(" ")
    }
}

/// The legal moves: all, those of the piece on a square, or those of the board on a pin. For a king
/// also the state of castling.
pub(super) fn legal(
    position: &Position,
    of: Option<&str>,
    style: NotationStyle,
) -> Result<Vec<String>, String> {
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
    let square: Square = of.parse().map_err(|_| {
        let of = excerpt(of);
        format!("expected a square such as b2W or the pin of a board such as QL1, found '{of}'")
    })?;
    let color = position.side_to_move();
    let piece = position.piece_on(square);
    let piece = piece.filter(|piece| piece.color() == color);
    let piece = piece.ok_or_else(|| format!("{color} has no piece on {square}"))?;
    let moves = listed(position, style, |mv| match mv {
        Move::Piece { from, .. } => from == square,
        Move::Castle(castling) => castling.king_from == square,
        Move::Promotion { pawn, .. } => pawn == square,
        Move::Board { .. } => false,
    });
    let mut lines = vec![format!("Legal: {moves}")];
    if piece.role() == Role::King {
        lines.extend(boards::castling_status(position));
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

/// The score of a search of this position for White.
pub(super) fn for_white(position: &Position, score: Score) -> Score {
    match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// Describes an evaluation.
pub(super) fn evaluation(
    position: &Position,
    found: &SearchResult,
    style: NotationStyle,
) -> String {
    let color = position.side_to_move();
    let eval = match found.score.mate_in() {
        Some(moves) if moves > 0 => format!("{color} mates in {moves}"),
        Some(moves) => format!("{} mates in {}", !color, -moves),
        None => format!("{} for White", for_white(position, found.score)),
    };
    let line = style.write_line(position, &found.line);
    format!("{eval}; expected: {line}")
}
