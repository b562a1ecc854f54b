//! The rules of chess for JavaScript: one function that answers requests.
//!
//! A request has the whole game it asks about, so nothing is kept here that JavaScript would have
//! to free. It is text, its fields separated by NUL: what is asked, and the arguments, of which the
//! last may be a part of a file. The answer is JSON. `web/wasm/rules.js` is the other side.

mod castling;
mod pgn;
mod state;

use std::cell::RefCell;

use formats::typed_move::{self, TypedMoveError};
use formats::uci_position::{Base, UciPosition};
use movegen::{CastlingSide, IllegalMove, Move, SanError, UciMoveError, Variant};
use serde::Serialize;

use castling::Castling;
use pgn::PgnPart;
use state::State;

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer {
    State(Box<State>),
    Legal(Vec<FoundMove>),
    Found(FoundMove),
    Castling(Box<Castling>),
    Games(PgnPart),
    Text(String),
    Error(Failure),
}

/// A legal move in UCI notation and in SAN.
#[derive(Debug, Serialize)]
struct FoundMove(String, String);

/// The reason a request has no answer.
#[derive(Debug, Serialize)]
struct Failure {
    error: String,
    /// Everything against an illegal move.
    reasons: Vec<Reason>,
}

/// A reason why a move is illegal.
#[derive(Debug, Serialize)]
struct Reason {
    /// In words.
    text: String,
    #[serde(flatten)]
    reason: IllegalMove,
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            error: error.to_string(),
            reasons: Vec::new(),
        }
    }
}

impl Failure {
    fn new(error: &str) -> Self {
        Self {
            error: error.to_owned(),
            reasons: Vec::new(),
        }
    }
}

/// The answer to a request, which is an `error` if there is none.
fn answer(request: &[u8]) -> String {
    let answer = match request.strip_prefix(b"read_pgn\0") {
        Some(fields) => read_pgn(fields).map(Answer::Games),
        None => {
            let request = String::from_utf8_lossy(request);
            answered(&request.split('\0').collect::<Vec<&str>>())
        }
    };
    let answer = answer.unwrap_or_else(Answer::Error);
    // Text and numbers only.
    serde_json::to_string(&answer).unwrap_or_default()
}

/// Reads a part of a PGN file: the variant of games without a tag, `1` for the last part, the games
/// and lines before it, and its bytes.
fn read_pgn(fields: &[u8]) -> Result<PgnPart, Failure> {
    let mut fields = fields.splitn(5, |&byte| byte == 0);
    let mut next = || fields.next().unwrap_or_default();
    let [chess960, is_last, games, lines] = [(); 4].map(|()| str::from_utf8(next()));
    let place = [games?.parse()?, lines?.parse()?];
    PgnPart::read(next(), variant(chess960?), is_last? == "1", place)
}

/// A game is given as its FEN or `startpos`, `0` for standard chess or `1` for Chess960, and its
/// moves.
fn answered(fields: &[&str]) -> Result<Answer, Failure> {
    Ok(match *fields {
        ["state", fen, chess960, moves] => played(fen, chess960, moves, |game| {
            Ok(Answer::State(Box::new(State::of(game))))
        })?,
        ["legal", fen, chess960, moves] => played(fen, chess960, moves, |game| {
            let position = game.game.position();
            let moves = position.legal_moves();
            Ok(Answer::Legal(
                moves.iter().map(|&mv| found(position, mv)).collect(),
            ))
        })?,
        ["find", fen, chess960, moves, text] => played(fen, chess960, moves, |game| {
            let mv = typed_move::parse(&game.game, text).map_err(|error| refused(&error))?;
            Ok(Answer::Found(found(game.game.position(), mv)))
        })?,
        ["castling", fen, chess960, moves, color, side] => played(fen, chess960, moves, |game| {
            let side = match side {
                "king" => CastlingSide::King,
                "queen" => CastlingSide::Queen,
                _ => return Err(Failure::new("expected the side 'king' or 'queen'")),
            };
            let castling = Castling::of(&game.game, color.parse()?, side)?;
            Ok(Answer::Castling(Box::new(castling)))
        })?,
        ["write_pgn", text] => Answer::Text(pgn::formatted(text)?),
        _ => return Err(Failure::new("unknown request")),
    })
}

/// `None` where JavaScript leaves it to the FEN.
fn variant(chess960: &str) -> Option<Variant> {
    match chess960 {
        "0" => Some(Variant::Standard),
        "1" => Some(Variant::Chess960),
        _ => None,
    }
}

/// The game of the last request: the next one often asks about it again, or about the next
/// position.
struct Last {
    fen: String,
    chess960: String,
    moves: String,
    game: UciPosition,
}

/// The answer of `ask` about a game.
fn played(
    fen: &str,
    chess960: &str,
    moves: &str,
    ask: impl FnOnce(&UciPosition) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let more = |last: &Last| {
        let more = moves.strip_prefix(&*last.moves)?;
        let is_same = last.moves.is_empty() || more.is_empty() || more.starts_with(' ');
        is_same.then_some(more)
    };
    let known = LAST
        .take()
        .filter(|last| (&*last.fen, &*last.chess960) == (fen, chess960) && more(last).is_some());
    let mut last = match known {
        Some(last) => last,
        None => {
            let base = match fen {
                "startpos" => Base::Startpos,
                fen => Base::Fen(fen.to_owned()),
            };
            Last {
                fen: fen.to_owned(),
                chess960: chess960.to_owned(),
                moves: String::new(),
                game: UciPosition::new(&base, &[], variant(chess960))?,
            }
        }
    };
    for text in more(&last).unwrap_or_default().split_whitespace() {
        last.game.play(text)?;
    }
    moves.clone_into(&mut last.moves);
    let answer = ask(&last.game);
    LAST.set(Some(last));
    answer
}

fn found(position: &movegen::Position, mv: Move) -> FoundMove {
    FoundMove(mv.uci(position.variant()).to_string(), position.san(mv))
}

/// The failure of a move, with all reasons.
fn refused(error: &TypedMoveError) -> Failure {
    let reasons = match error {
        TypedMoveError::Uci(UciMoveError::Illegal { reasons, .. })
        | TypedMoveError::San(SanError::Illegal { reasons, .. }) => reasons.iter().collect(),
        _ => Vec::new(),
    };
    let named = |reason: IllegalMove| Reason {
        text: reason.to_string(),
        reason,
    };
    Failure {
        error: format!("{error:#}"),
        reasons: reasons.into_iter().map(named).collect(),
    }
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
    /// A request, and then its answer.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The address to which a request of this many bytes is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn request(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Answers the request; returns the length of the answer, which [`answer_at`] has.
#[unsafe(no_mangle)]
pub extern "C" fn execute() -> usize {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = answer(buffer).into_bytes();
        buffer.len()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    BUFFER.with_borrow(Vec::as_ptr)
}
