//! What a move does to the men on the board.

use super::features::Standing;
use movegen::{CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Square};

/// Who is gone from a square and who has come to one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DirtyPieces {
    /// Only the turn has changed.
    Nothing,
    Step {
        gone: Standing,
        come: Standing,
    },
    Capture {
        gone: Standing,
        come: Standing,
        taken: Standing,
    },
    /// King and rook.
    Castle {
        gone: [Standing; 2],
        come: [Standing; 2],
    },
}

impl DirtyPieces {
    /// Becomes what a legal move does. Written where it is kept, piece by piece: a whole one,
    /// written and at once copied, would keep the processor waiting.
    #[inline]
    pub(super) fn set(&mut self, position: &Position, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(man) = position.piece_on(from) else {
            return *self = Self::Nothing;
        };
        if mv.kind() != MoveKind::Normal {
            return *self = unusual(position, mv, man);
        }
        let gone = Standing::new(man, from);
        let come = Standing::new(man, to);
        if let Some(man) = position.piece_on(to) {
            let taken = Standing::new(man, to);
            *self = Self::Capture { gone, come, taken };
        } else {
            *self = Self::Step { gone, come };
        }
    }
}

#[cold]
fn unusual(position: &Position, mv: Move, man: Piece) -> DirtyPieces {
    let (from, to, color) = (mv.from(), mv.to(), man.color());
    let gone = Standing::new(man, from);
    match mv.kind() {
        MoveKind::Castling => {
            let wing = CastlingSide::of(from, to);
            let rook = Piece::new(color, Role::Rook);
            let king_target = Standing::new(man, wing.king_target(color));
            let rook_target = Standing::new(rook, wing.rook_target(color));
            DirtyPieces::Castle {
                gone: [gone, Standing::new(rook, to)],
                come: [king_target, rook_target],
            }
        }
        MoveKind::EnPassant => {
            let pawn = Piece::new(!color, Role::Pawn);
            DirtyPieces::Capture {
                gone,
                come: Standing::new(man, to),
                taken: Standing::new(pawn, Square::at(to.file(), from.rank())),
            }
        }
        MoveKind::Promotion(_) | MoveKind::Normal => {
            let role = mv.promotion_role().unwrap_or(man.role());
            let come = Standing::new(Piece::new(color, role), to);
            match position.piece_on(to) {
                Some(taken) => DirtyPieces::Capture {
                    gone,
                    come,
                    taken: Standing::new(taken, to),
                },
                None => DirtyPieces::Step { gone, come },
            }
        }
    }
}

/// Where a king stands after its move.
#[inline]
pub(super) fn king_target(color: Color, mv: Move) -> Square {
    if mv.is_castling() {
        CastlingSide::of(mv.from(), mv.to()).king_target(color)
    } else {
        mv.to()
    }
}
