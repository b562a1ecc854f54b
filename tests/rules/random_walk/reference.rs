//! Naive reference implementations of attacks, checks, pins and SEE: square by square, with nothing
//! of the library but the names of pieces and squares.

use movegen::engine::SeeValues;
use movegen::{Bitboard, Color, Move, MoveKind, Piece, Position, Role, Square};
use std::collections::BTreeSet;

/// A piece or none for every square.
pub(crate) type Mailbox = [Option<Piece>; 64];

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

pub(crate) fn mailbox(position: &Position) -> Mailbox {
    let mut pieces = [None; 64];
    for square in Square::all() {
        pieces[square.index()] = position.piece_on(square);
    }
    pieces
}

fn ray(pieces: &Mailbox, from: Square, direction: (i8, i8)) -> Vec<Square> {
    let mut seen = Vec::new();
    let mut at = from;
    while let Some(next) = at.try_offset(direction.0, direction.1) {
        seen.push(next);
        if pieces[next.index()].is_some() {
            break;
        }
        at = next;
    }
    seen
}

/// The squares attacked by the piece on `from`.
pub(crate) fn attacks_from(pieces: &Mailbox, from: Square) -> Vec<Square> {
    let Some(piece) = pieces[from.index()] else {
        return Vec::new();
    };
    let forward = match piece.color() {
        Color::White => 1,
        Color::Black => -1,
    };
    let single = |steps: &[(i8, i8)]| {
        steps
            .iter()
            .filter_map(|&(files, ranks)| from.try_offset(files, ranks))
            .collect()
    };
    let along = |directions: &[(i8, i8)]| -> Vec<Square> {
        directions
            .iter()
            .flat_map(|&by| ray(pieces, from, by))
            .collect()
    };
    match piece.role() {
        Role::Pawn => single(&[(-1, forward), (1, forward)]),
        Role::Knight => single(&KNIGHT_LEAPS),
        Role::Bishop => along(&DIAGONAL),
        Role::Rook => along(&ORTHOGONAL),
        Role::Queen => along(&[ORTHOGONAL, DIAGONAL].concat()),
        Role::King => single(&[ORTHOGONAL, DIAGONAL].concat()),
    }
}

/// The pieces of `color` that attack a square.
pub(crate) fn attackers(pieces: &Mailbox, color: Color, target: Square) -> Bitboard {
    Square::all()
        .filter(|square| pieces[square.index()].is_some_and(|piece| piece.color() == color))
        .filter(|&square| attacks_from(pieces, square).contains(&target))
        .collect()
}

/// The squares attacked by the selected pieces of a color.
pub(crate) fn attacked_by(
    pieces: &Mailbox,
    color: Color,
    selected: impl Fn(&Piece) -> bool,
) -> Bitboard {
    let attacks = |piece: Piece| piece.color() == color && selected(&piece);
    Square::all()
        .filter(|square| pieces[square.index()].is_some_and(attacks))
        .flat_map(|square| attacks_from(pieces, square))
        .collect()
}

pub(crate) fn king(pieces: &Mailbox, color: Color) -> Square {
    let king = Some(Piece::new(color, Role::King));
    Square::all()
        .find(|square| pieces[square.index()] == king)
        .expect("each side has a king")
}

pub(crate) fn checkers(pieces: &Mailbox, side: Color) -> Bitboard {
    attackers(pieces, !side, king(pieces, side))
}

/// The pieces whose removal exposes the king to a new attacker.
pub(crate) fn pinned(pieces: &Mailbox, side: Color) -> Bitboard {
    let now = checkers(pieces, side);
    Square::all()
        .filter(|square| {
            pieces[square.index()]
                .is_some_and(|piece| piece.color() == side && piece.role() != Role::King)
        })
        .filter(|square| {
            let mut without = *pieces;
            without[square.index()] = None;
            (checkers(&without, side) & !now).any()
        })
        .collect()
}

/// The possible gains of `side` from capturing on `target`, where a piece worth `at_risk` stands:
/// the sides alternate, each captures with its least valuable piece and may stop. If several pieces
/// of the least valuable role can capture, each choice gives a result, and all are correct.
fn exchange_results(
    pieces: &Mailbox,
    target: Square,
    side: Color,
    at_risk: i32,
    values: &SeeValues,
) -> BTreeSet<i32> {
    let capturers: Vec<(Square, Role)> = attackers(pieces, side, target)
        .into_iter()
        .filter_map(|square| Some((square, pieces[square.index()]?.role())))
        .collect();
    let Some(least) = capturers.iter().map(|&(_, role)| role).min() else {
        return BTreeSet::from([0]);
    };
    let mut results = BTreeSet::new();
    for &(from, _) in capturers.iter().filter(|&&(_, role)| role == least) {
        if least == Role::King && attackers(pieces, !side, target).any() {
            results.insert(0);
            continue;
        }
        let mut after = *pieces;
        after[target.index()] = after[from.index()].take();
        let replies = exchange_results(&after, target, !side, values[least.index()], values);
        results.extend(replies.into_iter().map(|reply| (at_risk - reply).max(0)));
    }
    results
}

/// The possible results of `mv` and the exchange on its destination.
pub(crate) fn see_results(position: &Position, mv: Move, values: &SeeValues) -> BTreeSet<i32> {
    let worth = |piece: Option<Piece>| piece.map_or(0, |piece| values[piece.role().index()]);
    let (from, to) = (mv.from(), mv.to());
    let mut pieces = mailbox(position);
    let mut gain = worth(pieces[to.index()]);
    let mut moved = pieces[from.index()].take();
    match mv.kind() {
        MoveKind::Normal => {}
        MoveKind::Castling => return BTreeSet::from([0]),
        MoveKind::EnPassant => {
            gain = worth(pieces[Square::new(to.file(), from.rank()).index()].take());
        }
        MoveKind::Promotion(role) => {
            let promoted = Some(Piece::new(position.side_to_move(), role));
            gain += worth(promoted) - worth(moved);
            moved = promoted;
        }
    }
    pieces[to.index()] = moved;
    exchange_results(&pieces, to, !position.side_to_move(), worth(moved), values)
        .into_iter()
        .map(|reply| gain - reply)
        .collect()
}
