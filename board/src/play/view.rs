//! The complete state of a game as the page shows it.

use formats::{notation, openings};
use game::Side;
use game::play::Job;
use movegen::{Color, Game, Move, Position};
use service::strength::engine_name;

use super::Play;
use crate::illegal::sentence;
use crate::legal::{self, NamedMove};
use crate::messages::play::{
    ClaimView, ClocksView, GameView, MoveView, Players, PlyView, ResultView, Saved,
};

impl Play {
    pub(super) fn view(&self) -> GameView {
        let state = self.game.state();
        let (game, _) = state.played();
        let position = game.position();
        let is_over = state.is_over();
        let may_move = !is_over && state.is_user_to_move();
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
            pgn: self.pgn(),
            players: self.players(),
            saved: Saved {
                actions: state.lines().to_vec(),
                settings: self.settings.clone(),
                paused: self.game.is_paused(),
                id: self.entry.text.as_ref().map(|_| self.entry.id.clone()),
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
            _ => engine_name(self.game.state().level()),
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
    Some(MoveView {
        number: notation::move_number(position),
        mv: NamedMove::new(mv, position),
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
            mv: NamedMove::new(mv, position),
            rule: rule.to_string(),
        })
    });
    claims.collect()
}
