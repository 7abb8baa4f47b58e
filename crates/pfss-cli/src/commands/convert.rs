//! `pfss convert`: the same instances in another format.

use pfss_io::Format;

use super::sink::Sink;
use crate::args::ConvertArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::source;

/// Reads the instances and writes them.
pub(super) fn run(args: &ConvertArgs, console: Console) -> anyhow::Result<Exit> {
    let mut gate = FileGate::default();
    let (entries, _) = source::read(&args.instance, &args.source, &args.plan, &mut gate, console)?;
    let sink = Sink::new(args.output.as_deref(), args.to, None, entries.len(), &mut gate)?;
    sink.check_names(entries.iter().map(|entry| entry.instance.name()), &mut gate)?;
    let keeps_names = matches!(sink.format(), Format::Csv | Format::Json);
    let has_names = |entry: &pfss_io::Entry| {
        entry.instance.job_names().is_some() || entry.instance.machine_names().is_some()
    };
    if !keeps_names && entries.iter().any(has_names) {
        console.warn(&format!("{} keeps no names of jobs and machines; csv and json do", sink.format()));
    }
    sink.write(entries.into_iter().map(Ok))?;
    Ok(Exit::Success)
}
