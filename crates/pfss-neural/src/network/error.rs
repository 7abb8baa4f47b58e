//! What can be wrong with a model file.

use thiserror::Error;

use crate::problem::ProblemKind;

/// Why a model cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes are not a model of this program.
    #[error("this is not a policy model of pfss: {reason}")]
    Foreign {
        /// What is missing or unreadable.
        reason: String,
    },
    /// The model says that it has a shape that cannot be.
    #[error("the model asks for {problem}, which no network can have; the file is damaged")]
    Shape {
        /// What is wrong.
        problem: String,
    },
    /// A tensor is missing, or has another shape or type than the model's configuration says.
    #[error("the model's tensor `{name}` {problem}; the file is damaged")]
    Tensor {
        /// The tensor.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The model was made for another problem.
    #[error("the model was trained for {expected}, but was given {found}")]
    Problem {
        /// The model's problem.
        expected: ProblemKind,
        /// That of the instance.
        found: ProblemKind,
    },
    /// The model was made for another number of machines.
    #[error(
        "the model was trained for {expected} machines, but the instance has {found}; use a model for {found} machines"
    )]
    Machines {
        /// The model's.
        expected: usize,
        /// The instance's.
        found: usize,
    },
}
