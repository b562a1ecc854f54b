//! Reproducible random numbers: the same seed gives the same numbers on every machine.

/// The SplitMix64 generator.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates the generator of one of several independent streams of a seed.
    pub const fn with_stream(seed: u64, stream: u64) -> Self {
        Self(split_mix(seed) ^ stream.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// Returns 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        let bits = split_mix(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        bits
    }

    /// Returns a number below `bound`; 0 when that is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        scale(self.next_u64(), bound as u64) as usize
    }

    /// Returns a number from 0 up to but not including 1.
    pub const fn unit(&mut self) -> f64 {
        to_unit(self.next_u64())
    }
}

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the output of SplitMix64 for a state: a well-mixed hash of a number.
pub const fn split_mix(state: u64) -> u64 {
    let mixed = state.wrapping_add(GAMMA);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns 64 bits determined by a seed and a key.
pub const fn keyed(seed: u64, key: u64) -> u64 {
    split_mix(split_mix(seed) ^ key)
}

/// Maps 64 random bits to a number below `bound`; 0 when that is 0.
pub const fn scale(bits: u64, bound: u64) -> u64 {
    // The high half of the product: even enough, without a division.
    ((bits as u128 * bound as u128) >> 64) as u64
}

/// Maps 64 random bits to a number from 0 up to but not including 1.
pub const fn to_unit(bits: u64) -> f64 {
    const MANTISSA_BITS: u32 = 53;
    (bits >> (u64::BITS - MANTISSA_BITS)) as f64 / (1_u64 << MANTISSA_BITS) as f64
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    /// The first outputs for seed 1234567 of the reference implementation.
    #[test]
    fn the_reference_sequence_is_reproduced() {
        let mut rng = SplitMix64::new(1_234_567);
        let outputs = [(); 3].map(|()| rng.next_u64());
        assert_eq!(
            outputs,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }
}
