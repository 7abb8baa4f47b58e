//! Exact methods for the permutation flow shop: every answer with a proof, or with the gap that is left.
//!
//! [`TreeSearch`] is branch and bound from both ends, in turns of any length and on any number of threads; [`BruteForce`]
//! tries every order, to check the others; [`LineTree`] is
//! branch and bound for the planner's flow shop; with the feature `mip` mixed-integer models are solved by HiGHS. None of them
//! looks for a good order first: `pfss::BranchAndBound` and `pfss::Mip` bring one along.

pub mod branch_and_bound;
mod brute_force;
mod line;
#[cfg(feature = "mip")]
pub mod mip;

pub use branch_and_bound::TreeSearch;
pub use brute_force::{BruteForce, BruteForceConfig};
pub use line::LineTree;
#[cfg(feature = "mip")]
pub use mip::{Mip, MipConfig};
