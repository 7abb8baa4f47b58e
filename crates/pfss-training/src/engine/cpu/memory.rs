//! The processor and its memory.

use std::cell::{Ref, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;

use pfss_core::simd::Instructions;

use crate::engine::matrix::{Matrix, Storage};

/// Numbers that nobody uses now: pages of memory that the system need not give again.
#[derive(Default)]
struct Free {
    by_len: HashMap<usize, Vec<Vec<f32>>>,
    total: usize,
}

/// As many numbers are kept at most: where batches differ in size, few lengths come again.
const KEPT: usize = 64 << 20;

impl Free {
    fn take(&mut self, len: usize) -> Option<Vec<f32>> {
        let values = self.by_len.get_mut(&len)?.pop()?;
        self.total -= len;
        Some(values)
    }

    fn keep(&mut self, values: Vec<f32>) {
        if self.total + values.len() > KEPT {
            *self = Self::default();
        }
        self.total += values.len();
        self.by_len.entry(values.len()).or_default().push(values);
    }
}

type Pool = Rc<RefCell<Free>>;

/// Numbers in memory.
pub(crate) struct Buffer {
    values: RefCell<Vec<f32>>,
    pool: Pool,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let values = self.values.take();
        self.pool.borrow_mut().keep(values);
    }
}

/// The processor.
pub(crate) struct Cpu {
    pub(super) instructions: Instructions,
    pool: Pool,
}

impl Cpu {
    pub(crate) fn new() -> Self {
        Self { instructions: Instructions::detect(), pool: Pool::default() }
    }
}

impl Storage for Cpu {
    type Buffer = Buffer;
}

impl Cpu {
    /// A matrix of any content.
    pub(super) fn rows(&self, rows: usize, columns: usize) -> Matrix<Self> {
        let len = rows * columns;
        let old = self.pool.borrow_mut().take(len);
        let values = RefCell::new(old.unwrap_or_else(|| vec![0.0; len]));
        Matrix::new(Buffer { values, pool: Rc::clone(&self.pool) }, rows, columns)
    }
}

impl Matrix<Cpu> {
    /// The numbers from the first to the last one.
    pub(super) fn read(&self) -> Ref<'_, [f32]> {
        let range = self.offset..self.offset + self.span();
        Ref::map(self.buffer.values.borrow(), |values| &values[range])
    }

    pub(super) fn write(&self) -> RefMut<'_, [f32]> {
        let range = self.offset..self.offset + self.span();
        RefMut::map(self.buffer.values.borrow_mut(), |values| &mut values[range])
    }

    fn span(&self) -> usize {
        if self.rows == 0 { 0 } else { (self.rows - 1) * self.stride + self.columns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_again_and_does_not_grow_without_end() {
        let cpu = Cpu::new();
        let first = cpu.rows(30, 10);
        first.write()[0] = 7.0;
        drop(first);
        assert_eq!(cpu.rows(10, 30).read()[0], 7.0);
        for rows in 1..200 {
            drop(cpu.rows(rows * 1000, 16));
            assert!(cpu.pool.borrow().total <= KEPT);
        }
    }
}
