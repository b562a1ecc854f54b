//! The complete state of a game as the page shows it.

use std::collections::VecDeque;

use formats::{notation, openings};
use game::Side;
use game::play::{Job, Premove};
use movegen::{Color, Game, Move, Position, Square};
use serde::Serialize;
use service::strength::engine_name;

use super::{Play, Saved};
use crate::session::illegal::sentence;
use crate::session::legal::{self, ColorName, LegalMove};

#[derive(Debug, Serialize)]
pub(crate) struct GameView {
    /// Of the last position.
    fen: String,
    side: Side,
    start: PlyView,
    /// The name of the start position, unless it is obvious.
    start_name: Option<String>,
    moves: Vec<MoveView>,
    /// The opening, by the last position that has a name.
    opening: Option<String>,
    legal: Vec<LegalMove>,
    /// Whose pieces the user may move, now or as a premove.
    movable: Option<Side>,
    clocks: Option<ClocksView>,
    thinking: Option<&'static str>,
    /// The moves to play as soon as the engine has moved, one after each of its moves.
    premoves: VecDeque<Premove>,
    hint: Option<MoveView>,
    /// The rules under which a draw may be claimed now.
    claims: Vec<String>,
    /// The moves that they rest on, in words.
    claims_because: Option<String>,
    /// The moves with which a draw may be claimed.
    claims_with: Vec<ClaimView>,
    can_take_back: bool,
    can_redo: bool,
    can_pause: bool,
    paused: bool,
    can_offer_draw: bool,
    result: Option<ResultView>,
    players: Players,
    pgn: String,
    saved: Saved,
}

/// A position of the game.
#[derive(Debug, Serialize)]
struct PlyView {
    fen: String,
    check: bool,
}

#[derive(Debug, Serialize)]
struct MoveView {
    /// `12.` or `12...`.
    number: String,
    uci: String,
    san: String,
    from: Square,
    /// The king's destination for castling.
    to: Square,
    /// The mover's clock after the move, in milliseconds.
    clock: Option<u64>,
    after: PlyView,
}

#[derive(Debug, Serialize)]
struct ClocksView {
    white: u64,
    black: u64,
    /// The side whose clock runs.
    running: Option<ColorName>,
    /// As in `300+3`.
    control: String,
}

#[derive(Debug, Serialize)]
struct ClaimView {
    uci: String,
    san: String,
    rule: String,
}

#[derive(Debug, Serialize)]
struct ResultView {
    text: String,
    /// As in PGN.
    result: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Players {
    pub(super) white: String,
    pub(super) black: String,
}

impl Play {
    pub(super) fn view(&self) -> GameView {
        let state = self.game.state();
        let (game, _) = state.played();
        let position = game.position();
        let is_over = state.is_over();
        let may_move = !is_over && state.is_user_to_move();
        let kept = self.entry.as_ref();
        let kept = kept.filter(|_| self.kept == state.lines().len());
        let kept = kept.and_then(|entry| entry.text.clone());
        let claims = if may_move { game.claims() } else { Vec::new() };
        GameView {
            fen: fen(position),
            side: state.side,
            start: ply(game.start()),
            start_name: self.settings.start.clone(),
            moves: self.moves(game),
            opening: openings::find(game.start(), game.moves())
                .map(|(eco, name)| format!("{eco} {name}")),
            legal: if may_move {
                legal::moves(position)
            } else {
                Vec::new()
            },
            movable: (!is_over).then_some(state.side),
            clocks: self.clocks(),
            thinking: self.thinking(),
            premoves: self.game.premoves().clone(),
            hint: self.game.hint().and_then(|mv| move_view(position, mv)),
            claims: claims.iter().map(ToString::to_string).collect(),
            claims_because: (!claims.is_empty()).then(|| game.draw_report().to_string()),
            claims_with: if may_move && claims.is_empty() {
                claims_with(game)
            } else {
                Vec::new()
            },
            can_take_back: state.can_undo_turn(),
            can_redo: state.can_redo(),
            can_pause: state.time_left().is_some(),
            paused: self.game.is_paused(),
            can_offer_draw: self.game.can_offer_draw(),
            result: state.ending_for_user().map(|(words, result)| ResultView {
                text: sentence(&words),
                result: result.as_str(),
            }),
            pgn: kept.unwrap_or_else(|| self.pgn()),
            players: self.players(),
            saved: Saved {
                actions: state.lines().to_vec(),
                settings: self.settings.clone(),
                paused: self.game.is_paused(),
                id: self.entry.as_ref().map(|entry| entry.id.clone()),
            },
        }
    }

    /// The subject of the search that runs.
    fn thinking(&self) -> Option<&'static str> {
        match self.game.job() {
            Some(Job::Move) => Some("move"),
            Some(Job::Hint) => Some("hint"),
            Some(Job::DrawOffer) => Some("draw_offer"),
            None => self.is_reviewing.then_some("review"),
        }
    }

    pub(super) fn pgn(&self) -> String {
        let Players { white, black } = self.players();
        self.game.state().pgn(&white, &black)
    }

    pub(super) fn players(&self) -> Players {
        let name = |color: Color| match self.game.state().side {
            Side::Both => color.to_string(),
            side if side.includes(color) => self.settings.user().to_owned(),
            _ => engine_name(self.settings.elo),
        };
        Players {
            white: name(Color::White),
            black: name(Color::Black),
        }
    }

    fn moves(&self, game: &Game) -> Vec<MoveView> {
        let played = game.positions().zip(game.moves());
        let views = played.filter_map(|(position, mv)| move_view(position, mv));
        let (_, clocks) = self.game.state().played();
        let clocks = clocks.iter().copied().chain(std::iter::repeat(None));
        views
            .zip(clocks)
            .map(|(view, clock)| MoveView {
                clock: clock.map(milliseconds),
                ..view
            })
            .collect()
    }

    fn clocks(&self) -> Option<ClocksView> {
        let clocks = self.game.state().clocks()?;
        let side_to_move = self.game.state().game.position().side_to_move();
        let is_running = self.game.state().is_clock_running();
        Some(ClocksView {
            white: milliseconds(clocks.white),
            black: milliseconds(clocks.black),
            running: is_running.then(|| side_to_move.name()),
            control: clocks.control.to_string(),
        })
    }
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn fen(position: &Position) -> String {
    notation::fen(position, position.variant())
}

fn ply(position: &Position) -> PlyView {
    PlyView {
        fen: fen(position),
        check: position.in_check(),
    }
}

fn move_view(position: &Position, mv: Move) -> Option<MoveView> {
    let after = position.try_play(mv)?;
    let color = position.side_to_move();
    Some(MoveView {
        number: notation::move_number(position),
        uci: mv.uci(position.variant()).to_string(),
        san: position.san(mv),
        from: mv.from(),
        to: mv
            .castling_side()
            .map_or(mv.to(), |side| side.king_target(color)),
        clock: None,
        after: ply(&after),
    })
}

/// The claims that a move completes, unless a draw may be claimed without one.
fn claims_with(game: &Game) -> Vec<ClaimView> {
    let position = game.position();
    let moves = position.legal_moves();
    let claims = moves.iter().filter_map(|&mv| {
        let rule = *game.claims_with(mv).first()?;
        Some(ClaimView {
            uci: mv.uci(position.variant()).to_string(),
            san: position.san(mv),
            rule: rule.to_string(),
        })
    });
    claims.collect()
}
