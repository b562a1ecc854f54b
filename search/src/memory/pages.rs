//! Memory from the system, on huge pages where it has them.

// Miri does not know the calls.
#[cfg(all(target_os = "linux", not(miri)))]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(all(target_os = "linux", not(miri)))]
pub(super) use linux::Pages;
#[cfg(windows)]
pub(super) use windows::Pages;

/// Bytes of a huge page.
pub(super) const SIZE: usize = 2 << 20;

/// True if a huge page is worth it for this many bytes.
pub(super) fn worthwhile(bytes: usize) -> bool {
    bytes >= SIZE / 4
}
