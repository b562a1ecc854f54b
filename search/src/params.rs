//! The parameters of the search, grouped by technique: value, range and step.
//!
//! In ordinary builds each is a constant. With the feature `tune` each is a UCI option, and a
//! technique is off where its range of depths is empty: at the end of the range of its `depth`.
//! `table` lists them.

/// A parameter, as a tuner sees it.
#[cfg(feature = "tune")]
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// `group.name`.
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// The step size to begin tuning with.
    pub step: i32,
    cell: &'static std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tune")]
impl Param {
    pub fn get(&self) -> i32 {
        self.cell.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Sets the value if it is in range. Returns whether it was.
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value);
        if fits {
            self.cell.store(value, std::sync::atomic::Ordering::Relaxed);
        }
        fits
    }
}

macro_rules! parameters {
    ($($group:ident { $($name:ident = $value:literal, $min:literal ..= $max:literal, $step:literal;)* })*) => {
        $(
            pub(crate) mod $group {
                #[cfg(feature = "tune")]
                #[allow(non_upper_case_globals)]
                pub(super) mod cells {
                    use std::sync::atomic::AtomicI32;
                    $(pub(in crate::params) static $name: AtomicI32 = AtomicI32::new($value);)*
                }
                $(
                    #[cfg(feature = "tune")]
                    #[inline]
                    pub(crate) fn $name() -> i32 {
                        cells::$name.load(std::sync::atomic::Ordering::Relaxed)
                    }
                    #[cfg(not(feature = "tune"))]
                    #[inline(always)]
                    pub(crate) const fn $name() -> i32 {
                        const _: () = assert!($min <= $value && $value <= $max && $step > 0);
                        $value
                    }
                )*
            }
        )*

        /// All parameters.
        #[cfg(feature = "tune")]
        pub fn table() -> Vec<Param> {
            vec![$($(Param {
                name: concat!(stringify!($group), ".", stringify!($name)),
                default: $value,
                min: $min,
                max: $max,
                step: $step,
                cell: &$group::cells::$name,
            },)*)*]
        }
    };
}

