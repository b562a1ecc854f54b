//! Chance that can be had again: the same seed, the same numbers, on every machine.

/// SplitMix64: one addition and three rounds of mixing a number.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A stream of its own for every pair of numbers.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Self(seed);
        let start = rng.bits() ^ stream.wrapping_mul(0xd134_2543_de82_ef95);
        Self(start)
    }

    /// Sixty-four bits.
    #[must_use]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 when that is 0.
    #[must_use]
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of a product: as even as matters, without a division.
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to but not including 1.
    #[must_use]
    pub fn unit(&mut self) -> f64 {
        const STEPS: f64 = (1u64 << 53) as f64;
        (self.bits() >> 11) as f64 / STEPS
    }
}
