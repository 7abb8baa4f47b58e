//! From the library's errors to Python's exceptions.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    pfss,
    InputError,
    PyValueError,
    "What was given cannot be used; the text says what and where."
);
create_exception!(pfss, SolveError, PyRuntimeError, "There is no answer; the text says why.");

/// What was given cannot be used.
pub(crate) fn input(reason: impl Display) -> PyErr {
    InputError::new_err(reason.to_string())
}

/// There is no answer.
pub(crate) fn unsolved(reason: impl Display) -> PyErr {
    SolveError::new_err(reason.to_string())
}

/// Why a part of the library gives nothing, before it is an exception: workers have no interpreter.
#[derive(Debug)]
pub(crate) enum Fault {
    /// What was given cannot be used.
    Input(String),
    /// There is no answer.
    Unsolved(String),
}

impl Fault {
    /// What was given cannot be used.
    pub(crate) fn input(reason: impl Display) -> Self {
        Self::Input(reason.to_string())
    }

    /// There is no answer.
    pub(crate) fn unsolved(reason: impl Display) -> Self {
        Self::Unsolved(reason.to_string())
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Input(reason) => input(reason),
            Fault::Unsolved(reason) => unsolved(reason),
        }
    }
}
