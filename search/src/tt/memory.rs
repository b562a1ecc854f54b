//! Zeroed memory for the table, asked for in a way that can be refused.

use super::Bucket;
use std::alloc::{Layout, alloc_zeroed};
use std::ops::Deref;

/// The buckets of a table. The system hands zeroed pages out lazily, so a large table costs
/// nothing until it is used.
pub(super) struct Buckets(Box<[Bucket]>);

impl Buckets {
    /// `None` when the memory is not to be had; the standard boxes would abort.
    pub(super) fn zeroed(count: usize) -> Option<Self> {
        let count = count.max(1);
        let layout = Layout::array::<Bucket>(count).ok()?;
        // SAFETY: the layout is not empty, since `count` is at least one and a bucket has a
        // size.
        let memory = unsafe { alloc_zeroed(layout) }.cast::<Bucket>();
        if memory.is_null() {
            return None;
        }
        let buckets = std::ptr::slice_from_raw_parts_mut(memory, count);
        // SAFETY: the memory came from the global allocator with the layout of this very
        // slice, belongs to nobody else, and zero bytes are valid atomics.
        Some(Self(unsafe { Box::from_raw(buckets) }))
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    fn deref(&self) -> &[Bucket] {
        &self.0
    }
}
