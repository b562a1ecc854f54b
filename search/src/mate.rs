//! `go mate N`: whether the side to move mates, or is mated, in at most N moves, and in how many.
//!
//! Proof-number search (df-pn) and the alpha-beta search take turns, each longer than the last:
//! df-pn decides short mates either way, alpha-beta sees some long ones sooner and has a move to
//! play when there is no mate. Every mate of df-pn is proven, with a line to its end.

mod budget;
mod dfpn;
mod proof;
mod pv;
mod reporter;
mod table;

use crate::observer::{Observer, SearchResult};
use crate::reporting;
use crate::root;
use crate::shared::Shared;
use crate::smp::ThreadPool;
use crate::thread::Stopped;
use budget::Rules;
use dfpn::DfPn;
use movegen::{Game, Move};
use reporter::Reporter;
use std::cell::Cell;

/// The longest mate df-pn looks for.
const LONGEST: u8 = 100;

/// Mates up to this length are always proven to be the shortest.
const SURE_MOVES: u8 = 6;
/// The proof that a longer mate is the shortest may take as many nodes as the search before it,
/// but at least this many.
const LEAST_SHORTENING_NODES: u64 = 500_000;

/// The nodes of the first turns; those of df-pn take less time.
const FIRST_SEARCH_NODES: u64 = 20_000;
const FIRST_PROOF_NODES: u64 = 100_000;
/// Turns double at most this often.
const LAST_TURN: u32 = 20;

/// Searches until the question is answered or a limit is reached.
pub(crate) fn search(
    threads: &mut ThreadPool,
    shared: &Shared<'_>,
    wanted: u32,
    observer: &mut dyn Observer,
) -> SearchResult {
    let game = shared.game;
    let allowed = root::allowed(game.position(), &shared.options.limits);
    if allowed.is_empty() {
        return reporting::no_move(shared);
    }
    let most = u8::try_from(wanted).unwrap_or(LONGEST).clamp(1, LONGEST);
    // All nodes but those of the running proof.
    let elsewhere = Cell::new(0);
    let may_continue = |nodes: u64| may_continue(shared, elsewhere.get() + nodes);
    let us = game.position().side_to_move();
    let mut attackers = [us, !us].map(|attacker| Attacker {
        dfpn: DfPn::new(
            Rules::of(game, most),
            attacker,
            shared.tt.megabytes(),
            &may_continue,
        ),
        goal: most,
        disproved: 0,
    });
    let total = |attackers: &[Attacker<'_>], reporter: &Reporter<'_>| {
        let proofs = attackers.iter().map(|attacker| attacker.dfpn.budget.nodes);
        reporter.searched + proofs.sum::<u64>()
    };
    let mut reporter = Reporter::new(observer, shared);
    let mut turn = 0;
    let mut outcome = search_on(threads, shared, &mut reporter, FIRST_SEARCH_NODES);
    let mut has_nodes_left = outcome.nodes < FIRST_SEARCH_NODES;
    'turns: loop {
        for index in 0..attackers.len() {
            let spent = total(&attackers, &reporter);
            let Some(attacker) = attackers
                .get_mut(index)
                .filter(|attacker| attacker.goal > 0)
            else {
                continue;
            };
            elsewhere.set(spent - attacker.dfpn.budget.nodes);
            // Is a mate that the search has found the shortest?
            let seen = reporter
                .seen
                .filter(|&moves| (moves > 0) == (index == 0))
                .and_then(|moves| u8::try_from(moves.unsigned_abs()).ok())
                .filter(|&moves| moves > attacker.disproved && moves <= most);
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
                Attempt::NoMate if attacker.goal < most => {
                    // Only the length that the search has seen.
                    attacker.disproved = attacker.goal;
                    attacker.goal = most;
                }
                Attempt::NoMate => attacker.goal = 0,
                Attempt::Unknown if seen.is_some() => break 'turns,
                Attempt::Unknown => {}
            }
        }
        if attackers.iter().all(|attacker| attacker.goal == 0) {
            reporter.no_mate(most.into());
            break;
        }
        let spent = total(&attackers, &reporter);
        // A turn with nodes left has completed the depth that is wanted.
        let is_deep_enough = shared.options.limits.depth.is_some() && has_nodes_left;
        if outcome.best_move.is_none() || is_deep_enough || !self::may_continue(shared, spent) {
            break;
        }
        turn = (turn + 1).min(LAST_TURN);
        reporter.proved = spent - reporter.searched;
        let nodes = FIRST_SEARCH_NODES << turn;
        let next = search_on(threads, shared, &mut reporter, nodes);
        has_nodes_left = next.nodes < nodes;
        // A turn that a limit has ended early knows less.
        if next.depth >= outcome.depth || next.score.is_mate() {
            outcome = next;
        }
    }
    outcome.nodes = total(&attackers, &reporter);
    outcome.time = reporter.elapsed();
    outcome
}

