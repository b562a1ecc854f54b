//! A game as a tree of moves, which can be changed.
//!
//! The first child of a node continues its line, the others are variations. A PGN record nests
//! variations instead; a tree is made from one and turned into one.

use std::iter;

use formats::pgn::{ACCURACY_TAGS, Comment, MAX_DEPTH, MoveNode, Nag, Record, Variation, after};
use movegen::{Game, Move, Position};
use thiserror::Error;

/// Identifies a node of one state of a tree.
pub type NodeId = usize;

/// The start position.
pub const ROOT: NodeId = 0;

/// The reason a tree is not changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TreeError {
    #[error("there is no such move")]
    NoMove,
    #[error("the start position cannot be deleted")]
    StartPosition,
    #[error("the move is part of the main line already")]
    MainLine,
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
}

/// The annotations of a move, or of the start position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Note {
    pub nags: Vec<Nag>,
    /// The comment before a variation's first move.
    pub opening: Comment,
    pub comment: Comment,
}

/// A move with its annotations; the first node is the start position.
#[derive(Debug, Clone)]
pub struct Node {
    pub parent: Option<NodeId>,
    /// `None` at the start position, and for a null move.
    pub mv: Option<Move>,
    /// The position after the move.
    pub position: Position,
    pub note: Note,
    children: Vec<NodeId>,
}

#[derive(Debug, Clone)]
pub struct Tree {
    /// The game without its moves.
    pub record: Record,
    nodes: Vec<Node>,
}

impl Tree {
    pub fn new(record: Record) -> Self {
        let (mut tree, moves) = Self::without_moves(record);
        tree.add_line(ROOT, Comment::default(), moves, &mut Self::push);
        tree
    }

    /// The tree of the start position, and the moves after it.
    pub(crate) fn without_moves(mut record: Record) -> (Self, Vec<MoveNode>) {
        let Variation { comment, moves } = std::mem::take(&mut record.main_line);
        let root = Node {
            parent: None,
            mv: None,
            position: record.start,
            note: Note {
                comment,
                ..Note::default()
            },
            children: Vec::new(),
        };
        let nodes = vec![root];
        (Self { record, nodes }, moves)
    }

    /// Adds the moves of a line after a node by a function that returns the node of each.
    pub(crate) fn add_line(
        &mut self,
        mut parent: NodeId,
        mut opening: Comment,
        moves: Vec<MoveNode>,
        add: &mut impl FnMut(&mut Self, NodeId, Option<Move>, Note) -> NodeId,
    ) {
        for step in moves {
            let note = Note {
                nags: step.nags,
                opening: std::mem::take(&mut opening),
                comment: step.comment,
            };
            let id = add(self, parent, step.mv, note);
            for line in step.variations {
                self.add_line(parent, line.comment, line.moves, add);
            }
            parent = id;
        }
    }

    /// Adds a node behind its siblings. The move must be legal.
    pub(crate) fn push(&mut self, parent: NodeId, mv: Option<Move>, note: Note) -> NodeId {
        let id = self.nodes.len();
        if let Some(before) = self.nodes.get_mut(parent) {
            before.children.push(id);
        }
        self.nodes.push(Node {
            parent: Some(parent),
            mv,
            position: after(mv, self.position(parent)),
            note,
            children: Vec::new(),
        });
        id
    }

    /// Returns the game with all its variations.
    pub fn record(&self) -> Record {
        let main_line = Variation {
            comment: self
                .nodes
                .first()
                .map_or_else(Comment::default, |root| root.note.comment.clone()),
            moves: self.line(self.children(ROOT).first().copied()),
        };
        Record {
            main_line,
            ..self.record.clone()
        }
    }

