//! Which plan suits which instance and time: what each plan lost on drawn instances, measured (`pfss train portfolio`).

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use thiserror::Error;

use super::situation::{Coordinates, Situation};

/// How `auto` begins and divides its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchPlan {
    /// The share of the search that iterated greedy gets; beam search gets the rest.
    pub greedy_share: f64,
    /// Whether a policy gives one of the starts.
    pub policy: bool,
}

/// What a plan lost on instances of one kind and size in one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanLoss {
    /// The instances, on average, and the time.
    pub situation: Situation,
    /// The plan.
    pub plan: SearchPlan,
    /// By how much it was above the best of all plans, in percent, on average.
    pub loss: f64,
    /// Over how many runs.
    pub runs: usize,
}

/// Why there is no table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanTableError {
    /// The file cannot be read.
    #[error("{}: cannot read the table of plans: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not as `pfss train portfolio` writes it.
    #[error("line {line} of the table of plans: found `{found}`, expected {COLUMNS}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// The line as written.
        found: String,
    },
    /// There is no row.
    #[error("the table of plans is empty")]
    Empty,
}

const COLUMNS: &str = "num_jobs,num_machines,variation,start_gap,seconds,greedy_share,policy,loss,runs";

/// Losses differ by so much, in percent, without a reason: a cell where nobody loses more says little.
const NOISE: f64 = 0.15;

/// What is known of one situation.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    place: Coordinates,
    /// By plan: its number, and its loss as a share of the mean of all plans.
    losses: Vec<(usize, f64)>,
}

/// Losses of plans by situation.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanTable {
    losses: Vec<PlanLoss>,
    /// Every plan of the table.
    plans: Vec<SearchPlan>,
    cells: Vec<Cell>,
}

impl PlanTable {
    /// A table of measured losses.
    ///
    /// # Errors
    /// [`PlanTableError::Empty`] where there are none.
    pub fn new(losses: Vec<PlanLoss>) -> Result<Self, PlanTableError> {
        if losses.is_empty() {
            return Err(PlanTableError::Empty);
        }
        let mut plans: Vec<SearchPlan> = Vec::new();
        let mut cells: Vec<Cell> = Vec::new();
        let mut numbers = HashMap::new();
        for loss in &losses {
            let plan = plans.iter().position(|plan| *plan == loss.plan).unwrap_or_else(|| {
                plans.push(loss.plan);
                plans.len() - 1
            });
            let number = *numbers.entry(key(&loss.situation)).or_insert_with(|| {
                cells.push(Cell { place: loss.situation.coordinates(), losses: Vec::new() });
                cells.len() - 1
            });
            cells[number].losses.push((plan, loss.loss));
        }
        for cell in &mut cells {
            // Cells differ in how much there is to lose; none shall speak for its neighbours by that alone.
            let mean = cell.losses.iter().map(|(_, loss)| loss).sum::<f64>() / cell.losses.len() as f64;
            cell.losses.iter_mut().for_each(|(_, loss)| *loss = (*loss + NOISE) / (mean + NOISE));
        }
        Ok(Self { losses, plans, cells })
    }

