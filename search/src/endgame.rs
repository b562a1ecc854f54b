//! Endings that are known better than a network has learnt them: those nobody can win, the mates
//! against a bare king, which have to be led somewhere, and queen against rook, which has too.

use movegen::{Bitboard, Color, Position, Role, Square, attacks};

/// Two kings and four others: where both sides have men, no ending here has more.
const MOST_MEN: u32 = 6;

/// Round worths, enough to tell a minor piece from a rook.
const MINOR_WORTH: u32 = 3;
const ROOK_WORTH: u32 = 5;
const QUEEN_WORTH: u32 = 9;
const PAWN_VALUE: i32 = 100;

/// For having the mate: more than a network says of endings that are merely won.
const MATE_IN_HAND: i32 = 1500;
/// Added for each step towards the edge and each that brings the kings together. Where only
/// minor pieces hunt, they work as one with their king and take squares away.
const TOWARDS_EDGE: i32 = 50;
const KINGS_TOGETHER: i32 = 10;
const SQUARE_DENIED: i32 = 10;
const MINORS_TOGETHER: i32 = 2;
/// With bishop and knight the corner decides, and nothing else is worth a step away from it.
const TOWARDS_CORNER: i32 = 200;

/// Queen against rook, with the steps that bring it nearer to an end.
const QUEEN_AGAINST_ROOK: i32 = 900;
const ROOKS_KING_TO_EDGE: i32 = 40;
const KINGS_TOGETHER_AGAINST_ROOK: i32 = 20;

/// The value for the side to move where it is known.
#[inline]
pub(super) fn value(position: &Position) -> Option<i32> {
    if may_be_known(position) {
        known(position)
    } else {
        None
    }
}

/// The value is known, without saying which.
#[inline]
pub(super) fn knows(position: &Position) -> bool {
    may_be_known(position) && (cannot_be_won(position) || hunter(position).is_some())
}

/// Every value asks, and nearly all positions say no at once: more than `MOST_MEN`, and some on
/// both sides.
#[inline]
fn may_be_known(position: &Position) -> bool {
    position.occupied().count() <= MOST_MEN
        || !Color::ALL.iter().all(|&color| position.side(color).many())
}

#[inline(never)]
fn known(position: &Position) -> Option<i32> {
    if cannot_be_won(position) {
        return Some(0);
    }
    let hunter = hunter(position)?;
    let progress = if is_bare(position, !hunter) {
        progress(position, hunter)
    } else {
        QUEEN_AGAINST_ROOK
            + ROOKS_KING_TO_EDGE * off_center(position.king(!hunter))
            + KINGS_TOGETHER_AGAINST_ROOK * closeness(position)
    };
    Some(if position.side_to_move() == hunter {
        progress
    } else if position.in_check() || position.has_moves() {
        -progress
    } else {
        // Stalemate, and the search may not look whether there are moves.
        0
    })
}

/// Who has the mate against a bare king, or the queen against a rook.
fn hunter(position: &Position) -> Option<Color> {
    let mates = |&color: &Color| {
        if is_bare(position, !color) {
            can_mate(position, color)
        } else {
            is_queen_against_rook(position, color)
        }
    };
    Color::ALL.into_iter().find(mates)
}

fn is_queen_against_rook(position: &Position, color: Color) -> bool {
    position.occupied().count() == 4
        && position.pieces(color, Role::Queen).any()
        && position.pieces(!color, Role::Rook).any()
}

/// Nobody can win, or only against a helping hand: bare kings and single minor pieces, two
/// knights against a king, a rook's pawn with a bishop that cannot chase the king from the
/// corner.
fn cannot_be_won(position: &Position) -> bool {
    if position.occupied().count() > MOST_MEN {
        return false;
    }
    position.is_insufficient_material()
        || Color::ALL.into_iter().any(|color| {
            is_bare(position, !color)
                && (two_knights(position, color) || wrong_bishop(position, color))
        })
}

fn is_bare(position: &Position, color: Color) -> bool {
    position.side(color) == Bitboard::of(position.king(color))
}

/// A side has nothing but its king and men of these roles.
fn only(position: &Position, color: Color, roles: Bitboard) -> bool {
    (position.side(color) & !roles & !Bitboard::of(position.king(color))).is_empty()
}

