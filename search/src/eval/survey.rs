//! What one side's men hold in view, gathered once for all the terms that ask.

use movegen::{Bitboard, Color, Position, Role, Square, attacks};

#[derive(Clone, Copy, Debug)]
pub(super) struct Survey {
    pub(super) color: Color,
    pub(super) king: Square,
    pub(super) men: Bitboard,
    pub(super) pawns: Bitboard,
    pub(super) occupied: Bitboard,
    /// What the men of each role attack.
    pub(super) by_role: [Bitboard; 6],
    /// What any man but the king attacks.
    pub(super) held: Bitboard,
    /// What two men attack, the king counted.
    pub(super) twice: Bitboard,
    /// Around the king, and a rank further on.
    pub(super) king_zone: Bitboard,
    /// Men that attack the enemy's king zone, and the weight of what they bring.
    pub(super) assailants: i32,
    pub(super) assault: i32,
}

impl Survey {
    /// The king's and the pawns' part; `pieces` adds the rest.
    #[inline(always)]
    pub(super) fn of(position: &Position, color: Color) -> Self {
        let king = position.king(color);
        let pawns = position.pieces(color, Role::Pawn);
        let around = attacks::king(king);
        let mut survey = Self {
            color,
            king,
            men: position.side(color),
            pawns,
            occupied: position.occupied(),
            by_role: [Bitboard::EMPTY; 6],
            held: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            king_zone: around | around.forward(color) | Bitboard::of(king),
            assailants: 0,
            assault: 0,
        };
        survey.by_role[Role::King.index()] = around;
        survey.by_role[Role::Pawn.index()] = attacks::pawns(pawns, color);
        survey.held = survey.by(Role::Pawn);
        survey.twice = survey.held & around;
        survey
    }

    #[inline(always)]
    pub(super) fn by(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// Everything the side attacks.
    #[inline(always)]
    pub(super) fn all(&self) -> Bitboard {
        self.held | self.by(Role::King)
    }

    /// What the pawns attack or could come to attack.
    #[inline(always)]
    pub(super) fn pawn_reach(&self) -> Bitboard {
        match self.color {
            Color::White => fill_up(self.by(Role::Pawn)),
            Color::Black => fill_down(self.by(Role::Pawn)),
        }
    }

    #[inline(always)]
    pub(super) fn note(&mut self, role: Role, attacked: Bitboard) {
        self.twice |= attacked & self.all();
        self.held |= attacked;
        self.by_role[role.index()] |= attacked;
    }
}

/// How many king's moves lie between two squares.
#[inline]
pub(super) fn distance(one: Square, other: Square) -> i32 {
    let files = one.file().abs_diff(other.file());
    let ranks = one.rank().abs_diff(other.rank());
    i32::from(files.max(ranks))
}

/// Every file a set has a member on.
#[inline]
pub(super) fn whole_files(set: Bitboard) -> Bitboard {
    fill_up(set) | fill_down(set)
}

/// The set and everything north of its members.
#[inline]
pub(super) fn fill_up(mut set: Bitboard) -> Bitboard {
    set.0 |= set.0 << 8;
    set.0 |= set.0 << 16;
    set.0 |= set.0 << 32;
    set
}

/// The set and everything south of its members.
#[inline]
pub(super) fn fill_down(mut set: Bitboard) -> Bitboard {
    set.0 |= set.0 >> 8;
    set.0 |= set.0 >> 16;
    set.0 |= set.0 >> 32;
    set
}
