//! `pfss completions`: a completion script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::Exit;
use crate::output;

/// Prints the script.
pub(super) fn run(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pfss", &mut script);
    output::print_with(|out| out.write_all(&script))?;
    Ok(Exit::Success)
}
