//! The numbers that positions are hashed with.

use crate::pin::Pin;
use crate::square::Square;
use crate::squares::SquareSet;
use movegen::{Color, Piece};

/// The next number of a fixed sequence (splitmix64).
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    (state, mix(state))
}

const fn mix(number: u64) -> u64 {
    let mut mixed = number;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

struct Numbers {
    men: [[u64; Square::COUNT]; 12],
    boards: [[u64; Pin::COUNT]; 2],
    turn: u64,
}

static NUMBERS: Numbers = {
    let mut numbers = Numbers {
        men: [[0; Square::COUNT]; 12],
        boards: [[0; Pin::COUNT]; 2],
        turn: 0,
    };
    let mut state = 0x7472_6964_696d_0001;
    let mut man = 0;
    while man < 12 {
        let mut square = 0;
        while square < Square::COUNT {
            (state, numbers.men[man][square]) = next(state);
            square += 1;
        }
        man += 1;
    }
    let mut pin = 0;
    while pin < Pin::COUNT {
        (state, numbers.boards[0][pin]) = next(state);
        (state, numbers.boards[1][pin]) = next(state);
        pin += 1;
    }
    (_, numbers.turn) = next(state);
    numbers
};

pub(crate) const fn man(man: Piece, square: Square) -> u64 {
    NUMBERS.men[man.index()][square.index()]
}

pub(crate) const fn board(owner: Color, pin: Pin) -> u64 {
    NUMBERS.boards[owner.index()][pin.index()]
}

pub(crate) const fn turn(turn: Color) -> u64 {
    match turn {
        Color::White => 0,
        Color::Black => NUMBERS.turn,
    }
}

/// What may still happen once only, as one number: zero when nothing may.
pub(crate) const fn state(unmoved: SquareSet, en_passant: Option<Square>) -> u64 {
    let bits = unmoved.bits();
    let mut number = mix(bits as u64) ^ mix((bits >> 64) as u64).rotate_left(1);
    if let Some(square) = en_passant {
        number ^= mix(square.index() as u64 + 1).rotate_left(2);
    }
    number
}
