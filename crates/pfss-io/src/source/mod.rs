//! From what a user writes for an instance to the instance: a path, `-`, or the name of a benchmark.

mod archive;
mod content;
mod file;
mod library;
mod select;

pub(crate) use content::decode;
pub use content::{ReadOptions, read_bytes};
pub use file::read_file;

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::Entry;
use crate::error::ReadError;
use file::read_path;
use select::Selection;

/// All instances that an argument stands for, in the order of the file.
///
/// An argument is a path (a file of instances, or a `.tar.xz` of such files), `-` for standard input, `ta001`
/// to `ta120` (made from their seeds), or a name such as `VFR100_20_1` that is looked up below `data`, also
/// inside archives there. `ARGUMENT#NAME` or `ARGUMENT#3` picks one of several. A path that exists wins.
///
/// # Errors
/// [`ReadError`] says what is wrong and what would be accepted.
pub fn resolve(argument: &str, data: &[PathBuf], options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    resolve_with(argument, data, options, &mut std::io::stdin().lock())
}

/// [`resolve`] with another reader in the place of standard input.
///
/// # Errors
/// See [`resolve`].
pub fn resolve_with(
    argument: &str,
    data: &[PathBuf],
    options: &ReadOptions,
    stdin: &mut dyn Read,
) -> Result<Vec<Entry>, ReadError> {
    let selection = Selection::of(argument);
    let whole = selection.base;
    let entries = if whole == "-" {
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).map_err(|error| ReadError::new(error).in_file("stdin"))?;
        read_bytes(&bytes, "stdin", options)?
    } else if Path::new(whole).exists() {
        read_path(Path::new(whole), selection.member_name(), options)?
    } else {
        library::find(whole, data, options)?
    };
    selection.pick(entries)
}
