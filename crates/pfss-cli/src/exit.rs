//! From a command's result to the exit code and, where it failed, the message.

use std::io::{self, Write};
use std::process::ExitCode;

/// What a command found out. Its exit code is part of the command line's promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// An answer.
    Success,
    /// A negative answer: a check failed, a target was missed.
    Negative,
    /// An interrupt came before all was done; what is done is kept.
    Interrupted,
}

const NEGATIVE: u8 = 1;
const FAILURE: u8 = 2;
/// The exit code of interrupted work that is not whole: 128 plus the number of SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

/// The exit code of a command. Prints why it failed; a reader that closed the pipe is no failure.
pub(crate) fn code(result: anyhow::Result<Exit>) -> ExitCode {
    match result {
        Ok(Exit::Success) => ExitCode::SUCCESS,
        Ok(Exit::Negative) => ExitCode::from(NEGATIVE),
        Ok(Exit::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do when standard error is closed too.
            let _ = io::stderr().write_all(message(&error).as_bytes());
            ExitCode::from(FAILURE)
        }
    }
}

/// Prints a usage error, or the help that was asked for. The error names options as they are called today, so `hints`
/// tell where others were written.
pub(crate) fn usage(error: &clap::Error, hints: &[String]) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    for hint in hints {
        let _ = writeln!(io::stderr(), "hint: {hint}");
    }
    ExitCode::from(FAILURE)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &(dyn std::error::Error + 'static)| match cause
        .downcast_ref::<crate::output::StdoutError>()
    {
        Some(error) => error.0.kind() == io::ErrorKind::BrokenPipe,
        None => false,
    };
    error.chain().any(is_broken)
}

/// The error and its causes, each on a line; causes that the line above already tells are left out.
fn message(error: &anyhow::Error) -> String {
    let mut text = format!("error: {error}\n");
    let mut above = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !above.contains(&cause) {
            text.push_str(&format!("  cause: {}\n", cause.trim_end()));
            above = cause;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn causes_are_told_once() {
        let inner: anyhow::Result<()> = Err(anyhow::anyhow!("no space left"));
        let error = inner.context("a.json: cannot write: no space left").context("cannot save").unwrap_err();
        assert_eq!(message(&error), "error: cannot save\n  cause: a.json: cannot write: no space left\n");
    }
}
