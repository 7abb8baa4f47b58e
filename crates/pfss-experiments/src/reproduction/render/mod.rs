//! Plans and their numbers for eyes: tables, pictures, text.

mod checks;
mod distance;
mod document;
mod group_table;
mod models;
mod origin;
mod pictures;
mod reading;
mod tables;
mod text;
mod versus;

pub use checks::{Doubt, doubts};
pub use document::{document, latex, markdown};
pub use pictures::{Picture, pictures};
pub use reading::fill;
