//! The processor and its memory.

use std::cell::{Ref, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;

use pfss_core::simd::Instructions;

use crate::engine::matrix::{Matrix, Storage};

/// Numbers that nobody uses now, by length: pages of memory that the system need not give again.
type Pool = Rc<RefCell<HashMap<usize, Vec<Vec<f32>>>>>;

/// Numbers in memory.
pub(crate) struct Buffer {
    values: RefCell<Vec<f32>>,
    pool: Pool,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let values = self.values.take();
        self.pool.borrow_mut().entry(values.len()).or_default().push(values);
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
        let old = self.pool.borrow_mut().get_mut(&len).and_then(Vec::pop);
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