    /// The table that comes with the program.
    pub fn built_in() -> &'static Self {
        static TABLE: OnceLock<PlanTable> = OnceLock::new();
        let usual = PlanLoss {
            situation: Situation {
                num_jobs: 50,
                num_machines: 20,
                variation: 0.57,
                start_gap: 10.0,
                seconds: 1.0,
            },
            plan: SearchPlan { greedy_share: 0.5, policy: false },
            loss: 0.0,
            runs: 0,
        };
        TABLE.get_or_init(|| {
            // A test reads it, so that the other plan is never needed.
            Self::parse(include_str!("plans.csv")).unwrap_or_else(|_| Self {
                losses: vec![usual],
                plans: vec![usual.plan],
                cells: vec![Cell { place: usual.situation.coordinates(), losses: vec![(0, 1.0)] }],
            })
        })
    }

    /// The table in a file.
    ///
    /// # Errors
    /// [`PlanTableError`] says what is wrong and where.
    pub fn read(path: &Path) -> Result<Self, PlanTableError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| PlanTableError::Read { path: path.to_path_buf(), source })?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, PlanTableError> {
        let mut losses = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let wrong = || PlanTableError::Line { line: index + 1, found: line.to_string() };
            match index {
                0 if line == COLUMNS => (),
                0 => return Err(wrong()),
                _ => losses.push(row(line).ok_or_else(wrong)?),
            }
        }
        Self::new(losses)
    }

    /// The table as text, which [`PlanTable::read`] reads.
    pub fn to_csv(&self) -> String {
        let mut out = format!("{COLUMNS}\n");
        for PlanLoss { situation, plan, loss, runs } in &self.losses {
            let Situation { num_jobs, num_machines, variation, start_gap, seconds } = situation;
            let SearchPlan { greedy_share, policy } = plan;
            let _ = write!(out, "{num_jobs},{num_machines},{variation:.2},{start_gap:.1},{seconds},");
            let _ = writeln!(out, "{greedy_share},{policy},{loss:.4},{runs}");
        }
        out
    }

    /// The plan that lost least in situations near this one, of those with or without a policy where that is `wanted`. A cell speaks
    /// the less the further away it is; beyond the longest and shortest times of the table, these count.
    pub fn suited(&self, situation: &Situation, wanted: Option<bool>) -> SearchPlan {
        let here = situation.coordinates().with_time_within(self.cells.iter().map(|cell| &cell.place));
        let nearest = self.cells.iter().map(|cell| here.distance(&cell.place)).fold(f64::MAX, f64::min);
        let mut sums = vec![(0.0, 0.0); self.plans.len()];
        for cell in &self.cells {
            let weight = (0.5 * (nearest - here.distance(&cell.place))).exp();
            for &(plan, loss) in &cell.losses {
                sums[plan].0 += weight * loss;
                sums[plan].1 += weight;
            }
        }
        // A plan that was measured far away only says nothing here.
        let heard = 0.5 * sums.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
        let mean = |plan: usize| {
            let (sum, weight) = sums[plan];
            if weight >= heard { sum / weight } else { f64::MAX }
        };
        // A table may have no such plan: then another one is changed.
        let unfit = |plan: usize| wanted.is_some_and(|policy| self.plans[plan].policy != policy);
        let rank = |a: &usize, b: &usize| unfit(*a).cmp(&unfit(*b)).then(mean(*a).total_cmp(&mean(*b)));
        let best = self.plans[(0..self.plans.len()).min_by(rank).unwrap_or_default()];
        SearchPlan { policy: wanted.unwrap_or(best.policy), ..best }
    }
}

/// What tells the situations of a table apart.
fn key(situation: &Situation) -> (usize, usize, [u64; 3]) {
    let Situation { num_jobs, num_machines, variation, start_gap, seconds } = *situation;
    (num_jobs, num_machines, [variation, start_gap, seconds].map(f64::to_bits))
}

