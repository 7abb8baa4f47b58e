//! Running a trained network, without a learning framework.
//!
//! Every path makes the same operations in the same order, fused multiply-adds included: the same bits come out on
//! every processor, for an instance alone and among others, and with any number of threads.

mod attention;
mod encoder;
mod linear;
pub(crate) mod logarithm;
mod norm;

pub(crate) use attention::{Attention, DecoderState, Keys};
pub(crate) use encoder::Encoder;
