//! Orders below the best-known values are what docs/results/new-best-known.md says of them.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashSet;
use std::path::Path;

use pfss_core::timing::{Attributes, Line, MachineAttributes, Objective, check};
use pfss_core::{Instance, JobId};
use pfss_experiments::BestKnownTable;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Found {
    instance: String,
    num_jobs: usize,
    num_machines: usize,
    makespan: f64,
    best_known: f64,
    bound: f64,
    order: String,
}

fn found() -> Vec<Found> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/new-best-known.csv.xz");
    let text = pfss_io::xz::decompress(&std::fs::read(path).unwrap()).unwrap();
    csv::Reader::from_reader(text.as_slice()).deserialize().collect::<Result<_, _>>().unwrap()
}

/// The attributes behind the colon of a name.
fn attributes(rules: &str, num_machines: usize) -> Attributes {
    let mut attributes = Attributes::default();
    match rules {
        "" => {}
        "total-completion" => attributes.objectives = vec![Objective::TotalCompletion],
        "buffer=0" => {
            let blocking = MachineAttributes { buffer: Some(0), ..MachineAttributes::default() };
            attributes.machines = vec![blocking; num_machines - 1];
            attributes.machines.push(MachineAttributes::default());
        }
        other => panic!("unknown rules {other}"),
    }
    attributes
}

/// Computes one of them again.
fn verify(found: &Found, instance: &Instance<u32>) {
    let rules = found.instance.split_once(':').map_or("", |(_, rules)| rules);
    let attributes = attributes(rules, instance.num_machines());
    let table = BestKnownTable::of(&attributes).unwrap();
    let name = found.instance.split(':').next().unwrap();
    let known = table.row(name).unwrap();
    assert_eq!(f64::from(known.upper_bound), found.best_known, "{}", found.instance);
    assert!(found.bound <= found.makespan && found.makespan < found.best_known, "{}", found.instance);
    assert_eq!((found.num_jobs, found.num_machines), (instance.num_jobs(), instance.num_machines()));
    let order: Vec<JobId> = found.order.split(' ').map(|job| job.parse().unwrap()).collect();
    let line = Line::new(instance, &attributes).unwrap();
    let score = check(&line, &order, None).unwrap();
    assert_eq!(line.value(score), found.makespan, "{}", found.instance);
}

#[test]
fn orders_of_taillards_instances_are_what_is_said() {
    let mut names = HashSet::new();
    let mut seen = 0;
    for found in found() {
        assert!(names.insert(found.instance.clone()), "{} twice", found.instance);
        if let Some(number) = found.instance.strip_prefix("ta") {
            let number = number.split(':').next().unwrap().parse().unwrap();
            verify(&found, &pfss_core::generate::taillard_benchmark(number).unwrap());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

mod needs_data {
    use super::*;
    use pfss_io::{AnyInstance, ReadOptions};

    #[test]
    #[ignore = "needs the benchmark files; PFSS_DATA=FOLDER ./test runs it"]
    fn orders_of_vrf_instances_are_what_is_said() {
        let folder = std::env::var_os("PFSS_DATA").unwrap_or_default();
        let path = std::path::PathBuf::from(folder).join("vrf_large.tar.xz");
        assert!(path.exists(), "this test needs data: PFSS_DATA must name a folder with vrf_large.tar.xz");
        let entries = pfss_io::read_file(&path, &ReadOptions::default()).unwrap();
        let mut seen = 0;
        for found in found().iter().filter(|found| found.instance.starts_with("VFR")) {
            let entry = entries.iter().find(|entry| entry.instance.name() == found.instance).unwrap();
            let AnyInstance::Integer(instance) = &entry.instance else { panic!("VRF times are integers") };
            verify(found, instance);
            seen += 1;
        }
        assert!(seen > 0);
    }
}
