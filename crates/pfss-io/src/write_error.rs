//! Why instances cannot be written.

use thiserror::Error;

use crate::Format;

/// Why instances cannot be written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// There is no instance.
    #[error("there is no instance to write")]
    Nothing,
    /// The format holds one instance per file.
    #[error(
        "a {format} file holds one instance, not {found}; write them one by one, or use taillard, or-library or json"
    )]
    OneOnly {
        /// The format.
        format: Format,
        /// How many instances there are.
        found: usize,
    },
    /// The format has no place for what the instance carries beyond times.
    #[error("{format} has no place for {what} of `{instance}`; json has")]
    Attributes {
        /// The format.
        format: Format,
        /// What would be lost.
        what: &'static str,
        /// The instance.
        instance: String,
    },
    /// A machine is called like a column of another kind.
    #[error(
        "csv would read the times of machine `{machine}` of `{instance}` as {meaning}; rename the machine, or write json"
    )]
    Heading {
        /// The machine.
        machine: String,
        /// What its column would be taken for.
        meaning: &'static str,
        /// The instance.
        instance: String,
    },
    /// Two jobs have one name.
    #[error(
        "csv cannot tell the two jobs `{job}` of `{instance}` apart; give each job a name of its own, or write json"
    )]
    SameName {
        /// The name.
        job: String,
        /// The instance.
        instance: String,
    },
}
