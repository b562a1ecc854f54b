//! The pawns' shape, and how far those that are through will get.
//!
//! Black's half of the board is turned over first, so all is said once, going north.

use super::survey::{Survey, distance, fill_down, fill_up, whole_files};
use super::tapered::{Tapered, tapered};
use movegen::{Bitboard, Color, Position, Role, Square};

const ISOLATED: Tapered = tapered(-12, -14);
const DOUBLED: Tapered = tapered(-8, -18);
const BACKWARD: Tapered = tapered(-9, -10);
/// Beside or held by another pawn: at home, and from the fourth rank on.
const CONNECTED: Tapered = tapered(5, 4);
const CONNECTED_FAR: Tapered = tapered(14, 12);
const FAR_RANKS: Bitboard = Bitboard(!0xff_ffff);

/// Passed pawns by rank, counted from their home.
const PASSED: [Tapered; 6] = [
    tapered(0, 8),
    tapered(4, 16),
    tapered(10, 34),
    tapered(34, 66),
    tapered(70, 112),
    tapered(115, 180),
];
/// For each rank a passed pawn has come:
const HELD: Tapered = tapered(3, 4);
const BLOCKED: Tapered = tapered(-4, -10);
const WAY_FREE: Tapered = tapered(2, 10);
/// and for each step a king is away from the square before it.
const ENEMY_KING_AWAY: i32 = 4;
const OWN_KING_AWAY: i32 = -2;
const AWAY_AT_MOST: i32 = 5;
/// A pawn that no king can catch, where there is nothing but kings to catch it.
const UNSTOPPABLE: Tapered = tapered(0, 400);

/// One side's pawns and what bears on them, the side's own king at the bottom.
struct Upward {
    own: Bitboard,
    enemy: Bitboard,
    held: Bitboard,
    enemy_pawn_attacks: Bitboard,
    enemy_attacks: Bitboard,
    occupied: Bitboard,
    king: Square,
    enemy_king: Square,
    /// Only kings and pawns stand against these pawns, and who may move first.
    enemy_bare: bool,
    enemy_moves: bool,
}

#[inline(always)]
pub(super) fn value(position: &Position, us: &Survey, them: &Survey) -> Tapered {
    let turn = |set: Bitboard| match us.color {
        Color::White => set,
        Color::Black => set.flip_ranks(),
    };
    let board = Upward {
        own: turn(us.pawns),
        enemy: turn(them.pawns),
        held: turn(us.by(Role::Pawn)),
        enemy_pawn_attacks: turn(them.by(Role::Pawn)),
        enemy_attacks: turn(them.all()),
        occupied: turn(us.occupied),
        king: us.king.relative(us.color),
        enemy_king: them.king.relative(us.color),
        enemy_bare: them.men == them.pawns | Bitboard::of(them.king),
        enemy_moves: position.turn() != us.color,
    };
    shape(&board) + passed(&board)
}

#[inline(always)]
fn shape(board: &Upward) -> Tapered {
    let own = board.own;
    let files = whole_files(own);
    let isolated = own & !(files.east() | files.west());
    let doubled = own & fill_down(own.forward(Color::Black));
    let never_held = !fill_up(board.held);
    let stops = own.forward(Color::White) & board.enemy_pawn_attacks & never_held;
    let backward = stops.forward(Color::Black) & !isolated;
    let connected = own & (board.held | own.east() | own.west());
    let times = |set: Bitboard| set.count() as i32;
    ISOLATED * times(isolated)
        + DOUBLED * times(doubled)
        + BACKWARD * times(backward)
        + CONNECTED * times(connected & !FAR_RANKS)
        + CONNECTED_FAR * times(connected & FAR_RANKS)
}

#[inline(always)]
fn passed(board: &Upward) -> Tapered {
    let guarded = fill_down(board.enemy.forward(Color::Black) | board.enemy_pawn_attacks);
    let behind_own = fill_down(board.own.forward(Color::Black));
    let mut value = Tapered::ZERO;
    for square in board.own & !guarded & !behind_own {
        value += passed_pawn(board, square);
    }
    value
}

#[inline(always)]
fn passed_pawn(board: &Upward, square: Square) -> Tapered {
    let come = i32::from(square.rank()) - 1;
    let stop = Square::at(square.file(), square.rank() + 1);
    let way = fill_up(Bitboard::of(stop));
    let away = |king| distance(king, stop).min(AWAY_AT_MOST);
    let kings = ENEMY_KING_AWAY * away(board.enemy_king) + OWN_KING_AWAY * away(board.king);

    let mut each_rank = tapered(0, kings);
    if board.held.has(square) {
        each_rank += HELD;
    }
    if board.occupied.has(stop) {
        each_rank += BLOCKED;
    } else if (way & (board.occupied | board.enemy_attacks)).is_empty() {
        each_rank += WAY_FREE;
    }
    let rank_value = PASSED[square.rank().saturating_sub(1).min(5) as usize];
    let mut value = rank_value + each_rank * come;
    if board.enemy_bare && (way & board.occupied).is_empty() && outruns(board, square) {
        value += UNSTOPPABLE;
    }
    value
}

/// The pawn promotes before the enemy's king stands in the square it runs in.
fn outruns(board: &Upward, square: Square) -> bool {
    let goal = Square::at(square.file(), 7);
    // From home the first step is a double one.
    let steps = 7 - i32::from(square.rank().max(2));
    distance(board.enemy_king, goal) - i32::from(board.enemy_moves) > steps
}
