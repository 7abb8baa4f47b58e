//! What trainings compute with: matrices on a device, the operations of the networks with their gradients, and a tape
//! that remembers in which order these are taken back.
//!
//! A [`Backend`] is a device: few operations, each as large as it can be (a whole gated sum over neighbours, a whole
//! attention), because it is the number of passes over memory on a processor, and the number of kernels on a GPU, that a
//! step of training waits for. Every operation has its gradient beside it on the [`Tape`]. All sums are taken in an order
//! that depends on sizes alone, so that the same training gives the same bits with any number of threads.

mod backend;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod matrix;
mod operations;
mod tape;

pub(crate) use backend::{Backend, DecoderKeys, Graph, Rest, Start, Statistics, Step};
pub(crate) use cpu::Cpu;
#[cfg(feature = "cuda")]
pub(crate) use cuda::Cuda;
pub(crate) use matrix::Matrix;
pub(crate) use operations::{Norm, Pointed, Taken};
pub(crate) use tape::{Tape, Var};
