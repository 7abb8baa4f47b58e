//! Beam search as a solver, with guides of all kinds.

use std::time::Duration;

use pfss_core::generate::taillard_benchmark;
use pfss_core::{Limits, Seed, Status, check};
use pfss_heuristics::beam::{OpenNode, PassSettings, Weighing};
use pfss_neural::{Finish, FrontConfig, FrontPolicy, FrontWeights, Shortlist};

use super::*;

const GAMMA_M5: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gamma-m5");

fn guided(instance: &Instance<u32>, limits: Limits<u32>) -> Outcome<u32> {
    let config = BeamConfig { guide: GuideName::Policy, ..BeamConfig::default() };
    let outcome = Beam::new(config).solve(instance, &Run::new(Seed::new(1), limits)).unwrap();
    assert_eq!(check(instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
    outcome
}

#[test]
fn the_narrowest_pass_is_the_greedy_order() {
    let weights = FrontWeights::random(FrontConfig::default(), 1).unwrap();
    let policy =
        Arc::new(FrontPolicy::new(&weights).with_finish(Finish::NONE).with_shortlist(Shortlist::NONE));
    for number in [1, 11, 21, 31] {
        let instance = taillard_benchmark(number).unwrap();
        let guide = PolicyGuide::new(policy.clone(), &instance);
        let mut search = BeamSearch::new(&instance).guided_by(Box::new(guide));
        let run = Run::new(Seed::new(1), Limits::default());
        let (order, cost) = search.pass(&PassSettings::new(1), &run).best.unwrap();
        let greedy = policy.greedy(&instance);
        assert_eq!((cost, order), (makespan(&instance, &greedy), greedy));
    }
}

#[test]
fn it_proves_small_instances_and_keeps_to_budgets() {
    let times = (0..7 * 4u32).map(|k| (k * k + 3) * 31 % 41).collect();
    let small = Instance::new("", 4, times).unwrap();
    let plain = Beam::new(BeamConfig::default());
    let plain = plain.solve(&small, &Run::new(Seed::new(1), Limits::default())).unwrap();
    let outcome = guided(&small, Limits::default());
    assert_eq!((outcome.cost, outcome.status), (plain.cost, Status::Optimal));

    let instance = taillard_benchmark(51).unwrap();
    let limits = Limits { evaluations: Some(20_000), ..Limits::default() };
    let (first, second) = (guided(&instance, limits), guided(&instance, limits));
    assert_eq!((&first.order, first.evaluations), (&second.order, second.evaluations));
    assert!(first.evaluations < 20_100, "{}", first.evaluations);
    let start = pfss_heuristics::slope_order(&instance);
    assert!(first.cost <= makespan(&instance, &start));
}

#[test]
fn results_are_the_same_on_any_number_of_threads() {
    let instance = taillard_benchmark(61).unwrap();
    for (guide, evaluations) in [(GuideName::Auto, 2_000_000), (GuideName::Policy, 10_000)] {
        let solve = |threads: usize| {
            let limits = Limits { evaluations: Some(evaluations), ..Limits::default() };
            let run = Run::new(Seed::new(1), limits).with_threads(threads);
            let outcome =
                Beam::new(BeamConfig { guide, ..BeamConfig::default() }).solve(&instance, &run).unwrap();
            (outcome.order, outcome.bound, outcome.evaluations)
        };
        assert_eq!(solve(1), solve(3));
    }
}

#[test]
fn limits_and_the_cancel_flag_end_it() {
    let instance = taillard_benchmark(111).unwrap();
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let outcome = guided(&instance, limits);
    assert!(outcome.runtime < Duration::from_secs(2), "{:?}", outcome.runtime);
    let run = Run::new(Seed::new(1), Limits::default());
    run.cancel_flag().cancel();
    let config = BeamConfig { guide: GuideName::Policy, ..BeamConfig::default() };
    assert_eq!(Beam::new(config).solve(&instance, &run).unwrap().order.len(), 500);
}

#[test]
fn models_of_the_other_kind_are_refused() {
    let instance = taillard_benchmark(1).unwrap();
    let refuse = |model: &str| {
        let config =
            BeamConfig { guide: GuideName::Policy, model: model.to_string(), ..BeamConfig::default() };
        let run = Run::new(Seed::new(1), Limits::default());
        Beam::new(config).solve(&instance, &run).unwrap_err().to_string()
    };
    assert!(refuse(GAMMA_M5).contains("from both"), "{}", refuse(GAMMA_M5));
    assert!(refuse("no/such/file").contains("no/such/file"));
}

/// Takes the jobs in the order of their numbers.
struct ByNumber;

impl Guide for ByNumber {
    fn look(&mut self, node: &OpenNode<'_>, log_probabilities: &mut Vec<[f32; 2]>) {
        log_probabilities.clear();
        log_probabilities.extend(node.jobs.iter().map(|&job| [-(job as f32), f32::NEG_INFINITY]));
    }
}

#[test]
fn a_guide_of_ones_own_leads_the_way() {
    let instance = taillard_benchmark(51).unwrap();
    let solve = |beam: Beam<u32>| {
        let limits = Limits { evaluations: Some(3000), ..Limits::default() };
        beam.solve(&instance, &Run::new(Seed::new(1), limits)).unwrap()
    };
    let first_pass = BeamConfig { aspiration: Switch::Off, max_width: 1, ..BeamConfig::default() };
    let own = solve(Beam::new(first_pass.clone()).guided_by(|_| Box::new(ByNumber)));
    // Pruning at the start's cost bends its way, so that it finds no better order than that; the usual guide does.
    assert!(solve(Beam::new(first_pass)).cost < own.cost);
}

#[test]
fn weights_come_from_the_table_of_ones_own() {
    let instance = taillard_benchmark(51).unwrap();
    let solve = |guide: GuideName, weighings: &str| {
        let config = BeamConfig { guide, weighings: weighings.to_string(), ..BeamConfig::default() };
        let limits = Limits { evaluations: Some(300_000), ..Limits::default() };
        Beam::new(config).solve(&instance, &Run::new(Seed::new(1), limits))
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weighings.csv").to_string_lossy().into_owned();
    let table = |scale: f32| {
        let mut table = WeighingTable::default();
        let weighing = Weighing { idle_scale: scale, ..Weighing::WALPHA };
        table.insert(Shape::of(&instance), weighing);
        std::fs::write(&file, table.to_csv()).unwrap();
        solve(GuideName::Fitted, &file).unwrap()
    };
    let plain = solve(GuideName::Walpha, "").unwrap();
    assert_eq!(table(1.0).order, plain.order);
    let other = table(0.1);
    assert_ne!(other.order, plain.order);
    assert_eq!(check(&instance, &other.order, Some(other.cost)), Ok(other.cost));

    // Nothing was fitted to so few machines.
    let reason = |weighings: &str| solve(GuideName::Fitted, weighings).unwrap_err().to_string();
    assert!(reason("").contains("pfss train guide"), "{}", reason(""));
    std::fs::write(&file, "jobs,machines\n").unwrap();
    assert!(reason(&file).contains("line 1 of the table of weighings"), "{}", reason(&file));
    assert!(reason("nowhere.csv").contains("nowhere.csv"));
}
