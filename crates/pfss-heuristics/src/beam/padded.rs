//! Values that threads write, each on cache lines of its own.

/// A value that shares no cache line with its neighbours. Processors fetch lines in pairs.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Padded<T>(pub(super) T);