/// A turn of the alpha-beta search.
fn search_on(
    threads: &mut ThreadPool,
    shared: &Shared<'_>,
    reporter: &mut Reporter<'_>,
    nodes: u64,
) -> SearchResult {
    let part = shared.part(nodes, reporter.searched);
    reporter.begin();
    let outcome = threads.search(&part, reporter, &mut |_, _| ());
    reporter.end(&outcome);
    outcome
}

/// No limit is reached, and the caller has not stopped the search.
fn may_continue(shared: &Shared<'_>, nodes: u64) -> bool {
    let limits = &shared.options.limits;
    let most_nodes = limits.nodes.into_iter().chain(limits.soft_nodes).min();
    !shared.control.is_stopped()
        && most_nodes.is_none_or(|most| nodes < most)
        && !shared.out_of_time()
}

/// The nodes for proving that a mate is the shortest.
fn shortening_nodes(moves: u8, spent: u64) -> u64 {
    if moves <= SURE_MOVES {
        u64::MAX
    } else {
        spent.max(LEAST_SHORTENING_NODES)
    }
}

/// The attempt of a side to mate.
struct Attacker<'a> {
    dfpn: DfPn<'a>,
    /// The length of the mate to prove; 0 when there is none.
    goal: u8,
    /// There is no mate of this length or less.
    disproved: u8,
}

enum Attempt {
    Mate(Vec<Move>),
    NoMate,
    /// A limit was reached first.
    Unknown,
}

impl Attacker<'_> {
    fn attempt(&mut self, game: &Game, allowed: &[Move], nodes: u64) -> Attempt {
        let root = game.position();
        self.dfpn.budget.pause_after(nodes);
        match self.dfpn.mates(root, allowed, self.goal) {
            Err(Stopped) => Attempt::Unknown,
            Ok(false) => Attempt::NoMate,
            Ok(true) => {
                self.dfpn.budget.pause_after(u64::MAX);
                let line = pv::trace(&mut self.dfpn, root, allowed, self.goal);
                line.map_or(Attempt::Unknown, Attempt::Mate)
            }
        }
    }

    /// Reports a mate and looks for shorter ones.
    fn shorten(
        &mut self,
        game: &Game,
        allowed: &[Move],
        mut line: Vec<Move>,
        reporter: &mut Reporter<'_>,
    ) -> SearchResult {
        let info = loop {
            let info = reporter.mate(&line, self.dfpn.budget.nodes);
            let moves = u8::try_from(line.len().div_ceil(2)).unwrap_or(LONGEST);
            self.goal = moves - 1;
            let spent = reporter.nodes_elsewhere + self.dfpn.budget.nodes;
            let shorter = (self.goal > 0)
                .then(|| self.attempt(game, allowed, shortening_nodes(moves, spent)));
            match shorter {
                Some(Attempt::Mate(found)) => line = found,
                _ => break info,
            }
        };
        SearchResult {
            best_move: info.pv.first().copied(),
            ponder: info.pv.get(1).copied(),
            score: info.score,
            depth: info.depth,
            nodes: reporter.nodes_elsewhere + self.dfpn.budget.nodes,
            time: reporter.elapsed(),
            lines: vec![info],
        }
    }
}
