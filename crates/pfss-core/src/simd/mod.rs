//! Which vector instructions there are, and registers of each: what every kernel of every crate is written on.
//!
//! * [`Instructions`] is one of the instruction sets that this processor has. A value of it, as of each set's own type
//!   ([`Portable`], and `Avx2`, `Avx512` on x86-64), can only be had by detection: it proves that the instructions exist.
//! * A [`Kernel`] is work that is generic over an [`InstructionSet`]; [`Instructions::run`] calls it inside a function
//!   that enables the set. Every set gives the same results, bit for bit.
//! * [`Register`] and its extensions say what registers can do: [`LaneRegister`] where lanes never meet (the tree, the
//!   networks), [`RealRegister`] for single precision, [`ShiftRegister`] where neighbouring lanes do (insertion).
//!
//! A further instruction set is one file (its token, its registers, how it is detected and enabled) and its lines in
//! [`Instructions`].

mod aligned;
#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
pub mod functions;
mod instructions;
mod kernel;
#[cfg(target_arch = "x86_64")]
mod operations;
pub mod portable;
mod register;
#[cfg(test)]
mod tests;

pub use aligned::{Aligned, Number};
#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use instructions::Instructions;
pub use portable::Portable;
pub(crate) use register::MOST_LANES;
pub use register::{
    InstructionSet, Kernel, LaneRegister, RealRegister, Register, ShiftRegister, WINDOW, WideningRegister,
};
