//! Best-known makespans of the public benchmarks.

use std::collections::HashMap;
use std::sync::OnceLock;

/// The bounds of 600 instances; `data/README.md` tells where they come from.
const TABLE: &str = include_str!("../data/best_known.csv");

/// What is known about the optimal makespan of a public instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestKnown {
    /// The name of the instance.
    pub name: &'static str,
    /// Its number of jobs.
    pub num_jobs: usize,
    /// Its number of machines.
    pub num_machines: usize,
    /// No order is shorter.
    pub lower_bound: u32,
    /// The makespan of a known order.
    pub upper_bound: u32,
}

impl BestKnown {
    /// Whether the bounds meet.
    pub fn is_optimal(&self) -> bool {
        self.lower_bound == self.upper_bound
    }
}

/// The bounds of the instance of this name.
pub fn best_known(name: &str) -> Option<BestKnown> {
    static INDEX: OnceLock<HashMap<&'static str, usize>> = OnceLock::new();
    let index =
        INDEX.get_or_init(|| all_best_known().iter().enumerate().map(|(at, row)| (row.name, at)).collect());
    index.get(name).and_then(|&at| all_best_known().get(at)).copied()
}

/// All bounds: Taillard's instances by number, then those of Vallada, Ruiz and Framinan by size.
pub fn all_best_known() -> &'static [BestKnown] {
    static ROWS: OnceLock<Vec<BestKnown>> = OnceLock::new();
    ROWS.get_or_init(|| TABLE.lines().filter_map(parse).collect())
}

/// One line of the table; comments and the header give `None`.
fn parse(line: &'static str) -> Option<BestKnown> {
    let mut fields = line.split(',');
    Some(BestKnown {
        name: fields.next()?,
        num_jobs: fields.next()?.parse().ok()?,
        num_machines: fields.next()?.parse().ok()?,
        lower_bound: fields.next()?.parse().ok()?,
        upper_bound: fields.next()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_table_is_complete_and_consistent() {
        let rows = all_best_known();
        assert_eq!(rows.len(), 600);
        assert_eq!(TABLE.lines().count(), 600 + 3);
        assert_eq!(rows.iter().map(|row| row.name).collect::<HashSet<_>>().len(), 600);
        for row in rows {
            assert!(0 < row.lower_bound && row.lower_bound <= row.upper_bound, "{row:?}");
            if let Some(size) = row.name.strip_prefix("VFR") {
                assert!(size.starts_with(&format!("{}_{}_", row.num_jobs, row.num_machines)), "{row:?}");
            }
        }
        assert_eq!(rows[..120].iter().filter(|row| row.is_optimal()).count(), 108);
    }

    #[test]
    fn the_sizes_are_those_of_the_instances() {
        for number in 1..=120 {
            let instance = pfss_core::generate::taillard_benchmark(number).unwrap();
            let row = best_known(instance.name()).unwrap();
            assert_eq!((row.num_jobs, row.num_machines), (instance.num_jobs(), instance.num_machines()));
            assert!(pfss_core::lower_bound(&instance) <= row.upper_bound, "{row:?}");
        }
    }

    #[test]
    fn names_are_looked_up() {
        let row = best_known("VFR800_60_1").unwrap();
        assert_eq!((row.num_jobs, row.num_machines, row.upper_bound), (800, 60, 45_402));
        assert_eq!(best_known("ta051").unwrap().upper_bound, 3_846);
        assert_eq!(best_known("ta121"), None);
        assert_eq!(best_known("name"), None);
    }
}