    /// The moves of a line from a node on.
    fn line(&self, first: Option<NodeId>) -> Vec<MoveNode> {
        let mut moves = Vec::new();
        let mut next = first;
        while let Some(id) = next
            && let Some(node) = self.nodes.get(id)
        {
            // The variations of a variation's first move are its siblings.
            let siblings = node.parent.map_or(&[][..], |parent| self.children(parent));
            let alternatives = match siblings {
                [main, others @ ..] if *main == id => others,
                _ => &[],
            };
            let variations = alternatives.iter().map(|&first| Variation {
                comment: self
                    .node(first)
                    .map_or_else(Comment::default, |node| node.note.opening.clone()),
                moves: self.line(Some(first)),
            });
            moves.push(MoveNode {
                mv: node.mv,
                nags: node.note.nags.clone(),
                comment: node.note.comment.clone(),
                variations: variations.collect(),
            });
            next = node.children.first().copied();
        }
        moves
    }

    /// The number of nodes, of which some may be deleted.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }

    pub fn note_mut(&mut self, id: NodeId) -> Result<&mut Note, TreeError> {
        let node = self.nodes.get_mut(id).ok_or(TreeError::NoMove)?;
        Ok(&mut node.note)
    }

    pub(crate) fn children(&self, id: NodeId) -> &[NodeId] {
        self.nodes.get(id).map_or(&[], |node| &node.children)
    }

    /// The child of a node with a move.
    pub(crate) fn child(&self, id: NodeId, mv: Option<Move>) -> Option<NodeId> {
        let mut children = self.children(id).iter().copied();
        children.find(|&child| self.node(child).is_some_and(|node| node.mv == mv))
    }

    /// Returns the position of a node; the start position if there is no such node.
    pub fn position(&self, id: NodeId) -> &Position {
        self.nodes
            .get(id)
            .map_or(&self.record.start, |node| &node.position)
    }

