//! The table that `auto` reads: what each of its plans lost, from the rows of a bench.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use pfss::{AutoConfig, PlanLoss, PlanTable, PlanTableError, PolicyUse, SearchPlan, Situation};
use pfss_core::SolveError;
use pfss_io::match_instance;
use thiserror::Error;

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
    /// `auto` cannot run on an instance.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The losses form no table.
    #[error(transparent)]
    Table(#[from] PlanTableError),
}

/// A size, a set, a time in microseconds and a plan, in an order that sorts: the share of iterated greedy in thousandths.
type Cell = (usize, usize, usize, u64, u64, bool);

/// Sums over the runs of a cell.
#[derive(Default)]
struct Sums {
    variation: f64,
    start_gap: f64,
    loss: f64,
    runs: usize,
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
    let planned: Vec<(&Row, SearchPlan, Duration)> = rows.iter().filter_map(planned).collect();
    let mut best: HashMap<(&str, Duration), f64> = HashMap::new();
    for (row, _, time) in &planned {
        let least = best.entry((&row.instance, *time)).or_insert(f64::INFINITY);
        *least = least.min(row.makespan);
    }
    let mut situations: HashMap<(&str, Duration), Situation> = HashMap::new();
    let mut cells: BTreeMap<Cell, Sums> = BTreeMap::new();
    for (row, plan, time) in &planned {
        let Some((set, instance)) = known.get(row.instance.as_str()) else {
            return Err(FitError::UnknownInstance { name: row.instance.clone() });
        };
        let key = (row.instance.as_str(), *time);
        let situation = match situations.get(&key) {
            Some(situation) => *situation,
            None => *situations.entry(key).or_insert(situation_of(instance, *time)?),
        };
        let share = (1000.0 * plan.greedy_share).round() as u64;
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let cell = (situation.num_jobs, situation.num_machines, *set, micros, share, plan.policy);
        let sums = cells.entry(cell).or_default();
        sums.variation += situation.variation;
        sums.start_gap += situation.start_gap;
        sums.loss += 100.0 * (row.makespan / best[&key] - 1.0);
        sums.runs += 1;
    }
    if cells.is_empty() {
        return Err(FitError::NoPlans);
    }
    let loss = |((num_jobs, num_machines, _, micros, share, policy), sums): (Cell, Sums)| {
        let mean = |sum: f64| sum / sums.runs as f64;
        let situation = Situation {
            num_jobs,
            num_machines,
            variation: mean(sums.variation),
            start_gap: mean(sums.start_gap),
            seconds: micros as f64 / 1e6,
        };
        let plan = SearchPlan { greedy_share: share as f64 / 1000.0, policy };
        PlanLoss { situation, plan, loss: mean(sums.loss), runs: sums.runs }
    };
    Ok(PlanTable::new(cells.into_iter().map(loss).collect())?)
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
