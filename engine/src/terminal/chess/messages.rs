//! Clocks, evaluations and the score sheet as text.

use movegen::{Color, Game};
use search::{SearchResult, chances};

use common::plural;
use formats::notation;
use formats::pgn::{Eval, Nag, Record};
use game::annotation::{self, Evaluation, GameReport};
use game::play::{Clocks, shown_clock};

/// Both clocks on one line.
pub(super) fn clocks(clocks: &Clocks) -> String {
    format!(
        "White {}   Black {}",
        shown_clock(clocks.white),
        shown_clock(clocks.black)
    )
}

/// The moves that decided a game.
const MOMENTS: usize = 3;

/// Accuracy and mistakes of both sides, and the moves that decided the game.
pub(in crate::terminal) fn review(
    record: &Record,
    evaluations: &[Evaluation],
    report: &GameReport,
) -> Vec<String> {
    let sides = [(Color::White, &report.white), (Color::Black, &report.black)];
    let mut lines: Vec<String> = sides
        .into_iter()
        .filter_map(|(color, side)| {
            let (accuracy, acpl) = side.accuracy.zip(side.acpl)?;
            Some(format!(
                "{color}: accuracy {accuracy:.1} %, average centipawn loss {acpl}, {}, {}, {}",
                plural(side.inaccuracies, "inaccuracy"),
                plural(side.mistakes, "mistake"),
                plural(side.blunders, "blunder"),
            ))
        })
        .collect();
    if lines.is_empty() {
        return vec!["No move has been played.".to_owned()];
    }
    let decisive = report.decisive(MOMENTS);
    let played = notation::legal_moves(&record.start, record.moves());
    for (ply, (position, mv)) in played.enumerate().filter(|(ply, _)| decisive.contains(ply)) {
        let (Some(loss), Some(before), Some(after)) = (
            report.losses.get(ply),
            evaluations.get(ply),
            evaluations.get(ply + 1),
        ) else {
            break;
        };
        let mark = loss.assessment.map_or("", Nag::symbol);
        let best = before.line.first().map(|&best| position.san(best));
        let reason = report.reasons.get(ply).and_then(Option::as_ref);
        lines.push(format!(
            "{} {}{mark}  {} -> {}{}{}",
            notation::move_number(&position),
            position.san(mv),
            written(before),
            written(after),
            best.map_or_else(String::new, |best| format!("; better was {best}")),
            reason.map_or_else(String::new, |reason| format!(". {reason}")),
        ));
    }
    lines
}

fn written(evaluation: &Evaluation) -> String {
    match evaluation.eval {
        Some(Eval::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(Eval::Mate(moves)) => format!("#{moves}"),
        None => "mate".to_owned(),
    }
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
