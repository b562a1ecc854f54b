//! Positions, and the six conditions of castling.

use std::collections::BTreeMap;

use formats::polyglot::passed_by;
use formats::uci_position::flipped;
use movegen::{
    CastlingReport, CastlingSide, Color, Dropped, Piece, Position, Setup, Square, Validated,
    Variant,
};
use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::errors::{fen_error, reason, value_error};
use crate::moves::{MoveArg, MoveObject};
use crate::number::Number;
use crate::svg::svg;

/// A legal position of chess or Chess960. Playing a move gives a new one.
///
/// Without a FEN it is the start position. Of a FEN only the board is required. It is one of
/// standard chess unless it names rooks by file letters that standard chess cannot mean; `chess960`
/// decides for it.
///
/// >>> position = Position("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1")
/// >>> position.why_illegal("e1g1")
/// 'cannot castle kingside: f1 is attacked by the rook on f3'
/// >>> print(position.play("O-O-O"))
/// 4k3/8/8/8/8/5r2/8/2KR3R b - - 1 1
#[pyclass(name = "Position", module = "castellan", frozen, eq, from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct PyPosition(pub(crate) Validated);

impl PartialEq for PyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.0.position == other.0.position
    }
}

impl Eq for PyPosition {}

impl From<Position> for PyPosition {
    fn from(position: Position) -> Self {
        Self(position.into())
    }
}

/// A color by its name.
#[derive(Debug)]
pub(crate) struct ColorArg(pub(crate) Color);

impl<'a, 'py> FromPyObject<'a, 'py> for ColorArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let color = object.extract::<&str>()?.parse();
        color.map(Self).map_err(value_error)
    }
}

pub(crate) fn parse_fen(fen: &str, chess960: Option<bool>) -> PyResult<Validated> {
    let read = Validated::from_fen(fen, chess960.map(Variant::from_chess960));
    read.map_err(|error| fen_error(&error, fen))
}

/// A position, or its FEN.
#[derive(Debug)]
pub(crate) struct PositionArg(pub(crate) Validated);

impl<'a, 'py> FromPyObject<'a, 'py> for PositionArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyPosition>() {
            Ok(position) => Ok(Self(position.get().0.clone())),
            Err(_) => parse_fen(object.extract()?, None).map(Self),
        }
    }
}

fn squares(squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    let names = squares.into_iter().map(|square| square.to_string());
    names.collect()
}

