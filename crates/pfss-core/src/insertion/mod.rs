//! Insertion pricing with Taillard's acceleration: all places of one job at once.

mod choice;
mod inside;
mod kernel;
mod pricer;
mod reference;
mod vector;
mod wavefront;

pub use pricer::FlowShopPricer;
