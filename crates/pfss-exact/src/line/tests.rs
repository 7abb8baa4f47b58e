//! Proofs of plans: bounds that rise, and proofs in parts.

use std::sync::Mutex;

use pfss_core::generate::{DueDates, Planning, taillard_benchmark};
use pfss_core::timing::{Attributes, Line, Objective, Score, lower_bound};
use pfss_core::tree::{End, OpenNode};
use pfss_core::{Improvement, Instance, Limits, Observer, PermutationProblem, RaisedBound, Run, Seed};

use super::LineTree;

/// Twelve jobs with due dates; a proof takes some ten thousand nodes.
fn line(first: Vec<u32>, precedence: Vec<(u32, u32)>) -> Line {
    let times = taillard_benchmark(1).unwrap().times()[..12 * 5].to_vec();
    let instance = Instance::new("", 5, times).unwrap();
    let due = Some(DueDates { tightness: 0.4, range: 0.8 });
    let attributes = Planning { due, ..Planning::default() }.draw(&instance, Seed::new(1));
    let objectives = vec![Objective::TotalTardiness, Objective::Makespan];
    Line::new(&instance, &Attributes { objectives, first, precedence, ..attributes }).unwrap()
}

/// A run that knows some order and the bound of the root.
fn run<'a>(line: &Line) -> Run<'a, Score> {
    let run = Run::new(Seed::new(1), Limits::default());
    let mut order: Vec<u32> = line.first().to_vec();
    order.extend((0..12).filter(|job| !line.first().contains(job)));
    run.offer(&order, line.cost(&order));
    run.raise_bound(lower_bound(line));
    run
}

/// Bounds, with the best cost then and whether that was said to be optimal.
#[derive(Default)]
struct Raised(Mutex<Vec<(Score, Score, bool)>>);

impl Observer<Score> for Raised {
    fn on_improvement(&self, _: &Improvement<'_, Score>) {}

    fn on_bound(&self, raised: &RaisedBound<Score>) {
        self.0.lock().unwrap().push((raised.bound, raised.best.unwrap(), raised.is_optimal));
    }
}

#[test]
fn the_bound_of_a_plan_rises_while_it_is_proven() {
    let line = line(Vec::new(), Vec::new());
    let raised = Raised::default();
    let run = run(&line).with_observer(&raised);
    let mut tree = LineTree::new(&line, 1 << 26);
    tree.run_for(u64::MAX, &run);
    assert!(tree.is_finished() && run.is_optimal() && tree.nodes() > 10_000, "{} nodes", tree.nodes());
    let optimum = run.best_cost();
    let raised = raised.0.lock().unwrap();
    assert!(raised.iter().filter(|(bound, ..)| *bound < optimum).count() > 3, "{raised:?}");
    for &(bound, best, is_optimal) in raised.iter() {
        assert!(bound <= optimum && is_optimal == (bound == best), "{raised:?}");
    }
}

#[test]
fn a_proof_goes_on_from_what_is_open() {
    for (first, precedence) in [(Vec::new(), Vec::new()), (vec![3], vec![(5, 1), (1, 7)])] {
        let line = line(first, precedence);
        let whole = run(&line);
        LineTree::new(&line, 1 << 26).run_for(u64::MAX, &whole);
        let (mut nodes, mut parts, mut best) = (None, 0, run(&line).best().unwrap());
        loop {
            let run = run(&line);
            run.offer(&best.0, best.1);
            let mut tree = LineTree::new(&line, 1 << 26);
            if let Some(nodes) = nodes {
                assert!(tree.replace_open(nodes).is_empty());
            }
            tree.run_for(400, &run);
            (nodes, best, parts) = (Some(tree.open_nodes()), run.best().unwrap(), parts + 1);
            if tree.is_finished() {
                break;
            }
        }
        assert_eq!((best.1, nodes), (whole.best_cost(), Some(Vec::new())));
        assert!(parts > 3, "{parts} parts");
    }
}

#[test]
fn open_nodes_of_other_lines_are_refused() {
    let line = line(vec![3], vec![(5, 1)]);
    let mut tree = LineTree::new(&line, 1 << 20);
    let before = tree.open_nodes();
    let node = |jobs: &[(u32, End)]| OpenNode { placements: jobs.to_vec(), bound: 0.0, share: 0.0 };
    let front = |jobs: &[u32]| node(&jobs.iter().map(|&job| (job, End::Front)).collect::<Vec<_>>());
    for wrong in [
        front(&[]),
        front(&[2]),
        front(&[3, 3]),
        front(&[3, 12]),
        front(&[3, 1]),
        node(&[(3, End::Front), (2, End::Back)]),
    ] {
        assert_eq!(tree.replace_open(vec![front(&[3, 5]), wrong.clone()]), [wrong]);
        assert_eq!(tree.open_nodes(), before);
    }
    assert!(tree.replace_open(vec![front(&[3, 5, 1])]).is_empty());
    assert_eq!(tree.open_nodes().len(), 1);
}
