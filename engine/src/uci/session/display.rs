//! `d`: the position, for people and for scripts that compare engines.

use movegen::{Claim, FIVEFOLD, Game, Position, SEVENTY_FIVE_MOVE_PLIES, Variant};

use crate::output::board::BoardStyle;
use formats::notation;

/// The board, then one named line for each fact.
pub(super) fn lines(game: &Game, variant: Variant) -> Vec<String> {
    let position = game.position();
    let fen = notation::fen(position, variant);
    let facts = [
        String::new(),
        format!("Fen: {fen}"),
        format!("Key: {:016x}", position.key()),
        format!("Checkers: {}", checkers(position)),
        format!("Legal: {}", legal_moves(position, variant)),
        format!("State: {}", state(game)),
        format!("Claims: {}", claims_with_moves(game, variant)),
    ];
    board(position).chain(facts).collect()
}

fn board(position: &Position) -> impl Iterator<Item = String> {
    let mut lines = BoardStyle::PLAIN.lines(position, None);
    if let Some(files) = lines.last_mut() {
        files.push_str(&format!("    {} to move", position.side_to_move()));
    }
    lines.into_iter()
}

/// The words, or a dash if there are none.
fn or_dash(words: &[String]) -> String {
    if words.is_empty() {
        "-".to_owned()
    } else {
        words.join(" ")
    }
}

fn checkers(position: &Position) -> String {
    let squares = position.checkers().into_iter();
    or_dash(&squares.map(|square| square.to_string()).collect::<Vec<_>>())
}

fn legal_moves(position: &Position, variant: Variant) -> String {
    let moves = position.legal_moves();
    let pairs = moves
        .iter()
        .map(|&mv| format!("{}={}", mv.uci(variant), position.san(mv)));
    or_dash(&pairs.collect::<Vec<_>>())
}

/// The moves with which a draw can be claimed before they are played.
fn claims_with_moves(game: &Game, variant: Variant) -> String {
    let moves = game.position().legal_moves();
    let pairs = moves.iter().flat_map(|&mv| {
        game.claims_with(mv).into_iter().map(move |claim| {
            let name = match claim {
                Claim::FiftyMoves => "fifty-move",
                Claim::Threefold => "threefold",
            };
            format!("{}={name}", mv.uci(variant))
        })
    });
    or_dash(&pairs.collect::<Vec<_>>())
}

/// Everything that applies, not only what ends the game first.
fn state(game: &Game) -> String {
    let position = game.position();
    let claims = game.claims();
    let seventy_five = position.halfmove_clock() >= SEVENTY_FIVE_MOVE_PLIES;
    let words: Vec<&str> = [
        (position.in_check(), "check"),
        (position.is_checkmate(), "checkmate"),
        (position.is_stalemate(), "stalemate"),
        (claims.contains(&Claim::FiftyMoves), "fifty-move-claim"),
        (seventy_five && position.has_moves(), "seventy-five-moves"),
        (claims.contains(&Claim::Threefold), "threefold-claim"),
        (game.occurrences() >= FIVEFOLD, "fivefold"),
        (position.is_insufficient_material(), "insufficient-material"),
    ]
    .into_iter()
    .filter_map(|(holds, word)| holds.then_some(word))
    .collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}
