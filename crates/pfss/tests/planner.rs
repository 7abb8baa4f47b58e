//! Every algorithm on small lines of all kinds, against all orders.

#[allow(clippy::unwrap_used, reason = "it is a part of the tests")]
#[path = "../../pfss-core/src/timing/tests/random.rs"]
mod random;

/// What the random cases import.
mod timing {
    pub(crate) use pfss::core::timing::*;
}

use std::time::{Duration, Instant};

use pfss::Settings;
use pfss::core::timing::pricing::{Front, FrontRules};
pub(crate) use pfss::core::{Instance, JobId, Rng, Seed};
use pfss::core::{Limits, Run, Status};
use pfss::planner::{algorithm, algorithm_of, algorithms};
use timing::{Line, Score, check};

/// The least score of all orders, and how many there are.
fn brute_force(line: &Line) -> (Score, u64) {
    let rules = FrontRules::new(line);
    let mut best = (Score(u64::MAX), 0);
    let mut order = line.first().to_vec();
    let mut front = Front::new(&rules);
    let (mut cost, mut lateness, mut end) = (0, 0, 0);
    for &job in line.first() {
        (cost, lateness, end) = pass(line, job, front.append(&rules, job), cost, lateness);
    }
    extend(line, &rules, &front, &mut order, (cost, lateness, end), &mut best);
    best
}

fn pass(line: &Line, job: JobId, end: u32, cost: u64, lateness: u32) -> (u64, u32, u32) {
    let of = line.job_cost(job);
    (cost + of.at(end), lateness.max(of.lateness.map_or(0, |shifted| shifted + end)), end)
}

fn extend(
    line: &Line,
    rules: &FrontRules<'_>,
    front: &Front,
    order: &mut Vec<JobId>,
    (cost, lateness, end): (u64, u32, u32),
    best: &mut (Score, u64),
) {
    if order.len() == line.num_jobs() {
        let (makespan, of_lateness) = line.costs_of_greatest();
        let score = cost + makespan * u64::from(end) + of_lateness * u64::from(lateness);
        *best = (best.0.min(Score(score)), best.1 + 1);
        return;
    }
    for job in 0..line.num_jobs() as JobId {
        let is_ready = line.predecessors(job).iter().all(|before| order.contains(before));
        if order.contains(&job) || !is_ready {
            continue;
        }
        let mut front = front.clone();
        let next = pass(line, job, front.append(rules, job), cost, lateness);
        order.push(job);
        extend(line, rules, &front, order, next, best);
        order.pop();
    }
}

#[test]
fn auto_equals_brute_force() {
    for number in 0..1_500 {
        let case = random::case(number, 7, 4);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let (best, _) = brute_force(&line);
        let started = Instant::now();
        let run = Run::new(Seed::new(1), Limits::default());
        let outcome = algorithm("auto").unwrap().build(&Settings::new()).unwrap().solve(&line, &run).unwrap();
        assert!(started.elapsed() < Duration::from_secs(5), "case {number} took {:?}", started.elapsed());
        assert_eq!(check(&line, &outcome.order, Some(outcome.cost)), Ok(best), "case {number}");
        assert_eq!((outcome.bound, outcome.status), (best, Status::Optimal), "case {number}");
    }
}

#[test]
fn every_algorithm_solves_under_its_name() {
    for number in 0..60 {
        let case = random::case(number, 30, 6);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        for algorithm in algorithms() {
            let solver = algorithm.build(&Settings::new()).unwrap();
            assert_eq!(solver.name(), algorithm.name);
            let solve = || {
                let limits = Limits { evaluations: Some(3_000), ..Limits::default() };
                solver.solve(&line, &Run::new(Seed::new(1), limits)).unwrap()
            };
            let outcome = solve();
            assert_eq!(check(&line, &outcome.order, Some(outcome.cost)), Ok(outcome.cost), "case {number}");
            assert!(outcome.bound <= outcome.cost, "case {number}");
            assert_eq!(solve().order, outcome.order, "case {number}, {}", algorithm.name);
        }
    }
}

#[test]
fn a_start_that_breaks_the_precedence_is_refused() {
    let instance = Instance::from_job_rows("", &[[2u32], [1]]).unwrap();
    let attributes = timing::Attributes { precedence: vec![(1, 0)], ..timing::Attributes::default() };
    let line = Line::new(&instance, &attributes).unwrap();
    let start = pfss::core::Permutation::identity(2);
    let run = Run::new(Seed::new(1), Limits::default()).with_start(start);
    let solver = algorithm("auto").unwrap().build(&Settings::new()).unwrap();
    let error = solver.solve(&line, &run).unwrap_err().to_string();
    assert!(error.contains("precedence"), "{error}");
}

/// F7: what carries due dates, weights and families but is plain in its times is solved as if it had none of them.
#[test]
fn what_cannot_change_the_makespan_changes_nothing() {
    let instance = pfss::core::generate::taillard_benchmark(11).unwrap();
    let job = timing::JobAttributes { due: Some(1500.0), weight: 3.0, family: Some(0), ..Default::default() };
    let mut attributes = timing::Attributes {
        jobs: vec![job; 20],
        families: vec!["red".to_string()],
        objectives: vec![timing::Objective::Makespan],
        ..Default::default()
    };
    let line = Line::new(&instance, &attributes).unwrap();
    fn limits<C>() -> Limits<C> {
        Limits { evaluations: Some(100_000), ..Limits::default() }
    }
    for name in ["auto", "iterated-greedy", "beam", "branch-and-bound", "neh", "palmer"] {
        let solver = pfss::algorithm(name).unwrap().integer(&Settings::new()).unwrap();
        let plain = solver.solve(&instance, &Run::new(Seed::new(1), limits())).unwrap();
        let solver = algorithm_of(&line, name).unwrap().build(&Settings::new()).unwrap();
        let own = solver.solve(&line, &Run::new(Seed::new(1), limits())).unwrap();
        assert_eq!(check(&line, &own.order, Some(own.cost)), Ok(own.cost));
        let costs = [own.cost, own.bound].map(|score| u32::try_from(score.0).unwrap());
        assert_eq!((&own.order, costs, own.status), (&plain.order, [plain.cost, plain.bound], plain.status));
        assert_eq!(own.evaluations, plain.evaluations, "{name}");
    }
    attributes.jobs[3].release = 1.0;
    let line = Line::new(&instance, &attributes).unwrap();
    assert!(line.plain_shop().is_none() && algorithm_of(&line, "palmer").is_err());
}
