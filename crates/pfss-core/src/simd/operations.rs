//! How the operations of a register are written down: one line each.

/// The functions of a register trait, each as one expression.
macro_rules! operations {
    ($(fn $name:ident($($argument:ident $(: $type:ty)?),*) $(-> $result:ty)? = $body:expr;)*) => {
        $(
            #[inline(always)]
            unsafe fn $name($($argument $(: $type)?),*) $(-> $result)? {
                // SAFETY: the caller keeps to the contract of `Register`: a value of the instruction set exists, so
                // that the processor has the instructions, and pointers have room for the items that are read or written.
                unsafe { $body }
            }
        )*
    };
}
pub(super) use operations;
