//! `n m`, then one row of `m` times per job.

use crate::error::ReadError;
use crate::{Entry, match_instance, matrix};

/// Reads the one instance of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let (mut scanner, sizes) = matrix::open(text)?;
    let times = matrix::rows(&mut scanner, sizes.num_jobs, sizes.num_machines)?;
    matrix::finish(&mut scanner, sizes.num_jobs)?;
    Ok(vec![times.into_job_rows(scanner.text, sizes.num_machines)?.into()])
}

/// Appends an instance to `out`. Names are not part of the format.
pub fn write(entry: &Entry, out: &mut String) {
    match_instance!(&entry.instance, instance => {
        matrix::write_sizes(out, instance);
        for job in instance.times().chunks_exact(instance.num_machines()) {
            matrix::write_row(out, job.iter().copied());
        }
    });
}
