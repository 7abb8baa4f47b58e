//! `pfss`: solve permutation flow shops from the command line.
//!
//! Data goes to standard output, everything else to standard error. This crate alone reads the environment,
//! handles signals and decides exit codes; the libraries below it stay silent.

mod args;
mod commands;
mod console;
mod date;
mod exit;
mod gate;
mod interrupt;
#[cfg(feature = "mpi")]
mod job;
mod machine;
mod moment;
mod order;
mod output;
mod progress;
#[cfg(feature = "mpi")]
mod ranks;
mod source;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    #[cfg(feature = "mpi")]
    return ranks::run(program);
    #[cfg(not(feature = "mpi"))]
    program()
}

/// What one process does, or rank 0 of several.
fn program() -> ExitCode {
    let (arguments, hints) = args::modern(std::env::args_os());
    match args::Cli::try_parse_from(arguments) {
        Ok(cli) => exit::code(commands::run(cli, &hints)),
        Err(error) => exit::usage(&error, &hints),
    }
}
