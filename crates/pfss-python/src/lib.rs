//! The native part of the Python package `pfss`: what `python/pfss` calls.
//!
//! It turns Python's objects into those of the library and back, lets go of the interpreter's lock while the library works,
//! and answers signals. Everything that a user sees (names, defaults, documentation) is written in Python on top of it.

mod attributes;
mod batch;
mod catalogue;
mod clock;
mod entry;
mod error;
mod evaluate;
mod generate;
mod jobs;
mod label;
mod labelled;
mod news;
mod policy;
mod problem;
mod request;
mod solution;
mod solve;
mod table;
mod times;
mod value;
mod watched;

use pyo3::prelude::*;

/// Everything that the Python side imports.
#[pymodule]
mod _pfss {
    #[pymodule_export]
    use crate::catalogue::algorithms;
    #[pymodule_export]
    use crate::clock::NativeClock;
    #[pymodule_export]
    use crate::entry::{NativeInstance, column_role, instances_from_json, named, read};
    #[pymodule_export]
    use crate::error::{InputError, SolveError};
    #[pymodule_export]
    use crate::evaluate::{evaluate, lower_bound, numbers};
    #[pymodule_export]
    use crate::generate::generate;
    #[pymodule_export]
    use crate::label::label;
    #[pymodule_export]
    use crate::labelled::{read_labels, write_labels};
    #[pymodule_export]
    use crate::policy::{NativePolicy, model_content};
    #[pymodule_export]
    use crate::solution::NativeSolution;
    #[pymodule_export]
    use crate::solve::solve;
    #[pymodule_export]
    use crate::value::number;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
