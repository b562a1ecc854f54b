//! Move histories: what earlier cutoffs say about moves. One table for each way of indexing
//! moves, all updated with the same gravity formula. Knows nothing of the search.

pub(crate) mod continuation;
pub(crate) mod correction;
pub(crate) mod keys;
mod written;

use crate::memory::{Large, Zeroable};
use crate::params;
use continuation::{
    CONTINUATION_PLIES, ContinuationContext, ContinuationHistory, PIECE_TO, PieceTo,
};
use correction::CorrectionHistory;
use keys::PieceKeys;
use movegen::engine::Threats;
use movegen::{Bitboard, Color, Move, Piece, Position, Role};
use written::{PAGE, Written};

/// Entries stay within ± this.
const LIMIT: i32 = 16_384;

/// History gravity: moves an entry by a bonus, the less the closer it already is to the limit.
#[inline]
fn gravity<const LIMIT: i32>(entry: &mut i16, bonus: i32, written: &mut Written) {
    written.mark(entry);
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// The bonus of the move that caused a cutoff at this depth.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    let linear = depth * params::history::bonus_slope() + params::history::bonus_base();
    linear.min(params::history::bonus_max())
}

/// The malus, a negative bonus, of the moves tried before it.
#[inline]
pub(crate) fn malus(depth: i32) -> i32 {
    let linear = depth * params::history::malus_slope() + params::history::malus_base();
    -linear.min(params::history::malus_max())
}

/// An entry for each `PieceTo`.
pub(crate) type RowByPiece = [i16; PIECE_TO];

/// The move-ordering context of a node: everything apart from the position that quiet moves are
/// scored by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveContext {
    /// The squares attacked by the side not to move.
    pub(crate) threats: Threats,
    /// By role: the squares from which it gives check.
    pub(crate) check_squares: [Bitboard; 6],
    pub(crate) keys: PieceKeys,
    pub(crate) continuation: ContinuationContext,
    pub(crate) killer: Option<Move>,
}

/// All history tables of one worker, about four megabytes; zeros are empty tables.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Histories {
    written: Written,
    pub(crate) quiet: QuietHistory,
    pub(crate) capture: CaptureHistory,
    pub(crate) continuation: ContinuationHistory,
    pub(crate) pawn: PawnHistory,
    pub(crate) correction: CorrectionHistory,
}

const _: () = assert!(size_of::<Histories>() <= Written::PAGES * PAGE);

// SAFETY: the tables hold only numbers.
unsafe impl Zeroable for Histories {}

impl Large<Histories> {
    /// Empties the tables where they have been written to.
    pub(crate) fn clear_written(&mut self) {
        for page in self.written.take() {
            self.clear_bytes(page * PAGE, PAGE);
        }
    }
}

impl Histories {
    /// The history score of a move: capture history for captures and promotions, the sum of the
    /// others for quiet moves.
    #[inline]
    pub(crate) fn score(
        &self,
        position: &Position,
        context: &MoveContext,
        mv: Move,
        noisy: bool,
    ) -> i32 {
        if noisy {
            return self.capture.get(position, mv);
        }
        let piece = moving_piece(position, mv);
        self.quiet_rows(position, context).history(piece, mv)
    }

    /// The rows of the tables that all quiet moves of a node share.
    #[inline]
    pub(crate) fn quiet_rows(&self, position: &Position, context: &MoveContext) -> QuietRows<'_> {
        QuietRows {
            threats: context.threats.all,
            quiet: self.quiet.of(position.side_to_move()),
            continuation: self.continuation.rows(&context.continuation),
            pawn: self.pawn.rows(context.keys),
        }
    }

    /// Updates all tables of quiet moves.
    pub(crate) fn update_quiet(
        &mut self,
        position: &Position,
        context: &MoveContext,
        mv: Move,
        bonus: i32,
    ) {
        let piece_to = PieceTo::of(position, mv);
        let written = &mut self.written;
        let (side, threats) = (position.side_to_move(), context.threats.all);
        self.quiet.update(side, threats, mv, bonus, written);
        self.continuation
            .update(&context.continuation, piece_to, bonus, written);
        self.pawn.update(context.keys, piece_to, bonus, written);
    }

    /// Updates the capture history.
    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.capture.update(position, mv, bonus, &mut self.written);
    }

    /// Updates the continuation history alone.
    pub(crate) fn update_continuation(
        &mut self,
        context: &ContinuationContext,
        piece_to: PieceTo,
        bonus: i32,
    ) {
        self.continuation
            .update(context, piece_to, bonus, &mut self.written);
    }

    /// Updates the correction history with the error of the static evaluation.
    pub(crate) fn update_correction(
        &mut self,
        side: Color,
        keys: PieceKeys,
        last_moves: [Option<PieceTo>; 2],
        error: i32,
        depth: i32,
    ) {
        self.correction
            .update(side, keys, last_moves, error, depth, &mut self.written);
    }
}

