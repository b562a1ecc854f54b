//! Material, and changes of it in words.

use movegen::{Color, Position, Role};

/// From the most to the least valuable.
pub(super) const ROLES: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The value of a piece in pawns.
pub(super) fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// By role, how many pieces one side has more than the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Material(pub(super) [i32; 6]);

impl Material {
    pub(super) fn of(position: &Position, side: Color) -> Self {
        let count = |color, role| position.pieces(color, role).count() as i32;
        Self(Role::ALL.map(|role| count(side, role) - count(!side, role)))
    }

    pub(super) fn get(self, role: Role) -> i32 {
        self.0.get(role.index()).copied().unwrap_or_default()
    }

    /// The change, in which a bishop for a knight is none.
    pub(super) fn between(before: Self, after: Self) -> Self {
        let change = Self(Role::ALL.map(|role| after.get(role) - before.get(role)));
        let (knights, bishops) = (change.get(Role::Knight), change.get(Role::Bishop));
        let traded = if knights.signum() * bishops.signum() < 0 {
            knights.abs().min(bishops.abs()) * knights.signum()
        } else {
            0
        };
        Self(Role::ALL.map(|role| match role {
            Role::Knight => knights - traded,
            Role::Bishop => bishops + traded,
            _ => change.get(role),
        }))
    }

    pub(super) fn negated(self) -> Self {
        Self(self.0.map(|count| -count))
    }

    /// In pawns.
    pub(super) fn value(self) -> i32 {
        ROLES.map(|role| self.get(role) * value(role)).iter().sum()
    }

    /// A gain in words, such as `a rook for a knight and a pawn`; `None` if it is no piece.
    pub(super) fn words(self) -> Option<String> {
        let part = |sign: i32| {
            let roles = ROLES.into_iter().filter_map(move |role| {
                let count = sign * self.get(role);
                (count > 0).then_some((role, count as usize))
            });
            roles.collect::<Vec<_>>()
        };
        let names = |part: &[(Role, usize)]| {
            let names = part.iter().map(|&(role, count)| counted(count, role));
            listed(&names.collect::<Vec<_>>())
        };
        match (part(1).as_slice(), part(-1).as_slice()) {
            ([(Role::Rook, 1)], [(Role::Knight | Role::Bishop, 1)]) => {
                Some("the exchange".to_owned())
            }
            ([], _) => None,
            (gained, []) => Some(names(gained)),
            (gained, paid) => Some(format!("{} for {}", names(gained), names(paid))),
        }
    }
}

/// `a knight`, `the queen`, `two pawns`.
pub(super) fn counted(count: usize, role: Role) -> String {
    match (count, role) {
        (1, Role::Queen) => "the queen".to_owned(),
        (1, _) => format!("a {}", role.name()),
        (2, _) => format!("two {}s", role.name()),
        (3, _) => format!("three {}s", role.name()),
        _ => format!("{count} {}s", role.name()),
    }
}

/// `king, queen and rook`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}
