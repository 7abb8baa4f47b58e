//! Instances to try.

use serde::Serialize;
use utoipa::ToSchema;

/// An instance to try.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Example {
    /// Its name.
    name: String,
    /// What it is about.
    summary: &'static str,
    /// How many jobs.
    num_jobs: usize,
    /// How many machines.
    num_machines: usize,
    /// The instance as CSV.
    csv: String,
}

/// Examples as CSV: name, summary, content.
const TEXTS: [(&str, &str, &str); 2] = [
    (
        "bakery",
        "Twelve products of a bakery on five stations, times in minutes",
        include_str!("examples/bakery.csv"),
    ),
    (
        "paint shop",
        "Eight parts through a paint line, with due dates and weights",
        include_str!("examples/paint-shop.csv"),
    ),
];

/// Benchmarks that are made from their seeds.
const BENCHMARKS: [(&str, &str); 2] = [
    ("ta051", "Taillard's 51st instance: fifty jobs, twenty machines, open since 1993"),
    ("ta112", "Five hundred jobs on twenty machines, ten thousand operations"),
];

/// All examples.
pub(crate) fn all() -> Vec<Example> {
    let texts = TEXTS.iter().filter_map(|(name, summary, csv)| {
        let entry = pfss_io::csv::read(csv).ok()?.pop()?;
        Some(example(name, summary, &entry.instance, (*csv).to_string()))
    });
    let benchmarks = BENCHMARKS.iter().filter_map(|(name, summary)| {
        let instance = pfss::named(name).ok()?;
        let mut csv = String::new();
        pfss_io::csv::write(&instance.clone().into(), &mut csv);
        Some(example(name, summary, &instance, csv))
    });
    texts.chain(benchmarks).collect()
}

fn example(name: &str, summary: &'static str, instance: &pfss_io::AnyInstance, csv: String) -> Example {
    let (num_jobs, num_machines) = (instance.num_jobs(), instance.num_machines());
    Example { name: name.to_string(), summary, num_jobs, num_machines, csv }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_example_is_an_instance() {
        let all = super::all();
        assert_eq!(all.len(), super::TEXTS.len() + super::BENCHMARKS.len());
        for example in all {
            let entry = pfss_io::csv::read(&example.csv).unwrap().pop().unwrap();
            assert_eq!(entry.instance.num_jobs(), example.num_jobs, "{}", example.name);
        }
    }
}
