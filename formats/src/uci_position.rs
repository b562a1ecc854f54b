//! Games as UCI's command `position` describes them: a FEN or the start position, and moves. A game
//! is built completely before it replaces another.

use movegen::{
    CastlingRight, Dropped, FenError, Game, Piece, PlayError, Position, START_FEN, Setup, Square,
    Validated, Variant,
};
use thiserror::Error;

use common::excerpt;
use common::words::found;

use crate::epd::{EpdError, EpdLine};
use crate::notation;
use crate::polyglot::passed_square;
use crate::typed_move::{self, TypedMoveError};

/// The reason a `position` command, or a position on the command line, is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionError {
    #[error("expected 'startpos' or 'fen <FEN>' after 'position', found {}", found(.text))]
    Base { text: String },

    #[error("expected a FEN after 'fen', found nothing")]
    MissingFen,

    #[error("expected 'moves <move> ...' after 'startpos', found '{word}'")]
    StartposArgument { word: String },

    #[error(transparent)]
    Fen(#[from] FenError),

    #[error(transparent)]
    Epd(#[from] EpdError),

    #[error("move {number} in {fen}: {source}")]
    Move {
        number: usize,
        fen: String,
        source: TypedMoveError,
    },

    #[error(transparent)]
    Play(#[from] PlayError),
}

/// The position before the moves of a `position` command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    Startpos,
    /// The FEN as typed, with single blanks between the fields.
    Fen(String),
}

impl Base {
    /// Splits the arguments of `position`; FEN and moves stay text.
    pub fn parse(words: &[&str]) -> Result<(Self, Vec<String>), PositionError> {
        let (kind, rest) = words.split_first().unwrap_or((&"", &[]));
        let moves_at = rest
            .iter()
            .position(|word| word.eq_ignore_ascii_case("moves"));
        let (arguments, moves) = match moves_at.and_then(|at| rest.split_at_checked(at)) {
            Some((before, [_, moves @ ..])) => (before, moves),
            _ => (rest, &[][..]),
        };
        let base = if kind.eq_ignore_ascii_case("startpos") {
            if let Some(word) = arguments.first() {
                let word = excerpt(word);
                return Err(PositionError::StartposArgument { word });
            }
            Self::Startpos
        } else if kind.eq_ignore_ascii_case("fen") {
            if arguments.is_empty() {
                return Err(PositionError::MissingFen);
            }
            Self::Fen(arguments.join(" "))
        } else {
            let text = excerpt(kind);
            return Err(PositionError::Base { text });
        };
        let moves = moves.iter().map(|word| without_number(word));
        let moves = moves.filter(|word| !word.is_empty()).map(str::to_owned);
        Ok((base, moves.collect()))
    }

    /// Parses like `parse`, but the word `fen` may be left out.
    pub fn parse_bare(text: &str) -> Result<(Self, Vec<String>), PositionError> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        if !["startpos", "fen"]
            .iter()
            .any(|word| first.eq_ignore_ascii_case(word))
        {
            words.insert(0, "fen");
        }
        Self::parse(&words)
    }
}

/// The game that a `position` command describes.
#[derive(Debug, Default)]
pub struct UciPosition {
    pub game: Game,
    /// The en-passant square in the FEN of the first position. A [`Position`] keeps it only where
    /// a capture is legal; keys of opening books need it elsewhere too.
    pub initial_en_passant: Option<Square>,
    /// The parts of the FEN that the position cannot have.
    pub dropped: Vec<Dropped>,
}

/// A position with what else its line says.
#[derive(Debug, Default)]
pub struct PositionLine {
    /// The operations, unless the line is the arguments of `position`.
    pub epd: Option<EpdLine>,
    pub position: UciPosition,
    /// The parts of the FEN that the position cannot have, and deviations from the standard of EPD.
    pub warnings: Vec<String>,
}

impl UciPosition {
    /// Reads the arguments of `position`; the word `fen` may be left out. Without a variant the FEN
    /// decides, as in [`Validated::from_fen`].
    pub fn parse(text: &str, variant: Option<Variant>) -> Result<Self, PositionError> {
        let (base, moves) = Base::parse_bare(text)?;
        Self::new(&base, &moves, variant)
    }

    /// Reads these arguments, a FEN or a line of EPD, with what else the line says.
    pub fn parse_line(text: &str, variant: Option<Variant>) -> Result<PositionLine, PositionError> {
        let mut line = PositionLine::default();
        if is_uci_position(text) {
            line.position = Self::parse(text, variant)?;
        } else {
            let epd = EpdLine::parse(text)?;
            line.position = Validated::from_fen(&epd.fen, variant)?.into();
            line.warnings.clone_from(&epd.warnings);
            line.epd = Some(epd);
        }
        let dropped = line.position.dropped.iter();
        line.warnings.extend(dropped.map(ToString::to_string));
        Ok(line)
    }

    pub fn new(
        base: &Base,
        moves: &[String],
        variant: Option<Variant>,
    ) -> Result<Self, PositionError> {
        let fen = match base {
            Base::Startpos => START_FEN,
            Base::Fen(fen) => fen,
        };
        let mut position = Self::from(Validated::from_fen(fen, variant)?);
        for text in moves {
            position.play(text)?;
        }
        Ok(position)
    }

    /// Plays a move in UCI notation or SAN, even if the game is over.
    pub fn play(&mut self, text: &str) -> Result<(), PositionError> {
        let mv = typed_move::parse(&self.game, text).map_err(|source| {
            let before = self.game.position();
            PositionError::Move {
                number: self.game.moves().len() + 1,
                fen: notation::fen(before, before.variant()),
                source,
            }
        })?;
        Ok(self.game.push(mv)?)
    }

