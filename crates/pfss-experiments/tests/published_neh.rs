//! NEH against the published makespans of all 120 Taillard and all 480 VRF instances
//! (Benavides and Ritt 2018, the rows without non-permutation insertions).

#![allow(clippy::unwrap_used)]

use pfss::Settings;
use pfss_core::{Instance, Limits, Run, Seed, generate::taillard_benchmark};
use pfss_experiments::best_known;
use pfss_io::{AnyInstance, ReadOptions};

fn published() -> Vec<(String, u32)> {
    let text = include_str!("data/published_neh.csv");
    let rows: Vec<(String, u32)> = text
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(name, makespan)| (name.to_string(), makespan.parse().unwrap()))
        .collect();
    assert_eq!(rows.len(), 600);
    rows
}

fn neh(instance: &Instance<u32>, tie: &str) -> u32 {
    let settings = Settings::from([("tie", tie)]);
    let solver = pfss::algorithm("neh").unwrap().integer(&settings).unwrap();
    solver.solve(instance, &Run::new(Seed::new(1), Limits::default())).unwrap().cost
}

fn percent_over_best_known(name: &str, makespan: u32) -> f64 {
    let best = f64::from(best_known(name).unwrap().upper_bound);
    100.0 * (f64::from(makespan) - best) / best
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn taillard_values_are_the_published_ones() {
    let mut ff = Vec::new();
    for (name, makespan) in published().iter().filter(|(name, _)| name.starts_with("ta")) {
        let instance = taillard_benchmark(name[2..].parse().unwrap()).unwrap();
        assert_eq!(neh(&instance, "first"), *makespan, "{name}");
        ff.push(percent_over_best_known(name, neh(&instance, "ff")));
    }
    assert_eq!(ff.len(), 120);
    assert!(mean(&ff) <= 2.96, "ff: {:.3} % over best known", mean(&ff));
}

mod needs_data {
    use super::*;
    use std::path::PathBuf;

    /// A file of the folder that `PFSS_DATA` names; benchmark files are no part of the project.
    fn data(file: &str) -> PathBuf {
        let folder = std::env::var_os("PFSS_DATA").unwrap_or_default();
        let path = PathBuf::from(folder).join(file);
        assert!(path.exists(), "this test needs data: PFSS_DATA must name a folder with {file}");
        path
    }

    #[test]
    #[ignore = "needs the benchmark files; PFSS_DATA=FOLDER ./test runs it"]
    fn vrf_values_are_the_published_ones() {
        let published = published();
        for (file, count) in [("vrf_small.tar.xz", 240), ("vrf_large.tar.xz", 240)] {
            let entries = pfss_io::read_file(&data(file), &ReadOptions::default()).unwrap();
            assert_eq!(entries.len(), count);
            let mut ff = Vec::new();
            for entry in entries {
                let AnyInstance::Integer(instance) = entry.instance else { panic!("VRF times are integers") };
                let name = instance.name().to_string();
                let makespan = published.iter().find(|(other, _)| *other == name).unwrap().1;
                assert_eq!(neh(&instance, "first"), makespan, "{name}");
                ff.push(percent_over_best_known(&name, neh(&instance, "ff")));
            }
            println!("{file}: ff {:.3} % over best known", mean(&ff));
            if file.contains("large") {
                assert!(mean(&ff) <= 4.29, "ff: {:.3} % over best known", mean(&ff));
            }
        }
    }
}
