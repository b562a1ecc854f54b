//! `go mate`: whether the side to move mates, or is mated, in at most so many moves, and in how
//! many exactly.
//!
//! A dfpn that leaves nothing out and the search that plays games take turns, each for longer
//! every time: the first settles short mates either way, the second sees some long ones sooner
//! and has a move to play when there is no mate. Every mate the dfpn tells is proven, and
//! played out to its end.

mod dfpn;
mod proof;
mod pv;
mod reporter;
mod short;
mod table;

use crate::observer::{Observer, Outcome};
use crate::root;
use crate::shared::Shared;
use crate::smp::ThreadPool;
use dfpn::{DfPn, Rules};
use movegen::{Game, Move};
use reporter::Reporter;
use std::cell::Cell;

/// Longer mates are not sought by the dfpn.
const LONGEST: u8 = 100;

/// A mate so short is not left before it is known that none is shorter; of longer ones that is
/// tried no longer than was searched before.
const SURE_MOVES: u8 = 6;

/// But at least so many nodes.
const LEAST_SHORTENING_NODES: u64 = 500_000;

/// The first turns of the search and of the dfpn, whose nodes take less time.
const FIRST_SEARCH_NODES: u64 = 20_000;
const FIRST_PROOF_NODES: u64 = 100_000;
/// Turns get no longer than so many times twice as long.
const LAST_TURN: u32 = 20;

/// Searches to the end; the observer gets all but the move.
pub(crate) fn search(
    threads: &mut ThreadPool,
    shared: &Shared<'_>,
    wanted: u32,
    observer: &mut dyn Observer,
) -> Outcome {
    let game = shared.game;
    let most = u8::try_from(wanted).unwrap_or(LONGEST).clamp(1, LONGEST);
    // Nodes of all but the dfpn at work.
    let elsewhere = Cell::new(0);
    let may_continue = |nodes: u64| may_continue(shared, elsewhere.get() + nodes);
    let us = game.position().side_to_move();
    let mut attackers = [us, !us].map(|attacker| Attacker {
        dfpn: DfPn::new(
            Rules::of(game, most),
            attacker,
            shared.table.megabytes(),
            &may_continue,
        ),
        goal: most,
    });
    let total = |attackers: &[Attacker<'_>], reporter: &Reporter<'_>| {
        let proofs = attackers.iter().map(|attacker| attacker.dfpn.nodes);
        reporter.searched + proofs.sum::<u64>()
    };
    let mut reporter = Reporter::new(observer, shared);
    let allowed = root::allowed(game.position(), &shared.options.limits);
    let mut turn = 0;
    let mut outcome = 'turns: loop {
        let outcome = search_on(threads, shared, &mut reporter, FIRST_SEARCH_NODES << turn);
        for index in 0..attackers.len() {
            let spent = total(&attackers, &reporter);
            let Some(attacker) = attackers
                .get_mut(index)
                .filter(|attacker| attacker.goal > 0)
            else {
                continue;
            };
            elsewhere.set(spent - attacker.dfpn.nodes);
            // The search may have seen a mate already: is it the shortest?
            let seen = reporter
                .seen
                .filter(|&moves| (moves > 0) == (index == 0))
                .and_then(|moves| u8::try_from(moves.unsigned_abs()).ok())
                .filter(|&moves| moves <= most);
            attacker.goal = seen.unwrap_or(attacker.goal);
            let nodes = match seen {
                Some(moves) => shortening_nodes(moves, spent),
                None => FIRST_PROOF_NODES << turn,
            };
            match attacker.attempt(game, &allowed, nodes) {
                Attempt::Mate(line) => {
                    reporter.nodes_elsewhere = elsewhere.get();
                    return attacker.shorten(game, &allowed, line, &mut reporter);
                }
                Attempt::NoMate => attacker.goal = 0,
                Attempt::Unknown if seen.is_some() => break 'turns outcome,
                Attempt::Unknown => {}
            }
        }
        if attackers.iter().all(|attacker| attacker.goal == 0) {
            reporter.no_mate(wanted);
            break outcome;
        }
        if outcome.best_move.is_none() || !self::may_continue(shared, total(&attackers, &reporter))
        {
            break outcome;
        }
        turn = (turn + 1).min(LAST_TURN);
    };
    outcome.nodes = total(&attackers, &reporter);
    outcome
}

/// The search's own view, for so many nodes.
fn search_on(
    threads: &mut ThreadPool,
    shared: &Shared<'_>,
    reporter: &mut Reporter<'_>,
    nodes: u64,
) -> Outcome {
    let part = shared.part(nodes, reporter.searched);
    reporter.begin();
    let outcome = threads.search(&part, reporter);
    reporter.end(outcome.nodes);
    outcome
}

/// No limit is reached with so many nodes, and the caller has not stopped the search.
fn may_continue(shared: &Shared<'_>, nodes: u64) -> bool {
    let limits = &shared.options.limits;
    let most_nodes = limits.nodes.into_iter().chain(limits.soft_nodes).min();
    !shared.stop.is_stopped() && most_nodes.is_none_or(|most| nodes < most) && !shared.out_of_time()
}

/// How long a mate of so many moves is looked into when so much was spent before.
fn shortening_nodes(moves: u8, spent: u64) -> u64 {
    if moves <= SURE_MOVES {
        u64::MAX
    } else {
        spent.max(LEAST_SHORTENING_NODES)
    }
}

/// What one of the sides might do to the other.
struct Attacker<'a> {
    dfpn: DfPn<'a>,
    /// A mate of so many moves is sought; 0 when there is none.
    goal: u8,
}

enum Attempt {
    Mate(Vec<Move>),
    NoMate,
    /// There was no time to find out.
    Unknown,
}

impl Attacker<'_> {
    fn attempt(&mut self, game: &Game, allowed: &[Move], nodes: u64) -> Attempt {
        let root = game.position();
        self.dfpn.pause_after(nodes);
        match self.dfpn.mates(root, allowed, self.goal) {
            None => Attempt::Unknown,
            Some(false) => Attempt::NoMate,
            Some(true) => {
                self.dfpn.pause_after(u64::MAX);
                let line = pv::trace(&mut self.dfpn, root, allowed, self.goal);
                line.map_or(Attempt::Unknown, Attempt::Mate)
            }
        }
    }

    /// Tells a mate and looks for shorter ones.
    fn shorten(
        &mut self,
        game: &Game,
        allowed: &[Move],
        mut line: Vec<Move>,
        reporter: &mut Reporter<'_>,
    ) -> Outcome {
        let info = loop {
            let info = reporter.mate(&line, self.dfpn.nodes);
            let moves = u8::try_from(line.len().div_ceil(2)).unwrap_or(LONGEST);
            self.goal = moves - 1;
            let spent = reporter.nodes_elsewhere + self.dfpn.nodes;
            let shorter = (self.goal > 0)
                .then(|| self.attempt(game, allowed, shortening_nodes(moves, spent)));
            match shorter {
                Some(Attempt::Mate(found)) => line = found,
                _ => break info,
            }
        };
        Outcome {
            best_move: info.pv.first().copied(),
            ponder: info.pv.get(1).copied(),
            score: info.score,
            depth: info.depth,
            nodes: reporter.nodes_elsewhere + self.dfpn.nodes,
            time: reporter.elapsed(),
            lines: vec![info],
        }
    }
}
