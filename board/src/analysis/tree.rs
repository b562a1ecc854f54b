//! A game as a tree of moves, which its user changes.
//!
//! The first child of a node continues its line, the others are variations. A PGN record nests
//! variations instead; a tree is made from one and turned into one.

use anyhow::{Context as _, Result, anyhow, bail};
use formats::pgn::{Comment, GameResult, MAX_DEPTH, MoveNode, Nag, Record, Variation, after};
use game::annotation::ACCURACY_TAGS;
use game::library::GameId;
use movegen::{Game, Move, Position};

use crate::messages::analysis::NodeId;

pub(super) const ROOT: NodeId = 0;

/// Every change sends the whole tree to the page.
const MAX_NODES: usize = 20_000;

pub(super) const NO_NODE: &str = "there is no such move";

fn too_deep() -> anyhow::Error {
    anyhow!("variations are nested more than {MAX_DEPTH} deep")
}

/// A move with its annotations; the first node is the start position.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) parent: Option<NodeId>,
    /// `None` at the start position, and for a null move.
    pub(super) mv: Option<Move>,
    /// The position after the move.
    pub(super) position: Position,
    pub(super) nags: Vec<Nag>,
    /// The comment before a variation's first move.
    pub(super) opening: Comment,
    pub(super) comment: Comment,
    pub(super) children: Vec<NodeId>,
}

impl Node {
    fn new(parent: Option<NodeId>, mv: Option<Move>, position: Position) -> Self {
        Self {
            parent,
            mv,
            position,
            nags: Vec::new(),
            opening: Comment::default(),
            comment: Comment::default(),
            children: Vec::new(),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Tree {
    /// Names the game in the library, where it is or may be kept.
    pub(super) id: GameId,
    /// The game without its moves.
    pub(super) record: Record,
    nodes: Vec<Node>,
}

impl Tree {
    /// A game without moves from the start position.
    pub(super) fn start() -> Self {
        Self::without_moves(Record::new(Position::default()))
    }

    pub(super) fn new(mut record: Record) -> Result<Self> {
        let moves = std::mem::take(&mut record.main_line.moves);
        let mut tree = Self::without_moves(record);
        tree.add_line(ROOT, Comment::default(), moves)?;
        Ok(tree)
    }

    /// Another state of the game.
    pub(super) fn with(&self, record: Record) -> Result<Self> {
        let id = self.id.clone();
        Ok(Self {
            id,
            ..Self::new(record)?
        })
    }

    fn without_moves(mut record: Record) -> Self {
        let comment = std::mem::take(&mut record.main_line).comment;
        let mut root = Node::new(None, None, record.start);
        root.comment = comment;
        Self {
            id: GameId::now(),
            record,
            nodes: vec![root],
        }
    }

    fn add_line(
        &mut self,
        mut parent: NodeId,
        mut opening: Comment,
        moves: Vec<MoveNode>,
    ) -> Result<()> {
        for step in moves {
            let id = self.push(parent, step.mv)?;
            if let Some(node) = self.nodes.get_mut(id) {
                node.nags = step.nags;
                node.comment = step.comment;
                node.opening = std::mem::take(&mut opening);
            }
            for variation in step.variations {
                self.add_line(parent, variation.comment, variation.moves)?;
            }
            parent = id;
        }
        Ok(())
    }

    /// Adds a node behind its siblings. The move must be legal.
    fn push(&mut self, parent: NodeId, mv: Option<Move>) -> Result<NodeId> {
        let id = self.nodes.len();
        if id >= MAX_NODES {
            bail!("the game has more than {MAX_NODES} moves");
        }
        let before = self.nodes.get_mut(parent).context(NO_NODE)?;
        before.children.push(id);
        let position = after(mv, &before.position);
        self.nodes.push(Node::new(Some(parent), mv, position));
        Ok(id)
    }

    /// Returns the game with all its variations.
    pub(super) fn record(&self) -> Record {
        let main_line = Variation {
            comment: self
                .nodes
                .first()
                .map(|root| root.comment.clone())
                .unwrap_or_default(),
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
                    .map_or_else(Comment::default, |node| node.opening.clone()),
                moves: self.line(Some(first)),
            });
            moves.push(MoveNode {
                mv: node.mv,
                nags: node.nags.clone(),
                comment: node.comment.clone(),
                variations: variations.collect(),
            });
            next = node.children.first().copied();
        }
        moves
    }

    pub(super) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> Result<&mut Node> {
        self.nodes.get_mut(id).context(NO_NODE)
    }

    fn children(&self, id: NodeId) -> &[NodeId] {
        self.nodes.get(id).map_or(&[], |node| &node.children)
    }

    /// Returns the position of a node; the start position if there is no such node.
    pub(super) fn position(&self, id: NodeId) -> &Position {
        self.nodes
            .get(id)
            .map_or(&self.record.start, |node| &node.position)
    }

    /// All nodes, each behind its parent and in the order of its siblings.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let mut open = vec![ROOT];
        std::iter::from_fn(move || {
            let id = open.pop()?;
            let node = self.nodes.get(id)?;
            open.extend(node.children.iter().rev());
            Some((id, node))
        })
    }

    /// The nodes of the main line without the start position.
    pub(super) fn main_line(&self) -> impl Iterator<Item = NodeId> {
        let first = |id: NodeId| self.children(id).first().copied();
        std::iter::successors(first(ROOT), move |&id| first(id))
    }

    pub(super) fn main_moves(&self) -> Vec<Move> {
        let nodes = self.main_line();
        nodes.map_while(|id| self.node(id)?.mv).collect()
    }

