//! `pfss generate tsp`: cities drawn uniformly from the unit square.

use anyhow::bail;
use pfss_core::Seed;
use pfss_io::Format;
use pfss_tsp::{TspInstance, tsp_json};

use super::seed::draw_seed;
use crate::args::GenerateArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::output;

/// Draws the instances and writes them, one JSON object per line.
pub(super) fn run(args: &GenerateArgs, console: Console) -> anyhow::Result<Exit> {
    refuse_others(args)?;
    if args.count == 0 {
        bail!("--count is 0, but at least one instance is needed");
    }
    let file = args.output.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = file {
        FileGate::default().writes(path)?;
    }
    let seed = Seed::new(args.seed.unwrap_or_else(draw_seed));
    if args.seed.is_none() {
        console.say(&format!("seed {}", seed.number()));
    }
    let mut text = String::new();
    for index in 0..args.count as u64 {
        tsp_json::write(&TspInstance::uniform(args.jobs, seed, index)?, &mut text)?;
        if file.is_none() {
            output::print(&text)?;
            text.clear();
        }
    }
    if let Some(path) = file {
        pfss_io::atomic::write(path, text.as_bytes())?;
    }
    Ok(Exit::Success)
}

/// Options that mean nothing for cities are refused, not ignored.
fn refuse_others(args: &GenerateArgs) -> anyhow::Result<()> {
    let mut given = vec![("--machines", args.machines.is_some())];
    given.extend(args.parameters.given());
    given.extend(args.planning.given());
    given.extend([
        ("--taillard-seed", !args.taillard_seed.is_empty()),
        ("--to", args.to.is_some_and(|format| format != Format::Json)),
    ]);
    match given.into_iter().find(|&(_, is_given)| is_given) {
        Some((option, _)) => bail!("{option} is an option for flow shops, not for cities"),
        None => Ok(()),
    }
}