    /// The current position with the colors swapped, and without history.
    pub fn flipped(&self) -> Result<Self, PositionError> {
        let position = self.game.position();
        let flipped = flipped(position).position(position.variant());
        let position = flipped.map_err(FenError::from)?.position;
        let en_passant = passed_square(&self.game, self.initial_en_passant);
        Ok(Self {
            game: Game::new(position),
            initial_en_passant: en_passant.map(Square::flip_rank),
            dropped: Vec::new(),
        })
    }
}

/// True if a line has the form of UCI's `position` command rather than of EPD: it begins with
/// `startpos` or `fen`, or has `moves` after the fields of a FEN.
fn is_uci_position(text: &str) -> bool {
    /// Side to move, castling rights and en passant, if given; the other fields are numbers.
    const FIELDS_AFTER_BOARD: usize = 3;
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    if first.eq_ignore_ascii_case("startpos") || first.eq_ignore_ascii_case("fen") {
        return true;
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let has_operations = text.contains([';', '"']);
    let after = words.enumerate().find(|&(at, word)| {
        let is_operation = has_operations && at >= FIELDS_AFTER_BOARD && !is_number(word);
        word.eq_ignore_ascii_case("moves") || is_operation
    });
    after.is_some_and(|(_, word)| word.eq_ignore_ascii_case("moves"))
}

impl From<Validated> for UciPosition {
    fn from(read: Validated) -> Self {
        Self {
            game: Game::new(read.position),
            initial_en_passant: read.en_passant,
            dropped: read.dropped,
        }
    }
}

/// The position with the colors swapped.
pub fn flipped(position: &Position) -> Setup {
    let mut setup = Setup::from(position);
    for (square, slot) in Square::all().zip(&mut setup.pieces) {
        let piece = position.piece_on(square.flip_rank());
        *slot = piece.map(|piece| Piece::new(!piece.color(), piece.role()));
    }
    setup.side_to_move = !setup.side_to_move;
    for right in &mut setup.castling_rights {
        let (CastlingRight::Outermost(color, _) | CastlingRight::File(color, _)) = right;
        *color = !*color;
    }
    setup.en_passant = setup.en_passant.map(Square::flip_rank);
    setup
}

/// Removes the move number of a PGN: `1.`, `1...` or that in `1.e4`.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use test_common::table;

    use super::{Base, PositionError, UciPosition};

    /// Lines, their `id`, and how the FEN ends.
    const LINES: &str = r#"
        startpos moves e2e4                                  |              | b KQkq - 0 1
        FEN 4k3/8/8/8/8/8/4P3/4K3 w - - 5 9                  |              | w - - 5 9
        4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4               |              | b - - 0 1
        4k3/8/8/8/8/8/4P3/4K3 w - - 5 9 moves e2e4           |              | b - - 0 9
        4k3/8/8/8/8/8/4P3/4K3 w - - 5 9                      |              | w - - 5 9
        4k3/8/8/8/8/8/4P3/4K3 w - - id "the moves of";       | the moves of | w - - 0 1
        4k3/8/8/8/8/8/4P3/4K3 w - - 5 9 id "x";              | x            | w - - 5 9
    "#;

    /// A line of EPD has an `id`, and one of UCI moves.
    #[test]
    fn lines_of_both_kinds() {
        for [line, id, fen] in table(LINES) {
            let read = UciPosition::parse_line(line, None).expect(line);
            let found = read.epd.and_then(|epd| epd.id());
            assert_eq!(found.unwrap_or_default(), id, "{line}");
            assert!(read.position.game.position().fen().ends_with(fen), "{line}");
        }
    }

    fn parse(line: &str) -> Result<(Base, Vec<String>), PositionError> {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        Base::parse(&words)
    }

    fn position(line: &str) -> (Base, Vec<String>) {
        parse(line).unwrap_or_else(|error| panic!("{line:?} gave {error}"))
    }

    fn error(line: &str) -> PositionError {
        parse(line).expect_err(line)
    }

    /// Commands, the base, and the moves. Any text is taken as a FEN, and invalid moves stay in the
    /// list; numbers of moves are left out.
    const COMMANDS: &str = r"
        position startpos                                   | startpos |
        position startpos moves                             | startpos |
        Position  StartPos  Moves  e2e4  e7e5 e1g1 a7a8q    | startpos | e2e4 e7e5 e1g1 a7a8q
        position fen 4k3/8/8/8/8/8/8/4K2R w K - 7           | 4k3/8/8/8/8/8/8/4K2R w K - 7 |
        position fen not  a fen at all moves e1g1 0000      | not a fen at all | e1g1 0000
        position startpos moves e2e4 zz 0000 e2moves moves e7e5 | startpos | e2e4 zz 0000 e2moves moves e7e5
        position startpos moves 1.e4 1...e5 2. Nf3          | startpos | e4 e5 Nf3
    ";

    #[test]
    fn base_and_moves() {
        for [line, base, moves] in table(COMMANDS) {
            let base = match base {
                "startpos" => Base::Startpos,
                fen => Base::Fen(fen.to_owned()),
            };
            let moves = moves.split_whitespace().map(str::to_owned).collect();
            assert_eq!(position(line), (base, moves), "{line}");
        }
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        assert!(matches!(
            error("position"),
            PositionError::Base { text } if text.is_empty()
        ));
        let wrong_base = error("position startposition moves e2e4");
        assert!(wrong_base.to_string().contains("'startposition'"));
        assert!(wrong_base.to_string().contains("'startpos' or 'fen <FEN>'"));
        assert_eq!(error("position fen"), PositionError::MissingFen);
        assert_eq!(error("position fen moves e2e4"), PositionError::MissingFen);
        assert_eq!(
            error("position startpos e2e4"),
            PositionError::StartposArgument {
                word: "e2e4".to_owned()
            }
        );
    }
}