fn two_knights(position: &Position, color: Color) -> bool {
    let knights = position.role(Role::Knight);
    only(position, color, knights) && (knights & position.side(color)).count() <= 2
}

/// Rook's pawns of one file, bishops (if any) that do not hold their queening square, and the
/// bare king next to that square.
fn wrong_bishop(position: &Position, color: Color) -> bool {
    let pawns = position.pieces(color, Role::Pawn);
    let bishops = position.pieces(color, Role::Bishop);
    let Some(pawn) = pawns.first() else {
        return false;
    };
    let file = Bitboard::file(pawn.file());
    if !matches!(pawn.file(), 0 | 7)
        || (pawns & !file).any()
        || !only(position, color, pawns | bishops)
    {
        return false;
    }
    let corner = Square::at(pawn.file(), 7).relative(color);
    let corner_colored = if Bitboard::DARK.has(corner) {
        Bitboard::DARK
    } else {
        !Bitboard::DARK
    };
    (bishops & corner_colored).is_empty() && distance(position.king(!color), corner) <= 1
}

/// The worth of a side's officers in pawns.
fn worth(position: &Position, color: Color) -> u32 {
    let count = |role| position.pieces(color, role).count();
    MINOR_WORTH * (count(Role::Knight) + count(Role::Bishop))
        + ROOK_WORTH * count(Role::Rook)
        + QUEEN_WORTH * count(Role::Queen)
}

/// How far the hunt for the other side's bare king has come.
fn progress(position: &Position, color: Color) -> i32 {
    let prey = position.king(!color);
    let place = if is_bishop_and_knight(position, color) {
        TOWARDS_CORNER * nearness_to_corner(prey, position.pieces(color, Role::Bishop))
    } else {
        TOWARDS_EDGE * off_center(prey)
    };
    let pawns = position.pieces(color, Role::Pawn).count();
    let material = PAWN_VALUE * (worth(position, color) + pawns) as i32;
    MATE_IN_HAND + material + place + KINGS_TOGETHER * closeness(position) + net(position, color)
}

/// Steps from the four squares in the middle.
fn off_center(square: Square) -> i32 {
    let off = |line: u8| i32::from(if line < 4 { 3 - line } else { line - 4 });
    off(square.file()) + off(square.rank())
}

fn closeness(position: &Position) -> i32 {
    7 - distance(position.king(Color::White), position.king(Color::Black))
}

/// How closely minor pieces have drawn the net, if they have to mate alone.
fn net(position: &Position, color: Color) -> i32 {
    let own = |role| position.pieces(color, role);
    if (own(Role::Rook) | own(Role::Queen)).any() {
        return 0;
    }
    let king = position.king(color);
    let together: i32 = (own(Role::Knight) | own(Role::Bishop))
        .into_iter()
        .map(|square| 7 - distance(square, king))
        .sum();
    let around = attacks::king(position.king(!color));
    let denied = (around & position.attacked_by(color)).count() as i32;
    MINORS_TOGETHER * together + SQUARE_DENIED * denied
}

fn can_mate(position: &Position, color: Color) -> bool {
    let own = |role| position.pieces(color, role);
    let bishops = own(Role::Bishop);
    let both_colors = (bishops & Bitboard::DARK).any() && (bishops & !Bitboard::DARK).any();
    (own(Role::Queen) | own(Role::Rook)).any()
        || both_colors
        || (bishops.any() && own(Role::Knight).any())
        || own(Role::Knight).count() >= 3
}

fn is_bishop_and_knight(position: &Position, color: Color) -> bool {
    let minors = position.role(Role::Bishop) | position.role(Role::Knight);
    let bishops = position.pieces(color, Role::Bishop).count();
    only(position, color, minors) && bishops == 1
}

/// 0 on the long diagonal between the two safe corners, 7 in those where the bishop mates.
fn nearness_to_corner(square: Square, bishops: Bitboard) -> i32 {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    if (bishops & Bitboard::DARK).any() {
        (file + rank - 7).abs()
    } else {
        (file - rank).abs()
    }
}

/// Steps of a king.
fn distance(one: Square, other: Square) -> i32 {
    let files = one.file().abs_diff(other.file());
    let ranks = one.rank().abs_diff(other.rank());
    i32::from(files.max(ranks))
}
