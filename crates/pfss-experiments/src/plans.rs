//! The table that `auto` reads: what each of its plans lost, from the rows of a bench.

use std::collections::{BTreeMap, HashMap};

use pfss::{AutoConfig, PlanLoss, PlanTable, PlanTableError, PolicyUse, SearchPlan};
use thiserror::Error;

use crate::{Row, RunLimit};

/// Why rows of a bench give no table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// No run tells which plan it followed.
    #[error(
        "no row is a run of `auto` with a plan and a limit of time, such as `pfss bench DIR -a auto:greedy-share=0.3:policy=off --time-factor 3 -o rows.csv`"
    )]
    NoPlans,
    /// The losses form no table.
    #[error(transparent)]
    Table(#[from] PlanTableError),
}

/// A size, a time in microseconds and a plan, in an order that sorts: the share of iterated greedy in thousandths.
type Cell = (usize, usize, u64, u64, bool);

/// The table that follows from these rows. A run loses what its makespan is above the best of all plans on the same instance
/// in the same time, in percent; a plan, the mean over all instances of a size.
///
/// # Errors
/// [`FitError`] says what is missing.
pub fn fit(rows: &[Row]) -> Result<PlanTable, FitError> {
    let planned: Vec<(&Row, SearchPlan, u64)> = rows.iter().filter_map(planned).collect();
    let mut best: HashMap<(&str, u64), f64> = HashMap::new();
    for (row, _, micros) in &planned {
        let least = best.entry((&row.instance, *micros)).or_insert(f64::INFINITY);
        *least = least.min(row.makespan);
    }
    let mut cells: BTreeMap<Cell, (f64, usize)> = BTreeMap::new();
    for (row, plan, micros) in &planned {
        let share = (1000.0 * plan.greedy_share).round() as u64;
        let cell = cells.entry((row.num_jobs, row.num_machines, *micros, share, plan.policy)).or_default();
        cell.0 += 100.0 * (row.makespan / best[&(row.instance.as_str(), *micros)] - 1.0);
        cell.1 += 1;
    }
    if cells.is_empty() {
        return Err(FitError::NoPlans);
    }
    let loss =
        |((num_jobs, num_machines, micros, share, policy), (sum, runs)): (Cell, (f64, usize))| PlanLoss {
            num_jobs,
            num_machines,
            seconds: micros as f64 / 1e6,
            plan: SearchPlan { greedy_share: share as f64 / 1000.0, policy },
            loss: sum / runs as f64,
            runs,
        };
    Ok(PlanTable::new(cells.into_iter().map(loss).collect())?)
}

/// The plan and the time limit of a run of `auto`, where it has both.
fn planned(row: &Row) -> Option<(&Row, SearchPlan, u64)> {
    let config: AutoConfig = serde_json::from_str(&row.config).ok().filter(|_| row.algorithm == "auto")?;
    let policy = match config.policy {
        PolicyUse::On => true,
        PolicyUse::Off => false,
        PolicyUse::Auto => return None,
    };
    let limit: RunLimit = row.limit.parse().ok()?;
    let time = limit.time(row.num_jobs, row.num_machines)?;
    let plan = SearchPlan { greedy_share: config.greedy_share, policy };
    (config.greedy_share >= 0.02).then_some((row, plan, u64::try_from(time.as_micros()).ok()?))
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
            limit: RunLimit::Time(std::time::Duration::from_millis(20)),
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
        let table = fit(journal.rows()).unwrap();
        let lines: Vec<String> = table.to_csv().lines().map(String::from).collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[1].starts_with("20,5,0.02,0.1,true,") && lines[2].starts_with("20,5,0.02,0.9,false,"));
        assert!(lines.iter().any(|line| line.ends_with(",0.0000,1")), "somebody is the best: {lines:?}");
        assert!(matches!(fit(&[]), Err(FitError::NoPlans)));
    }
}
