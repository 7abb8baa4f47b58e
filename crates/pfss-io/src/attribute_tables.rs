//! Attributes of machines as tables: set-ups, breaks, and what else a machine has.

use std::collections::{HashMap, HashSet};

use pfss_core::timing::{MachineAttributes, Setup};

use crate::Entry;
use crate::attributes::{Breaks, Families, available_from, duration, flag, tidy};
use crate::clock::Clock;
use crate::csv::Records;
use crate::error::{Problem, ReadError, excerpt};

/// Reads set-ups from a CSV text with the columns machine, from, to and time, and puts them in the place of the
/// entry's. An empty `from` is the set-up before the first job.
///
/// # Errors
/// [`ReadError`] says what is wrong and where: an unknown machine, a set-up that stands twice.
pub fn read_setups(text: &str, entry: &mut Entry) -> Result<(), ReadError> {
    let mut families = Families::of_jobs(&entry.attributes);
    let names = MachineNames::of(entry);
    let mut machines = machines_of(entry);
    machines.iter_mut().for_each(|machine| machine.setups.clear());
    let mut seen = HashSet::new();
    let mut records = Records::open(text, &["machine", "from", "to", "time"], &[])?;
    while let Some(record) = records.next()? {
        let machine = names.number(&record.cells[0].text).map_err(|problem| record.error(0, problem))?;
        let mut family = |column: usize| {
            let found = families.of_setup(&record.cells[column].text);
            found.map_err(|problem| record.error(column, problem))
        };
        let from = if record.cells[1].text.is_empty() { None } else { Some(family(1)?) };
        let to = family(2)?;
        let time = duration(&record.cells[3].text).map_err(|problem| record.error(3, problem))?;
        if !seen.insert((machine, from, to)) {
            let message = "this set-up stands twice; give it once".to_string();
            return Err(record.error(0, Problem::Attribute { message }));
        }
        machines[machine].setups.push(Setup { from, to, time });
    }
    entry.attributes.families = families.into_names();
    put(entry, machines);
    Ok(())
}

/// Reads breaks from a CSV text with the columns machine, from and to, and puts them in the place of the entry's.
///
/// # Errors
/// [`ReadError`] says what is wrong and where: an unknown machine, breaks that overlap.
pub fn read_breaks(text: &str, entry: &mut Entry, clock: Option<&Clock>) -> Result<(), ReadError> {
    let names = MachineNames::of(entry);
    let mut machines = machines_of(entry);
    let mut breaks: Vec<Breaks> = machines.iter().map(|_| Breaks::default()).collect();
    let mut records = Records::open(text, &["machine", "from", "to"], &[])?;
    while let Some(record) = records.next()? {
        let machine = names.number(&record.cells[0].text).map_err(|problem| record.error(0, problem))?;
        breaks[machine]
            .add(&record.cells[1].text, &record.cells[2].text, clock)
            .map_err(|problem| record.error(1, problem))?;
    }
    for (machine, breaks) in machines.iter_mut().zip(breaks) {
        machine.breaks = breaks.into_inner();
    }
    put(entry, machines);
    Ok(())
}

/// Reads what else a machine has from a CSV text with the column machine and any of available_from, resume, buffer
/// and no_wait.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_machines(text: &str, entry: &mut Entry, clock: Option<&Clock>) -> Result<(), ReadError> {
    let names = MachineNames::of(entry);
    let mut machines = machines_of(entry);
    let mut seen = vec![false; machines.len()];
    let mut records = Records::open(text, &["machine"], &["available_from", "resume", "buffer", "no_wait"])?;
    while let Some(record) = records.next()? {
        let number = names.number(&record.cells[0].text).map_err(|problem| record.error(0, problem))?;
        if std::mem::replace(&mut seen[number], true) {
            let message = format!("machine `{}` stands twice", record.cells[0].text);
            return Err(record.error(0, Problem::Attribute { message }));
        }
        let machine = &mut machines[number];
        for (column, cell) in
            record.cells.iter().enumerate().skip(1).filter(|(_, cell)| !cell.text.is_empty())
        {
            let set = match column {
                1 => available_from(&cell.text, clock).map(|value| machine.available_from = value),
                2 => flag(&cell.text).map(|value| machine.resume = value),
                3 => places(&cell.text).map(|value| machine.buffer = Some(value)),
                _ => flag(&cell.text).map(|value| machine.no_wait = value),
            };
            set.map_err(|problem| record.error(column, problem))?;
        }
    }
    put(entry, machines);
    Ok(())
}

/// How many jobs a buffer holds.
fn places(text: &str) -> Result<usize, Problem> {
    text.parse().map_err(|_| Problem::Attribute {
        message: format!(
            "a buffer is `{}`, expected how many jobs it holds: 0, 1, 2, ...",
            excerpt(text.as_bytes())
        ),
    })
}

fn machines_of(entry: &Entry) -> Vec<MachineAttributes> {
    let mut machines = entry.attributes.machines.clone();
    machines.resize(entry.instance.num_machines(), MachineAttributes::default());
    machines
}

fn put(entry: &mut Entry, machines: Vec<MachineAttributes>) {
    entry.attributes.machines = machines;
    entry.attributes = tidy(std::mem::take(&mut entry.attributes));
}

/// Machines by name, or by `M1`, `M2`, ... where they have none.
struct MachineNames {
    labels: Vec<String>,
    /// `None` where two machines share a name.
    numbers: HashMap<String, Option<usize>>,
}

impl MachineNames {
    fn of(entry: &Entry) -> Self {
        let instance = &entry.instance;
        let labels: Vec<String> =
            (0..instance.num_machines()).map(|machine| instance.machine_label(machine)).collect();
        let mut numbers = HashMap::with_capacity(labels.len());
        for (machine, label) in labels.iter().enumerate() {
            numbers.entry(label.clone()).and_modify(|number| *number = None).or_insert(Some(machine));
        }
        Self { labels, numbers }
    }

    fn number(&self, name: &str) -> Result<usize, Problem> {
        let message = match self.numbers.get(name) {
            Some(Some(machine)) => return Ok(*machine),
            Some(None) => format!("two machines are named `{name}`; rename one"),
            None => {
                let name = excerpt(name.as_bytes());
                format!("there is no machine `{name}`; the machines are {}", self.labels.join(", "))
            }
        };
        Err(Problem::Attribute { message })
    }
}
