//! Files of cities and tours.

mod error;
mod source;
mod tour_record;
pub mod tsp_json;
pub mod tsplib;

pub use error::TsplibError;
pub use source::resolve_tsp;
pub use tour_record::{SCHEMA as TOUR_SCHEMA, TourRecord};
