//! Large zeroed heap allocations, on huge pages where the system has them: the search accesses its
//! tables at random, and small pages cause TLB misses.

mod block;
mod pages;

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use block::Block;

/// Types whose values stay valid if any of their bytes become zero, and need no drop.
///
/// # Safety
///
/// Both must hold.
pub(crate) unsafe trait Zeroable {}

/// A value that was initialized with zeros, or a slice of such values.
pub(crate) struct Large<T: ?Sized> {
    value: NonNull<T>,
    /// The memory that holds the value. Freed when dropped.
    _block: Block,
}

// SAFETY: it owns its value, as a `Box` does.
unsafe impl<T: ?Sized + Send> Send for Large<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for Large<T> {}

impl<T: Zeroable> Large<T> {
    /// Aborts when out of memory, as `Box` does.
    pub(crate) fn zeroed() -> Self {
        let contents = Layout::new::<T>();
        let Some((block, first)) = Block::zeroed(contents) else {
            handle_alloc_error(contents)
        };
        Self {
            value: first.cast(),
            _block: block,
        }
    }

    /// Fills the value with zeros again.
    pub(crate) fn clear(&mut self) {
        self.clear_bytes(0, size_of::<T>());
    }

    /// Fills some bytes of the value with zeros again, as far as it has them.
    pub(crate) fn clear_bytes(&mut self, start: usize, count: usize) {
        let start = start.min(size_of::<T>());
        let count = count.min(size_of::<T>() - start);
        // SAFETY: the bytes are those of the value, which `self`, borrowed mutably, owns, and
        // which stays valid.
        unsafe { self.value.cast::<u8>().add(start).write_bytes(0, count) };
    }
}

impl<T: Zeroable> Large<[T]> {
    /// Aborts when out of memory, as `Vec` does.
    pub(crate) fn zeros(count: usize) -> Self {
        Self::zeroed_slice(count).unwrap_or_else(|| handle_alloc_error(Layout::new::<T>()))
    }

    /// `None` when out of memory.
    pub(crate) fn zeroed_slice(count: usize) -> Option<Self> {
        let (block, first) = Block::zeroed(Layout::array::<T>(count).ok()?)?;
        Some(Self {
            value: NonNull::slice_from_raw_parts(first.cast(), count),
            _block: block,
        })
    }
}

impl<T: ?Sized> Deref for Large<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the value is aligned, lies in a block owned by `self`, and is valid from the
        // start, since zeros are.
        unsafe { self.value.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for Large<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { self.value.as_mut() }
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Large<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Large<T> {}

impl<T: ?Sized> fmt::Debug for Large<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", size_of_val(&**self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(align(64))]
    struct Line([u64; 8]);

    // SAFETY: numbers.
    unsafe impl Zeroable for Line {}

    #[test]
    fn slices_are_zeroed_aligned_and_disjoint() {
        let page = pages::SIZE / size_of::<Line>();
        for count in [0, 1, page / 2 - 1, page / 2, page + 1] {
            let mut lines = Large::<[Line]>::zeroed_slice(count).expect("memory");
            let mut others = Large::<[Line]>::zeroed_slice(count).expect("memory");
            assert_eq!(lines.len(), count);
            assert!(lines.as_ptr().cast::<Line>().is_aligned());
            assert!(lines.iter().all(|line| *line == Line([0; 8])));
            lines.fill(Line([1; 8]));
            others.fill(Line([2; 8]));
            assert!(lines.iter().all(|line| *line == Line([1; 8])));
        }
    }

    /// The compiler may remove an allocation that is not used.
    #[test]
    #[cfg_attr(miri, ignore = "Miri ends at an allocation that fails")]
    fn too_large_slices_are_refused() {
        for count in [
            usize::MAX,
            usize::MAX / 64,
            usize::MAX / 128,
            usize::MAX >> 14,
        ] {
            let lines = std::hint::black_box(Large::<[Line]>::zeroed_slice(count));
            assert!(lines.is_none(), "{count}");
        }
    }

    #[test]
    fn large_values_are_aligned_to_huge_pages() {
        struct Table([u8; 2 * pages::SIZE]);
        // SAFETY: numbers.
        unsafe impl Zeroable for Table {}
        let mut table = Large::<Table>::zeroed();
        assert_eq!(std::ptr::from_ref(&*table).addr() % pages::SIZE, 0);
        table.0[2 * pages::SIZE - 1] = 1;
        // Under Miri, checking every byte would take minutes.
        const STEP: usize = if cfg!(miri) { 997 } else { 1 };
        let looked_at = table.0.iter().rev().step_by(STEP);
        assert_eq!(looked_at.filter(|&&byte| byte != 0).count(), 1);
    }
}
