//! An instance of either kind of numbers, by reference.

use pfss_core::Instance;
use pfss_io::AnyInstance;

/// An instance to solve: with integer or real times, or one whose kind a file decided.
#[derive(Clone, Copy, Debug)]
pub enum Shop<'a> {
    /// All times are whole numbers.
    Integer(&'a Instance<u32>),
    /// Times are real numbers.
    Real(&'a Instance<f64>),
}

impl<'a> From<&'a Instance<u32>> for Shop<'a> {
    fn from(instance: &'a Instance<u32>) -> Self {
        Self::Integer(instance)
    }
}

impl<'a> From<&'a Instance<f64>> for Shop<'a> {
    fn from(instance: &'a Instance<f64>) -> Self {
        Self::Real(instance)
    }
}

impl<'a> From<&'a AnyInstance> for Shop<'a> {
    fn from(instance: &'a AnyInstance) -> Self {
        match instance {
            AnyInstance::Integer(instance) => Self::Integer(instance),
            AnyInstance::Real(instance) => Self::Real(instance),
        }
    }
}
