//! Positions from FENs, and tables of cases. A table is a text with a case in each line and `|`
//! between its cells; the first cell is a FEN. It is written from White's point of view and
//! mirrored where the rules are the same for both colors.

use movegen::{CastlingSide, Event, Game, Position, Square, Variant};
use test_common::table;

pub(crate) fn standard(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn chess960(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().expect(name)
}

/// The cases of a table, each also with the colors exchanged.
pub(crate) fn rows_for_both_colors<const N: usize>(text: &str) -> Vec<[String; N]> {
    let both = |row: [&str; N]| [row.map(str::to_owned), row.map(mirrored)];
    table(text).into_iter().flat_map(both).collect()
}

/// A FEN, a board, castling rights or a text with squares, with the colors exchanged.
pub(crate) fn mirrored(cell: &str) -> String {
    if !cell.is_empty() && cell.chars().all(|letter| "KQkq".contains(letter)) {
        let (white, black): (Vec<char>, Vec<char>) =
            swap_case(cell).chars().partition(char::is_ascii_uppercase);
        return white.into_iter().chain(black).collect();
    }
    if !cell.contains('/') {
        let swapped = cell.replace("White", "black").replace("Black", "White");
        return mirror_squares(&swapped.replace("black", "Black"));
    }
    let fields = cell
        .split(' ')
        .enumerate()
        .map(|(index, field)| match index {
            0 => swap_case(&field.rsplit('/').collect::<Vec<_>>().join("/")),
            1 => if field == "w" { "b" } else { "w" }.to_owned(),
            2 => swap_case(field),
            _ => mirror_squares(field),
        });
    fields.collect::<Vec<_>>().join(" ")
}

fn swap_case(text: &str) -> String {
    let swap = |letter: char| match letter {
        'A'..='Z' => letter.to_ascii_lowercase(),
        _ => letter.to_ascii_uppercase(),
    };
    text.chars().map(swap).collect()
}

fn mirror_squares(text: &str) -> String {
    let mut previous = ' ';
    let mirror = |letter: char| {
        let is_rank = matches!((previous, letter), ('a'..='h', '1'..='8'));
        previous = letter;
        let rank = letter.to_digit(10).filter(|_| is_rank);
        rank.and_then(|rank| char::from_digit(9 - rank, 10))
            .unwrap_or(letter)
    };
    text.chars().map(mirror).collect()
}

/// The position after legal moves in UCI notation.
pub(crate) fn after(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(*position, |position, text| {
        let mv = position.move_from_uci(text).expect(text);
        position.try_play(mv).expect(text)
    })
}

/// Plays legal moves in UCI notation, even if the game is over.
pub(crate) fn push(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.position().move_from_uci(text).expect(text);
        game.push(mv).expect(text);
    }
}

/// Plays a legal move in UCI notation; the game must not be over.
pub(crate) fn play(game: &mut Game, text: &str) -> Vec<Event> {
    let mv = game.position().move_from_uci(text).expect(text);
    game.play(mv).expect(text)
}

/// A game with a rook against a bare king, this halfmove clock and White to move.
pub(crate) fn with_clock(clock: u16) -> Game {
    Game::new(standard(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90")))
}

/// True if the legal moves include castling to `side`.
pub(crate) fn can_castle(position: &Position, side: CastlingSide) -> bool {
    let moves = position.legal_moves();
    moves.iter().any(|mv| mv.castling_side() == Some(side))
}
