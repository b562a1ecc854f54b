//! Slider attacks computed without tables, and the tables of squares between and in line.
//!
//! The computed attacks fill the lookup tables at compile time, and tests compare both.

use crate::bitboard::Bitboard;
use crate::square::Square;

/// The four lines through a square, without the square itself.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    square: Square,
    file: u64,
    rank: u64,
    diagonal: u64,
    antidiagonal: u64,
}

const DIAGONAL: u64 = 0x8040_2010_0804_0201;
const ANTIDIAGONAL: u64 = 0x0102_0408_1020_4080;

/// Shifts a diagonal up (positive) or down by ranks.
const fn shift_ranks(line: u64, ranks: i32) -> u64 {
    if ranks >= 0 {
        line << (8 * ranks)
    } else {
        line >> (8 * -ranks)
    }
}

/// The lines through a square.
pub(crate) const fn lines(square: Square) -> Lines {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let others = !(1u64 << square.index());
    Lines {
        square,
        file: Bitboard::file(square.file()).0 & others,
        rank: Bitboard::rank(square.rank()).0 & others,
        diagonal: shift_ranks(DIAGONAL, rank - file) & others,
        antidiagonal: shift_ranks(ANTIDIAGONAL, rank + file - 7) & others,
    }
}

/// The squares a slider on `square` attacks along one line (the o^(o-2r) trick): the subtraction
/// borrows up to the first blocker; on the reversed board it does so in the other direction.
const fn along(square: Square, occupied: u64, line: u64) -> u64 {
    let slider = 1u64 << square.index();
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let reversed = slider.reverse_bits();
    let down = blockers
        .reverse_bits()
        .wrapping_sub(reversed << 1)
        .reverse_bits();
    (up ^ down) & line
}

impl Lines {
    /// Rook attacks, computed without tables.
    pub(crate) const fn rook(&self, occupied: Bitboard) -> Bitboard {
        let file = along(self.square, occupied.0, self.file);
        Bitboard(file | along(self.square, occupied.0, self.rank))
    }

    /// Bishop attacks, computed without tables.
    pub(crate) const fn bishop(&self, occupied: Bitboard) -> Bitboard {
        let diagonal = along(self.square, occupied.0, self.diagonal);
        Bitboard(diagonal | along(self.square, occupied.0, self.antidiagonal))
    }
}

/// Rook attacks without tables, for programs that must be small.
#[inline(never)]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    lines(square).rook(occupied)
}

/// Bishop attacks without tables.
#[inline(never)]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    lines(square).bishop(occupied)
}

/// The lines through each square: file and rank, diagonal and antidiagonal.
static LINES: [[Bitboard; 2]; 64] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut index = 0;
    while index < 64 {
        let lines = lines(Square::wrapping(index as u8));
        table[index] = [
            Bitboard(lines.file | lines.rank),
            Bitboard(lines.diagonal | lines.antidiagonal),
        ];
        index += 1;
    }
    table
};

/// The other squares of a square's file and rank.
#[inline]
pub(crate) fn orthogonals(square: Square) -> Bitboard {
    LINES[square.index()][0]
}

/// The other squares of a square's diagonal and antidiagonal.
#[inline]
pub(crate) fn diagonals(square: Square) -> Bitboard {
    LINES[square.index()][1]
}

type PairTable = [[Bitboard; 64]; 64];

const fn pair_table(whole_line: bool) -> PairTable {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let from = Square::wrapping(a as u8);
        let lines = lines(from);
        let each = [lines.file, lines.rank, lines.diagonal, lines.antidiagonal];
        let mut line = 0;
        while line < 4 {
            let mut rest = each[line];
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                let to = Square::wrapping(b as u8);
                table[a][b] = Bitboard(if whole_line {
                    each[line] | 1 << a
                } else {
                    along(from, 1 << b, each[line]) & along(to, 1 << a, each[line] | 1 << a)
                });
                rest &= rest - 1;
            }
            line += 1;
        }
        a += 1;
    }
    table
}

static BETWEEN: PairTable = pair_table(false);
static LINE: PairTable = pair_table(true);

/// The squares strictly between two squares on a common line; empty if there is none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge; empty if there is none.
#[inline]
pub(crate) fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
