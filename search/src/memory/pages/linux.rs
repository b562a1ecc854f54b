//! Memory from the system on Linux, which gets it back when it is freed, and huge pages where they
//! are allowed.

use std::ptr::{self, NonNull};

use libc::{MADV_HUGEPAGE, MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE, PROT_READ, PROT_WRITE};

use super::SIZE;

/// Memory from the system; freed when dropped.
#[derive(Debug)]
pub(in super::super) struct Pages {
    mapped: NonNull<u8>,
    /// The size of the whole mapping.
    bytes: usize,
}

impl Pages {
    /// Zeroed memory, aligned to huge pages; `None` when out of memory. `room` is a multiple of
    /// their size.
    pub(in super::super) fn large(room: usize) -> Option<Self> {
        let bytes = room.checked_add(SIZE)?;
        let (access, kind) = (PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
        // SAFETY: without an address the system chooses one that is not in use.
        let mapped = unsafe { libc::mmap(ptr::null_mut(), bytes, access, kind, -1, 0) };
        if mapped == MAP_FAILED {
            return None;
        }
        let mapped = NonNull::new(mapped.cast())?;
        let pages = Self { mapped, bytes };
        // SAFETY: the range is part of the mapping, and the advice does not change its contents. If
        // it is refused, the pages stay small.
        unsafe { libc::madvise(pages.start().as_ptr().cast(), room, MADV_HUGEPAGE) };
        Some(pages)
    }

    pub(in super::super) fn start(&self) -> NonNull<u8> {
        // SAFETY: the next multiple of the size is less than the size away, by which the mapping is
        // larger than the room.
        unsafe { self.mapped.add(self.mapped.align_offset(SIZE)) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this size, and is unmapped once.
        unsafe { libc::munmap(self.mapped.as_ptr().cast(), self.bytes) };
    }
}
