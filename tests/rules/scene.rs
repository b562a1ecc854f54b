//! Small boards to ask questions about, for both colours at once: squares and men are given
//! as the side to move sees them.

use movegen::{
    CastlingRight, CastlingSide, Color, Game, Move, Piece, Position, Role, Setup, Square, Variant,
};

/// A standard position from a FEN a test wrote.
pub(crate) fn standard(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A Chess960 position from a FEN a test wrote.
pub(crate) fn chess960(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().expect("a test names a square")
}

/// The position after some moves in UCI notation, each of which must be legal.
pub(crate) fn after(position: &Position, moves: &str) -> Position {
    let mut position = *position;
    for text in moves.split_whitespace() {
        let mv = position.move_from_uci(text).expect(text);
        position = position.try_play(mv).expect(text);
    }
    position
}

/// Plays UCI moves in a game.
pub(crate) fn follow(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.position().move_from_uci(text).expect(text);
        game.push(mv).expect(text);
    }
}

/// Whether a position's legal moves include a castling on this side.
pub(crate) fn can_castle(position: &Position, side: CastlingSide) -> bool {
    let is_it = |mv: &Move| mv.is_castling() && CastlingSide::of(mv.from(), mv.to()) == side;
    position.legal_moves().iter().any(is_it)
}

/// Every colour with every side.
pub(crate) fn sides() -> impl Iterator<Item = (Color, CastlingSide)> {
    Color::ALL
        .into_iter()
        .flat_map(|color| CastlingSide::ALL.map(|side| (color, side)))
}

/// A position being put together. `us` is to move and owns what `ours` puts down; every square
/// is named as seen from White's side and turned around for Black.
#[derive(Clone)]
pub(crate) struct Scene {
    us: Color,
    setup: Setup,
}

impl Scene {
    /// Kings and rooks at home, nothing else, and all four rights.
    pub(crate) fn castling(us: Color) -> Self {
        let mut scene = Self::kings(us, "e1", "e8");
        for rook in ["a1", "h1"] {
            scene = scene.ours(Role::Rook, rook);
        }
        for rook in ["a8", "h8"] {
            scene = scene.theirs(Role::Rook, rook);
        }
        for (color, side) in sides() {
            scene
                .setup
                .castling_rights
                .push(CastlingRight::Outermost(color, side));
        }
        scene
    }

    /// Two kings and no rights.
    pub(crate) fn kings(us: Color, ours: &str, theirs: &str) -> Self {
        let mut setup = Setup::empty();
        setup.side_to_move = us;
        Self { us, setup }
            .ours(Role::King, ours)
            .theirs(Role::King, theirs)
    }

    pub(crate) fn ours(self, role: Role, on: &str) -> Self {
        let man = Piece::new(self.us, role);
        self.put(on, Some(man))
    }

    pub(crate) fn theirs(self, role: Role, on: &str) -> Self {
        let man = Piece::new(!self.us, role);
        self.put(on, Some(man))
    }

    pub(crate) fn empty(self, on: &str) -> Self {
        self.put(on, None)
    }

    pub(crate) fn without_right(mut self, color: Color, side: CastlingSide) -> Self {
        let gone = CastlingRight::Outermost(color, side);
        self.setup.castling_rights.retain(|&right| right != gone);
        self
    }

    pub(crate) fn clock(mut self, plies: u16) -> Self {
        self.setup.halfmove_clock = plies;
        self
    }

    /// The side not to move moves instead.
    pub(crate) fn their_turn(mut self) -> Self {
        self.setup.side_to_move = !self.us;
        self
    }

    pub(crate) fn position(&self) -> Position {
        self.setup
            .position(Variant::Standard)
            .expect("a legal scene")
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// A square as this side sees it.
    pub(crate) fn square(&self, name: &str) -> Square {
        square(name).relative(self.us)
    }

    /// Coordinate moves as this side sees them, as UCI writes them.
    pub(crate) fn moves(&self, moves: &str) -> String {
        let turned = |text: &str| {
            let (from, rest) = text.split_at(2);
            let (to, promotion) = rest.split_at(2);
            format!("{}{}{promotion}", self.square(from), self.square(to))
        };
        let moves: Vec<String> = moves.split_whitespace().map(turned).collect();
        moves.join(" ")
    }

    fn put(mut self, on: &str, man: Option<Piece>) -> Self {
        let on = self.square(on);
        self.setup.pieces[on.index()] = man;
        self
    }
}
