//! The castling inspector: the six conditions of castling for both colors and sides, with the
//! squares they are about, and the halfmove clock, for any position.

use anyhow::{Result, anyhow};
use formats::notation;
use movegen::{
    Bitboard, CastlingError, CastlingReport, CastlingRight, CastlingSide, Color, FIFTY_MOVE_PLIES,
    Game, Move, Position, SEVENTY_FIVE_MOVE_PLIES, UciMoveError, Validated, Variant,
};

use crate::illegal;
use crate::legal;
use crate::messages::castling::{
    Attackers, Clock, ColorReport, Condition, Event, InspectedMove, InspectedPosition, Played,
    Request, SideReport,
};

/// Answers a request; nothing is kept.
pub(crate) fn answer(request: &Request) -> Event {
    match report(request) {
        Ok(report) => Event::Report(Box::new(report)),
        Err(error) => Event::Error {
            text: error.to_string(),
        },
    }
}

fn report(request: &Request) -> Result<InspectedPosition> {
    let Request::Inspect {
        fen,
        chess960,
        moves,
        free,
    } = request;
    let variant = Variant::from_chess960(*chess960);
    let Validated {
        position, dropped, ..
    } = Validated::from_fen(fen, variant)?;
    let mut line = Line {
        game: Game::new(position),
        whole: true,
    };
    let mut last = None;
    for (index, uci) in moves.iter().enumerate() {
        // Those before the last one were accepted when they were made.
        if *free || index + 1 < moves.len() {
            line.turn_to_mover(uci);
        }
        let before = *line.game.position();
        let mv = line.game.move_from_uci(uci).map_err(|error| match error {
            // The page shows the move.
            UciMoveError::Illegal { reasons, .. } => anyhow!("{reasons:#}"),
            error => error.into(),
        })?;
        line.game.push(mv)?;
        last = Some(played(&before, mv, line.game.position()));
    }
    let notes = dropped.iter().map(illegal::sentence).collect();
    Ok(inspect(&line, last, notes, *free))
}

/// The moves that led to a position.
struct Line {
    game: Game,
    /// The game has all of them; a side that moved out of turn has begun another one.
    whole: bool,
}

impl Line {
    /// Gives the turn to the side whose piece this move would move, if that is possible.
    fn turn_to_mover(&mut self, uci: &str) {
        let position = self.game.position();
        let from = uci.get(..2).and_then(|square| square.parse().ok());
        let other = position.by_color(!position.side_to_move());
        if from.is_some_and(|from| other.has(from))
            && let Ok(passed) = legal::passed(position)
        {
            self.game = Game::new(passed);
            self.whole = false;
        }
    }

    /// Castling of the side to move in `position`: this one, or this one with the turn passed. A
    /// lost right comes with the move by which it was.
    fn castling_report(&self, position: &Position, side: CastlingSide) -> CastlingReport {
        let mut report = position.castling_report(side);
        if self.whole && report.no_right.is_some() {
            report.no_right = Some(self.game.lost_right(report.color, side));
        }
        report
    }
}

/// The legal moves, and what each changes.
fn inspected_moves(position: &Position) -> Vec<InspectedMove> {
    let named = legal::moves(position).into_iter();
    let moves = position.legal_moves();
    let inspected = named.zip(&moves).map(|(named, mv)| {
        let after = position.play_unchecked(*mv);
        InspectedMove {
            mv: named,
            resets: after.halfmove_clock() == 0,
            revokes: revoked(position, &after)
                .into_iter()
                .map(|(color, side)| CastlingRight::Outermost(color, side).letter())
                .collect(),
        }
    });
    inspected.collect()
}

fn inspect(
    line: &Line,
    played: Option<Played>,
    notes: Vec<String>,
    free: bool,
) -> InspectedPosition {
    let position = line.game.position();
    let other = free.then(|| legal::passed(position).ok()).flatten();
    InspectedPosition {
        fen: notation::fen(position, position.variant()),
        chess960: position.variant() == Variant::Chess960,
        side_to_move: position.side_to_move().name(),
        check: position.in_check(),
        legal: inspected_moves(position),
        others: other.as_ref().map(inspected_moves).unwrap_or_default(),
        empty: squares(!position.occupied()),
        notes,
        sides: Color::ALL.map(|color| color_report(line, color)).into(),
        clock: clock(position),
        played,
    }
}

