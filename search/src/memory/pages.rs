//! Huge pages, where the system has them.

#[cfg(windows)]
pub(super) mod windows;

use std::ptr::NonNull;

/// Bytes of a huge page.
pub(super) const SIZE: usize = 2 << 20;

/// Whether a huge page is worth it for this many bytes.
pub(super) fn worthwhile(bytes: usize) -> bool {
    bytes >= SIZE / 2
}

/// Requests huge pages for memory that has not been accessed yet.
pub(super) fn enlarge(start: NonNull<u8>, bytes: usize) {
    // Miri does not know the call.
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        // SAFETY: the range belongs to the caller, and the advice does not change its contents.
        // If it is refused, the pages stay small.
        unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (start, bytes);
}
