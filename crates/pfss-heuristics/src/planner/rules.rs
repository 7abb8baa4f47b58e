//! Orders by rules that suit an objective, and the order of insertion that suits it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pfss_core::JobId;
use pfss_core::timing::{Line, Objective};

/// A rule by which jobs are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The earliest due date first (Jackson 1955).
    DueDate,
    /// The least time between due date and work first.
    Slack,
    /// The earliest release first.
    Release,
    /// The least work per weight first (Smith 1956).
    WeightedWork,
    /// The most work first (Nawaz, Enscore and Ham 1983).
    MostWork,
    /// As they come.
    Given,
}

impl Rule {
    /// The number by which a job is sorted, the least first.
    fn key(self, line: &Line, job: JobId) -> f64 {
        let work = f64::from(line.shop().total_time(job));
        let due = line.due(job).map_or(f64::from(line.horizon()) * 2.0, |due| due as f64);
        // Weights divide; a job without weight comes last.
        let weight = line.weight(job).max(1e-6);
        let release = f64::from(line.release(job));
        match self {
            Self::DueDate => due,
            Self::Slack => (due - work) / weight,
            Self::Release => release,
            Self::WeightedWork => (release + work) / weight,
            Self::MostWork => -work,
            Self::Given => 0.0,
        }
    }
}

/// The rules that suit the most important objective of a line, the best first.
pub fn suitable_rules(line: &Line) -> &'static [Rule] {
    match line.objectives().next() {
        Some(Objective::TotalCompletion) => &[Rule::WeightedWork, Rule::Release, Rule::MostWork],
        Some(Objective::TotalTardiness | Objective::MaxLateness | Objective::LateJobs) => {
            &[Rule::DueDate, Rule::Slack, Rule::WeightedWork, Rule::Release]
        }
        Some(Objective::Makespan) | None => &[Rule::MostWork, Rule::Release, Rule::Given],
    }
}

/// All jobs by a rule: fixed ones first, and none before those that precede it.
pub fn arrange(line: &Line, rule: Rule) -> Vec<JobId> {
    let n = line.num_jobs();
    let mut order = line.first().to_vec();
    let mut missing: Vec<usize> = (0..n as JobId).map(|job| line.predecessors(job).len()).collect();
    let mut is_fixed = vec![false; n];
    order.iter().for_each(|&job| is_fixed[job as usize] = true);
    // Keys order as their bits do once they are shifted to positive integers by a total order.
    let ranked = |job: JobId| {
        let bits = rule.key(line, job).to_bits() as i64;
        Reverse((bits ^ (((bits >> 63) as u64) >> 1) as i64, job))
    };
    let mut ready: BinaryHeap<_> = (0..n as JobId)
        .filter(|&job| !is_fixed[job as usize] && missing[job as usize] == 0)
        .map(ranked)
        .collect();
    while let Some(Reverse((_, job))) = ready.pop() {
        order.push(job);
        for &after in line.successors(job) {
            missing[after as usize] -= 1;
            if missing[after as usize] == 0 {
                ready.push(ranked(after));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;
    use pfss_core::timing::{Attributes, JobAttributes};

    #[test]
    fn rules_sort_and_keep_the_precedence() {
        let instance = Instance::new("", 1, vec![5u32, 3, 4, 9]).unwrap();
        let due = |due| JobAttributes { due: Some(due), ..JobAttributes::default() };
        let mut attributes = Attributes {
            jobs: vec![due(4.0), due(-3.0), due(7.0), due(0.5)],
            objectives: vec![Objective::TotalTardiness],
            ..Attributes::default()
        };
        let order = |attributes: &Attributes, rule| arrange(&Line::new(&instance, attributes).unwrap(), rule);
        assert_eq!(order(&attributes, Rule::DueDate), [1, 3, 0, 2]);
        assert_eq!(order(&attributes, Rule::MostWork), [3, 0, 2, 1]);
        attributes.first = vec![2];
        attributes.precedence = vec![(0, 1), (2, 3)];
        assert_eq!(order(&attributes, Rule::DueDate), [2, 3, 0, 1]);
    }
}
