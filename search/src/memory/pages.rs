//! Huge pages, where the system has them.

use std::ptr::NonNull;

/// Bytes of a huge page.
pub(super) const SIZE: usize = 2 << 20;

/// Whether a huge page is worth it for this many bytes.
pub(super) fn worthwhile(bytes: usize) -> bool {
    bytes >= SIZE / 2
}

/// Requests huge pages for memory that was not accessed yet.
pub(super) fn enlarge(start: NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: advice on how memory is mapped changes nothing of what is in it, and the
        // range is ours. Should it be refused, pages are small: nothing else is different.
        unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}
