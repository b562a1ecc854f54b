//! Static exchange by its definition: the sides take in turn, each with its least man, and
//! each may stop. Where two least men are worth the same, either may take, so the definition
//! gives a set of results; which of them counts is the implementer's choice.

use crate::slow::{self, Men};
use movegen::{Color, Move, MoveKind, Piece, Position, Role, SeeValues, Square};
use std::collections::BTreeSet;

/// What `side` can gain by taking on `target`, where a man worth `at_stake` stands.
fn recaptures(
    men: &Men,
    target: Square,
    side: Color,
    at_stake: i32,
    values: &SeeValues,
) -> BTreeSet<i32> {
    let takers: Vec<(Square, Role)> = slow::attackers(men, side, target)
        .into_iter()
        .filter_map(|square| Some((square, men[square.index()]?.role())))
        .collect();
    let Some(least) = takers.iter().map(|&(_, role)| role).min() else {
        return BTreeSet::from([0]);
    };
    let mut results = BTreeSet::new();
    for &(from, _) in takers.iter().filter(|&&(_, role)| role == least) {
        if least == Role::King && slow::attackers(men, !side, target).any() {
            results.insert(0);
            continue;
        }
        let mut after = *men;
        after[target.index()] = after[from.index()].take();
        let answers = recaptures(&after, target, !side, values[least.index()], values);
        results.extend(answers.into_iter().map(|answer| (at_stake - answer).max(0)));
    }
    results
}

/// What playing `mv` gains when both sides then exchange on its square.
pub(crate) fn results(position: &Position, mv: Move, values: &SeeValues) -> BTreeSet<i32> {
    let worth = |man: Option<Piece>| man.map_or(0, |man| values[man.role().index()]);
    let (from, to) = (mv.from(), mv.to());
    let mut men = slow::men(position);
    let mut gained = worth(men[to.index()]);
    let mut mover = men[from.index()].take();
    match mv.kind() {
        MoveKind::Normal => {}
        MoveKind::Castling => return BTreeSet::from([0]),
        MoveKind::EnPassant => {
            gained = worth(men[Square::at(to.file(), from.rank()).index()].take());
        }
        MoveKind::Promotion(role) => {
            let promoted = Some(Piece::new(position.side_to_move(), role));
            gained += worth(promoted) - worth(mover);
            mover = promoted;
        }
    }
    men[to.index()] = mover;
    recaptures(&men, to, !position.side_to_move(), worth(mover), values)
        .into_iter()
        .map(|answer| gained - answer)
        .collect()
}
