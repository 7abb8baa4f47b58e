//! Exact methods for the permutation flow shop: every answer with a proof, or with the gap that is left.

pub mod branch_and_bound;
mod brute_force;
#[cfg(feature = "mip")]
pub mod mip;

pub use branch_and_bound::TreeSearch;
pub use brute_force::{BruteForce, BruteForceConfig};
#[cfg(feature = "mip")]
pub use mip::{Mip, MipConfig};
