//! `n m`, then one row of `n` times per machine.

use crate::error::ReadError;
use crate::{Entry, match_instance, matrix};

/// Reads the one instance of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let (mut scanner, sizes) = matrix::open(text)?;
    let times = matrix::rows(&mut scanner, sizes.num_machines, sizes.num_jobs)?;
    matrix::finish(&mut scanner, sizes.num_machines)?;
    Ok(vec![times.into_machine_rows(scanner.text, sizes.num_jobs)?.into()])
}

/// Appends an instance to `out`. Names are not part of the format.
pub fn write(entry: &Entry, out: &mut String) {
    match_instance!(&entry.instance, instance => {
        matrix::write_sizes(out, instance);
        matrix::write_machine_rows(out, instance);
    });
}
