//! Best-known values of the public benchmarks: makespans, total completion times, makespans without buffers.

use std::collections::HashMap;
use std::sync::OnceLock;

use pfss_core::timing::{Attributes, MachineAttributes, Objective};

/// The bounds of 600 instances; `data/README.md` tells where they come from.
const TABLE: &str = include_str!("../data/best_known.csv");

/// The total completion times of Taillard's instances.
const TOTAL_COMPLETION: &str = include_str!("../data/taillard_total_completion.csv");
/// The makespans of Taillard's instances without buffers between machines.
const BLOCKING: &str = include_str!("../data/taillard_blocking.csv");

/// What a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestKnownTable {
    /// The makespan of the plain flow shop.
    Makespan,
    /// The sum of the jobs' completion times.
    TotalCompletion,
    /// The makespan without buffers between machines.
    Blocking,
}

impl BestKnownTable {
    /// The table for instances that carry this, where there is one.
    pub fn of(attributes: &Attributes) -> Option<Self> {
        if attributes.is_plain() {
            return Some(Self::Makespan);
        }
        let Attributes { jobs, machines, families: _, first, precedence, objectives } = attributes;
        if !(jobs.is_empty() && first.is_empty() && precedence.is_empty()) {
            return None;
        }
        let blocking = MachineAttributes { buffer: Some(0), ..MachineAttributes::default() };
        match (machines.split_last(), objectives.as_slice()) {
            (None, [Objective::TotalCompletion]) => Some(Self::TotalCompletion),
            (Some((last, others)), [] | [Objective::Makespan])
                if *last == MachineAttributes::default()
                    && others.iter().all(|machine| *machine == blocking) =>
            {
                Some(Self::Blocking)
            }
            _ => None,
        }
    }

    /// The bounds of the instance of this name.
    pub fn row(self, name: &str) -> Option<BestKnown> {
        let find = |text: &'static str| text.lines().filter_map(parse).find(|row| row.name == name);
        match self {
            Self::Makespan => best_known(name),
            Self::TotalCompletion => find(TOTAL_COMPLETION),
            Self::Blocking => find(BLOCKING),
        }
    }
}

/// What is known about the optimal value of a public instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestKnown {
    /// The name of the instance.
    pub name: &'static str,
    /// Its number of jobs.
    pub num_jobs: usize,
    /// Its number of machines.
    pub num_machines: usize,
    /// No order is below; 0 where nothing is known.
    pub lower_bound: u32,
    /// The value of a known order.
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
        lower_bound: match fields.next()? {
            "" => 0,
            // All values are whole numbers, so a bound in between can be rounded up.
            bound => bound.parse::<f64>().ok()?.ceil() as u32,
        },
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
    fn other_objectives_have_tables_of_their_own() {
        for text in [TOTAL_COMPLETION, BLOCKING] {
            let rows: Vec<BestKnown> = text.lines().filter_map(parse).collect();
            assert_eq!(rows.len(), 120);
            for (row, makespan) in rows.iter().zip(all_best_known()) {
                assert_eq!(
                    (row.name, row.num_jobs, row.num_machines),
                    (makespan.name, makespan.num_jobs, makespan.num_machines)
                );
                // Neither can be below the makespan's bound.
                assert!(
                    row.upper_bound >= makespan.lower_bound && row.lower_bound <= row.upper_bound,
                    "{row:?}"
                );
            }
        }
        let flow = Attributes { objectives: vec![Objective::TotalCompletion], ..Attributes::default() };
        assert_eq!(BestKnownTable::of(&flow).unwrap().row("ta001").unwrap().upper_bound, 14_033);
        let blocking = MachineAttributes { buffer: Some(0), ..MachineAttributes::default() };
        let machines = vec![blocking.clone(), blocking, MachineAttributes::default()];
        let blocking = Attributes { machines, ..Attributes::default() };
        assert_eq!(BestKnownTable::of(&blocking).unwrap().row("ta001").unwrap().upper_bound, 1374);
        assert_eq!(BestKnownTable::of(&Attributes::default()), Some(BestKnownTable::Makespan));
        assert_eq!(BestKnownTable::of(&Attributes { first: vec![0], ..flow }), None);
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
