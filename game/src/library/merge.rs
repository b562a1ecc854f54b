//! Three-way merging of a game that two writers have changed since both read it.
//!
//! The moves of the three games are one tree. In it each side's changes are applied: moves and
//! annotations that either has added are there, what one has removed is gone unless the other has
//! changed it. Moves and result of the game itself are one thing, which only one side may have
//! changed.

use std::collections::HashMap;

use formats::pgn::{Comment, GameResult, MAX_DEPTH, MoveNode, Nag, Record, Tags, Variation};
use movegen::Move;

use super::{GameKind, record};
use crate::annotation::ACCURACY_TAGS;

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
    let mut steps = Steps::default();
    let [base_tree, one_tree, other_tree] = [base, one, other].map(|record| steps.tree(record));
    let tree = steps.merge(&base_tree, &one_tree, &other_tree);
    let mut deepest = 0;
    let main_line = Variation {
        comment: tree
            .note(0)
            .map_or_else(Comment::default, |note| note.comment.clone()),
        moves: steps.line(&tree, tree.children(0).first().copied(), 0, &mut deepest),
    };
    let record = Record {
        tags: tags(base, one, other),
        main_line,
        ..one.clone()
    };
    let is_valid = deepest <= MAX_DEPTH && record.moves().eq(one.moves());
    is_valid.then_some(record)
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

/// The annotations of a move, or of the start position.
#[derive(Debug, Clone, Default, PartialEq)]
struct Note {
    nags: Vec<Nag>,
    /// The comment before a variation's first move.
    opening: Comment,
    comment: Comment,
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

/// The moves of several games: each has a number, which is higher than that of the move before it.
/// 0 is the start.
#[derive(Debug, Default)]
struct Steps {
    numbers: HashMap<(usize, Option<Move>), usize>,
    /// The number of the move before, and the move.
    steps: Vec<(usize, Option<Move>)>,
}

/// A game by the numbers of its moves.
#[derive(Debug, Default)]
struct Tree {
    notes: HashMap<usize, Note>,
    children: HashMap<usize, Vec<usize>>,
}

impl Tree {
    fn note(&self, number: usize) -> Option<&Note> {
        self.notes.get(&number)
    }

    fn children(&self, number: usize) -> &[usize] {
        self.children.get(&number).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, parent: usize, number: usize, note: Note) {
        // The same move may begin two variations.
        let note = match self.note(number) {
            Some(known) => Note::merged(&Note::default(), known, &note),
            None => {
                self.children.entry(parent).or_default().push(number);
                note
            }
        };
        self.notes.insert(number, note);
    }
}

impl Steps {
    fn tree(&mut self, record: &Record) -> Tree {
        let Variation { comment, moves } = &record.main_line;
        let mut tree = Tree::default();
        let root = Note {
            comment: comment.clone(),
            ..Note::default()
        };
        tree.notes.insert(0, root);
        self.add_line(&mut tree, 0, &Comment::default(), moves);
        tree
    }

    fn add_line(
        &mut self,
        tree: &mut Tree,
        mut parent: usize,
        opening: &Comment,
        moves: &[MoveNode],
    ) {
        let mut opening = opening.clone();
        for node in moves {
            let step = (parent, node.mv);
            let number = *self.numbers.entry(step).or_insert_with(|| {
                self.steps.push(step);
                self.steps.len()
            });
            let note = Note {
                nags: node.nags.clone(),
                opening: std::mem::take(&mut opening),
                comment: node.comment.clone(),
            };
            tree.add(parent, number, note);
            for line in &node.variations {
                self.add_line(tree, parent, &line.comment, &line.moves);
            }
            parent = number;
        }
    }

    /// The tree with the changes of both sides, where the moves of the first come first.
    fn merge(&self, base: &Tree, one: &Tree, other: &Tree) -> Tree {
        let none = Note::default();
        let mut merged = Tree::default();
        for (place, &(parent, _)) in self.steps.iter().enumerate().rev() {
            let number = place + 1;
            let [before, one, other] = [base, one, other].map(|tree| tree.note(number));
            let note = match (one, other) {
                (Some(one), Some(other)) => Note::merged(before.unwrap_or(&none), one, other),
                (Some(note), None) | (None, Some(note)) => note.clone(),
                (None, None) => continue,
            };
            // A move that one side has removed stays if the other has changed it, or what follows
            // it.
            let is_removed =
                before.is_some_and(|before| (one.is_none() || other.is_none()) && *before == note);
            if !is_removed || merged.children.contains_key(&number) {
                merged.notes.insert(number, note);
                merged.children.entry(parent).or_default();
            }
        }
        let root = [base, one, other].map(|tree| tree.note(0).unwrap_or(&none));
        let [before, of_one, of_other] = root;
        merged
            .notes
            .insert(0, Note::merged(before, of_one, of_other));
        for (&number, children) in &mut merged.children {
            let of_one = one.children(number);
            let added = other.children(number).iter();
            let added = added.filter(|child| !of_one.contains(child));
            let all = of_one.iter().chain(added).copied();
            children.extend(all.filter(|child| merged.notes.contains_key(child)));
        }
        merged
    }

    /// The moves of a line from one on, whose variations are `depth` deep.
    fn line(
        &self,
        tree: &Tree,
        first: Option<usize>,
        depth: usize,
        deepest: &mut usize,
    ) -> Vec<MoveNode> {
        *deepest = depth.max(*deepest);
        let mut moves = Vec::new();
        let mut next = first;
        while let Some(number) = next
            && let Some(&(parent, mv)) = self.steps.get(number - 1)
            && let Some(note) = tree.note(number)
        {
            // The variations of a variation's first move are those of its siblings.
            let alternatives = match tree.children(parent) {
                [main, others @ ..] if *main == number => others,
                _ => &[],
            };
            let variations = alternatives.iter().map(|&first| Variation {
                comment: tree
                    .note(first)
                    .map_or_else(Comment::default, |note| note.opening.clone()),
                moves: self.line(tree, Some(first), depth + 1, deepest),
            });
            let variations = variations.collect();
            let mut comment = note.comment.clone();
            if depth == 0 || first != Some(number) {
                // It does not begin a variation any more.
                comment.text = text("", &note.opening.text, &comment.text);
            }
            moves.push(MoveNode {
                mv,
                nags: note.nags.clone(),
                comment,
                variations,
            });
            next = tree.children(number).first().copied();
        }
        moves
    }
}

#[cfg(test)]
mod tests;
