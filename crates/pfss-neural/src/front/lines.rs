//! Numbers that start at a cache line.

use std::ops::{Deref, DerefMut};

/// Numbers of a line.
const LINE: usize = 16;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([f32; LINE]);

/// A buffer whose rows of whole lines are read without crossing one: registers that do take twice as long to load.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    len: usize,
}

impl Lines {
    /// Keeps what there is up to a length, and fills up with zeros.
    pub(super) fn resize(&mut self, len: usize) {
        self.lines.resize(len.div_ceil(LINE), Line([0.0; LINE]));
        self.len = len;
    }
}

impl From<&[f32]> for Lines {
    fn from(values: &[f32]) -> Self {
        let mut lines = Self::default();
        lines.resize(values.len());
        lines.copy_from_slice(values);
        lines
    }
}

impl Deref for Lines {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        // SAFETY: lines are arrays of numbers without gaps, and there are at least `len` of these.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for Lines {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}
