//! Lines whose shape hurts a search that does not look at its limits.

use pfss::core::timing::{Attributes, JobAttributes, Line, MachineAttributes, Objective, Setup};
use pfss::core::{Instance, JobId};

/// A shape by name.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    jobs: usize,
    machines: usize,
    /// Adds what hurts.
    hurt: fn(&mut Attributes, usize, usize),
}

const fn shape(
    name: &'static str,
    jobs: usize,
    machines: usize,
    hurt: fn(&mut Attributes, usize, usize),
) -> Shape {
    Shape { name, jobs, machines, hurt }
}

pub(crate) const SHAPES: &[Shape] = &[
    shape("layers of precedence", 300, 5, |of, n, _| of.precedence = layers(n, 10)),
    shape("more layers of precedence", 2_000, 5, |of, n, _| of.precedence = layers(n, 20)),
    shape("one chain", 400, 5, |of, n, _| {
        of.precedence = (1..n as JobId).map(|job| (job - 1, job)).collect()
    }),
    shape("fifty chains", 5_000, 5, |of, n, _| {
        of.precedence = (50..n as JobId).map(|job| (job - 50, job)).collect();
    }),
    shape("due dates", 5_000, 5, |_, _, _| ()),
    shape("many machines", 300, 300, |_, _, _| ()),
    shape("very many jobs", 50_000, 10, |_, _, _| ()),
    shape("families", 1_000, 5, |of, n, m| families(of, 300.min(n), m)),
    shape("breaks", 500, 5, |of, _, m| breaks(of, m, false)),
    shape("interrupting breaks", 3_000, 5, |of, _, m| breaks(of, m, true)),
    shape("first jobs", 200, 10, |of, _, _| of.first = (0..50).rev().collect()),
    shape("first jobs and few others", 60, 10, |of, _, _| of.first = (0..50).rev().collect()),
    shape("few jobs", 24, 10, |_, _, _| ()),
    shape("jobs beyond the bits of a set", 150, 5, |of, _, m| breaks(of, m, false)),
    shape("no buffers", 5_000, 20, |of, _, m| gaps(of, m, Some(0))),
    shape("small buffers", 1_000, 10, |of, _, m| gaps(of, m, Some(2))),
    shape("large buffers", 2_000, 10, |of, _, m| gaps(of, m, Some(100))),
    shape("no waiting", 2_000, 10, |of, _, m| gaps(of, m, None)),
];

/// Lists of objectives, the most important first.
pub(crate) const OBJECTIVES: &[&[Objective]] = &[
    &[Objective::Makespan],
    &[Objective::TotalCompletion],
    &[Objective::TotalTardiness],
    &[Objective::MaxLateness],
    &[Objective::LateJobs],
    &[Objective::TotalTardiness, Objective::Makespan],
    &[Objective::LateJobs, Objective::TotalCompletion],
];

/// Numbers that look random.
fn mixed(number: usize) -> u32 {
    (number as u32).wrapping_mul(2_654_435_761).rotate_left(9)
}

/// A plain instance.
pub(crate) fn instance(jobs: usize, machines: usize) -> Instance<u32> {
    Instance::new("", machines, (0..jobs * machines).map(|i| mixed(i) % 99 + 1).collect()).unwrap()
}

impl Shape {
    /// The line of this shape; with the first objective alone where scores of all would be too large.
    pub(crate) fn line(&self, objectives: &[Objective]) -> Line {
        let instance = instance(self.jobs, self.machines);
        let due = |job: usize| f64::from(mixed(job + 7) % (60 * self.jobs as u32));
        let jobs = (0..self.jobs).map(|job| JobAttributes {
            due: Some(due(job)),
            weight: f64::from(mixed(job) % 9),
            ..JobAttributes::default()
        });
        let mut attributes = Attributes {
            jobs: jobs.collect(),
            machines: vec![MachineAttributes::default(); self.machines],
            objectives: objectives.to_vec(),
            ..Attributes::default()
        };
        (self.hurt)(&mut attributes, self.jobs, self.machines);
        Line::new(&instance, &attributes).unwrap_or_else(|_| {
            attributes.objectives.truncate(1);
            Line::new(&instance, &attributes).unwrap()
        })
    }
}

/// Every job of a layer before every job of the next.
pub(crate) fn layers(jobs: usize, width: usize) -> Vec<(JobId, JobId)> {
    let pairs =
        (width..jobs).flat_map(|after| (0..width).map(move |i| (after / width * width - width + i, after)));
    pairs.map(|(before, after)| (before as JobId, after as JobId)).collect()
}

fn families(of: &mut Attributes, families: usize, machines: usize) {
    of.families = (0..families).map(|family| family.to_string()).collect();
    of.jobs.iter_mut().enumerate().for_each(|(job, of)| of.family = Some(job % families));
    for (machine, of) in of.machines.iter_mut().enumerate() {
        let pairs = (0..families).flat_map(|from| (0..families).map(move |to| (from, to)));
        of.setups = pairs
            .map(|(from, to)| {
                let time = f64::from(mixed((machine * families + from) * families + to) % 50);
                Setup { from: Some(from), to, time }
            })
            .collect();
    }
    debug_assert_eq!(of.machines.len(), machines);
}

/// A thousand breaks on each machine.
fn breaks(of: &mut Attributes, _: usize, resume: bool) {
    for (machine, of) in of.machines.iter_mut().enumerate() {
        let begin = |number: usize| (number * 150 + machine * 7) as f64;
        of.breaks = (1..=1_000).map(|number| (begin(number), begin(number) + 30.0)).collect();
        of.resume = resume;
    }
}

fn gaps(of: &mut Attributes, machines: usize, buffer: Option<usize>) {
    for of in &mut of.machines[..machines - 1] {
        of.buffer = buffer;
        of.no_wait = buffer.is_none();
    }
}
