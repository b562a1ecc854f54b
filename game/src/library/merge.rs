//! Three-way merging of a game that two writers have changed since both read it.
//!
//! The moves of the three games are one tree. In it each side's changes are applied: moves and
//! annotations that either has added are there, what one has removed is gone unless the other has
//! changed it. Moves and result of the game itself are one thing, which only one side may have
//! changed.

use std::collections::HashMap;

use formats::pgn::{ACCURACY_TAGS, Comment, GameResult, Nag, Record, Tags, Variation};
use movegen::Move;

use super::{GameKind, record};
use crate::tree::{NodeId, Note, ROOT, Tree};

/// The text with the changes of both sides; `None` if they exclude each other. A `base` that cannot
/// be read counts as a game without moves.
pub(super) fn merge(kind: GameKind, base: &str, theirs: &str, mine: &str) -> Option<String> {
    match kind {
        // Lines are only added.
        GameKind::Tridim => mine.starts_with(theirs).then(|| mine.to_owned()),
        GameKind::Chess => {
            let [theirs, mine] = [record(theirs)?, record(mine)?];
            let base = record(base).filter(|base| base.start == mine.start);
            let base = base.unwrap_or_else(|| Record::new(mine.start));
            // To write a game anew drops what was not read.
            let is_whole = theirs.start == mine.start && theirs.warnings.is_empty();
            let merged = is_whole.then(|| records(&base, &theirs, &mine)).flatten();
            merged.map(|merged| merged.pgn())
        }
    }
}

fn records(base: &Record, theirs: &Record, mine: &Record) -> Option<Record> {
    // The game is that of the one, with what the other adds.
    let [one, other] = if takes_theirs(base, theirs, mine)? {
        [theirs, mine]
    } else {
        [mine, theirs]
    };
    let (mut tree, _) = Tree::without_moves(Record {
        tags: tags(base, one, other),
        ..one.clone()
    });
    // Moves of the one come first.
    let [of_one, of_other, of_base] = [one, other, base].map(|record| add(&mut tree, record));
    // Each move is behind those before it.
    for id in (0..tree.size()).rev() {
        let before = of_base.get(&id);
        let note = match (of_one.get(&id), of_other.get(&id)) {
            (Some(one), Some(other)) => {
                Some(Note::merged(before.unwrap_or(&Note::default()), one, other))
            }
            // A move that one side has removed stays if the other has changed it, or what follows
            // it.
            (Some(note), None) | (None, Some(note)) => {
                let is_removed = before == Some(note) && tree.children(id).is_empty();
                (!is_removed).then(|| note.clone())
            }
            (None, None) => None,
        };
        match note {
            Some(note) => *tree.note_mut(id).ok()? = note,
            None => tree.detach(id),
        }
    }
    let record = tree.settled()?;
    record.moves().eq(one.moves()).then_some(record)
}

/// Adds the moves of a game to a tree, and returns its annotations.
fn add(tree: &mut Tree, record: &Record) -> HashMap<NodeId, Note> {
    let Variation { comment, moves } = record.main_line.clone();
    let root = Note {
        comment,
        ..Note::default()
    };
    let mut notes = HashMap::from([(ROOT, root)]);
    let mut add = |tree: &mut Tree, parent, mv, note| {
        let id = tree.child(parent, mv);
        let id = id.unwrap_or_else(|| tree.push(parent, mv, Note::default()));
        // The same move may begin two variations.
        let note = match notes.get(&id) {
            Some(known) => Note::merged(&Note::default(), known, &note),
            None => note,
        };
        notes.insert(id, note);
        id
    };
    tree.add_line(ROOT, Comment::default(), moves, &mut add);
    notes
}

/// True if moves and result are those of `theirs`, false if those of `mine`; `None` if both have
/// changed them in different ways.
fn takes_theirs(base: &Record, theirs: &Record, mine: &Record) -> Option<bool> {
    type Course = (Vec<Move>, GameResult);
    let course = |record: &Record| -> Course { (record.moves().collect(), record.result) };
    let [base, theirs, mine] = [base, theirs, mine].map(course);
    let continues = |later: &Course, earlier: &Course| {
        earlier.1 == GameResult::Unknown && later.0.starts_with(&earlier.0)
    };
    if theirs == mine || theirs == base || continues(&mine, &theirs) {
        return Some(false);
    }
    (mine == base || continues(&theirs, &mine)).then_some(true)
}

/// The value that one side has changed; if both have, that of the first.
fn changed<T: PartialEq>(base: &T, one: T, other: T) -> T {
    if one == *base { other } else { one }
}

fn tags(base: &Record, one: &Record, other: &Record) -> Tags {
    let same_moves = one.moves().eq(other.moves());
    let mut merged = one.tags.clone();
    for (name, _) in one.tags.iter().chain(other.tags.iter()) {
        let [base, one, other] = [base, one, other].map(|record| record.tags.get(name));
        let is_stale = !same_moves && ACCURACY_TAGS.contains(&name);
        let other = if is_stale { base } else { other };
        match changed(&base, one, other) {
            Some(value) => merged.set(name, value),
            None => merged.remove(name),
        }
    }
    merged
}

impl Note {
    fn merged(base: &Self, one: &Self, other: &Self) -> Self {
        let is_in = |nag: &Nag| [one, other].map(|note| note.nags.contains(nag));
        let added = other.nags.iter().filter(|nag| !one.nags.contains(nag));
        let nags = one.nags.iter().chain(added).copied();
        Self {
            nags: nags
                .filter(|nag| is_in(nag) == [true, true] || !base.nags.contains(nag))
                .collect(),
            opening: comment(&base.opening, &one.opening, &other.opening),
            comment: comment(&base.comment, &one.comment, &other.comment),
        }
    }
}

fn comment(base: &Comment, one: &Comment, other: &Comment) -> Comment {
    Comment {
        eval: changed(&base.eval, one.eval, other.eval),
        clock: changed(&base.clock, one.clock, other.clock),
        text: text(&base.text, &one.text, &other.text),
    }
}

/// Two texts that were changed in different ways follow each other.
fn text(base: &str, one: &str, other: &str) -> String {
    if one == base || other == base {
        return changed(&base, one, other).to_owned();
    }
    // The first one is followed by what the other has added, which it may have already.
    let [one, other] = if other.contains(base) {
        [one, other]
    } else {
        [other, one]
    };
    let added = other.replacen(base, "", 1);
    match added.trim() {
        added if one.starts_with(added) => one.to_owned(),
        added => format!("{one} {added}").trim().to_owned(),
    }
}

#[cfg(test)]
mod tests;
