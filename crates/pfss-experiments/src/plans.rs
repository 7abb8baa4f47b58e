//! The table that `auto` reads: what each of its plans lost, from the rows of a bench.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use pfss::{AutoConfig, PlanLoss, PlanTable, PlanTableError, PolicyUse, SearchPlan, Situation};
use pfss_core::SolveError;
use pfss_io::match_instance;
use thiserror::Error;

use crate::fingerprint::is_known;
use crate::{BenchInstance, Row, RunLimit};

/// Why rows of a bench give no table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// No run tells which plan it followed.
    #[error(
        "no row is a run of `auto` with a plan and a limit of time, such as `pfss bench DIR -a auto:greedy-share=0.3:policy=off --time-factor 3 -o rows.csv`"
    )]
    NoPlans,
    /// A run's instance is not among those given.
    #[error("no instance is called `{name}`, of which the rows tell: give its file with --instances")]
    UnknownInstance {
        /// The name in the row.
        name: String,
    },
    /// A run's instance has the name of one that is given, and other numbers.
    #[error(
        "`{name}` has other numbers than when the rows were made (instance_hash {then}, now {now}): give the file of then with --instances"
    )]
    Changed {
        /// The name.
        name: String,
        /// Its fingerprint in the rows.
        then: String,
        /// Its fingerprint now.
        now: String,
    },
    /// `auto` cannot run on an instance.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The losses form no table.
    #[error(transparent)]
    Table(#[from] PlanTableError),
}

/// A size, a set, and a time in microseconds.
type Place = (usize, usize, usize, u64);

/// What was measured at a place.
#[derive(Default)]
struct Cell<'a> {
    /// By instance.
    situations: BTreeMap<&'a str, Situation>,
    /// By plan, its share of iterated greedy in thousandths so that they sort: the sum of its losses, and over how many runs.
    losses: BTreeMap<(u64, bool), (f64, usize)>,
}

impl Cell<'_> {
    /// The mean of its instances.
    fn situation(&self, (num_jobs, num_machines, _, micros): Place) -> Situation {
        let mean = |of: fn(&Situation) -> f64| {
            self.situations.values().map(of).sum::<f64>() / self.situations.len() as f64
        };
        Situation {
            num_jobs,
            num_machines,
            variation: mean(|situation| situation.variation),
            start_gap: mean(|situation| situation.start_gap),
            seconds: micros as f64 / 1e6,
        }
    }
}

/// The table that follows from these rows; instances of one set and size count as alike. A run loses what its makespan is above the best
/// of all plans on the same instance in the same time, in percent; a plan, the mean over instances that are alike.
///
/// # Errors
/// [`FitError`] says what is missing.
pub fn fit(rows: &[Row], sets: &[Vec<BenchInstance>]) -> Result<PlanTable, FitError> {
    let mut known: HashMap<&str, (usize, &BenchInstance)> = HashMap::new();
    for (set, instances) in sets.iter().enumerate() {
        known.extend(instances.iter().map(|instance| (instance.name(), (set, instance))));
    }
    let mut hashes: HashMap<&str, String> = HashMap::new();
    let planned: Vec<(&Row, SearchPlan, Duration)> = rows.iter().filter_map(planned).collect();
    let mut best: HashMap<(&str, Duration), f64> = HashMap::new();
    for (row, _, time) in &planned {
        let least = best.entry((&row.instance, *time)).or_insert(f64::INFINITY);
        *least = least.min(row.makespan);
    }
    let mut cells: BTreeMap<Place, Cell<'_>> = BTreeMap::new();
    for (row, plan, time) in &planned {
        let name = row.instance.as_str();
        let Some((set, instance)) = known.get(name) else {
            return Err(FitError::UnknownInstance { name: name.to_string() });
        };
        let now = hashes.entry(name).or_insert_with(|| instance.instance_hash());
        if is_known(&row.instance_hash) && row.instance_hash != *now {
            let (name, then) = (name.to_string(), row.instance_hash.clone());
            return Err(FitError::Changed { name, then, now: now.clone() });
        }
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let cell = cells.entry((instance.num_jobs(), instance.num_machines(), *set, micros)).or_default();
        if !cell.situations.contains_key(name) {
            cell.situations.insert(name, situation_of(instance, *time)?);
        }
        let share = (1000.0 * plan.greedy_share).round() as u64;
        let (sum, runs) = cell.losses.entry((share, plan.policy)).or_default();
        *sum += 100.0 * (row.makespan / best[&(name, *time)] - 1.0);
        *runs += 1;
    }
    if cells.is_empty() {
        return Err(FitError::NoPlans);
    }
    let mut losses = Vec::new();
    for (place, cell) in &cells {
        let situation = cell.situation(*place);
        losses.extend(cell.losses.iter().map(|(&(share, policy), &(sum, runs))| {
            let plan = SearchPlan { greedy_share: share as f64 / 1000.0, policy };
            PlanLoss { situation, plan, loss: sum / runs as f64, runs }
        }));
    }
    Ok(PlanTable::new(losses)?)
}

