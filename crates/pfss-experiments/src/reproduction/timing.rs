//! Times of a summary: only those of one machine stand beside each other.

use super::fit::Fit;
use super::machine::Machine;
use super::plan::Plan;
use super::summary::Summary;
use crate::stats::power_law;

impl Summary {
    /// The machine whose times are shown: the one that measured most cells. Times of others have no place beside its.
    pub fn timed_on(&self) -> Option<&Machine> {
        self.machines.get(self.timed_at()?)
    }

    fn timed_at(&self) -> Option<usize> {
        let count = |at: &usize| {
            let numbers = self.cells.iter().filter_map(|cell| cell.numbers.as_ref());
            numbers.filter(|numbers| numbers.machine == Some(*at)).count()
        };
        // Of equals the first.
        (0..self.machines.len()).rev().max_by_key(count).filter(|at| count(at) > 0)
    }

    /// The time of a method on all instances of a group; `None` where another machine measured it.
    pub fn seconds(&self, method: &str, group: &str) -> Option<f64> {
        let numbers = self.numbers(method, group)?;
        (numbers.machine? == self.timed_at()?).then_some(numbers.seconds)
    }

    /// That time with expert and training.
    pub fn total(&self, method: &str, group: &str) -> Option<f64> {
        self.seconds(method, group).and(self.numbers(method, group)?.total())
    }

    /// Seconds per instance against jobs.
    pub(super) fn fit(&self, plan: &Plan, method: &str) -> Option<Fit> {
        let points: Vec<(f64, f64)> = plan
            .shown_groups()
            .filter_map(|group| {
                let found = self.group(&group.id)?;
                Some((found.x, self.seconds(method, &group.id)? / found.instances as f64))
            })
            .collect();
        let last = points.get(points.len().saturating_sub(2)..).and_then(power_law);
        Some(Fit {
            method: method.to_string(),
            law: power_law(&points)?,
            last_exponent: last.map(|law| law.exponent),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::{Cell, Numbers};

    #[test]
    fn only_the_times_of_the_machine_with_most_cells_are_shown() {
        let cell = |method: &str, machine: Option<usize>| Cell {
            method: method.into(),
            group: "g".into(),
            numbers: Some(Numbers {
                seeds: 1,
                cost: 1.0,
                cost_error: 0.0,
                gap: None,
                seconds: 2.0,
                before: None,
                proven: 0,
                mark: None,
                by_seed: Vec::new(),
                machine,
            }),
            absent: None,
        };
        let machines = ["slow", "fast"].map(|cpu| Machine { cpu: cpu.into(), workers: 15 }).to_vec();
        let cells = vec![cell("a", Some(0)), cell("b", Some(1)), cell("c", Some(1)), cell("d", None)];
        let summary = Summary { machines, cells, ..Summary::default() };
        assert_eq!(summary.timed_on().unwrap().cpu, "fast");
        let times = ["a", "b", "c", "d"].map(|method| summary.seconds(method, "g"));
        assert_eq!(times, [None, Some(2.0), Some(2.0), None]);
        let one = Summary { cells: summary.cells[..1].to_vec(), ..summary };
        assert_eq!((one.timed_on().unwrap().cpu.as_str(), one.seconds("a", "g")), ("slow", Some(2.0)));
        assert_eq!(Summary::default().timed_on(), None);
    }
}
