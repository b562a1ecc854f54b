//! The complete state of a game, as the page shows it.

use std::iter;

use chrono::{DateTime, Utc};
use game::Side;
use game::library::GameId;
use game::play::{TridimState, written_time};
use tridim::{
    Board, CastlingKind, CastlingStatus, Game, GamePosition, Move, Pin, Position, Square, SquareSet,
};

use crate::messages::tridim::{
    BoardView, GameView, LastMove, LegalMove, Limit, MoveKind, PieceView, PinView, PlayedMove,
};

impl GameView {
    pub(super) fn new(state: &TridimState, id: &GameId, limit: Limit, thinking: bool) -> Self {
        let (game, _) = state.played();
        let ending = state.ending();
        let ending = ending.map(|(words, result)| format!("{words}. {}", result.as_str()));
        let over = ending.is_some();
        let position = state
            .claimed()
            .map_or(state.position(), |claimed| claimed.record.position());
        let side_to_move = position.side_to_move();
        let movable = !over && state.is_user_to_move();
        let check = position.placement().king(side_to_move);
        let check = check.filter(|_| position.in_check());
        let claims = if movable { game.claims() } else { Vec::new() };
        Self {
            id: id.clone(),
            position: position.to_string(),
            side: state.side,
            side_to_move: side_to_move.name(),
            movable,
            thinking,
            limit,
            boards: boards(position),
            pins: Pin::all().map(|pin| PinView::new(position, pin)).collect(),
            pieces: pieces(position),
            legal: if movable { legal(position) } else { Vec::new() },
            castling: CastlingKind::ALL
                .map(|kind| CastlingStatus::new(position, kind))
                .into(),
            moves: moves(game, state.times()),
            last: last(game),
            check: check.map(|square| square.to_string()),
            pending: position.pending_promotion().map(|pawn| pawn.to_string()),
            activated: position.activated_board().map(|pin| pin.to_string()),
            claims: claims.iter().map(ToString::to_string).collect(),
            over,
            status: ending.unwrap_or_else(|| status(position, state.side, thinking)),
            can_undo: state.can_undo_turn(),
            can_redo: state.can_redo(),
            saved: state.lines().to_vec(),
        }
    }
}

impl PinView {
    fn new(position: &Position, pin: Pin) -> Self {
        Self {
            name: pin.to_string(),
            level: pin.level(),
            file: Board::Attack(pin).first_file(),
            rank: pin.lowest_rank(),
            free: position.placement().owner(pin).is_none(),
        }
    }
}

pub(super) fn names(squares: SquareSet) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

fn boards(position: &Position) -> Vec<BoardView> {
    let placement = position.placement();
    let view = |board: Board| BoardView {
        name: board.to_string(),
        owner: placement.board_owner(board).map(movegen::Color::name),
        file: board.first_file(),
        rank: board.lowest_rank(),
        size: board.width(),
        immobile: match board {
            Board::Attack(pin) if position.activated_board() == Some(pin) => None,
            Board::Attack(pin) => position.activate(pin).err().map(|error| error.to_string()),
            _ => None,
        },
    };
    placement.boards().map(view).collect()
}

fn pieces(position: &Position) -> Vec<PieceView> {
    let view = |square: Square| {
        let piece = position.piece_on(square)?;
        Some(PieceView {
            square: square.to_string(),
            color: piece.color().name(),
            role: piece.role().name(),
            letter: piece.role().letter(),
        })
    };
    let occupied = position.placement().occupied();
    occupied.into_iter().filter_map(view).collect()
}

fn legal(position: &Position) -> Vec<LegalMove> {
    let view = |mv: Move| {
        let (kind, from, to) = match mv {
            Move::Piece { from, to, .. } => {
                (MoveKind::Piece, from.to_string(), vec![to.to_string()])
            }
            Move::Board { from, to, .. } => {
                (MoveKind::Board, from.to_string(), vec![to.to_string()])
            }
            Move::Castle(castling) => {
                let mut to = vec![castling.king_to.to_string()];
                if castling.rook_from != castling.king_to {
                    to.push(castling.rook_from.to_string());
                }
                (MoveKind::Castling, castling.king_from.to_string(), to)
            }
            Move::Promotion { pawn, .. } => (
                MoveKind::Promotion,
                pawn.to_string(),
                vec![pawn.to_string()],
            ),
        };
        LegalMove {
            text: position.bare_notation(mv),
            kind,
            from,
            to,
            promotion: mv.promotion().map(tridim::Role::letter),
            capture: position.is_capture(mv),
        }
    };
    position.legal_moves().into_iter().map(view).collect()
}

fn moves(game: &Game, times: &[Option<DateTime<Utc>>]) -> Vec<PlayedMove> {
    let times = times.iter().copied().chain(iter::repeat(None));
    let played = game.moves().zip(game.positions()).zip(times);
    let view = |((mv, before), time): ((Move, &Position), Option<DateTime<Utc>>)| PlayedMove {
        number: before.move_number(),
        color: before.side_to_move().name(),
        text: before.notation(mv),
        castling: match mv {
            Move::Castle(castling) => Some(castling.to_string()),
            _ => None,
        },
        time: time.map(written_time),
    };
    played.map(view).collect()
}

fn last(game: &Game) -> Option<LastMove> {
    let mv = game.moves().next_back()?;
    let before = game.positions().rev().nth(1)?;
    let step = |from: Square, to: Square| [from.to_string(), to.to_string()];
    let (pieces, board) = match mv {
        Move::Piece { from, to, .. } => (vec![step(from, to)], None),
        Move::Castle(castling) => (
            vec![
                step(castling.king_from, castling.king_to),
                step(castling.rook_from, castling.rook_to),
            ],
            None,
        ),
        Move::Promotion { pawn, .. } => (vec![step(pawn, pawn)], None),
        Move::Board { from, to, .. } => {
            let mut landings: Vec<Square> = SquareSet::of_pin(to).into_iter().collect();
            if from == to {
                landings.reverse();
            }
            let steps = SquareSet::of_pin(from).into_iter().zip(landings);
            let occupied = steps.filter(|&(square, _)| before.piece_on(square).is_some());
            let pins = [from.to_string(), to.to_string()];
            (
                occupied.map(|(square, to)| step(square, to)).collect(),
                Some(pins),
            )
        }
    };
    Some(LastMove { pieces, board })
}

/// Describes whose turn it is.
fn status(position: &Position, side: Side, thinking: bool) -> String {
    let mover = position.side_to_move();
    if let Some(pawn) = position.pending_promotion() {
        return format!("{mover} must first promote the pawn on {pawn}.");
    }
    if let Some(pin) = position.activated_board() {
        return format!("{mover} has activated the board on {pin} and must move it.");
    }
    let engine = !side.includes(mover);
    let turn = match (engine, thinking) {
        (_, true) => format!("The engine is thinking for {mover}."),
        (true, false) => format!("{mover} to move: the engine's turn."),
        (false, false) => format!("{mover} to move."),
    };
    match position.placement().checkers(mover).first() {
        Some(checker) => format!("{turn} {mover} is in check from {checker}."),
        None => turn,
    }
}
