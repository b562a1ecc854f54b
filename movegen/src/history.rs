//! Details that the history of a game adds to the reasons in its current position: by which move a
//! castling right was lost, and how a pawn came where it cannot be captured en passant.

use crate::castling::CastlingSide;
use crate::castling_error::CastlingError;
use crate::castling_report::CastlingReport;
use crate::en_passant_report::EnPassantReport;
use crate::game::Game;
use crate::illegal_move::{IllegalMove, Reasons};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::played_move::PlayedMove;
use crate::position::Position;
use crate::san::SanError;
use crate::square::Square;
use crate::uci::UciMoveError;

impl Game {
    /// A move of the game by its place, 1 for the first.
    pub fn played_move(&self, ply: usize) -> Option<PlayedMove> {
        let index = ply.checked_sub(1)?;
        let (mv, before) = (self.moves().nth(index)?, self.positions().nth(index)?);
        Some(PlayedMove {
            ply,
            number: before.fullmove_number(),
            color: before.side_to_move(),
            san: before.san_parts(mv),
        })
    }

    /// Parses a legal move in UCI notation. Unlike those of `Position`, its errors name the moves
    /// of the game by which a castling right was lost, or a pawn came to its square.
    ///
    /// ```
    /// use movegen::Game;
    ///
    /// let mut game = Game::default();
    /// for san in "e4 e5 Ke2 Ke7 Ke1 Ke8 Nf3 Nf6 Be2 Be7".split(' ') {
    ///     game.play(game.move_from_san(san)?)?;
    /// }
    /// assert_eq!(
    ///     game.move_from_uci("e1g1").unwrap_err().to_string(),
    ///     "illegal move 'e1g1': White may no longer castle kingside: \
    ///      the king has moved from e1 (2. Ke2)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_from_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let result = self.position().move_from_uci(text);
        result.map_err(|error| match error {
            UciMoveError::Illegal { text, reasons } => UciMoveError::Illegal {
                text,
                reasons: self.with_moves(&reasons),
            },
            UciMoveError::Malformed(_) => error,
        })
    }

    /// Parses a legal move in SAN, with errors as in `move_from_uci`.
    pub fn move_from_san(&self, text: &str) -> Result<Move, SanError> {
        let result = self.position().move_from_san(text);
        result.map_err(|error| match error {
            SanError::Illegal { text, reasons } => SanError::Illegal {
                text,
                reasons: self.with_moves(&reasons),
            },
            _ => error,
        })
    }

    /// The legality of castling, as [`Position::castling_report`]; a right that was lost in
    /// the game comes with the move by which it was.
    ///
    /// ```
    /// use movegen::{CastlingError, CastlingSide, Game};
    ///
    /// let mut game = Game::default();
    /// for san in "Nf3 e5 Rg1 d5 Rh1 c5".split(' ') {
    ///     game.play(game.move_from_san(san)?)?;
    /// }
    /// let report = game.castling_report(CastlingSide::King);
    /// let Some(CastlingError::RookMoved { by, .. }) = report.no_right else { panic!() };
    /// assert_eq!((by.ply, by.to_string()), (3, "2. Rg1".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn castling_report(&self, side: CastlingSide) -> CastlingReport {
        let report = self.position().castling_report(side);
        CastlingReport {
            no_right: report.no_right.map(|_| self.lost_right(report.color, side)),
            ..report
        }
    }

    /// The legality of an en passant capture, as [`Position::en_passant_report`], and how the other
    /// pawn came to its square.
    ///
    /// ```
    /// use movegen::{Game, Square};
    ///
    /// let mut game = Game::default();
    /// for san in "e4 d5 e5 d4 a3 f5 Nf3 a6".split(' ') {
    ///     game.play(game.move_from_san(san)?)?;
    /// }
    /// let report = game.en_passant_report(Square::E5, Square::F6).expect("a pawn beside");
    /// assert_eq!(report.double_step, Some(false));
    /// assert_eq!(
    ///     report.errors()[0].to_string(),
    ///     "the pawn on f5 cannot be captured en passant: it has not just moved two squares \
    ///      (it came there with 3... f5)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn en_passant_report(&self, from: Square, to: Square) -> Option<EnPassantReport> {
        let report = self.position().en_passant_report(from, to)?;
        let pawn_start = self.positions().nth_back(1).zip(self.moves().next_back());
        let double_step = pawn_start.map(|(before, mv)| {
            let steps = mv.from().rank().index().abs_diff(mv.to().rank().index());
            mv.to() == report.captured
                && before.role_on(mv.from()) == Some(Role::Pawn)
                && steps == 2
        });
        Some(EnPassantReport {
            double_step: double_step.or(report.double_step),
            came_with: self.last_move_to(report.captured),
            ..report
        })
    }

    fn with_moves(&self, reasons: &Reasons) -> Reasons {
        reasons.map(|reason| match reason {
            IllegalMove::Castling(CastlingError::NoRight { color, side }) => {
                self.lost_right(color, side).into()
            }
            IllegalMove::NoEnPassant { pawn, .. } => IllegalMove::NoEnPassant {
                pawn,
                came_with: self.last_move_to(pawn),
            },
            _ => reason,
        })
    }

    /// The way a castling right that is missing now was lost.
    pub fn lost_right(&self, color: Color, side: CastlingSide) -> CastlingError {
        let king = self.start().king(color);
        let Some(home) = self.start().castling_rights().rook(color, side, king) else {
            return CastlingError::NotInFen { color, side };
        };
        let lost = |after: &Position| !after.castling_rights().of(color).has(home);
        let ply = self.positions().position(lost).unwrap_or(0);
        let from = self.moves().nth(ply.saturating_sub(1)).map(Move::from);
        match self.played_move(ply) {
            None => CastlingError::NoRight { color, side },
            Some(by) if from == Some(king) => CastlingError::KingMoved {
                color,
                side,
                home: king,
                by,
            },
            Some(by) if from == Some(home) => CastlingError::RookMoved {
                color,
                side,
                home,
                by,
            },
            Some(by) => CastlingError::RookCaptured {
                color,
                side,
                home,
                by,
            },
        }
    }

    /// The move that brought a piece to the square where it stands.
    fn last_move_to(&self, square: Square) -> Option<PlayedMove> {
        let before = self.moves().rposition(|mv| mv.to() == square)?;
        self.played_move(before + 1)
    }
}