/// A row of the table; nothing where it is not one.
fn row(line: &str) -> Option<PlanLoss> {
    let cells: Vec<&str> = line.split(',').collect();
    let &[num_jobs, num_machines, variation, start_gap, seconds, greedy_share, policy, loss, runs] =
        cells.as_slice()
    else {
        return None;
    };
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    let count = |text: &str| text.parse::<usize>().ok().filter(|count| *count > 0);
    let plan = SearchPlan {
        greedy_share: number(greedy_share).filter(|share| (0.02..=0.98).contains(share))?,
        policy: policy.parse().ok()?,
    };
    let situation = Situation {
        num_jobs: count(num_jobs)?,
        num_machines: count(num_machines)?,
        variation: number(variation)?,
        start_gap: number(start_gap)?,
        seconds: number(seconds).filter(|seconds| *seconds > 0.0)?,
    };
    Some(PlanLoss { situation, plan, loss: number(loss)?, runs: count(runs)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniform(num_jobs: usize, num_machines: usize, seconds: f64) -> Situation {
        Situation { num_jobs, num_machines, variation: 0.57, start_gap: 10.0, seconds }
    }

    fn loss(num_jobs: usize, seconds: f64, greedy_share: f64, policy: bool, loss: f64) -> PlanLoss {
        let plan = SearchPlan { greedy_share, policy };
        PlanLoss { situation: uniform(num_jobs, 20, seconds), plan, loss, runs: 1 }
    }

    #[test]
    fn the_built_in_table_is_read_and_written_back() {
        let text = include_str!("plans.csv");
        let table = PlanTable::parse(text).unwrap();
        assert_eq!(table.to_csv(), text);
        assert_eq!(&table, PlanTable::built_in());
    }

    #[test]
    fn the_nearest_cells_decide() {
        let table = PlanTable::new(vec![
            loss(50, 1.0, 0.9, false, 0.1),
            loss(50, 1.0, 0.1, false, 0.3),
            loss(500, 1.0, 0.9, false, 5.0),
            loss(500, 1.0, 0.1, false, 1.0),
            loss(50, 0.01, 0.9, true, 0.5),
            loss(50, 0.01, 0.9, false, 2.0),
        ])
        .unwrap();
        assert_eq!(
            table.suited(&uniform(50, 20, 1.0), None),
            SearchPlan { greedy_share: 0.9, policy: false }
        );
        assert_eq!(
            table.suited(&uniform(450, 18, 2.0), None),
            SearchPlan { greedy_share: 0.1, policy: false }
        );
        assert_eq!(
            table.suited(&uniform(50, 20, 0.001), None),
            SearchPlan { greedy_share: 0.9, policy: true }
        );
        // With and without a policy, also where the table has no such plan near.
        assert_eq!(
            table.suited(&uniform(50, 20, 0.001), Some(false)),
            SearchPlan { greedy_share: 0.9, policy: false }
        );
        assert_eq!(
            table.suited(&uniform(450, 20, 1.0), Some(true)),
            SearchPlan { greedy_share: 0.9, policy: true }
        );
        // Far outside of the table, and without a limit.
        for (jobs, machines, seconds) in [(1, 1, 1.0), (1_000_000, 2, f64::INFINITY), (20, 1000, 1e-9)] {
            let plan = table.suited(&uniform(jobs, machines, seconds), None);
            assert!(table.plans.contains(&plan), "{plan:?}");
        }
    }

    #[test]
    fn kinds_of_one_size_are_told_apart() {
        let gamma = Situation { variation: 1.4, start_gap: 30.0, ..uniform(50, 20, 1.0) };
        let of = |situation, policy, loss| PlanLoss {
            situation,
            plan: SearchPlan { greedy_share: 0.5, policy },
            loss,
            runs: 1,
        };
        let table = PlanTable::new(vec![
            of(uniform(50, 20, 1.0), true, 0.1),
            of(uniform(50, 20, 1.0), false, 0.5),
            of(gamma, true, 0.5),
            of(gamma, false, 0.1),
        ])
        .unwrap();
        assert!(table.suited(&uniform(45, 20, 2.0), None).policy);
        assert!(!table.suited(&Situation { num_jobs: 45, ..gamma }, None).policy);
    }

    #[test]
    fn wrong_tables_are_refused_with_their_line() {
        assert!(matches!(PlanTable::parse(""), Err(PlanTableError::Empty)));
        for line in [
            "",
            "50,20,0.57,10,1,0.9,false,0.1",
            "50,20,0.57,10,1,1.9,false,0.1,3",
            "0,20,0.57,10,1,0.9,false,0.1,3",
            "50,20,0.57,10,1,0.9,maybe,0.1,3",
            "50,20,NaN,10,1,0.9,false,0.1,3",
            "50,20,0.57,-1,1,0.9,false,0.1,3",
        ] {
            let error = PlanTable::parse(&format!("{COLUMNS}\n50,20,0.57,10,1,0.9,false,0.1,3\n{line}\n"))
                .unwrap_err();
            assert!(matches!(error, PlanTableError::Line { line: 3, .. }), "{line}: {error}");
        }
    }
}
