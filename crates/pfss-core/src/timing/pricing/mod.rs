//! What orders cost, fast: sequences with the state behind every position kept, and many changes priced at once.

mod children;
mod engine;
mod front;
mod lanes;
mod moves;
mod pricer;
mod rows;
mod sequence;
mod steps;
mod tails;

pub use children::Children;
pub use front::{Front, FrontRules};
pub use pricer::LinePricer;
pub use steps::Change;
