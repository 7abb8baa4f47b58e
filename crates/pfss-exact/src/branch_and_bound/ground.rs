//! What every dive reads: an instance in one storage type.

use pfss_core::simd::Instructions;
use pfss_core::tree::{Columns, Element, Tree};

use super::pairs::Pairs;

/// An instance in one storage type.
pub(super) struct Ground<E: Element> {
    pub(super) tree: Tree<E>,
    pub(super) columns: Columns<E>,
    pub(super) pairs: Pairs<E>,
    pub(super) instructions: Instructions,
}
