//! One module per command.

mod algorithms;
mod bench;
mod charts;
mod check;
mod completions;
mod convert;
mod eval;
mod generate;
#[cfg(feature = "tsp")]
mod generate_cities;
mod hands;
mod info;
mod man;
mod plot;
mod problem;
mod reproduce;
mod seed;
#[cfg(feature = "serve")]
mod serve;
mod sink;
mod solve;
mod threads;
mod train;
mod unused;

use crate::args::{Cli, Command};
use crate::console::Console;
use crate::exit::Exit;

/// Runs the command; `hints` tell about options that have another name now.
pub(crate) fn run(cli: Cli, hints: &[String]) -> anyhow::Result<Exit> {
    let console = Console::new(&cli.console);
    for hint in hints {
        console.warn(hint);
    }
    match cli.command {
        Command::Solve(args) => solve::run(&args, console.with_progress(args.progress)),
        Command::Check(args) => check::run(&args, console),
        Command::Generate(args) => generate::run(&args, console),
        Command::Convert(args) => convert::run(&args, console),
        Command::Plot(args) => plot::run(&args, console),
        Command::Algorithms(args) => algorithms::run(&args, console),
        Command::Bench(args) => bench::run(&args, console.with_progress(args.progress)),
        Command::Train(args) => train::run(&args, console),
        Command::Eval(args) => eval::run(&args, console),
        Command::Reproduce(args) => reproduce::run(&args, console),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args, console),
        Command::Info(args) => info::run(&args),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { folder } => man::run(&folder, console),
    }
}