parameters! {
    // Time management. Percentages are of an even share of the clock, or as named.
    time {
        horizon = 40, 10..=80, 4;
        soft_percent = 130, 30..=200, 10;
        hard_percent = 450, 100..=800, 30;
        hard_share = 55, 20..=90, 5;
        last_share = 85, 50..=95, 5;
        unstable_percent = 150, 100..=250, 10;
        stable_step = 8, 0..=15, 1;
        trend_percent = 70, 0..=200, 15;
        effort_base = 190, 100..=250, 10;
        effort_slope = 130, 0..=180, 10;
    }
    // Aspiration windows.
    aspiration {
        from_depth = 4, 2..=127, 1;
        delta = 6, 4..=60, 3;
        widen_percent = 150, 110..=300, 10;
    }
    // Cutoffs by the transposition table (TT).
    tt_cutoff {
        // A candidate at amplitude zero.
        node_type_depth = 0, 0..=8, 1;
    }
    // Reverse futility pruning (RFP).
    reverse_futility {
        depth = 9, 0..=14, 1;
        margin = 41, 20..=160, 8;
        improving = 27, 0..=150, 8;
    }
    razoring {
        depth = 4, 0..=8, 1;
        base = 115, 50..=500, 25;
        margin = 135, 50..=500, 25;
    }
    // Null-move pruning (NMP).
    null_move {
        depth = 3, 1..=127, 1;
        base = 5, 3..=9, 1;
        depth_divisor = 3, 2..=8, 1;
        eval_divisor = 81, 40..=500, 15;
        eval_max = 3, 1..=6, 1;
        verify_depth = 14, 8..=24, 1;
    }
    probcut {
        depth = 5, 3..=127, 1;
        margin = 118, 50..=400, 20;
        // Candidates at amplitude zero.
        above_beta = 0, 0..=2048, 120;
        improving = 0, 0..=120, 12;
    }
    // Internal iterative reduction (IIR).
    internal_iterative_reduction {
        depth = 4, 2..=127, 1;
    }
    // Hindsight depth adjustment; reductions in plies.
    hindsight {
        deeper_from = 3, 1..=127, 1;
        shallower_from = 2, 1..=127, 1;
        shallower_margin = 70, 0..=400, 15;
    }
    // Late move pruning (LMP).
    late_move_pruning {
        depth = 9, 0..=16, 1;
        base = 11, 1..=20, 1;
    }
    futility {
        depth = 9, -1..=14, 1;
        base = 13, 0..=250, 15;
        margin = 41, 20..=200, 10;
        history_divisor = 230, 40..=500, 20;
        // A candidate at amplitude zero.
        correction = 0, 0..=256, 24;
    }
    history_pruning {
        depth = 5, -1..=9, 1;
        margin = 4384, 500..=8000, 400;
    }
    // Pruning by static exchange evaluation (SEE).
    see_pruning {
        quiet_margin = 30, 8..=80, 4;
        noisy_margin = 104, 30..=200, 10;
        depth = 10, -1..=16, 1;
    }
    // Singular extensions.
    singular {
        depth = 7, 4..=127, 1;
        entry_margin = 3, 1..=6, 1;
        beta_margin = 33, 10..=150, 8;
        double_margin = 12, 0..=60, 4;
        triple_margin = 58, 30..=300, 15;
        max_double_extensions = 8, 0..=20, 2;
        // A candidate at amplitude zero.
        multi_cut_blend = 0, 0..=1536, 200;
    }
    // Late move reductions (LMR), in 1/1024 ply.
    late_move_reduction {
        base = 391, 0..=1500, 80;
        slope = 324, 100..=500, 20;
        noisy_percent = 63, 20..=100, 6;
        non_pv = 721, 0..=2000, 100;
        cut_node = 1282, 0..=3000, 120;
        not_improving = 644, 0..=1500, 80;
        tt_noisy = 741, 0..=2000, 100;
        tt_pv = 814, 0..=2000, 100;
        check = 1002, 0..=2000, 100;
        cutoffs = 911, 0..=2000, 100;
        killer = 869, 0..=2000, 100;
        history_divisor = 8, 3..=30, 1;
        noisy_history_divisor = 12, 3..=30, 1;
        deeper = 28, 10..=120, 6;
        shallower = 6, 0..=30, 2;
        many_cutoffs = 3, 1..=8, 1;
        pruning_history_divisor = 12, 3..=40, 2;
        raised_alpha_from = 3, 2..=6, 1;
        raised_alpha_below = 12, 6..=20, 1;
        // Candidates at amplitude zero.
        all_node_cutoffs = 0, -400..=1200, 90;
        re_search_percent = 0, 0..=200, 15;
    }
    // Quiescence search; blends in 1/1024.
    quiescence {
        futility = 97, 50..=400, 15;
        see_threshold = -15, -150..=50, 10;
        max_moves = 3, 1..=6, 1;
        stand_pat_blend = 419, 0..=1024, 80;
        fail_high_blend = 248, 0..=1024, 80;
        // A candidate at amplitude zero.
        history = 0, 0..=80, 6;
    }
    history {
        bonus_slope = 208, 50..=400, 20;
        bonus_base = -59, -300..=300, 20;
        bonus_max = 1748, 500..=3000, 120;
        malus_slope = 245, 50..=500, 20;
        malus_base = -7, -300..=300, 20;
        malus_max = 1082, 300..=3000, 120;
        // Candidates at amplitude zero.
        malus_decay = 0, 0..=200, 12;
        bonus_per_tried = 0, 0..=60, 5;
    }
    // Correction history; weights in 1/128.
    correction {
        update_divisor = 225, 64..=1024, 25;
        pawn = 60, 0..=200, 10;
        minor = 53, 0..=200, 10;
        non_pawn = 48, 0..=200, 10;
        continuation = 54, 0..=200, 10;
        // A candidate at amplitude zero.
        losing_capture = 0, 0..=192, 14;
    }
    // Piece values of the static exchange evaluation (SEE).
    see {
        pawn = 100, 60..=160, 8;
        knight = 294, 220..=450, 15;
        bishop = 338, 220..=450, 15;
        rook = 520, 400..=700, 20;
        queen = 928, 800..=1300, 30;
    }
    // Move ordering.
    ordering {
        quiet_weight = 2, 1..=4, 1;
        capture_weight = 16, 4..=32, 2;
        capture_history_divisor = 2, 2..=32, 2;
        good_capture_divisor = 32, 10..=100, 4;
        check_bonus = 11237, 0..=20000, 800;
        escape_bonus = 10670, 0..=20000, 1000;
        killer_bonus = 8040, 0..=20000, 1000;
        // Candidates at amplitude zero.
        attack_bonus = 0, -4000..=12000, 800;
        counter_move = 0, -64..=192, 14;
    }
}

/// The piece values of the static exchange evaluation (SEE).
#[inline]
pub(crate) fn see_values() -> movegen::engine::SeeValues {
    [
        see::pawn(),
        see::knight(),
        see::bishop(),
        see::rook(),
        see::queen(),
        0,
    ]
}
