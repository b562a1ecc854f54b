//! Positions for tests: from FENs, and built piece by piece for both colors at once.

use movegen::{
    CastlingRight, CastlingSide, Color, Game, Move, Piece, Position, Role, Setup, Square, Variant,
};

pub(crate) fn standard(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn chess960(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().expect(name)
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

/// Whether the legal moves include castling to `side`.
pub(crate) fn can_castle(position: &Position, side: CastlingSide) -> bool {
    let castles = |mv: &Move| mv.is_castling() && CastlingSide::of(mv.from(), mv.to()) == side;
    position.legal_moves().iter().any(castles)
}

/// Both colors with both castling sides.
pub(crate) fn castlings() -> impl Iterator<Item = (Color, CastlingSide)> {
    let sides = |color| CastlingSide::ALL.map(|side| (color, side));
    Color::ALL.into_iter().flat_map(sides)
}

/// A position under construction. `us` is to move; all squares are named from the point of view of
/// `us`, that is mirrored if `us` is Black.
#[derive(Clone)]
pub(crate) struct Builder {
    us: Color,
    setup: Setup,
}

impl Builder {
    /// Two kings and no castling rights.
    pub(crate) fn kings(us: Color, ours: &str, theirs: &str) -> Self {
        let mut setup = Setup::empty();
        setup.side_to_move = us;
        Self { us, setup }
            .ours(Role::King, ours)
            .theirs(Role::King, theirs)
    }

    /// Kings and rooks at home, with all four castling rights.
    pub(crate) fn castling(us: Color) -> Self {
        let mut builder = Self::kings(us, "e1", "e8");
        builder.setup.castling_rights = castlings()
            .map(|(color, side)| CastlingRight::Outermost(color, side))
            .collect();
        builder
            .ours(Role::Rook, "a1")
            .ours(Role::Rook, "h1")
            .theirs(Role::Rook, "a8")
            .theirs(Role::Rook, "h8")
    }

    pub(crate) fn ours(self, role: Role, on: &str) -> Self {
        let piece = Piece::new(self.us, role);
        self.put(on, Some(piece))
    }

    pub(crate) fn theirs(self, role: Role, on: &str) -> Self {
        let piece = Piece::new(!self.us, role);
        self.put(on, Some(piece))
    }

    pub(crate) fn without(self, on: &str) -> Self {
        self.put(on, None)
    }

    fn put(mut self, on: &str, piece: Option<Piece>) -> Self {
        let on = self.square(on);
        self.setup.pieces[on.index()] = piece;
        self
    }

    pub(crate) fn without_right(mut self, color: Color, side: CastlingSide) -> Self {
        let lost = CastlingRight::Outermost(color, side);
        self.setup.castling_rights.retain(|&right| right != lost);
        self
    }

    pub(crate) fn clock(mut self, plies: u16) -> Self {
        self.setup.halfmove_clock = plies;
        self
    }

    pub(crate) fn opponent_to_move(mut self) -> Self {
        self.setup.side_to_move = !self.us;
        self
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) fn position(&self) -> Position {
        let position = self.setup.position(Variant::Standard);
        position.expect("a legal position")
    }

    /// A square named from the point of view of `us`.
    pub(crate) fn square(&self, name: &str) -> Square {
        square(name).relative(self.us)
    }

    /// Converts moves from the point of view of `us` to UCI notation.
    pub(crate) fn moves(&self, moves: &str) -> String {
        let convert = |text: &str| {
            let (from, to) = (self.square(&text[..2]), self.square(&text[2..4]));
            format!("{from}{to}{}", &text[4..])
        };
        let moves: Vec<String> = moves.split_whitespace().map(convert).collect();
        moves.join(" ")
    }

    /// The position after moves from the point of view of `us`.
    pub(crate) fn after(&self, moves: &str) -> Position {
        after(&self.position(), &self.moves(moves))
    }
}
