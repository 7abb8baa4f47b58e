//! The gate: whatever passes it is a legal problem, so nothing behind it checks again.

use super::MOST_TICKS;
use super::jobs::{self, Job};
use super::machines::{self, Gap, Machine, Setups};
use super::model::Line;
use super::order::Order;
use crate::permutation::job_id;
use crate::timing::goals::{Deadline, Goals};
use crate::timing::ticks::Scale;
use crate::timing::{AttributeError, Attributes, JobAttributes};
use crate::{Instance, Time};

/// The most decimals of a time.
const TIME_DECIMALS: u32 = 6;

impl Line {
    /// Checks the attributes of an instance.
    ///
    /// # Errors
    /// [`AttributeError`] names the first attribute that is malformed, or a combination that is not supported.
    pub fn new<T: Time>(instance: &Instance<T>, attributes: &Attributes) -> Result<Self, AttributeError> {
        line(instance, attributes)
    }
}

fn line<T: Time>(instance: &Instance<T>, attributes: &Attributes) -> Result<Line, AttributeError> {
    let (num_jobs, num_machines) = (instance.num_jobs(), instance.num_machines());
    for (what, found, expected) in
        [("job", attributes.jobs.len(), num_jobs), ("machine", attributes.machines.len(), num_machines)]
    {
        if found != 0 && found != expected {
            return Err(AttributeError::Count { what, found, expected });
        }
    }
    let job_label = |job: usize| instance.job_label(job_id(job));
    let machine_label = |machine: usize| instance.machine_label(machine);
    jobs::check(attributes, &job_label)?;
    machines::check(attributes, &machine_label)?;
    let order = Order::new(attributes, num_jobs, &job_label)?;
    let weight = jobs::weight_scale(attributes, &job_label)?;
    let time = time_scale(instance, attributes)?;
    let setups = Setups::new(attributes, time, &machine_label)?;
    let jobs = jobs::jobs(attributes, num_jobs, time, weight, &job_label)?;
    let machines = machines::machines(attributes, num_machines, num_jobs, time, &machine_label)?;
    machines::places(&machines, num_jobs)?;
    let ticks = times(instance, time)?;
    let horizon = horizon(&ticks, &jobs, &machines, &setups)?;
    due_dates(&jobs, time, horizon)?;
    let too_long = |_| AttributeError::Horizon { found: "too many".to_string(), limit: MOST_TICKS };
    let mut shop = Instance::new(instance.name(), num_machines, ticks).map_err(too_long)?;
    if let Some(names) = instance.job_names() {
        shop = shop.with_job_names(names.to_vec()).map_err(too_long)?;
    }
    if let Some(names) = instance.machine_names() {
        shop = shop.with_machine_names(names.to_vec()).map_err(too_long)?;
    }
    let deadlines: Vec<Deadline> =
        jobs.iter().map(|job| Deadline { due: job.due, weight: job.weight }).collect();
    let goals = Goals::new(&attributes.objectives, &deadlines, horizon)?;
    Ok(Line { shop, time, weight, jobs, machines, setups, order, goals, horizon })
}

/// The processing times in ticks.
fn times<T: Time>(instance: &Instance<T>, time: Scale) -> Result<Vec<u32>, AttributeError> {
    let ticks = |(index, value): (usize, &T)| {
        let place = || operation(instance, index);
        time.to_unsigned(value.to_f64(), MOST_TICKS).map_err(|beyond| beyond.of(place(), "the time"))
    };
    instance.times().iter().enumerate().map(ticks).collect()
}

/// The job and machine of a processing time.
fn operation<T: Time>(instance: &Instance<T>, index: usize) -> String {
    let (job, machine) = (index / instance.num_machines(), index % instance.num_machines());
    format!("job {} on machine {}", instance.job_label(job_id(job)), instance.machine_label(machine))
}

/// A number of a job.
type Field = fn(&JobAttributes) -> f64;

