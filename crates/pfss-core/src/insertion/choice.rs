//! Chooses a kernel for an instance: number type, instructions, and registers for its machines.
//!
//! A shape (registers a row) costs compile time, so that the lists are short; machines beyond the longest shape
//! take the plain path. Another instruction set needs [`ShiftRegister`](crate::simd::ShiftRegister)s and its shapes here.

use std::any::Any;

use super::kernel::PricingKernel;
use super::reference::ReferencePricer;
use super::vector::VectorKernel;
#[cfg(target_arch = "x86_64")]
use crate::simd::avx2::{F64x2, F64x4, U16x8, U16x16, U32x4, U32x8};
use crate::simd::portable::{Array, Portable};
use crate::simd::{Instructions, Register};
use crate::{Instance, Time};

/// The kernel for an instance.
pub(super) fn kernel<'p, T: Time>(
    instance: &'p Instance<T>,
    instructions: Instructions,
) -> Box<dyn PricingKernel<T> + 'p> {
    let any: &dyn Any = instance;
    let mut integer = any.downcast_ref().map(|instance| integer_kernel(instance, instructions));
    let mut real = any.downcast_ref().map(|instance| real_kernel(instance, instructions));
    // One of both is of the type that is asked for.
    let found = taken::<T>(&mut integer).or_else(|| taken(&mut real));
    found.unwrap_or_else(|| Box::new(ReferencePricer::new(instance)))
}

/// A kernel for times of one type.
type Chosen<T> = Option<Option<Box<dyn PricingKernel<T>>>>;

/// The kernel in `chosen`, if it is one for times of type `T`.
fn taken<T: Time>(chosen: &mut dyn Any) -> Option<Box<dyn PricingKernel<T>>> {
    chosen.downcast_mut::<Chosen<T>>()?.take()?
}

/// The kernel with the least number of registers of the list that hold the machines.
macro_rules! by_registers {
    ($set:expr, $register:ty, $instance:expr, [$($registers:literal),*]) => {{
        let needed = $instance.num_machines().div_ceil(<$register as Register>::LANES);
        $( if needed <= $registers {
            return Some(Box::new(VectorKernel::<$register, $registers>::new($set, $instance)));
        } )*
        None
    }};
}

/// The kernel for integer times: 16 bits while every value fits, else 32; `None` for too many machines.
fn integer_kernel(
    instance: &Instance<u32>,
    instructions: Instructions,
) -> Option<Box<dyn PricingKernel<u32>>> {
    // No path is longer than the horizon, so sums never wrap around. (Sums that stop at the largest value run on fewer ports.)
    let narrow = instance.horizon() < u32::from(u16::MAX);
    match instructions.up_to_256_bits() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(set) => match instance.num_machines() {
            ..=16 if narrow => by_registers!(set, U16x8, instance, [1, 2]),
            _ if narrow => by_registers!(set, U16x16, instance, [2, 3, 4, 8]),
            ..=8 => by_registers!(set, U32x4, instance, [1, 2]),
            _ => by_registers!(set, U32x8, instance, [2, 3, 5, 8]),
        },
        _ if narrow => by_registers!(Portable, Array<u16, 8>, instance, [1, 3, 8]),
        _ => by_registers!(Portable, Array<u32, 4>, instance, [2, 5]),
    }
}

/// The kernel for real times; `None` for too many machines.
fn real_kernel(instance: &Instance<f64>, instructions: Instructions) -> Option<Box<dyn PricingKernel<f64>>> {
    match instructions.up_to_256_bits() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(set) => match instance.num_machines() {
            ..=4 => by_registers!(set, F64x2, instance, [2]),
            _ => by_registers!(set, F64x4, instance, [2, 3, 5, 8]),
        },
        _ => by_registers!(Portable, Array<f64, 2>, instance, [3, 10]),
    }
}
