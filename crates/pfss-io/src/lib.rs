//! Reading and writing permutation flow shop instances, orders and results.
//!
//! Each format is one module with the same two functions, `read` and `write`; [`Format`] names them and
//! detects which one a text has, refusing where two fit. [`resolve`] turns what a user writes (a path, `-`, a
//! benchmark's name) into instances. Errors name the file, the line and the column, and what would be accepted.

// No number becomes another in silence; each exception says why it does not.
#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss
    )
)]

mod any_instance;
pub mod atomic;
pub mod attribute_tables;
mod attributes;
mod claims;
mod clock;
mod convert;
pub mod csv;
mod detect;
mod error;
#[cfg(feature = "excel")]
pub mod excel;
mod format;
mod hash;
pub mod job_rows;
pub mod json;
mod lateness;
pub mod machine_rows;
mod matrix;
mod note;
pub mod or_library;
pub mod order;
mod overrides;
pub mod pairs;
mod problem;
pub mod record;
mod scan;
pub mod schedule;
mod source;
pub mod taillard;
mod times;
mod write_error;
pub mod xz;

pub use any_instance::{AnyInstance, Entry, Metadata, TimeValue};
pub use attributes::Families;
pub use claims::{Claims, Contradiction};
pub use clock::{Clock, ClockError, Meaning, Unit};
pub use csv::{ColumnError, ColumnSetting, CsvOptions, Role};
pub use error::{Position, Problem, ReadError, excerpt};
pub use format::{Format, UnknownFormatName};
pub use hash::{entry_hash, instance_hash};
pub use lateness::Lateness;
pub use note::{Note, Reading};
pub use order::{GivenOrder, OrderOptions};
pub use overrides::Overrides;
pub use record::{JobRecord, ResultRecord};
pub use source::{ReadOptions, read_bytes, read_file, resolve, resolve_with};
pub use write_error::WriteError;
