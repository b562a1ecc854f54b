//! A block of zeroed memory with room for a value.
//!
//! `alloc_zeroed` takes untouched pages from the system, which cost nothing until they are used,
//! but only for small alignments. So the value is aligned here, within a larger block. An allocator
//! may also keep what is freed: large blocks are mapped, where that is possible.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use super::pages;
#[cfg(any(windows, all(target_os = "linux", not(miri))))]
use super::pages::Pages;

/// Freed when dropped; what lies in it needs no drop.
pub(super) enum Block {
    Heap {
        start: NonNull<u8>,
        layout: Layout,
    },
    #[cfg(any(windows, all(target_os = "linux", not(miri))))]
    Pages(#[expect(dead_code, reason = "frees them when dropped")] Pages),
}

impl Block {
    /// A block and the address in it where aligned contents have room; `None` when out of memory.
    pub(super) fn zeroed(contents: Layout) -> Option<(Self, NonNull<u8>)> {
        let size = contents.size().max(1);
        if !pages::worthwhile(size) {
            return Self::heap(size, contents.align());
        }
        // Whole huge pages, so that the last one can be one too.
        let room = size.checked_next_multiple_of(pages::SIZE)?;
        let align = contents.align().max(pages::SIZE);
        #[cfg(any(windows, all(target_os = "linux", not(miri))))]
        if align == pages::SIZE
            && let Some(pages) = Pages::large(room)
        {
            let first = pages.start();
            return Some((Self::Pages(pages), first));
        }
        Self::heap(room, align)
    }

    fn heap(room: usize, align: usize) -> Option<(Self, NonNull<u8>)> {
        let layout = Layout::from_size_align(room.checked_add(align)?, align_of::<u64>()).ok()?;
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        // SAFETY: the next multiple of `align` is less than `align` bytes away, and the block is
        // `align` bytes larger than the room.
        let first = unsafe { start.add(start.align_offset(align)) };
        Some((Self::Heap { start, layout }, first))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        match self {
            // SAFETY: the block was allocated with this layout and is freed once.
            Self::Heap { start, layout } => unsafe { dealloc(start.as_ptr(), *layout) },
            #[cfg(any(windows, all(target_os = "linux", not(miri))))]
            Self::Pages(_) => {}
        }
    }
}