    /// The nodes from one back to the start position.
    fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |&id| self.nodes.get(id)?.parent)
    }

    /// The game up to a node, from the last null move on.
    pub(super) fn game(&self, id: NodeId) -> Game {
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

    /// Which child leads to a node, from the start position on. The path outlives changes that
    /// renumber the nodes.
    pub(super) fn path(&self, id: NodeId) -> Vec<usize> {
        let mut path: Vec<usize> = self
            .ancestors(id)
            .filter_map(|id| {
                let siblings = self.children(self.node(id)?.parent?);
                siblings.iter().position(|&sibling| sibling == id)
            })
            .collect();
        path.reverse();
        path
    }

    /// The node at a path, or where it leaves the tree.
    pub(super) fn at(&self, path: &[usize]) -> NodeId {
        let mut id = ROOT;
        for &step in path {
            match self.children(id).get(step) {
                Some(&child) => id = child,
                None => break,
            }
        }
        id
    }

    /// The deepest nesting of variations.
    fn depth(&self) -> usize {
        let mut depths = vec![0_usize; self.nodes.len()];
        let mut deepest = 0;
        for (id, node) in self.nodes() {
            let depth = depths.get(id).copied().unwrap_or(0);
            deepest = deepest.max(depth);
            for (number, &child) in node.children.iter().enumerate() {
                if let Some(of_child) = depths.get_mut(child) {
                    *of_child = depth + usize::from(number > 0);
                }
            }
        }
        deepest
    }

    /// The node after some moves, if all of them are in the tree.
    pub(super) fn follow(&self, from: NodeId, moves: &[Move]) -> Option<NodeId> {
        moves.iter().try_fold(from, |id, &mv| {
            let mut children = self.children(id).iter().copied();
            children.find(|&child| self.node(child).is_some_and(|node| node.mv == Some(mv)))
        })
    }

    /// Adds a legal move after a node, unless it is there.
    pub(super) fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId> {
        if let Some(id) = self.follow(parent, &[mv]) {
            return Ok(id);
        }
        let id = self.push(parent, Some(mv))?;
        if self.depth() > MAX_DEPTH {
            self.nodes.pop();
            self.node_mut(parent)?.children.pop();
            return Err(too_deep());
        }
        Ok(id)
    }

    /// Removes a move and all that follows; returns the node before it. Renumbers the nodes.
    pub(super) fn delete(&mut self, id: NodeId) -> Result<NodeId> {
        let node = self.node(id).context(NO_NODE)?;
        let parent = node
            .parent
            .context("the start position cannot be deleted")?;
        let path = self.path(parent);
        let moves = self.main_moves();
        self.node_mut(parent)?
            .children
            .retain(|&sibling| sibling != id);
        self.settle_openings(parent);
        *self = self.with(self.record())?;
        self.forget_stale_accuracy(&moves);
        Ok(self.at(&path))
    }

    /// Makes the variation that a node is in the main one where it leaves its parent line.
    pub(super) fn promote(&mut self, id: NodeId) -> Result<()> {
        self.node(id).context(NO_NODE)?;
        let branch = self.ancestors(id).find_map(|id| {
            let parent = self.node(id)?.parent?;
            let siblings = self.children(parent);
            let number = siblings.iter().position(|&sibling| sibling == id)?;
            (number > 0).then_some((parent, number))
        });
        let (parent, number) = branch.context("the move is part of the main line already")?;
        let before = self.clone();
        if let Some(first) = self.node_mut(parent)?.children.get_mut(..=number) {
            first.rotate_right(1);
        }
        if self.depth() > MAX_DEPTH {
            *self = before;
            return Err(too_deep());
        }
        self.settle_openings(parent);
        self.forget_stale_accuracy(&before.main_moves());
        Ok(())
    }

    /// Sets tags, of which those with an empty value are removed; `Result` is the result.
    pub(super) fn set_tags(&mut self, tags: Vec<(String, String)>) -> Result<()> {
        for (name, value) in tags {
            let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if name.is_empty() || !name.bytes().all(word) {
                let name = common::excerpt(&name);
                bail!("invalid tag '{name}': expected a name of letters, digits and '_'");
            }
            let value = value.trim();
            match name.as_str() {
                "Result" => {
                    let result = GameResult::parse(value);
                    self.record.result = result.with_context(|| {
                        let found = common::excerpt(value);
                        format!("invalid result '{found}': expected 1-0, 0-1, 1/2-1/2 or *")
                    })?;
                }
                // Those follow from the start position.
                "FEN" | "SetUp" | "Variant" => {}
                _ if value.is_empty() => self.record.tags.remove(&name),
                _ => self
                    .record
                    .tags
                    .set(&name, value.replace(char::is_control, " ")),
            }
        }
        Ok(())
    }

    /// A comment before a variation moves after the first move of what is no longer a variation.
    fn settle_openings(&mut self, parent: NodeId) {
        let first = self.children(parent).first().copied();
        if let Some(node) = first.and_then(|id| self.nodes.get_mut(id)) {
            let opening = std::mem::take(&mut node.opening).text;
            let texts = [opening, std::mem::take(&mut node.comment.text)];
            let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            node.comment.text = texts.join(" ");
        }
    }

    /// Removes the tags about the accuracy of a main line that has been changed.
    fn forget_stale_accuracy(&mut self, before: &[Move]) {
        if self.main_moves() != before {
            for tag in ACCURACY_TAGS {
                self.record.tags.remove(tag);
            }
        }
    }
}
