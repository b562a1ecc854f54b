//! Asking the system for large pages, where it has them and one may ask.

use std::ptr::NonNull;

/// Bytes of a large page.
pub(super) const SIZE: usize = 2 << 20;

/// So much is worth a large page, though the rest of it stay empty.
pub(super) fn worthwhile(bytes: usize) -> bool {
    bytes >= SIZE / 2
}

/// Makes whole large pages of fresh memory, if the system will.
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