fn situation_of(instance: &BenchInstance, time: Duration) -> Result<Situation, SolveError> {
    match_instance!(instance.instance(), instance => Situation::of(instance, time))
}

/// The plan and the time limit of a run of `auto`, where it has both.
fn planned(row: &Row) -> Option<(&Row, SearchPlan, Duration)> {
    let config: AutoConfig = serde_json::from_str(&row.config).ok().filter(|_| row.algorithm == "auto")?;
    let policy = match config.policy {
        PolicyUse::On => true,
        PolicyUse::Off => false,
        PolicyUse::Auto => return None,
    };
    let limit: RunLimit = row.limit.parse().ok()?;
    let time = limit.time(row.num_jobs, row.num_machines)?;
    let plan = SearchPlan { greedy_share: config.greedy_share, policy };
    (config.greedy_share >= 0.02).then_some((row, plan, time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bench, Contender, Journal, Provenance, Selection, Silent, load};
    use pfss::Settings;
    use pfss_core::CancelFlag;
    use pfss_io::ReadOptions;

    #[test]
    fn the_rows_of_a_bench_give_a_table() {
        let instances =
            load(&["ta001".to_string()], &Selection::default(), &[], &ReadOptions::default()).unwrap();
        let contenders =
            ["auto:greedy-share=0.9:policy=off", "auto:greedy-share=0.1:policy=on", "auto", "neh"]
                .map(|text| Contender::parse(text, &Settings::new()).unwrap());
        let mut journal = Journal::in_memory();
        let bench = Bench {
            hands: None,
            instances: &instances,
            contenders: &contenders,
            seeds: 1,
            limit: RunLimit::Time(Duration::from_millis(20)),
            workers: 1,
            memory: 1 << 24,
            provenance: Provenance {
                version: "0".to_string(),
                commit: "0".to_string(),
                cpu: "0".to_string(),
            },
            cancel: CancelFlag::new(),
        };
        bench.run(&mut journal, &Silent).unwrap();
        let table = fit(journal.rows(), &[instances]).unwrap();
        let lines: Vec<String> = table.to_csv().lines().map(String::from).collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        for (line, plan) in lines[1..].iter().zip(["0.1,true", "0.9,false"]) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(
                (&cells[..2], cells[4], cells[5..7].join(",").as_str()),
                (&["20", "5"][..], "0.02", plan)
            );
        }
        assert!(lines.iter().any(|line| line.ends_with(",0.0000,1")), "somebody is the best: {lines:?}");
        assert!(matches!(fit(&[], &[]), Err(FitError::NoPlans)));
        assert!(
            matches!(fit(journal.rows(), &[]), Err(FitError::UnknownInstance { name }) if name == "ta001")
        );
    }
}