/// The rights that a move has revoked.
fn revoked(before: &Position, after: &Position) -> Vec<(Color, CastlingSide)> {
    let rights = Color::ALL.map(|color| CastlingSide::ALL.map(|side| (color, side)));
    let revoked = rights.into_iter().flatten().filter(|&(color, side)| {
        let rook = before
            .castling_rights()
            .rook(color, side, before.king(color));
        rook.is_some_and(|rook| !after.castling_rights().rooks().has(rook))
    });
    revoked.collect()
}

fn played(before: &Position, mv: Move, after: &Position) -> Played {
    let mut effects = Vec::new();
    for (color, side) in revoked(before, after) {
        effects.push(format!("{color} may no longer castle {side}."));
    }
    effects.push(match after.halfmove_clock() {
        0 if before.is_capture(mv) => "A capture sets the halfmove clock to 0.".to_owned(),
        0 => "A pawn move sets the halfmove clock to 0.".to_owned(),
        clock => format!("The halfmove clock is now {clock}."),
    });
    Played {
        san: before.san(mv),
        from: mv.from().to_string(),
        to: mv.to().to_string(),
        effects,
    }
}

fn color_report(line: &Line, color: Color) -> ColorReport {
    let position = line.game.position();
    let to_move = position.side_to_move() == color;
    let own_turn = if to_move {
        Ok(*position)
    } else {
        legal::passed(position)
    };
    let (castling, impossible) = match own_turn {
        Ok(position) => {
            let sides = CastlingSide::ALL.map(|side| side_report(line, &position, side));
            (sides.into(), None)
        }
        Err(reason) => (Vec::new(), Some(reason)),
    };
    ColorReport {
        color: color.name(),
        to_move,
        impossible,
        castling,
        attacked: squares(position.attacked_by(!color)),
    }
}

fn side_report(line: &Line, position: &Position, side: CastlingSide) -> SideReport {
    let report = line.castling_report(position, side);
    let path = report.path;
    let mv = position.castling_move(side).ok();
    let attackers = report.attacked.iter().map(|(square, by)| Attackers {
        square: square.to_string(),
        from: squares(by.squares()),
    });
    let homes = Bitboard::of(path.king_home) | Bitboard::of(path.rook_home);
    let crossed = named(path.all() & !homes);
    let titles = [
        "The right to castle: neither the king nor the rook has moved".to_owned(),
        format!("The king is on its home square, {}", path.king_home),
        format!("The rook is on its home square, {}", path.rook_home),
        format!("The squares on the path are empty: {crossed}"),
        "The king is not in check".to_owned(),
        format!("The king's path is not attacked: {}", named(path.king)),
    ];
    let conditions = titles.into_iter().zip(report.conditions());
    SideReport {
        side: side.to_string(),
        san: side.san(),
        uci: mv.map(|mv| mv.uci(position.variant()).to_string()),
        conditions: conditions
            .map(|(title, errors)| Condition {
                title,
                reason: joined(&errors),
            })
            .collect(),
        king: [path.king_home, path.king_target].map(|square| square.to_string()),
        rook: [path.rook_home, path.rook_target].map(|square| square.to_string()),
        king_path: squares(path.king),
        rook_path: squares(path.rook),
        blockers: squares(report.blockers),
        attackers: attackers.collect(),
    }
}

/// The reasons without what the title already says, if there are any.
fn joined(errors: &[CastlingError]) -> Option<String> {
    let details: Vec<String> = errors.iter().map(CastlingError::detail).collect();
    (!details.is_empty()).then(|| details.join("; "))
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

fn named(set: Bitboard) -> String {
    if set.is_empty() {
        "none".to_owned()
    } else {
        squares(set).join(", ")
    }
}

fn clock(position: &Position) -> Clock {
    let plies = position.halfmove_clock();
    let until_claim = FIFTY_MOVE_PLIES.saturating_sub(plies);
    let until_end = SEVENTY_FIVE_MOVE_PLIES.saturating_sub(plies);
    let text = match (until_claim, until_end) {
        (_, 0) => {
            "The game is drawn by the seventy-five-move rule, unless it is checkmate.".to_owned()
        }
        (0, end) => format!(
            "The side to move can claim a draw by the fifty-move rule. \
             The game ends by itself after {}.",
            more(end),
        ),
        (claim, _) => format!("A draw can be claimed after {}.", more(claim)),
    };
    Clock { plies, text }
}

/// A number of plies in moves of both sides, if it is even.
fn more(plies: u16) -> String {
    match plies {
        1 => "the next move".to_owned(),
        2 => "1 more move of both sides".to_owned(),
        plies if plies % 2 == 0 => format!("{} more moves of both sides", plies / 2),
        plies => format!("{plies} more half-moves"),
    }
}