    /// All nodes, each behind its parent and in the order of its siblings.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let mut open = vec![ROOT];
        iter::from_fn(move || {
            let id = open.pop()?;
            let node = self.nodes.get(id)?;
            open.extend(node.children.iter().rev());
            Some((id, node))
        })
    }

    /// The nodes of the main line without the start position.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        let first = |id: NodeId| self.children(id).first().copied();
        iter::successors(first(ROOT), move |&id| first(id))
    }

    pub fn main_moves(&self) -> Vec<Move> {
        let nodes = self.main_line();
        nodes.map_while(|id| self.node(id)?.mv).collect()
    }

    /// The nodes from one back to the start position.
    fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        iter::successors(Some(id), |&id| self.nodes.get(id)?.parent)
    }

    /// The game up to a node, from the last null move on.
    pub fn game(&self, id: NodeId) -> Game {
        let is_move = |&id: &NodeId| self.node(id).is_some_and(|node| node.mv.is_some());
        let start = self.ancestors(id).find(|id| !is_move(id)).unwrap_or(ROOT);
        let path = self.ancestors(id).take_while(is_move);
        let mut moves: Vec<Move> = path.filter_map(|id| self.node(id)?.mv).collect();
        moves.reverse();
        let mut game = Game::new(*self.position(start));
        for mv in moves {
            if game.push(mv).is_err() {
                // The tree has only legal moves.
                break;
            }
        }
        game
    }

    /// The place of a node among its siblings.
    fn place(&self, id: NodeId) -> Option<usize> {
        let siblings = self.children(self.node(id)?.parent?);
        siblings.iter().position(|&sibling| sibling == id)
    }

    /// The places of the nodes from the start position to a node. The path outlives changes that
    /// renumber the nodes.
    pub fn path(&self, id: NodeId) -> Vec<usize> {
        let places = self.ancestors(id).filter_map(|id| self.place(id));
        let mut path: Vec<usize> = places.collect();
        path.reverse();
        path
    }

    /// The node at a path, or where it leaves the tree.
    pub fn at(&self, path: &[usize]) -> NodeId {
        let mut id = ROOT;
        for &step in path {
            match self.children(id).get(step) {
                Some(&child) => id = child,
                None => break,
            }
        }
        id
    }

    fn check_depth(&self) -> Result<(), TreeError> {
        let mut open = vec![(ROOT, 0)];
        while let Some((id, depth)) = open.pop() {
            if depth > MAX_DEPTH {
                return Err(TreeError::TooDeep);
            }
            let children = self.children(id).iter().enumerate();
            open.extend(children.map(|(place, &child)| (child, depth + usize::from(place > 0))));
        }
        Ok(())
    }

    /// The node after some moves, if all of them are in the tree.
    pub fn follow(&self, from: NodeId, moves: &[Move]) -> Option<NodeId> {
        let mut moves = moves.iter();
        moves.try_fold(from, |id, &mv| self.child(id, Some(mv)))
    }

    /// Adds a legal move after a node, unless it is there.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, TreeError> {
        if let Some(id) = self.child(parent, Some(mv)) {
            return Ok(id);
        }
        self.node(parent).ok_or(TreeError::NoMove)?;
        let id = self.push(parent, Some(mv), Note::default());
        self.check_depth().inspect_err(|_| self.detach(id))?;
        Ok(id)
    }

    /// Takes a node and all that follows out of the tree.
    pub(crate) fn detach(&mut self, id: NodeId) {
        let parent = self.node(id).and_then(|node| node.parent);
        if let Some(parent) = parent.and_then(|parent| self.nodes.get_mut(parent)) {
            parent.children.retain(|&child| child != id);
        }
    }

    /// Removes a move and all that follows; returns the node before it. Renumbers the nodes.
    pub fn delete(&mut self, id: NodeId) -> Result<NodeId, TreeError> {
        let node = self.node(id).ok_or(TreeError::NoMove)?;
        let parent = node.parent.ok_or(TreeError::StartPosition)?;
        let path = self.path(parent);
        let moves = self.main_moves();
        self.detach(id);
        self.settle_opening(parent);
        *self = Self::new(self.record());
        self.forget_stale_accuracy(&moves);
        Ok(self.at(&path))
    }

    /// Makes the variation that a node is in the main one where it leaves its parent line.
    pub fn promote(&mut self, id: NodeId) -> Result<(), TreeError> {
        self.node(id).ok_or(TreeError::NoMove)?;
        let mut places = self.ancestors(id).filter_map(|id| {
            let parent = self.node(id)?.parent?;
            Some((parent, self.place(id)?))
        });
        let branch = places.find(|&(_, place)| place > 0);
        drop(places);
        let (parent, place) = branch.ok_or(TreeError::MainLine)?;
        let before = self.clone();
        let node = self.nodes.get_mut(parent);
        if let Some(first) = node.and_then(|node| node.children.get_mut(..=place)) {
            first.rotate_right(1);
        }
        if let Err(error) = self.check_depth() {
            *self = before;
            return Err(error);
        }
        self.settle_opening(parent);
        self.forget_stale_accuracy(&before.main_moves());
        Ok(())
    }

    /// The game after a change of notes and a removal of nodes; `None` if no reader accepts it.
    pub(crate) fn settled(mut self) -> Option<Record> {
        for id in 0..self.size() {
            self.settle_opening(id);
        }
        self.check_depth().ok()?;
        Some(self.record())
    }

    /// A comment before a variation moves after the first move of what is no longer a variation.
    fn settle_opening(&mut self, parent: NodeId) {
        let first = self.children(parent).first().copied();
        if let Some(node) = first.and_then(|id| self.nodes.get_mut(id)) {
            let Note {
                opening, comment, ..
            } = &mut node.note;
            let opening = std::mem::take(opening).text;
            comment.text = format!("{opening} {}", comment.text).trim().to_owned();
        }
    }

    /// Removes the tags about the accuracy of a main line that has been changed.
    pub fn forget_stale_accuracy(&mut self, before: &[Move]) {
        if self.main_moves() != before {
            for tag in ACCURACY_TAGS {
                self.record.tags.remove(tag);
            }
        }
    }
}
