//! Moves as people type them: by their squares or in SAN, also with small letters.

use movegen::{Game, Move, Position, San, SanError, UciMoveError};
use thiserror::Error;

/// The reason a text is not a legal move; `{:#}` displays every one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TypedMoveError {
    #[error(
        "invalid move '{text}': expected two squares and an optional promotion, such as e2e4 or \
         e7e8q, or SAN such as Nf3"
    )]
    Malformed { text: String },

    #[error(
        "invalid move '{text}': '{letter}' is not the letter of a piece; expected K, Q, R, B or N, \
         or the square that a pawn moves to"
    )]
    Letter { text: String, letter: char },

    #[error(transparent)]
    Uci(#[from] UciMoveError),

    #[error(transparent)]
    San(#[from] SanError),
}

/// Parses a legal move given by its squares or in SAN. The letters of pieces may be lower case
/// where no pawn can be meant: `nf3`, `e8q`, and `bc4` if no pawn can capture there; those of
/// squares may be capitals, and `Pe4` is a move of a pawn.
pub fn parse(game: &Game, text: &str) -> Result<Move, TypedMoveError> {
    read(
        text,
        |uci| game.move_from_uci(uci),
        |san| game.move_from_san(san),
    )
}

/// Parses a move like `parse`, without a history: the error does not say how a castling right was
/// lost.
pub fn parse_in(position: &Position, text: &str) -> Result<Move, TypedMoveError> {
    read(
        text,
        |uci| position.move_from_uci(uci),
        |san| position.move_from_san(san),
    )
}

fn read(
    text: &str,
    uci: impl Fn(&str) -> Result<Move, UciMoveError>,
    san: impl Fn(&str) -> Result<Move, SanError>,
) -> Result<Move, TypedMoveError> {
    let squares = small_squares(text);
    match uci(squares.as_deref().unwrap_or(text)) {
        Err(UciMoveError::Malformed(_)) => {}
        result => return Ok(result?),
    }
    let pawn = text.strip_prefix('P');
    let pawn = pawn.filter(|rest| rest.starts_with(|file| ('a'..='h').contains(&file)));
    let error = match san(pawn.unwrap_or(text)) {
        Ok(mv) => return Ok(mv),
        Err(SanError::Malformed(_)) => malformed(text),
        Err(error) => error.into(),
    };
    let Some(capitalized) = capitalized(text) else {
        return Err(error);
    };
    match san(&capitalized) {
        Ok(mv) => Ok(mv),
        Err(SanError::Malformed(_)) => Err(error),
        // A pawn of the b-file was meant.
        Err(_) if text.starts_with('b') => Err(error),
        Err(error) => Err(error.into()),
    }
}

/// The error of a text that is no move; with the letter if another one would make it one.
fn malformed(text: &str) -> TypedMoveError {
    let mut rest = text.chars();
    let first = rest.next().filter(|first| first.is_alphabetic());
    let text = text.to_owned();
    match first {
        Some(letter) if format!("N{}", rest.as_str()).parse::<San>().is_ok() => {
            TypedMoveError::Letter { text, letter }
        }
        _ => TypedMoveError::Malformed { text },
    }
}

/// Two squares and a promotion in lower case. If their files differ in case, the first letter may
/// be that of a piece: `B4c5`.
fn small_squares(text: &str) -> Option<String> {
    let [from, _, to, ..] = text.as_bytes() else {
        return None;
    };
    let same_case = from.is_ascii_uppercase() == to.is_ascii_uppercase();
    same_case.then(|| text.to_ascii_lowercase())
}

/// A move with a capital letter for the piece that moves or that a pawn promotes to, if its letter
/// is a small one.
fn capitalized(text: &str) -> Option<String> {
    let mut letters: Vec<char> = text.chars().collect();
    let letter = match letters.as_mut_slice() {
        [.., '1' | '8' | '=', last @ ('q' | 'r' | 'b' | 'n')] => last,
        [first @ ('n' | 'b' | 'r' | 'q' | 'k'), ..] => first,
        _ => return None,
    };
    *letter = letter.to_ascii_uppercase();
    Some(letters.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use movegen::{Position, Variant};
    use test_common::table;

    use super::{parse_in, small_squares};

    /// The move that a text means, or the error.
    fn read(fen: &str, text: &str) -> String {
        let position = Position::from_fen(fen, Variant::Standard).expect(fen);
        let mv = parse_in(&position, text);
        mv.map_or_else(|error| error.to_string(), |mv| position.san(mv))
    }

    /// Positions, moves as typed, and what they mean. With a pawn that can capture there, b is the
    /// file.
    const MOVES: &str = "
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e4 e2e4 E2E4 Pe4 | e4
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | Nf3 nf3 g1f3 | Nf3
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | nd4 | illegal move 'Nd4': no knight can move to d4
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | bc4 | illegal move 'bc4': a pawn on b2 cannot move to c4
        4k3/8/8/8/8/8/4B3/R3K2R w KQ - 0 1      | bc4 Bc4 e2c4                  | Bc4
        4k3/8/8/8/8/8/4B3/R3K2R w KQ - 0 1      | 0-0 O-O e1g1 e1h1 E1G1        | O-O
        4k3/8/8/8/2p5/1P6/4B3/4K3 w - - 0 1     | bc4 Pbc4 Pbxc4                | bxc4
        4k3/8/8/8/2p5/1P6/4B3/4K3 w - - 0 1     | Bc4                           | Bxc4
        7k/4P3/8/8/8/8/8/4K3 w - - 0 1          | e8Q e8q e8=Q+ e7e8q E7E8Q     | e8=Q+
    ";

    #[test]
    fn letters_of_either_case() {
        for [fen, texts, expected] in table(MOVES) {
            for text in texts.split(' ') {
                assert_eq!(read(fen, text), expected, "{text} in {fen}");
            }
        }
        let start = movegen::START_FEN;
        for (text, letter) in [("Sf3", 'S'), ("Td4", 'T'), ("Дf3", 'Д'), ("sf3", 's')] {
            let expected =
                format!("invalid move '{text}': '{letter}' is not the letter of a piece; expected");
            assert!(read(start, text).starts_with(&expected), "{text}");
        }
        for text in ["queen", "E5", "", "P", "PNf3"] {
            let error = read(start, text);
            let expected = format!("invalid move '{text}': expected two squares");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn the_letter_of_a_piece_is_no_file() {
        assert_eq!(small_squares("B4c5"), None);
        assert_eq!(small_squares("E7E8Q").as_deref(), Some("e7e8q"));
    }
}
