//! Zeroed memory for the table, asked for in a way that can be refused.

use super::Bucket;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

/// The buckets of a table.
///
/// Large zeroed blocks are handed out lazily by the system, so that a table costs nothing until
/// it is used; but only when no great alignment is asked for. Hence the alignment to cache lines
/// is done here, in a block one bucket larger.
pub(super) struct Buckets {
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<Bucket>,
    count: usize,
}

// SAFETY: the block belongs to this value alone, and buckets consist of atomics.
unsafe impl Send for Buckets {}
// SAFETY: shared access reaches nothing but atomics.
unsafe impl Sync for Buckets {}

impl Buckets {
    /// `None` when the memory is not to be had; the standard boxes would abort.
    pub(super) fn zeroed(count: usize) -> Option<Self> {
        let count = count.max(1);
        let bytes = count.checked_add(1)?.checked_mul(size_of::<Bucket>())?;
        let layout = Layout::from_size_align(bytes, align_of::<u64>()).ok()?;
        // SAFETY: the layout is not empty: `count` is at least one and a bucket has a size.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = block.align_offset(align_of::<Bucket>());
        // SAFETY: a bucket is no smaller than its alignment, so the offset stays within the
        // one bucket that the block is larger, and `count` more fit behind it.
        let first = unsafe { block.add(offset) }.cast();
        Some(Self {
            block,
            layout,
            first,
            count,
        })
    }
}

impl Drop for Buckets {
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout and is given back once.
        unsafe { dealloc(self.block.as_ptr(), self.layout) };
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: `first` is aligned, `count` buckets lie behind it inside the block, zero
        // bytes are valid atomics, and the block lives as long as this value.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl fmt::Debug for Buckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} buckets", self.count)
    }
}