/// The rows of the tables for the quiet moves of a node.
pub(crate) struct QuietRows<'a> {
    threats: Bitboard,
    quiet: &'a QuietRowsOfSide,
    continuation: [&'a RowByPiece; CONTINUATION_PLIES.len()],
    pawn: &'a RowByPiece,
}

impl QuietRows<'_> {
    /// The history score of a move.
    #[inline]
    pub(crate) fn history(&self, piece: Piece, mv: Move) -> i32 {
        let [one, two, ..] = self.continuation;
        self.quiet(mv) + sum([one, two, self.pawn], piece, mv)
    }

    /// The ordering score of a move: all of the continuation history, more of the quiet history.
    #[inline]
    pub(crate) fn ordering(&self, piece: Piece, mv: Move) -> i32 {
        let [one, two, four, six] = self.continuation;
        self.quiet(mv) * params::ordering::quiet_weight()
            + sum([one, two, four, six, self.pawn], piece, mv)
            + sum([one], piece, mv) * params::ordering::counter_move() / 128
    }

    #[inline]
    fn quiet(&self, mv: Move) -> i32 {
        let rows = &self.quiet[threatened(self.threats, mv)];
        i32::from(rows[mv.from().index()][mv.to().index()])
    }
}

#[inline]
fn sum<const N: usize>(rows: [&RowByPiece; N], piece: Piece, mv: Move) -> i32 {
    let index = piece.index() * 64 + mv.to().index();
    let entries = rows.map(|row| i32::from(row[index]));
    entries.iter().sum()
}

#[inline]
pub(crate) fn moving_piece(position: &Position, mv: Move) -> Piece {
    position.piece_on(mv.from()).unwrap_or(Piece::WhitePawn)
}

/// Quiet history (butterfly history): quiet moves by side, whether the from square and the
/// destination are attacked, and these two squares.
#[derive(Debug)]
pub(crate) struct QuietHistory([QuietRowsOfSide; 2]);

type QuietRowsOfSide = [[[i16; 64]; 64]; 4];

/// The attacked squares of a move, as a number below four.
#[inline]
fn threatened(threats: Bitboard, mv: Move) -> usize {
    usize::from(threats.has(mv.from())) * 2 + usize::from(threats.has(mv.to()))
}

impl QuietHistory {
    #[inline]
    fn of(&self, side: Color) -> &QuietRowsOfSide {
        &self.0[side.index()]
    }

    fn update(
        &mut self,
        side: Color,
        threats: Bitboard,
        mv: Move,
        bonus: i32,
        written: &mut Written,
    ) {
        let rows = &mut self.0[side.index()][threatened(threats, mv)];
        let entry = &mut rows[mv.from().index()][mv.to().index()];
        gravity::<LIMIT>(entry, bonus, written);
    }
}

/// Capture history: captures and promotions by the moving piece, its target square and the
/// captured piece.
#[derive(Debug)]
pub(crate) struct CaptureHistory([i16; PIECE_TO * CAPTURED]);

/// Six roles, and nothing (promotion by a push).
const CAPTURED: usize = 7;

/// The role of the piece a move captures.
#[inline]
pub(crate) fn captured(position: &Position, mv: Move) -> Option<Role> {
    if mv.is_en_passant() {
        Some(Role::Pawn)
    } else {
        position.role_on(mv.to())
    }
}

impl CaptureHistory {
    #[inline]
    fn index(position: &Position, mv: Move) -> usize {
        let piece = position.piece_on(mv.from()).map_or(0, Piece::index);
        let captured = captured(position, mv).map_or(CAPTURED - 1, Role::index);
        (piece * 64 + mv.to().index()) * CAPTURED + captured
    }

    #[inline]
    pub(crate) fn get(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.0[Self::index(position, mv)])
    }

    fn update(&mut self, position: &Position, mv: Move, bonus: i32, written: &mut Written) {
        gravity::<LIMIT>(&mut self.0[Self::index(position, mv)], bonus, written);
    }
}

/// Pawn history: quiet moves by the pawn structure.
#[derive(Debug)]
pub(crate) struct PawnHistory([RowByPiece; STRUCTURES]);

const STRUCTURES: usize = 1024;

impl PawnHistory {
    #[inline]
    fn rows(&self, keys: PieceKeys) -> &RowByPiece {
        &self.0[keys.pawns() % STRUCTURES]
    }

    fn update(&mut self, keys: PieceKeys, piece_to: PieceTo, bonus: i32, written: &mut Written) {
        let row = &mut self.0[keys.pawns() % STRUCTURES];
        gravity::<LIMIT>(&mut row[piece_to.index()], bonus, written);
    }
}
