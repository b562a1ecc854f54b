//! Endgame knowledge that the network lacks: endings that cannot be won, mates against a bare
//! king, which has to be driven to the edge, and queen against rook, where it has to be too.

use movegen::{Bitboard, Color, File, Position, Rank, Role, Square, attacks};

/// The most pieces of a known ending in which both sides have more than a king.
const MAX_PIECES: u32 = 6;

/// Piece values in pawns, enough to tell a minor piece from a rook.
const MINOR_WORTH: u32 = 3;
const ROOK_WORTH: u32 = 5;
const QUEEN_WORTH: u32 = 9;
const PAWN_VALUE: i32 = 100;

/// A won ending: more than the network gives those that are merely better.
const KNOWN_WIN: i32 = 1500;
/// Added for each step of the weak king towards the edge and each that brings the kings
/// together. Minor pieces alone have to stay near their king and take squares away.
const TOWARDS_EDGE: i32 = 50;
const KINGS_TOGETHER: i32 = 10;
const SQUARE_DENIED: i32 = 10;
const MINORS_TOGETHER: i32 = 2;
/// With bishop and knight the corner decides: it outweighs everything else.
const TOWARDS_CORNER: i32 = 200;

/// Queen against rook, and its steps of progress.
const QUEEN_AGAINST_ROOK: i32 = 900;
const ROOK_SIDE_KING_TO_EDGE: i32 = 40;
const KINGS_TOGETHER_AGAINST_ROOK: i32 = 20;

/// The value of a known ending, for the side to move.
#[inline]
pub(crate) fn value(position: &Position) -> Option<i32> {
    if may_be_known(position) {
        known(position)
    } else {
        None
    }
}

/// True if a position is a known ending. Its value is exact or measures progress, so nothing
/// should be added to it.
#[inline]
pub(crate) fn is_known(position: &Position) -> bool {
    may_be_known(position) && (cannot_be_won(position) || strong_side(position).is_some())
}

/// A quick test that excludes nearly all positions: more than `MAX_PIECES`, and no bare king.
#[inline]
fn may_be_known(position: &Position) -> bool {
    position.occupied().count() <= MAX_PIECES
        || !Color::ALL
            .iter()
            .all(|&color| position.by_color(color).many())
}

#[inline(never)]
fn known(position: &Position) -> Option<i32> {
    if cannot_be_won(position) {
        return Some(0);
    }
    let strong_side = strong_side(position)?;
    let progress = if is_bare(position, !strong_side) {
        progress(position, strong_side)
    } else {
        QUEEN_AGAINST_ROOK
            + ROOK_SIDE_KING_TO_EDGE * off_center(position.king(!strong_side))
            + KINGS_TOGETHER_AGAINST_ROOK * closeness(position)
    };
    Some(if position.side_to_move() == strong_side {
        progress
    } else if position.in_check() || position.has_moves() {
        -progress
    } else {
        // Stalemate, which the search may not notice.
        0
    })
}

/// The side that can mate a bare king, or has the queen against a rook.
fn strong_side(position: &Position) -> Option<Color> {
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

/// No side can force a win: bare kings and single minor pieces, two knights against a king, a
/// rook pawn with the wrong bishop.
fn cannot_be_won(position: &Position) -> bool {
    if position.occupied().count() > MAX_PIECES {
        return false;
    }
    position.is_insufficient_material()
        || Color::ALL.into_iter().any(|color| {
            is_bare(position, !color)
                && (two_knights(position, color) || wrong_bishop(position, color))
        })
}

fn is_bare(position: &Position, color: Color) -> bool {
    position.by_color(color) == Bitboard::of(position.king(color))
}

/// A side has nothing but its king and pieces on these squares.
fn only(position: &Position, color: Color, roles: Bitboard) -> bool {
    (position.by_color(color) & !roles & !Bitboard::of(position.king(color))).is_empty()
}

fn two_knights(position: &Position, color: Color) -> bool {
    let knights = position.by_role(Role::Knight);
    only(position, color, knights) && (knights & position.by_color(color)).count() <= 2
}

/// Wrong bishop: rook pawns of one file, bishops (if any) that do not control the promotion
/// square, and the weak king next to that square.
fn wrong_bishop(position: &Position, color: Color) -> bool {
    let pawns = position.pieces(color, Role::Pawn);
    let bishops = position.pieces(color, Role::Bishop);
    let Some(pawn) = pawns.first() else {
        return false;
    };
    let file = Bitboard::file(pawn.file());
    if !matches!(pawn.file(), File::A | File::H)
        || (pawns & !file).any()
        || !only(position, color, pawns | bishops)
    {
        return false;
    }
    let corner = Square::new(pawn.file(), Rank::Eighth).relative(color);
    let corner_colored = if Bitboard::DARK.has(corner) {
        Bitboard::DARK
    } else {
        !Bitboard::DARK
    };
    (bishops & corner_colored).is_empty() && distance(position.king(!color), corner) <= 1
}

/// The non-pawn material of a side, in pawns.
fn non_pawn_material(position: &Position, color: Color) -> u32 {
    let count = |role| position.pieces(color, role).count();
    MINOR_WORTH * (count(Role::Knight) + count(Role::Bishop))
        + ROOK_WORTH * count(Role::Rook)
        + QUEEN_WORTH * count(Role::Queen)
}

/// A side's progress towards mating the bare king.
fn progress(position: &Position, color: Color) -> i32 {
    let weak_king = position.king(!color);
    let place = if is_bishop_and_knight(position, color) {
        TOWARDS_CORNER * nearness_to_corner(weak_king, position.pieces(color, Role::Bishop))
    } else {
        TOWARDS_EDGE * off_center(weak_king)
    };
    let pawns = position.pieces(color, Role::Pawn).count();
    let material = PAWN_VALUE * (non_pawn_material(position, color) + pawns) as i32;
    KNOWN_WIN
        + material
        + place
        + KINGS_TOGETHER * closeness(position)
        + minors_progress(position, color)
}

/// Steps from the four center squares.
fn off_center(square: Square) -> i32 {
    let off = |line: i32| if line < 4 { 3 - line } else { line - 4 };
    let (file, rank) = coordinates(square);
    off(file) + off(rank)
}

fn closeness(position: &Position) -> i32 {
    7 - distance(position.king(Color::White), position.king(Color::Black))
}

/// The minor pieces' grip on the king, if they have to mate without a rook or queen.
fn minors_progress(position: &Position, color: Color) -> i32 {
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
    let minors = position.by_role(Role::Bishop) | position.by_role(Role::Knight);
    let bishops = position.pieces(color, Role::Bishop).count();
    only(position, color, minors) && bishops == 1
}

/// 0 on the diagonal between the two safe corners, 7 in the corners of the bishop's color.
fn nearness_to_corner(square: Square, bishops: Bitboard) -> i32 {
    let (file, rank) = coordinates(square);
    if (bishops & Bitboard::DARK).any() {
        (file + rank - 7).abs()
    } else {
        (file - rank).abs()
    }
}

/// File and rank, 0-7.
fn coordinates(square: Square) -> (i32, i32) {
    (square.file().index() as i32, square.rank().index() as i32)
}

/// King steps.
fn distance(one: Square, other: Square) -> i32 {
    let ((file, rank), (other_file, other_rank)) = (coordinates(one), coordinates(other));
    (file - other_file).abs().max((rank - other_rank).abs())
}
