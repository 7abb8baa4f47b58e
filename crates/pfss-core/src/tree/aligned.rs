//! Flat arrays that start on a cache line, so that no vector load crosses one.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// Plain numbers for which every bit pattern is a value.
///
/// # Safety
/// The type must be a primitive number of at most eight bytes.
pub(super) unsafe trait Plain: Copy {}

// SAFETY: primitive numbers, all bit patterns valid.
unsafe impl Plain for u16 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for f32 {}
// SAFETY: as above.
unsafe impl Plain for f64 {}

/// A growable array of numbers that starts on a cache line; fresh places hold zero.
#[derive(Clone)]
pub(super) struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    items: PhantomData<T>,
}

impl<T: Plain> Aligned<T> {
    pub(super) fn new() -> Self {
        Self { lines: Vec::new(), len: 0, items: PhantomData }
    }

    /// Sets the length; what the places hold afterwards is arbitrary but valid.
    pub(super) fn set_len(&mut self, len: usize) {
        let lines = (len * size_of::<T>()).div_ceil(LINE);
        if lines > self.lines.len() {
            self.lines.resize(lines, Line([0; LINE]));
        }
        self.len = len;
    }
}

impl<T: Plain> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `set_len` made room for `len` items in initialised lines, lines are aligned for every
        // plain type, and every bit pattern is a value.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: Plain> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_start_on_a_line_and_keep_values() {
        let mut array = Aligned::<u16>::new();
        assert!(array.is_empty());
        array.set_len(70);
        array[69] = 7;
        array.set_len(1000);
        assert_eq!((array.len(), array[69]), (1000, 7));
        assert_eq!(array.as_ptr() as usize % LINE, 0);
    }
}
