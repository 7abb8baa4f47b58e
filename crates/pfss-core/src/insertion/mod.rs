//! Insertion pricing with Taillard's acceleration: all places of one job at once.

mod choice;
mod inside;
mod kernel;
mod moves;
mod pricer;
mod reference;
mod vector;
mod wavefront;

pub(crate) use moves::Machines;
pub use moves::{BLOCK as MOVES, MovePricer};
pub use pricer::FlowShopPricer;