/// The scale of everything that is a time.
fn time_scale<T: Time>(instance: &Instance<T>, attributes: &Attributes) -> Result<Scale, AttributeError> {
    let job = |job: usize| format!("job {}", instance.job_label(job_id(job)));
    let machine = |machine: usize| format!("machine {}", instance.machine_label(machine));
    let times: Vec<f64> = instance.times().iter().map(|time| time.to_f64()).collect();
    let of_jobs = |field: Field| -> Vec<f64> { attributes.jobs.iter().map(field).collect() };
    let error = |place, what, value: f64| AttributeError::Decimals {
        place,
        what,
        value: value.to_string(),
        decimals: TIME_DECIMALS,
    };
    let mut all = times.clone();
    let position = |values: &[f64], value| values.iter().position(|&v| v == value).unwrap_or(0);
    Scale::of(times.iter().copied(), TIME_DECIMALS)
        .map_err(|value| error(operation(instance, position(&times, value)), "the time", value))?;
    let fields: [(_, Field); 2] =
        [("the release", |of| of.release), ("the due date", |of| of.due.unwrap_or(0.0))];
    for (what, field) in fields {
        let values = of_jobs(field);
        Scale::of(values.iter().copied(), TIME_DECIMALS)
            .map_err(|value| error(job(position(&values, value)), what, value))?;
        all.extend(values);
    }
    for (index, of) in attributes.machines.iter().enumerate() {
        let breaks = of.breaks.iter().flat_map(|&(from, to)| [from, to]).collect();
        let setups = of.setups.iter().map(|setup| setup.time).collect();
        let lists: [(_, Vec<f64>); 3] = [
            ("available_from", vec![of.available_from]),
            ("the beginning or end of a break", breaks),
            ("a set-up", setups),
        ];
        for (what, values) in lists {
            Scale::of(values.iter().copied(), TIME_DECIMALS)
                .map_err(|value| error(machine(index), what, value))?;
            all.extend(values);
        }
    }
    Scale::of(all, TIME_DECIMALS).map_err(|value| error("the instance".to_string(), "a time", value))
}

/// A time that no schedule of earliest starts exceeds: when everything is released and available and all breaks are over, at
/// most all work is left. Critical paths have few operations: without blocking one of each job and at most `m - 1` more; with
/// blocking a path may skip a job for every step to a later machine, so it has at most `n + m - 1` in all.
fn horizon(
    times: &[u32],
    jobs: &[Job],
    machines: &[Machine],
    setups: &Setups,
) -> Result<u32, AttributeError> {
    let m = machines.len();
    let begins =
        jobs.iter().map(|job| job.release).chain(machines.iter().map(|machine| machine.available_from));
    let breaks = machines.iter().flat_map(|machine| machine.breaks.last()).map(|&(_, to)| to);
    let begin = u128::from(begins.chain(breaks).max().unwrap_or(0));
    let longest = setups.longest();
    let with_setups = |job: usize| {
        let family = jobs[job].family as usize;
        let setup = |i: usize| if setups.is_empty() { 0 } else { longest[family * m + i] };
        let times = &times[job * m..(job + 1) * m];
        times.iter().enumerate().map(|(i, &time)| u64::from(time) + u64::from(setup(i))).collect::<Vec<u64>>()
    };
    let (mut all, mut path, mut most) = (0u128, 0u128, 0u128);
    for job in 0..jobs.len() {
        let works = with_setups(job);
        all += works.iter().map(|&work| u128::from(work)).sum::<u128>();
        let longest = u128::from(works.iter().copied().max().unwrap_or(0));
        path += longest;
        most = most.max(longest);
    }
    path += most * (m as u128 - 1);
    let blocked_path = most * (jobs.len() + m - 1) as u128;
    let has = |is_such: fn(Gap) -> bool| machines.iter().any(|machine| is_such(machine.gap));
    let longest = match (has(|gap| gap == Gap::NoWait), has(|gap| gap != Gap::Unlimited)) {
        (true, _) => all,
        (_, true) => blocked_path,
        _ => path,
    };
    let ticks = begin + all.min(longest);
    match u32::try_from(ticks) {
        Ok(ticks) if ticks <= MOST_TICKS => Ok(ticks),
        _ => Err(AttributeError::Horizon { found: ticks.to_string(), limit: MOST_TICKS }),
    }
}

/// Refuses due dates that are so far apart that latenesses do not fit in 32 bits.
fn due_dates(jobs: &[Job], time: Scale, horizon: u32) -> Result<(), AttributeError> {
    let dues = || jobs.iter().filter_map(|job| job.due);
    let (earliest, latest) = (dues().min().unwrap_or(0), dues().max().unwrap_or(0));
    let span = i64::from(horizon) + latest.max(0) - earliest.min(0);
    if span <= i64::from(u32::MAX) {
        return Ok(());
    }
    let [earliest, latest, horizon, largest] =
        [earliest, latest, i64::from(horizon), i64::from(u32::MAX)].map(|ticks| time.to_units(ticks));
    Err(AttributeError::DueDates { earliest, latest, horizon, largest })
}
