//! The members of `pfss.instance/2`: jobs, machines, the order, the objective.

use std::collections::{HashMap, HashSet};

use pfss_core::JobId;
use pfss_core::timing::{
    AttributeError, Attributes, JobAttributes, Line, MachineAttributes, Objective, Setup,
};
use serde_json::value::RawValue;

use super::names::Names;
use super::objects::{JobObject, MachineObject, SetupObject};
use super::rows;
use super::schema::PLANNER_SCHEMA;
use super::text::{offset, parse};
use crate::attributes::{Breaks, Families, available_from, due, duration, release, tidy, weight};
use crate::clock::Clock;
use crate::error::{Position, Problem, ReadError, excerpt};
use crate::times::Times;
use crate::{AnyInstance, match_instance};

/// The members that version 1 does not have, as they stand in the text.
pub(super) struct Planner<'a> {
    pub(super) text: &'a str,
    pub(super) clock: Option<&'a Clock>,
    pub(super) jobs: Option<Vec<&'a RawValue>>,
    pub(super) machines: Option<Vec<&'a RawValue>>,
    pub(super) first: Option<Vec<&'a RawValue>>,
    pub(super) precedence: Option<Vec<&'a RawValue>>,
    pub(super) objective: Option<&'a RawValue>,
}

impl Planner<'_> {
    /// Fails where a file of version 1 has members of version 2.
    pub(super) fn refuse_members(&self) -> Result<(), Problem> {
        let members = [
            ("jobs", self.jobs.is_some()),
            ("machines", self.machines.is_some()),
            ("first", self.first.is_some()),
            ("precedence", self.precedence.is_some()),
            ("objective", self.objective.is_some()),
        ];
        match members.into_iter().find(|(_, is_there)| *is_there) {
            Some((name, _)) => Err(Problem::Json {
                message: format!("`{name}` is a member of {PLANNER_SCHEMA}; say so in `schema`"),
            }),
            None => Ok(()),
        }
    }

    /// Whether the first of the jobs has its times with it.
    pub(super) fn has_times(&self) -> Result<bool, ReadError> {
        match self.jobs.as_deref() {
            Some([first, ..]) => Ok(parse::<JobObject<'_>>(self.text, first.get())?.times.is_some()),
            _ => Ok(false),
        }
    }

    /// The instance whose times stand with the jobs.
    pub(super) fn times(&self, start: usize) -> Result<AnyInstance, ReadError> {
        let jobs = self.jobs.as_deref().unwrap_or_default();
        let mut times = Times::with_room(jobs.len(), self.text.len());
        let mut row_length = None;
        for (index, job) in jobs.iter().enumerate() {
            let object: JobObject<'_> = parse(self.text, job.get())?;
            let Some(row) = object.times else {
                return Err(self.fail(job.get(), format!("job {index} has no `times`")));
            };
            let place = offset(self.text, row.get());
            let found = rows::read_row(self.text, place, &mut times)?;
            let expected = *row_length.get_or_insert(found);
            if found != expected {
                let problem = Problem::RowLength { row: index + 1, found, expected, what: "times" };
                return Err(ReadError::at(self.text.as_bytes(), place, problem));
            }
        }
        let instance = times.into_job_rows(self.text.as_bytes(), row_length.unwrap_or(1));
        instance.map_err(|error| match error.position {
            None => ReadError::at(self.text.as_bytes(), start, *error.problem),
            Some(_) => error,
        })
    }

    /// The instance with the names of its jobs and machines, and what they carry.
    pub(super) fn attributes(
        self,
        instance: AnyInstance,
        start: usize,
    ) -> Result<(AnyInstance, Attributes), ReadError> {
        let mut families = Families::default();
        let (instance, jobs) = self.read_jobs(instance, &mut families, start)?;
        let (instance, machines) = self.read_machines(instance, &mut families, start)?;
        let names = Names::of(&instance);
        let first = self.read_first(&names)?;
        let precedence = self.read_precedence(&names)?;
        let objectives = self.read_objectives()?;
        let families = families.into_names();
        let attributes = tidy(Attributes { jobs, machines, families, first, precedence, objectives });
        self.check(&instance, &attributes, start)?;
        Ok((instance, attributes))
    }

    /// Fails where what is carried does not fit together, at the member that says it.
    fn check(&self, instance: &AnyInstance, attributes: &Attributes, start: usize) -> Result<(), ReadError> {
        if attributes.is_plain() {
            return Ok(());
        }
        let Err(error) = match_instance!(instance, instance => Line::new(instance, attributes)) else {
            return Ok(());
        };
        let machine_of = |name: &str| {
            let machine =
                (0..instance.num_machines()).find(|&machine| instance.machine_label(machine) == name);
            machine.and_then(|machine| self.machines.as_ref()?.get(machine)).map(|raw| raw.get())
        };
        let part = match &error {
            AttributeError::Circle { .. } => first_of(self.precedence.as_deref()),
            AttributeError::FixedTwice { .. } | AttributeError::FixedAgainstPrecedence { .. } => {
                first_of(self.first.as_deref())
            }
            AttributeError::NoDueDates { .. } | AttributeError::RepeatedObjective { .. } => {
                self.objective.map(RawValue::get)
            }
            AttributeError::BehindTheLast { machine, .. }
            | AttributeError::NoWaitWithBuffer { machine }
            | AttributeError::NoWaitWithBreaks { machine, .. } => machine_of(machine),
            _ => None,
        };
        let place = part.map_or(start, |part| offset(self.text, part));
        Err(ReadError::at(self.text.as_bytes(), place, Problem::Attribute { message: error.to_string() }))
    }

    fn read_jobs(
        &self,
        mut instance: AnyInstance,
        families: &mut Families,
        start: usize,
    ) -> Result<(AnyInstance, Vec<JobAttributes>), ReadError> {
        let Some(jobs) = &self.jobs else { return Ok((instance, Vec::new())) };
        let num_jobs = instance.num_jobs();
        if jobs.len() != num_jobs {
            let message =
                format!("`jobs` has {} entries, but there are times of {num_jobs} jobs", jobs.len());
            return Err(ReadError::at(self.text.as_bytes(), start, Problem::Json { message }));
        }
        let mut names = Vec::new();
        let mut attributes = Vec::with_capacity(num_jobs);
        let mut seen: HashMap<String, usize> = HashMap::new();
        for job in jobs {
            let object: JobObject<'_> = parse(self.text, job.get())?;
            attributes.push(self.job(&object, families)?);
            let Some(name) = object.name else {
                names.push(None);
                continue;
            };
            let place = offset(self.text, job.get());
            if let Some(first) = seen.insert(name.clone(), place) {
                let line = |place| Position::of(self.text.as_bytes(), place).line;
                let problem = Problem::SameName { name, first: line(first), second: line(place) };
                return Err(ReadError::at(self.text.as_bytes(), place, problem));
            }
            names.push(Some(name));
        }
        if names.iter().any(Option::is_some) {
            if instance.job_names().is_some() {
                let message = "jobs are named in `jobs` or in `job_names`, not in both".to_string();
                return Err(ReadError::at(self.text.as_bytes(), start, Problem::Json { message }));
            }
            let label = |(job, name): (usize, Option<String>)| name.unwrap_or_else(|| job.to_string());
            let names = names.into_iter().enumerate().map(label).collect();
            instance = instance.with_job_names(names).map_err(ReadError::new)?;
        }
        Ok((instance, attributes))
    }

    fn job(&self, object: &JobObject<'_>, families: &mut Families) -> Result<JobAttributes, ReadError> {
        let mut job = JobAttributes::default();
        if let Some(raw) = object.release {
            job.release = self.value(raw, |text| release(text, self.clock))?;
        }
        if let Some(raw) = object.due {
            job.due = Some(self.value(raw, |text| due(text, self.clock))?);
        }
        if let Some(raw) = object.weight {
            job.weight = self.value(raw, weight)?;
        }
        if let Some(raw) = object.family {
            let name = self.word(raw, "a family")?;
            job.family = (!name.is_empty()).then(|| families.number(&name));
        }
        Ok(job)
    }

    fn read_machines(
        &self,
        mut instance: AnyInstance,
        families: &mut Families,
        start: usize,
    ) -> Result<(AnyInstance, Vec<MachineAttributes>), ReadError> {
        let Some(machines) = &self.machines else { return Ok((instance, Vec::new())) };
        let num_machines = instance.num_machines();
        if machines.len() != num_machines {
            let message =
                format!("`machines` has {} entries, but jobs have {num_machines} times", machines.len());
            return Err(ReadError::at(self.text.as_bytes(), start, Problem::Json { message }));
        }
        let mut names = Vec::with_capacity(num_machines);
        let mut attributes = Vec::with_capacity(num_machines);
        for raw in machines {
            let object: MachineObject<'_> = parse(self.text, raw.get())?;
            attributes.push(self.machine(&object, families)?);
            names.push(object.name);
        }
        if names.iter().any(Option::is_some) {
            if instance.machine_names().is_some() {
                let message =
                    "machines are named in `machines` or in `machine_names`, not in both".to_string();
                return Err(ReadError::at(self.text.as_bytes(), start, Problem::Json { message }));
            }
            let label = |(machine, name): (usize, Option<String>)| {
                name.unwrap_or_else(|| instance.machine_label(machine))
            };
            let names = names.into_iter().enumerate().map(label).collect();
            instance = instance.with_machine_names(names).map_err(ReadError::new)?;
        }
        Ok((instance, attributes))
    }

    fn machine(
        &self,
        object: &MachineObject<'_>,
        families: &mut Families,
    ) -> Result<MachineAttributes, ReadError> {
        let mut machine = MachineAttributes {
            buffer: object.buffer,
            no_wait: object.no_wait.unwrap_or(false),
            resume: object.resume.unwrap_or(true),
            ..MachineAttributes::default()
        };
        if let Some(raw) = object.available_from {
            machine.available_from = self.value(raw, |text| available_from(text, self.clock))?;
        }
        let mut breaks = Breaks::default();
        for raw in object.breaks.iter().flatten() {
            let [from, to] = parse::<[&RawValue; 2]>(self.text, raw.get())?;
            let (from, to) = (self.word(from, "a break's begin")?, self.word(to, "a break's end")?);
            breaks.add(&from, &to, self.clock).map_err(|problem| self.at(raw, problem))?;
        }
        machine.breaks = breaks.into_inner();
        let mut seen = HashSet::new();
        for raw in object.setup.iter().flatten() {
            let setup = self.setup(raw, families)?;
            if !seen.insert((setup.from, setup.to)) {
                return Err(self.fail(raw.get(), "this set-up stands twice; give it once".to_string()));
            }
            machine.setups.push(setup);
        }
        Ok(machine)
    }

    fn setup(&self, raw: &RawValue, families: &mut Families) -> Result<Setup, ReadError> {
        let setup: SetupObject<'_> = parse(self.text, raw.get())?;
        let mut family = |raw: &RawValue| {
            let name = self.word(raw, "a family")?;
            families.of_setup(&name).map_err(|problem| self.at(raw, problem))
        };
        Ok(Setup {
            from: setup.from.map(&mut family).transpose()?,
            to: family(setup.to)?,
            time: self.value(setup.time, duration)?,
        })
    }

    fn read_first(&self, names: &Names<'_>) -> Result<Vec<JobId>, ReadError> {
        let list = self.first.iter().flatten();
        list.map(|raw| {
            names
                .job(&parse::<serde_json::Value>(self.text, raw.get())?)
                .map_err(|problem| self.at(raw, problem))
        })
        .collect()
    }

    fn read_precedence(&self, names: &Names<'_>) -> Result<Vec<(JobId, JobId)>, ReadError> {
        let pair = |raw: &&RawValue| {
            let [before, after] = parse::<[serde_json::Value; 2]>(self.text, raw.get())?;
            let job = |value| names.job(&value).map_err(|problem| self.at(raw, problem));
            Ok((job(before)?, job(after)?))
        };
        self.precedence.iter().flatten().map(pair).collect()
    }

    fn read_objectives(&self) -> Result<Vec<Objective>, ReadError> {
        let Some(raw) = self.objective else { return Ok(Vec::new()) };
        let words: Vec<String> = if raw.get().starts_with('[') {
            parse(self.text, raw.get())?
        } else {
            let text: String = parse(self.text, raw.get())?;
            text.split(',').map(|word| word.trim().to_string()).collect()
        };
        let objective = |word: String| word.parse().map_err(|error| self.fail(raw.get(), format!("{error}")));
        words.into_iter().map(objective).collect::<Result<Vec<Objective>, _>>()
    }

    /// A number, or a text that `read` understands.
    fn value(&self, raw: &RawValue, read: impl Fn(&str) -> Result<f64, Problem>) -> Result<f64, ReadError> {
        read(&self.word(raw, "a number")?).map_err(|problem| self.at(raw, problem))
    }

    /// A text or a number, as text.
    fn word(&self, raw: &RawValue, expected: &str) -> Result<String, ReadError> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'"') => parse(self.text, text),
            Some(b'-' | b'0'..=b'9') => Ok(text.to_string()),
            _ => {
                let found = excerpt(text.as_bytes());
                Err(self.fail(text, format!("found `{found}`, expected {expected}")))
            }
        }
    }

    fn at(&self, raw: &RawValue, problem: Problem) -> ReadError {
        ReadError::at(self.text.as_bytes(), offset(self.text, raw.get()), problem)
    }

    fn fail(&self, part: &str, message: String) -> ReadError {
        ReadError::at(self.text.as_bytes(), offset(self.text, part), Problem::Attribute { message })
    }
}

/// The first entry of a list.
fn first_of<'a>(list: Option<&[&'a RawValue]>) -> Option<&'a str> {
    list?.first().map(|raw| raw.get())
}
