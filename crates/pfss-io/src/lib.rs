//! Reading and writing permutation flow shop instances, orders and results.
//!
//! Each format is one module with the same two functions, `read` and `write`; [`Format`] names them and
//! detects which one a text has, refusing where two fit. [`resolve`] turns what a user writes (a path, `-`, a
//! benchmark's name) into instances. Errors name the file, the line and the column, and what would be accepted.

mod any_instance;
pub mod atomic;
mod convert;
pub mod csv;
mod detect;
mod error;
mod format;
mod hash;
pub mod job_rows;
pub mod json;
pub mod machine_rows;
mod matrix;
pub mod or_library;
pub mod order;
pub mod pairs;
mod problem;
pub mod record;
mod scan;
mod source;
pub mod taillard;
mod times;
pub mod xz;

pub use any_instance::{AnyInstance, Entry, Metadata, TimeValue};
pub use convert::WriteError;
pub use csv::CsvOptions;
pub use error::{Position, Problem, ReadError, excerpt};
pub use format::{Format, UnknownFormatName};
pub use hash::instance_hash;
pub use order::{GivenOrder, OrderOptions};
pub use record::ResultRecord;
pub use source::{ReadOptions, read_bytes, read_file, resolve, resolve_with};