fn parse_square(text: &str) -> PyResult<Square> {
    text.parse().map_err(value_error)
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (fen = None, chess960 = None))]
    fn new(fen: Option<&str>, chess960: Option<bool>) -> PyResult<Self> {
        parse_fen(fen.unwrap_or(movegen::START_FEN), chess960).map(Self)
    }

    /// The start position of Chess960 with this number, from 0 to 959; in Double Fischer Random
    /// Chess Black has that of another number.
    ///
    /// >>> Position.chess960_start(518).fen() == Position().fen()
    /// True
    #[staticmethod]
    #[pyo3(signature = (number, black = None))]
    fn chess960_start(number: Number<u16>, black: Option<Number<u16>>) -> PyResult<Self> {
        let position = Position::dfrc(number.0, black.unwrap_or(number).0);
        let position = position.ok_or_else(|| value_error("expected a number from 0 to 959"));
        position.map(Self::from)
    }

    /// The FEN, with castling rights as KQkq where that is clear (X-FEN).
    fn fen(&self) -> String {
        self.0.position.fen()
    }

    /// The FEN with castling rights as the files of the rooks.
    fn shredder_fen(&self) -> String {
        self.0.position.shredder_fen()
    }

    /// The board as eight lines of letters.
    ///
    /// >>> print(Position("4k3/8/8/8/8/8/4P3/4K3").board().splitlines()[6])
    /// . . . . P . . .
    fn board(&self) -> String {
        format!("{:#}", self.0.position)
    }

    /// The color to move, `"white"` or `"black"`.
    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.0.position.side_to_move().name()
    }

    /// The castling rights as in a FEN.
    #[getter]
    fn castling_rights(&self) -> String {
        self.0.position.castling_rights().to_string()
    }

    /// The en passant square, if a capture on it is legal.
    #[getter]
    fn en_passant(&self) -> Option<String> {
        self.0
            .position
            .en_passant()
            .map(|square| square.to_string())
    }

    /// Plies since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.0.position.halfmove_clock()
    }

    /// The number of the next move pair, from 1.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.0.position.fullmove_number()
    }

    /// True if castling follows the rules of Chess960.
    #[getter]
    fn chess960(&self) -> bool {
        self.0.position.variant() == Variant::Chess960
    }

    /// The parts of the FEN that the position cannot have: castling rights, an en passant square.
    ///
    /// >>> Position("4k3/8/8/8/8/8/8/4K3 w Q -").warnings
    /// ['castling right Q dropped: cannot castle queenside: expected the rook on a1, found no piece']
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.dropped.iter().map(ToString::to_string).collect()
    }

    /// The Zobrist key.
    #[getter]
    fn key(&self) -> u64 {
        self.0.position.key()
    }

    /// True if the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.0.position.in_check()
    }

    /// The squares of the pieces that give check.
    #[getter]
    fn checkers(&self) -> Vec<String> {
        squares(self.0.position.checkers())
    }

    /// The squares of the pieces of the side to move that are pinned to their king.
    #[getter]
    fn pinned(&self) -> Vec<String> {
        squares(self.0.position.pinned())
    }

    /// The piece on a square as a letter, uppercase for White; None if it is empty.
    ///
    /// >>> Position().piece_on("e8")
    /// 'k'
    fn piece_on(&self, square: &str) -> PyResult<Option<char>> {
        let piece = self.0.position.piece_on(parse_square(square)?);
        Ok(piece.map(Piece::letter))
    }

    /// Every piece by its square.
    fn pieces(&self) -> BTreeMap<String, char> {
        let pieces = self.0.position.piece_map();
        let named = pieces.map(|(square, piece)| (square.to_string(), piece.letter()));
        named.collect()
    }

    /// The square of a king.
    fn king(&self, color: ColorArg) -> String {
        self.0.position.king(color.0).to_string()
    }

    /// A set of squares as a number whose lowest bit is a1, the next b1: those of the pieces with
    /// these letters, or of all pieces.
    ///
    /// >>> hex(Position().bitboard("Kk")), Position().bitboard().bit_count()
    /// ('0x1000000000000010', 32)
    #[pyo3(signature = (pieces = None))]
    fn bitboard(&self, pieces: Option<&str>) -> PyResult<u64> {
        let position = &self.0.position;
        let Some(letters) = pieces else {
            return Ok(position.occupied().0);
        };
        let sets = letters.chars().map(|letter| {
            let piece = letter.to_string().parse::<Piece>().map_err(value_error)?;
            Ok(position.pieces(piece.color(), piece.role()).0)
        });
        sets.reduce(|one, other| Ok(one? | other?)).unwrap_or(Ok(0))
    }

    /// The squares of the pieces of a color that attack a square.
    ///
    /// >>> Position().attackers("f3", "white")
    /// ['g1', 'e2', 'g2']
    fn attackers(&self, square: &str, color: ColorArg) -> PyResult<Vec<String>> {
        let attackers = self
            .0
            .position
            .attackers_to(parse_square(square)?, self.0.position.occupied());
        Ok(squares(attackers & self.0.position.by_color(color.0)))
    }

    fn is_checkmate(&self) -> bool {
        self.0.position.is_checkmate()
    }

    fn is_stalemate(&self) -> bool {
        self.0.position.is_stalemate()
    }

    /// True if no sequence of legal moves can mate: bare kings, a single minor piece, or only
    /// bishops that are all on squares of one color.
    fn is_insufficient_material(&self) -> bool {
        self.0.position.is_insufficient_material()
    }

    /// The legal moves.
    ///
    /// >>> len(Position().legal_moves())
    /// 20
    fn legal_moves(&self) -> Vec<MoveObject> {
        MoveObject::list(self.0.position.legal_moves(), self.0.position.variant())
    }

    /// The legal moves in SAN, in the order of `legal_moves`.
    ///
    /// >>> Position("7k/8/8/8/8/8/p7/7K b").legal_sans()
    /// ['Kg7', 'Kh7', 'Kg8', 'a1=Q+', 'a1=R+', 'a1=B', 'a1=N']
    fn legal_sans(&self) -> Vec<String> {
        let moves = self.0.position.legal_moves();
        moves.iter().map(|&mv| self.0.position.san(mv)).collect()
    }

    /// The number of legal moves.
    fn count_moves(&self) -> u32 {
        self.0.position.count_moves()
    }

    fn is_legal(&self, r#move: MoveArg) -> bool {
        r#move.find(&self.0.position).is_ok()
    }

    /// The legal move that a text in UCI notation or SAN means.
    ///
    /// >>> Position().move("Nf3")
    /// Move('g1f3')
    fn r#move(&self, r#move: MoveArg) -> PyResult<MoveObject> {
        let mv = r#move.legal(&self.0.position)?;
        Ok(MoveObject::new(mv, self.0.position.variant()))
    }

    /// A legal move in SAN.
    ///
    /// >>> Position().san("g1f3")
    /// 'Nf3'
    fn san(&self, r#move: MoveArg) -> PyResult<String> {
        Ok(self.0.position.san(r#move.legal(&self.0.position)?))
    }

    /// True if a legal move captures, en passant included.
    fn is_capture(&self, r#move: MoveArg) -> PyResult<bool> {
        Ok(self.0.position.is_capture(r#move.legal(&self.0.position)?))
    }

    /// True if a legal move gives check.
    fn gives_check(&self, r#move: MoveArg) -> PyResult<bool> {
        let mv = r#move.legal(&self.0.position)?;
        Ok(self.0.position.gives_check(mv))
    }

    /// True if a legal move castles.
    fn is_castling(&self, r#move: MoveArg) -> PyResult<bool> {
        Ok(r#move.legal(&self.0.position)?.is_castling())
    }

    /// The position after a legal move.
    fn play(&self, r#move: MoveArg) -> PyResult<Self> {
        let mv = r#move.legal(&self.0.position)?;
        let after = self.0.position.play_unchecked(mv);
        let mut validated = Validated::from(after);
        validated.en_passant = passed_by(&after, mv);
        Ok(Self(validated))
    }

    /// The reason a move is illegal; None if it is legal.
    ///
    /// >>> Position().why_illegal("Bc4")
    /// 'the bishop on f1 cannot move to c4: e2 is occupied'
    fn why_illegal(&self, r#move: MoveArg) -> Option<String> {
        r#move
            .find(&self.0.position)
            .err()
            .map(|error| reason(&error))
    }

    /// The six conditions under which a color may castle to a side, `"king"` or `"queen"`. For the
    /// color that is not to move they are those after a null move.
    ///
    /// >>> for condition in Position("r3k2r/8/8/8/8/5q2/8/R3K2R w KQ").castling("white", "king"):
    /// ...     if not condition:
    /// ...         print(condition.name, "-", condition.reason)
    /// path_not_attacked - cannot castle kingside: f1 is attacked by the queen on f3
    fn castling(&self, color: ColorArg, side: &str) -> PyResult<Vec<CastlingCondition>> {
        let side = match side {
            "king" => CastlingSide::King,
            "queen" => CastlingSide::Queen,
            _ => return Err(value_error("expected 'king' or 'queen'")),
        };
        let position = if self.0.position.side_to_move() == color.0 {
            self.0.position
        } else {
            let mut setup = Setup::from(&self.0.position);
            setup.side_to_move = color.0;
            let other = setup.position(self.0.position.variant());
            other.map_err(value_error)?.position
        };
        let conditions = position.castling_report(side).conditions();
        let named = CastlingReport::CONDITIONS.into_iter().zip(conditions);
        Ok(named
            .map(|(name, errors)| CastlingCondition {
                name,
                reason: errors.first().map(ToString::to_string),
            })
            .collect())
    }

    /// The position with other pieces (None removes one), and with these fields of a FEN.
    ///
    /// >>> print(Position().edit({"d1": None}, side_to_move="b"))
    /// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1
    #[pyo3(signature = (pieces = None, *, side_to_move = None, castling_rights = None, en_passant = None, halfmove_clock = None, fullmove_number = None))]
    fn edit(
        &self,
        pieces: Option<&Bound<'_, PyMapping>>,
        side_to_move: Option<ColorArg>,
        castling_rights: Option<String>,
        en_passant: Option<String>,
        halfmove_clock: Option<Number<u16>>,
        fullmove_number: Option<Number<u16>>,
    ) -> PyResult<Self> {
        let mut setup = Setup::from(&self.0.position);
        let pieces = pieces.map(PyMappingMethods::items).transpose()?;
        for item in pieces.iter().flatten() {
            let (square, letter): (String, Option<char>) = item.extract()?;
            let piece = letter.map(|letter| letter.to_string().parse::<Piece>());
            if let Some(slot) = setup.pieces.get_mut(parse_square(&square)?.index()) {
                *slot = piece.transpose().map_err(value_error)?;
            }
        }
        setup.side_to_move = side_to_move.map_or(setup.side_to_move, |color| color.0);
        setup.halfmove_clock = halfmove_clock.map_or(setup.halfmove_clock, |clock| clock.0);
        setup.fullmove_number = fullmove_number.map_or(setup.fullmove_number, |number| number.0);
        if let Some(text) = &en_passant {
            setup.en_passant = (text != "-").then(|| parse_square(text)).transpose()?;
        }
        if let Some(text) = &castling_rights {
            // As in a FEN, of which the rest does not matter.
            let fen = format!("8/8/8/8/8/8/8/8 w {text}");
            let rights = fen
                .parse::<Setup>()
                .map_err(|error| fen_error(&error, &fen))?;
            setup.castling_rights = rights.castling_rights;
        }
        let edited = setup.position(self.0.position.variant());
        edited.map(Self).map_err(value_error)
    }

    /// The position with the colors swapped.
    fn flipped(&self) -> PyResult<Self> {
        let flipped = flipped(&self.0.position).position(self.0.position.variant());
        flipped.map(Self).map_err(value_error)
    }

    fn __str__(&self) -> String {
        self.0.position.to_string()
    }

    /// A drawing, which notebooks show.
    fn _repr_svg_(&self) -> String {
        svg(&self.0.position)
    }

    pub(crate) fn __repr__(&self) -> String {
        let chess960 = if self.chess960() {
            ", chess960=True"
        } else {
            ""
        };
        format!("Position('{}'{chess960})", self.0.position)
    }

    fn __hash__(&self) -> u64 {
        self.0.position.key()
    }

    /// A position does not change.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The FEN has the square that a pawn has skipped even if no capture on it is legal, and the
    /// dropped parts, which the warnings name.
    fn __getnewargs__(&self) -> (String, bool) {
        let mut setup = Setup::from(&self.0.position);
        setup.en_passant = self.0.en_passant;
        for dropped in &self.0.dropped {
            match *dropped {
                Dropped::Right { right, .. } => setup.castling_rights.push(right),
                Dropped::NoPawn { square, .. } | Dropped::Occupied { square, .. } => {
                    setup.en_passant = Some(square);
                }
                Dropped::FullmoveNumber => setup.fullmove_number = 0,
                // `edit` takes an en passant square on any rank, a FEN does not.
                _ => {}
            }
        }
        (setup.to_string(), self.chess960())
    }
}

/// A condition of castling: true if it is fulfilled.
#[pyclass(module = "castellan", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CastlingCondition {
    /// `"right"`, `"king_at_home"`, `"rook_at_home"`, `"path_empty"`, `"not_in_check"` or
    /// `"path_not_attacked"`.
    name: &'static str,
    /// The reason it is not fulfilled; None if it is.
    reason: Option<String>,
}

#[pymethods]
impl CastlingCondition {
    #[new]
    #[pyo3(signature = (name, reason = None))]
    fn new(name: &str, reason: Option<String>) -> PyResult<Self> {
        let known = CastlingReport::CONDITIONS
            .into_iter()
            .find(|known| *known == name);
        let name = known.ok_or_else(|| value_error(format!("unknown condition '{name}'")))?;
        Ok(Self { name, reason })
    }

    fn __getnewargs__(&self) -> (&'static str, Option<String>) {
        (self.name, self.reason.clone())
    }

    fn __bool__(&self) -> bool {
        self.reason.is_none()
    }

    fn __repr__(&self) -> String {
        match &self.reason {
            None => format!("<{}: fulfilled>", self.name),
            Some(reason) => format!("<{}: {reason}>", self.name),
        }
    }
}
