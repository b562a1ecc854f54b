//! Positions and moves in the notation of people and programs.

use movegen::{Color, Move, Position, Variant};

/// Returns a position's FEN: in Chess960 with the castling rooks' files (Shredder-FEN).
pub fn fen(position: &Position, variant: Variant) -> String {
    match variant {
        Variant::Standard => position.fen(),
        Variant::Chess960 => position.shredder_fen(),
    }
}

/// Returns the number in front of the next move: `12.` or `12...`.
pub fn move_number(position: &Position) -> String {
    numbered(position.fullmove_number(), position.side_to_move())
}

/// Returns the number in front of a move by this side.
pub fn numbered(number: u16, mover: Color) -> String {
    match mover {
        Color::White => format!("{number}."),
        Color::Black => format!("{number}..."),
    }
}

/// Returns successive moves in SAN, up to the first that is not legal.
pub fn san_moves(start: &Position, moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let moves = legal_moves(start, moves);
    moves.map(|(position, mv)| position.san(mv)).collect()
}

/// Returns successive moves in SAN with move numbers, as in `12. Nf3 Nc6`, up to the first that
/// is not legal.
pub fn numbered_moves(start: &Position, moves: impl IntoIterator<Item = Move>) -> String {
    let mut words = Vec::new();
    for (position, mv) in legal_moves(start, moves) {
        if words.is_empty() || position.side_to_move() == Color::White {
            words.push(move_number(&position));
        }
        words.push(position.san(mv));
    }
    words.join(" ")
}

/// Returns a move of a line in SAN with its number, which Black's has only at the start.
pub fn line_move(position: &Position, mv: Move, is_first: bool) -> String {
    let san = position.san(mv);
    match position.side_to_move() {
        Color::Black if !is_first => san,
        _ => format!("{} {san}", move_number(position)),
    }
}

/// Pairs each move with the position it is played in, up to the first that is not legal.
pub fn legal_moves(
    start: &Position,
    moves: impl IntoIterator<Item = Move>,
) -> impl Iterator<Item = (Position, Move)> {
    let mut next = *start;
    moves.into_iter().map_while(move |mv| {
        let position = next;
        next = position.try_play(mv)?;
        Some((position, mv))
    })
}
