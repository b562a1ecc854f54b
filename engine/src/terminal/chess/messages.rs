//! Clocks and evaluations as text.

use movegen::{Color, Game};
use search::{SearchResult, chances};

use formats::notation;
use formats::pgn::Eval;
use game::annotation;
use game::play::{Clocks, shown_clock};

/// Both clocks on one line.
pub(super) fn clocks(clocks: &Clocks) -> String {
    format!(
        "White {}   Black {}",
        shown_clock(clocks.white),
        shown_clock(clocks.black)
    )
}

/// Describes an evaluation.
pub(super) fn evaluation(game: &Game, found: &SearchResult) -> String {
    let position = game.position();
    let chances = chances(found.score, position);
    let (white, black) = match position.side_to_move() {
        Color::White => (chances.win, chances.loss),
        Color::Black => (chances.loss, chances.win),
    };
    let eval = match annotation::eval_for_white(found.score, position) {
        Eval::Centipawns(value) => format!("{:+.2} for White", f64::from(value) / 100.0),
        Eval::Mate(moves) if moves > 0 => format!("White mates in {moves}"),
        Eval::Mate(moves) => format!("Black mates in {}", -moves),
    };
    format!(
        "{eval}; White wins {} %, draw {} %, Black wins {} %; expected: {}",
        percent(white),
        percent(chances.draw),
        percent(black),
        notation::numbered_moves(position, found.pv().iter().copied()),
    )
}

fn percent(thousandths: u32) -> u32 {
    (thousandths + 5) / 10
}
