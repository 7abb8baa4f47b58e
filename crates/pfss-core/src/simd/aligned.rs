//! Flat arrays that start on a cache line, so that no vector load crosses one.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

const LINE: usize = 64;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// Numbers for which every bit pattern is a value.
///
/// # Safety
/// The type must be a primitive number of at most eight bytes.
pub unsafe trait Number: Copy + Default {}

// SAFETY: primitive numbers, all bit patterns valid.
unsafe impl Number for u16 {}
// SAFETY: as above.
unsafe impl Number for u32 {}
// SAFETY: as above.
unsafe impl Number for f32 {}
// SAFETY: as above.
unsafe impl Number for f64 {}

/// A growable array of numbers that starts on a cache line: registers whose load crosses one take twice as long.
/// Fresh places hold zero.
#[derive(Clone, Debug)]
pub struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    items: PhantomData<T>,
}

impl<T> Default for Aligned<T> {
    fn default() -> Self {
        Self { lines: Vec::new(), len: 0, items: PhantomData }
    }
}

impl<T: Number> From<&[T]> for Aligned<T> {
    fn from(values: &[T]) -> Self {
        let mut array = Self::default();
        array.set_len(values.len());
        array.copy_from_slice(values);
        array
    }
}

impl<T: Number> Aligned<T> {
    /// Sets the length. Places keep what they held when the array was that long before; others hold zero.
    pub fn set_len(&mut self, len: usize) {
        let lines = len.saturating_mul(size_of::<T>()).div_ceil(LINE);
        if lines > self.lines.len() {
            self.lines.resize(lines, Line([0; LINE]));
        }
        self.len = len;
    }
}

impl<T: Number> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `set_len` made room for `len` items in initialised lines, lines are aligned for every
        // number, and every bit pattern is a value.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: Number> DerefMut for Aligned<T> {
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
        let mut array = Aligned::<u16>::default();
        assert!(array.is_empty());
        array.set_len(70);
        array[69] = 7;
        array.set_len(1000);
        assert_eq!((array.len(), array[69]), (1000, 7));
        assert_eq!(array.as_ptr() as usize % LINE, 0);
    }
}
