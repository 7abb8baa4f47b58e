//! What goes to standard error, and whether there are colours and progress.

use std::io::{self, IsTerminal, Write};

use crate::args::{ConsoleArgs, ProgressName};

/// How much is told, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    quiet: bool,
    verbose: bool,
    shows_progress: bool,
    writes_progress: bool,
    hides_progress: bool,
    colours: bool,
}

impl Console {
    /// The console as the user and the terminal want it.
    pub(crate) fn new(args: &ConsoleArgs) -> Self {
        // The convention of no-color.org: present and not empty.
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        // What mpirun shows its ranks as a terminal may be a file.
        #[cfg(feature = "mpi")]
        let dumb = dumb || crate::job::is_rank();
        Self {
            quiet: args.quiet,
            verbose: args.verbose > 0,
            shows_progress: !args.quiet && !dumb && io::stderr().is_terminal(),
            writes_progress: false,
            hides_progress: args.quiet,
            colours: !no_color && !dumb && io::stdout().is_terminal(),
        }
    }

    /// The console of a command with `--progress`.
    #[must_use]
    pub(crate) fn with_progress(self, how: ProgressName) -> Self {
        Self {
            shows_progress: self.shows_progress && how == ProgressName::Bar,
            writes_progress: how == ProgressName::Json,
            hides_progress: self.hides_progress || how == ProgressName::None,
            ..self
        }
    }

    /// Whether progress is written as JSON, which is asked for and so not silenced by `-q`.
    pub(crate) fn writes_progress(self) -> bool {
        self.writes_progress
    }

    /// Whether progress is told in lines where there is no terminal.
    pub(crate) fn tells_progress(self) -> bool {
        !self.hides_progress
    }

    /// Whether a progress line is shown.
    pub(crate) fn shows_progress(self) -> bool {
        self.shows_progress
    }

    /// Whether more is told than usual.
    pub(crate) fn is_verbose(self) -> bool {
        self.verbose && !self.quiet
    }

    /// Something worth knowing that does not stop the command.
    pub(crate) fn warn(self, message: &str) {
        if !self.quiet {
            tell(&format!("warning: {message}"));
        }
    }

    /// Something that users ask for with `-v`.
    pub(crate) fn note(self, message: &str) {
        if self.is_verbose() {
            tell(message);
        }
    }

    /// Text for people that accompanies data on standard output.
    pub(crate) fn say(self, message: &str) {
        if !self.quiet {
            tell(message.trim_end_matches('\n'));
        }
    }

    /// The text in bold where standard output shows it.
    pub(crate) fn bold(self, text: &str) -> String {
        if self.colours { format!("\x1b[1m{text}\x1b[0m") } else { text.to_string() }
    }

    /// The text in a lighter tone where standard output shows it.
    pub(crate) fn dim(self, text: &str) -> String {
        if self.colours { format!("\x1b[2m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// Writes a line to standard error; when that is closed there is nobody to tell.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
