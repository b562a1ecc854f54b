//! The pages of the history tables that have been written to, so that clearing them after a short
//! search costs little.

use std::mem;
use std::ptr;

/// The size of a page in bytes.
pub(super) const PAGE: usize = 4096;
/// Enough for five megabytes of tables.
const WORDS: usize = 20;

/// A bit for each page, counted from the bits themselves, which lie before the tables.
#[derive(Debug)]
pub(super) struct Written([u64; WORDS]);

impl Written {
    pub(super) const PAGES: usize = WORDS * 64;

    /// Marks the page of an entry.
    #[inline]
    pub(super) fn mark(&mut self, entry: &i16) {
        let start = ptr::from_ref(self).addr();
        let page = ptr::from_ref(entry).addr().wrapping_sub(start) / PAGE;
        if let Some(word) = self.0.get_mut(page / 64) {
            *word |= 1 << (page % 64);
        }
    }

    /// The marked pages; none is marked afterwards.
    pub(super) fn take(&mut self) -> impl Iterator<Item = usize> + use<> {
        let words = mem::replace(&mut self.0, [0; WORDS]);
        (0..Self::PAGES).filter(move |page| words[page / 64] >> (page % 64) & 1 == 1)
    }
}
