//! The table by which `auto` chooses its plan.

use pfss_experiments::{BenchInstance, Row, Selection, fit_plans, load, read_rows};
use pfss_io::ReadOptions;

use crate::args::PortfolioArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;

/// Fits the table and writes it.
pub(super) fn run(args: &PortfolioArgs, console: Console) -> anyhow::Result<Exit> {
    let mut gate = FileGate::default();
    gate.writes(&args.output)?;
    let mut rows: Vec<Row> = Vec::new();
    for path in &args.rows {
        gate.reads(path)?;
        rows.extend(read_rows(path)?);
    }
    let set =
        |name: &String| load(std::slice::from_ref(name), &Selection::default(), &[], &ReadOptions::default());
    let sets = args.instances.iter().map(set).collect::<Result<Vec<_>, _>>()?;
    for file in sets.iter().flatten().filter_map(BenchInstance::file) {
        gate.reads(file)?;
    }
    let table = fit_plans(&rows, &sets)?.to_csv();
    pfss_io::atomic::write(&args.output, table.as_bytes())?;
    let losses = table.lines().count() - 1;
    console.say(&format!("{losses} losses of plans, from {} runs, in {}", rows.len(), args.output.display()));
    Ok(Exit::Success)
}
