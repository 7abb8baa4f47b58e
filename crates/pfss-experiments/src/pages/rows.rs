//! Some rows and what tables say of them.

use std::cmp::Ordering;

use super::MeasuredRow;

/// Rows that belong together.
#[derive(Clone, Debug)]
pub struct Rows<'a>(Vec<&'a MeasuredRow>);

impl<'a> Rows<'a> {
    /// These rows.
    pub fn new(rows: impl Iterator<Item = &'a MeasuredRow>) -> Self {
        Self(rows.collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows one by one.
    pub fn iter(&self) -> impl Iterator<Item = &'a MeasuredRow> {
        self.0.iter().copied()
    }

    /// Those that a condition holds for.
    pub fn filter(&self, keep: impl Fn(&MeasuredRow) -> bool) -> Self {
        Self(self.iter().filter(|row| keep(row)).collect())
    }

    /// Those of a contender on a set.
    pub fn of(&self, set: &str, contender: &str) -> Self {
        self.filter(|row| row.set == set && row.contender == contender)
    }

    /// The sets by distribution, jobs and machines.
    pub fn sets(&self) -> Vec<&'a str> {
        let mut sets: Vec<&str> = Vec::new();
        for row in self.iter() {
            if !sets.contains(&row.set.as_str()) {
                sets.push(&row.set);
            }
        }
        // What has no size, such as a name, stays where it is.
        sets.sort_by_key(|set| size_key(set));
        sets
    }

    /// The contenders in the order of the file.
    pub fn contenders(&self) -> Vec<&'a str> {
        let mut contenders: Vec<&str> = Vec::new();
        for row in self.iter() {
            if !contenders.contains(&row.contender.as_str()) {
                contenders.push(&row.contender);
            }
        }
        contenders
    }

    /// How many instances they stand for.
    pub fn count(&self) -> usize {
        self.iter().map(|row| row.count).sum()
    }

    /// The mean of a value over the rows that have it.
    pub fn mean(&self, value: impl Fn(&MeasuredRow) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.iter().filter_map(value).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The mean cost.
    pub fn cost(&self) -> Option<f64> {
        self.mean(|row| row.cost)
    }

    /// The mean time in seconds.
    pub fn seconds(&self) -> Option<f64> {
        self.mean(|row| row.runtime_s)
    }

    /// The mean deviation from the best known, in percent.
    pub fn deviation(&self) -> Option<f64> {
        self.mean(|row| Some(100.0 * (row.cost? / row.best_known? - 1.0)))
    }

    /// The mean gap to the proven bound, in percent.
    pub fn gap(&self) -> Option<f64> {
        self.mean(|row| row.cost.zip(row.bound).map(|(cost, bound)| 100.0 * (cost / bound - 1.0).max(0.0)))
    }

    /// How far the mean cost is above another, in percent.
    pub fn above(&self, other: &Self) -> Option<f64> {
        Some(100.0 * (self.cost()? / other.cost()? - 1.0))
    }

    /// Whether the mean cost is below (`Less`) that of others, above it, or the same but for rounding.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        let difference = self.cost()? / other.cost()? - 1.0;
        Some(if difference.abs() < 1e-9 { Ordering::Equal } else { difference.total_cmp(&0.0) })
    }

    /// How many are proven optimal.
    pub fn proven(&self) -> usize {
        self.iter().filter(|row| row.status == "optimal").count()
    }

    /// The median time in seconds.
    pub fn median(&self) -> Option<f64> {
        let times = self.times();
        let middle = times.len() / 2;
        let upper = *times.get(middle)?;
        Some(if times.len() % 2 == 1 { upper } else { (upper + *times.get(middle - 1)?) / 2.0 })
    }

    /// The times of the runs in seconds, ascending.
    pub fn times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.iter().filter_map(|row| row.runtime_s).collect();
        times.sort_by(f64::total_cmp);
        times
    }
}

/// The distribution and the numbers of jobs and machines of `gamma 20x5`, `20x5` or `20`.
fn size_key(set: &str) -> (String, usize, usize) {
    let mut key = (String::new(), 0, 0);
    for word in set.split([' ', ':']) {
        let (jobs, machines) = word.split_once('x').unwrap_or((word, "0"));
        match (jobs.parse(), machines.parse()) {
            (Ok(jobs), Ok(machines)) => {
                (key.1, key.2) = (jobs, machines);
                break;
            }
            _ => key.0.push_str(word),
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(set: &str, cost: f64, bound: f64, status: &str) -> MeasuredRow {
        MeasuredRow {
            set: set.into(),
            contender: "a".into(),
            count: 1,
            cost: Some(cost),
            best_known: Some(100.0),
            bound: Some(bound),
            status: status.into(),
            ..MeasuredRow::default()
        }
    }

    #[test]
    fn sets_are_sorted_by_size() {
        let names = ["uniform 20x5", "gamma 100x5", "gamma 20x10", "gamma 20x5"];
        let rows = names.map(|set| row(set, 1.0, 1.0, ""));
        let sorted = ["gamma 20x5", "gamma 20x10", "gamma 100x5", "uniform 20x5"];
        assert_eq!(Rows::new(rows.iter()).sets(), sorted);
        let rows = ["20x20: ta030", "100x5", "20x5"].map(|set| row(set, 1.0, 1.0, ""));
        assert_eq!(Rows::new(rows.iter()).sets(), ["20x5", "20x20: ta030", "100x5"]);
    }

    #[test]
    fn means_and_counts() {
        let rows = [row("20x5", 110.0, 100.0, "feasible"), row("20x5", 100.0, 100.0, "optimal")];
        let rows = Rows::new(rows.iter());
        assert_eq!((rows.count(), rows.proven(), rows.cost()), (2, 1, Some(105.0)));
        assert!((rows.deviation().unwrap() - 5.0).abs() < 1e-9 && (rows.gap().unwrap() - 5.0).abs() < 1e-9);
        assert_eq!((rows.of("20x5", "b").cost(), rows.of("20x5", "b").median()), (None, None));
        let near = [row("20x5", 105.0 + 1e-12, 100.0, "")];
        assert_eq!(rows.compare(&Rows::new(near.iter())), Some(Ordering::Equal));
        let times =
            [3.0, 1.0, 2.0, 4.0].map(|s| MeasuredRow { runtime_s: Some(s), ..MeasuredRow::default() });
        assert_eq!(Rows::new(times.iter()).median(), Some(2.5));
        assert_eq!(Rows::new(times[..3].iter()).median(), Some(2.0));
    }
}
