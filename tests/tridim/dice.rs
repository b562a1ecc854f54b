//! Chance, the same on every run.

use tridim::{Move, Position};

/// A small generator of numbers (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as usize % limit
    }

    /// A legal move, one of a board or a rare one more often than chance would have it.
    pub(crate) fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let rare: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| {
                !matches!(
                    mv,
                    Move::Man {
                        promotion: None,
                        ..
                    }
                )
            })
            .collect();
        let among = match self.below(5) {
            0 if !rare.is_empty() => &rare,
            _ => &moves,
        };
        (!among.is_empty()).then(|| among[self.below(among.len())])
    }

    /// Any legal move, each as likely as another.
    pub(crate) fn any(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }
}
