//! A matrix on a device.

use std::ops::Range;
use std::rc::Rc;

/// What has memory for numbers.
pub(crate) trait Storage: Sized + 'static {
    /// Numbers on the device.
    type Buffer;
}

/// Rows of numbers on a device, or some of them: copies of a matrix are views of the same numbers.
pub(crate) struct Matrix<B: Storage> {
    pub(super) buffer: Rc<B::Buffer>,
    /// Where the first row begins.
    pub(super) offset: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// From the beginning of a row to that of the next.
    pub(super) stride: usize,
}

impl<B: Storage> Clone for Matrix<B> {
    fn clone(&self) -> Self {
        Self { buffer: Rc::clone(&self.buffer), ..*self }
    }
}

impl<B: Storage> Matrix<B> {
    pub(super) fn new(buffer: B::Buffer, rows: usize, columns: usize) -> Self {
        Self { buffer: Rc::new(buffer), offset: 0, rows, columns, stride: columns }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether rows follow each other without a gap.
    pub(super) fn is_whole(&self) -> bool {
        self.stride == self.columns || self.rows <= 1
    }

    /// Some of the numbers, taken as one row, as another matrix.
    pub(crate) fn part(&self, offset: usize, rows: usize, columns: usize) -> Self {
        debug_assert!(self.is_whole() && offset + rows * columns <= self.len(), "a part of the matrix");
        let offset = self.offset + offset;
        Self { buffer: Rc::clone(&self.buffer), offset, rows, columns, stride: columns }
    }

    /// Some of its rows.
    pub(crate) fn some_rows(&self, rows: Range<usize>) -> Self {
        debug_assert!(rows.end <= self.rows, "rows of the matrix");
        Self { offset: self.offset + rows.start * self.stride, rows: rows.len(), ..self.clone() }
    }

    /// Some of its columns.
    pub(crate) fn some_columns(&self, columns: Range<usize>) -> Self {
        debug_assert!(columns.end <= self.columns, "columns of the matrix");
        Self { offset: self.offset + columns.start, columns: columns.len(), ..self.clone() }
    }

    /// Every `step`-th row, from `first` on.
    pub(super) fn every(&self, first: usize, step: usize) -> Self {
        let (rows, stride) = (self.rows / step, self.stride * step);
        Self { offset: self.offset + first * self.stride, rows, stride, ..self.clone() }
    }
}
