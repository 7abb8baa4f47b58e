//! Plans and their numbers for eyes: tables, pictures, text.

mod book;
mod checks;
mod distance;
mod document;
mod group_table;
mod matrix;
mod models;
mod origin;
mod pictures;
mod reading;
mod tables;
mod text;
mod training_command;
mod versus;

pub use book::{Page, pages};
pub use checks::{Doubt, doubts};
pub use document::{latex, markdown};
pub use pictures::{Picture, pictures};
pub use reading::fill;
