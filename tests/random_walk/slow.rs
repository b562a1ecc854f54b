//! What attacks, checks and pins mean, written down with a finger on the board: one square at
//! a time, no bitboard tricks, nothing of the library but the names of men and squares.

use movegen::{Bitboard, Color, Piece, Position, Role, Square};

pub(crate) type Men = [Option<Piece>; 64];

const KNIGHT_LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

pub(crate) fn men(position: &Position) -> Men {
    let mut men = [None; 64];
    for square in Square::all() {
        men[square.index()] = position.piece_on(square);
    }
    men
}

fn step(from: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let file = from.file() as i8 + files;
    let rank = from.rank() as i8 + ranks;
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then(|| Square::at(file as u8, rank as u8))
}

fn ray(men: &Men, from: Square, direction: (i8, i8)) -> Vec<Square> {
    let mut seen = Vec::new();
    let mut at = from;
    while let Some(next) = step(at, direction) {
        seen.push(next);
        if men[next.index()].is_some() {
            break;
        }
        at = next;
    }
    seen
}

/// The squares the man on `from` attacks.
pub(crate) fn attacks_from(men: &Men, from: Square) -> Vec<Square> {
    let Some(man) = men[from.index()] else {
        return Vec::new();
    };
    let forward = match man.color() {
        Color::White => 1,
        Color::Black => -1,
    };
    let single = |steps: &[(i8, i8)]| steps.iter().filter_map(|&by| step(from, by)).collect();
    let along = |directions: &[(i8, i8)]| -> Vec<Square> {
        directions
            .iter()
            .flat_map(|&by| ray(men, from, by))
            .collect()
    };
    match man.role() {
        Role::Pawn => single(&[(-1, forward), (1, forward)]),
        Role::Knight => single(&KNIGHT_LEAPS),
        Role::Bishop => along(&DIAGONAL),
        Role::Rook => along(&ORTHOGONAL),
        Role::Queen => along(&[ORTHOGONAL, DIAGONAL].concat()),
        Role::King => single(&[ORTHOGONAL, DIAGONAL].concat()),
    }
}

/// The men of `color` that attack a square.
pub(crate) fn attackers(men: &Men, color: Color, target: Square) -> Bitboard {
    Square::all()
        .filter(|square| men[square.index()].is_some_and(|man| man.color() == color))
        .filter(|&square| attacks_from(men, square).contains(&target))
        .collect()
}

/// By those of a side's men that are meant.
pub(crate) fn attacked_by(men: &Men, color: Color, meant: impl Fn(&Piece) -> bool) -> Bitboard {
    let attacks = |man: Piece| man.color() == color && meant(&man);
    Square::all()
        .filter(|square| men[square.index()].is_some_and(attacks))
        .flat_map(|square| attacks_from(men, square))
        .collect()
}

fn king(men: &Men, color: Color) -> Square {
    let king = Some(Piece::new(color, Role::King));
    Square::all()
        .find(|square| men[square.index()] == king)
        .expect("each side has a king")
}

pub(crate) fn checkers(men: &Men, turn: Color) -> Bitboard {
    attackers(men, !turn, king(men, turn))
}

/// Men without which an enemy that does not attack the king now would.
pub(crate) fn pinned(men: &Men, turn: Color) -> Bitboard {
    let now = checkers(men, turn);
    Square::all()
        .filter(|square| {
            men[square.index()].is_some_and(|man| man.color() == turn && man.role() != Role::King)
        })
        .filter(|square| {
            let mut without = *men;
            without[square.index()] = None;
            (checkers(&without, turn) & !now).any()
        })
        .collect()
}
