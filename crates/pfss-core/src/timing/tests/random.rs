//! Small random instances over all attributes and objectives that are allowed together.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::timing::{Attributes, JobAttributes, MachineAttributes, Objective, Setup};
use crate::{Instance, JobId, Rng, Seed};

/// An instance and its attributes, as a file would say them.
pub(crate) struct Case {
    pub(crate) instance: Instance<u32>,
    pub(crate) attributes: Attributes,
}

/// The random case with this number, with at most so many jobs and machines.
pub(crate) fn case(number: u64, most_jobs: usize, most_machines: usize) -> Case {
    let mut rng = Seed::new(number).stream("planner's case");
    let (n, m) = (rng.random_range(1..=most_jobs), rng.random_range(1..=most_machines));
    let longest = [3, 9, 30][rng.random_range(0..3)];
    let times = (0..n * m).map(|_| rng.random_range(0..=longest)).collect();
    let instance = Instance::new("", m, times).unwrap();
    let families = rng.random_range(1..=3);
    let mut has = |chance: f64| rng.random::<f64>() < chance;
    let [releases, dues, weights, setups, available, breaks, buffers, no_wait, first, precedence, no_family] =
        [0.3, 0.7, 0.5, 0.4, 0.3, 0.35, 0.4, 0.35, 0.2, 0.3, 0.2].map(&mut has);
    let span = longest * (n + m) as u32;
    let jobs = (0..n)
        .map(|_| JobAttributes {
            release: if releases { f64::from(rng.random_range(0..=span / 3)) } else { 0.0 },
            due: (dues && rng.random_range(0..6) > 0).then(|| f64::from(rng.random_range(0..=span)) - 3.0),
            weight: if weights { f64::from(rng.random_range(0..=4u32)) } else { 1.0 },
            family: (!no_family || rng.random()).then(|| rng.random_range(0..families)),
        })
        .collect();
    let mut machines: Vec<MachineAttributes> = (0..m)
        .map(|_| MachineAttributes {
            available_from: if available { f64::from(rng.random_range(0..=span / 3)) } else { 0.0 },
            breaks: if breaks { some_breaks(&mut rng, span) } else { Vec::new() },
            resume: rng.random(),
            setups: if setups { some_setups(&mut rng, families, longest) } else { Vec::new() },
            ..MachineAttributes::default()
        })
        .collect();
    for gap in 0..m - 1 {
        let breaks = !machines[gap].breaks.is_empty() || !machines[gap + 1].breaks.is_empty();
        if no_wait && !breaks && rng.random() {
            machines[gap].no_wait = true;
        } else if buffers && rng.random_range(0..4) > 0 {
            machines[gap].buffer = Some(rng.random_range(0..3));
        }
    }
    let mut shuffled: Vec<JobId> = (0..n as JobId).collect();
    shuffled.shuffle(&mut rng);
    let fixed = if first { rng.random_range(0..=n / 2) } else { 0 };
    let mut pairs = Vec::new();
    for _ in 0..if precedence { n } else { 0 } {
        let (a, b) = (rng.random_range(0..n), rng.random_range(0..n));
        if a < b {
            pairs.push((shuffled[a], shuffled[b]));
        }
    }
    let attributes = Attributes {
        jobs,
        machines,
        families: (0..families).map(|family| family.to_string()).collect(),
        first: shuffled[..fixed].to_vec(),
        precedence: pairs,
        objectives: Vec::new(),
    };
    let has_dues = attributes.jobs.iter().any(|job| job.due.is_some());
    let objectives = some_objectives(&mut rng, has_dues);
    Case { instance, attributes: Attributes { objectives, ..attributes } }
}

fn some_breaks(rng: &mut Rng, span: u32) -> Vec<(f64, f64)> {
    let mut breaks = Vec::new();
    let mut end = 0;
    for _ in 0..rng.random_range(0..4) {
        let from = end + rng.random_range(0..=span / 4);
        end = from + rng.random_range(1..=1 + span / 8);
        breaks.push((f64::from(from), f64::from(end)));
    }
    breaks.shuffle(rng);
    breaks
}

fn some_setups(rng: &mut Rng, families: usize, longest: u32) -> Vec<Setup> {
    let mut setups = Vec::new();
    for from in (0..families).map(Some).chain([None]) {
        for to in 0..families {
            if rng.random_range(0..4) > 0 {
                setups.push(Setup { from, to, time: f64::from(rng.random_range(0..=longest)) });
            }
        }
    }
    setups
}

fn some_objectives(rng: &mut Rng, has_dues: bool) -> Vec<Objective> {
    let mut all = Objective::ALL.to_vec();
    all.retain(|objective| has_dues || !objective.needs_due_dates());
    all.shuffle(rng);
    all.truncate(rng.random_range(0..=2));
    all
}
