//! What jobs and machines carry beyond times, from Python's lists.

use pfss_core::timing::{Attributes, JobAttributes, MachineAttributes, Objective, Setup};
use pfss_io::AnyInstance;
use pfss_io::Families;
use pyo3::prelude::*;

use crate::error::input;
use crate::jobs::{Jobs, place};

/// A machine's set-up as Python says it: machine, family before (none before the first job), family after, time.
type SetupRow<'py> = (Bound<'py, PyAny>, Option<String>, String, f64);

/// Everything that the Python side hands over, column by column; what is absent says nothing.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Columns<'py> {
    release: Option<Vec<f64>>,
    due: Option<Vec<Option<f64>>>,
    weight: Option<Vec<f64>>,
    family: Option<Vec<Option<String>>>,
    available_from: Option<Vec<f64>>,
    breaks: Option<Vec<Vec<(f64, f64)>>>,
    resume: Option<Vec<bool>>,
    setup: Option<Vec<SetupRow<'py>>>,
    buffer: Option<Vec<Option<usize>>>,
    no_wait: Option<Vec<bool>>,
    first: Option<Bound<'py, PyAny>>,
    precedence: Option<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>>,
    objective: Option<Vec<String>>,
}

impl Columns<'_> {
    /// The attributes of an instance.
    pub(crate) fn attributes(self, instance: &AnyInstance) -> PyResult<Attributes> {
        let mut attributes = Attributes::default();
        let objectives = self.objective.iter().flatten().map(|name| name.parse::<Objective>().map_err(input));
        attributes.objectives = objectives.collect::<PyResult<_>>()?;
        let jobs = Jobs::of(instance);
        let mut families = Families::default();
        if let Some(first) = &self.first {
            attributes.first = jobs.list(first)?;
        }
        for (before, after) in self.precedence.iter().flatten() {
            attributes.precedence.push((jobs.job(before)?, jobs.job(after)?));
        }
        self.of_jobs(instance.num_jobs(), &mut attributes, &mut families)?;
        self.of_machines(instance, &mut attributes, &mut families)?;
        attributes.families = families.into_names();
        Ok(attributes)
    }

    fn of_jobs(&self, num_jobs: usize, attributes: &mut Attributes, families: &mut Families) -> PyResult<()> {
        let mut jobs = vec![JobAttributes::default(); num_jobs];
        fill(&mut jobs, "release", &self.release, |job, value| job.release = *value)?;
        fill(&mut jobs, "due", &self.due, |job, value| job.due = *value)?;
        fill(&mut jobs, "weight", &self.weight, |job, value| job.weight = *value)?;
        fill(&mut jobs, "family", &self.family, |job, value| {
            job.family = value.as_ref().map(|name| families.number(name));
        })?;
        if jobs.iter().any(|job| *job != JobAttributes::default()) {
            attributes.jobs = jobs;
        }
        Ok(())
    }

    fn of_machines(
        &self,
        instance: &AnyInstance,
        attributes: &mut Attributes,
        families: &mut Families,
    ) -> PyResult<()> {
        let mut machines = vec![MachineAttributes::default(); instance.num_machines()];
        fill(&mut machines, "available_from", &self.available_from, |machine, value| {
            machine.available_from = *value;
        })?;
        fill(&mut machines, "breaks", &self.breaks, |machine, value| machine.breaks.clone_from(value))?;
        fill(&mut machines, "resume", &self.resume, |machine, value| machine.resume = *value)?;
        fill(&mut machines, "buffer", &self.buffer, |machine, value| machine.buffer = *value)?;
        fill(&mut machines, "no_wait", &self.no_wait, |machine, value| machine.no_wait = *value)?;
        for (machine, from, to, time) in self.setup.iter().flatten() {
            // A table of set-ups is that of the plant: today's jobs need not be of all its families.
            let mut family = |name: &String| families.of_setup(name).map_err(input);
            let setup =
                Setup { from: from.as_ref().map(&mut family).transpose()?, to: family(to)?, time: *time };
            machines[machine_number(instance, machine)?].setups.push(setup);
        }
        if machines.iter().any(|machine| *machine != MachineAttributes::default()) {
            attributes.machines = machines;
        }
        Ok(())
    }
}

/// Sets one attribute of all jobs or machines.
fn fill<A, V>(
    all: &mut [A],
    name: &str,
    values: &Option<Vec<V>>,
    mut set: impl FnMut(&mut A, &V),
) -> PyResult<()> {
    let Some(values) = values else { return Ok(()) };
    if values.len() != all.len() {
        return Err(input(format!("`{name}` has {} values, expected are {}", values.len(), all.len())));
    }
    all.iter_mut().zip(values).for_each(|(one, value)| set(one, value));
    Ok(())
}

/// The machine of this name or number.
fn machine_number(instance: &AnyInstance, item: &Bound<'_, PyAny>) -> PyResult<usize> {
    let text = item.str()?.to_string();
    let num_machines = instance.num_machines();
    let by_number = place(item).filter(|machine| *machine < num_machines);
    let by_name = || (0..num_machines).find(|machine| instance.machine_label(*machine) == text);
    by_number.or_else(by_name).ok_or_else(|| {
        let names: Vec<String> = (0..num_machines).map(|machine| instance.machine_label(machine)).collect();
        input(format!("there is no machine `{text}`; the machines are {}", names.join(", ")))
    })
}
