//! Instances that others solve: all that it takes, and all that came of it.

mod made;
mod model;
mod portable;
mod solvable;
mod task;
mod workshop;

pub use made::Made;
pub use model::PortableModel;
pub use portable::{PortableProblem, PortableShop};
pub use solvable::Solvable;
pub use task::{Piece, PieceError};
pub use workshop::{Craft, Workshop};
