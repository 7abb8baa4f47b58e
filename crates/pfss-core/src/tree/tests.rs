//! The vector kernels against plain scalar twins, on random partial nodes.

use proptest::prelude::*;

use super::*;
use crate::simd::Instructions;
use crate::{Instance, JobId};

/// A node as plain numbers, built by the definition.
struct Plain {
    prefix: Vec<JobId>,
    suffix: Vec<JobId>,
    open: Vec<JobId>,
}

fn fronts(instance: &Instance<u32>, order: &[JobId], reversed: bool) -> Vec<u32> {
    let m = instance.num_machines();
    let mut front = vec![0u32; m];
    for &job in order {
        let mut free = 0;
        for step in 0..m {
            let machine = if reversed { m - 1 - step } else { step };
            free = front[machine].max(free) + instance.time(job, machine);
            front[machine] = free;
        }
    }
    front
}

/// What idle time weighs, differently at both ends.
fn weight(end: End, machine: usize) -> f32 {
    if end == End::Front { 1.0 + machine as f32 / 4.0 } else { 2.0 - machine as f32 / 8.0 }
}

impl Plain {
    /// `max_i (F_i + R_i + B_i)` of the child, from scratch.
    fn child_bound(&self, instance: &Instance<u32>, job: JobId, end: End) -> u32 {
        let (mut prefix, mut suffix) = (self.prefix.clone(), self.suffix.clone());
        match end {
            End::Front => prefix.push(job),
            End::Back => suffix.push(job),
        }
        let (front, back) = (fronts(instance, &prefix, false), fronts(instance, &suffix, true));
        let left = |machine| -> u32 {
            self.open.iter().filter(|&&j| j != job).map(|&j| instance.time(j, machine)).sum()
        };
        (0..instance.num_machines()).map(|i| front[i] + left(i) + back[i]).max().unwrap()
    }

    fn child_idle(&self, instance: &Instance<u32>, job: JobId, end: End, weighting: Weighting) -> f64 {
        let weight = |machine: usize| f64::from(weight(end, machine));
        let mut placed = if end == End::Front { self.prefix.clone() } else { self.suffix.clone() };
        placed.push(job);
        let front = fronts(instance, &placed, end == End::Back);
        (0..instance.num_machines())
            .map(|i| {
                let work: u32 = placed.iter().map(|&j| instance.time(j, i)).sum();
                let idle = f64::from(front[i] - work);
                let idle = weight(i) * idle;
                match weighting {
                    Weighting::Idle => idle,
                    Weighting::Share => idle / f64::from(front[i]).max(1e-30),
                }
            })
            .sum()
    }
}

fn instances() -> impl Strategy<Value = (Instance<u32>, Vec<(usize, bool)>)> {
    (1usize..80, 1usize..9, prop_oneof![Just(99u32), Just(3), Just(20_000_000 / 80)])
        .prop_flat_map(|(n, m, high)| {
            let times = prop::collection::vec(0..=high, n * m);
            (times, Just(m), prop::collection::vec((0usize..1000, any::<bool>()), 0..n))
        })
        .prop_map(|(times, m, moves)| (Instance::new("", m, times).unwrap(), moves))
}

/// Walks down `moves`, dropping columns now and then, and compares the last node with its twin.
fn compare<E: Element, const REAL: bool>(
    instance: &Instance<u32>,
    moves: &[(usize, bool)],
    instructions: Instructions,
) -> Vec<f64> {
    let mut tree = Tree::<E>::new(instance);
    for end in End::BOTH {
        tree.set_weights(end, (0..instance.num_machines()).map(|machine| weight(end, machine)));
    }
    let mut columns = Columns::all(&tree);
    let mut plain =
        Plain { prefix: vec![], suffix: vec![], open: (0..instance.num_jobs() as JobId).collect() };
    let mut nodes = Nodes::new(instance.num_machines());
    nodes.clear(columns.num_blocks());
    nodes.push_root(&tree);
    for (step, &(choice, at_back)) in moves.iter().enumerate() {
        let job = plain.open.remove(choice % plain.open.len());
        let lane = columns.jobs().iter().position(|&j| j == job).unwrap();
        let end = if at_back { End::Back } else { End::Front };
        if at_back {
            plain.suffix.push(job)
        } else {
            plain.prefix.push(job)
        }
        let mut next = Nodes::new(instance.num_machines());
        next.clear(columns.num_blocks());
        next.push_child(&tree, nodes.get(0), job, lane, end);
        nodes = next;
        if step % 5 == 4 {
            let mut union = Vec::new();
            nodes.open_in_any(&mut union);
            let kept: Vec<JobId> = columns
                .jobs()
                .iter()
                .enumerate()
                .filter(|(l, _)| union[l / BLOCK] >> (l % BLOCK) & 1 == 1)
                .map(|(_, &j)| j)
                .collect();
            nodes.keep_lanes(&union);
            columns.set(&tree, kept);
        }
    }
    let node = nodes.get(0);
    let mut open: Vec<JobId> = Vec::new();
    for (lane, &job) in columns.jobs().iter().enumerate() {
        if node.open[lane / BLOCK] >> (lane % BLOCK) & 1 == 1 {
            open.push(job);
        }
    }
    assert_eq!(open, plain.open);
    let bounds: Vec<[u32; 2]> =
        open.iter().map(|&job| End::BOTH.map(|end| plain.child_bound(instance, job, end))).collect();
    let mut sorted: Vec<u32> = bounds.iter().flatten().copied().collect();
    sorted.sort_unstable();
    let limit = sorted.get(sorted.len() / 2).map_or(u32::MAX, |&l| l);
    let mut pricer = Pricer::<E>::new(instructions);
    pricer.price(&columns, node, E::from_time(limit));
    let mut all_scores = Vec::new();
    for end in End::BOTH {
        let kept: Vec<u32> = bounds.iter().map(|b| b[end as usize]).filter(|&b| b < limit).collect();
        assert_eq!(pricer.count(end) as usize, kept.len());
        assert_eq!(pricer.bound_sum(end), kept.iter().map(|&b| f64::from(b)).sum::<f64>());
        for weighting in [Weighting::Idle, Weighting::Share] {
            for score in
                [Score::Blend { bound: 0.25, idle: 2.0, product: 0.5 }, Score::Gap { upper: limit as f32 }]
            {
                let expected: Vec<f64> = open
                    .iter()
                    .map(|&job| {
                        let w = 0.5 + plain.child_idle(instance, job, end, weighting);
                        let b = f64::from(plain.child_bound(instance, job, end));
                        let g = (f64::from(limit) - b) / f64::from(limit);
                        match score {
                            Score::Blend { .. } => 0.25 * b + 2.0 * w + 0.5 * b * w,
                            Score::Gap { .. } => b / g + g * w,
                        }
                    })
                    .collect();
                let kept = pricer.kept(end).to_vec();
                let (selected, scores) = pricer.score(
                    &tree,
                    &columns,
                    node,
                    end,
                    Scoring { weighting, score, threshold: f32::MAX },
                    0.5,
                );
                assert_eq!(selected, kept);
                for (lane, &job) in columns.jobs().iter().enumerate() {
                    if kept[lane / BLOCK] >> (lane % BLOCK) & 1 == 1 {
                        let index = open.iter().position(|&j| j == job).unwrap();
                        let (score, expected) = (f64::from(scores[lane]), expected[index]);
                        assert!(
                            (score - expected).abs() <= 1e-3 * expected.abs().max(1.0),
                            "{score} {expected}"
                        );
                        all_scores.push(score);
                    }
                }
            }
        }
        for (lane, &job) in columns.jobs().iter().enumerate() {
            if node.open[lane / BLOCK] >> (lane % BLOCK) & 1 == 1 {
                let index = open.iter().position(|&j| j == job).unwrap();
                assert_eq!(pricer.bounds(end)[lane].to_time::<u32>(), bounds[index][end as usize]);
            }
        }
    }
    all_scores
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_instructions_and_elements_equal_the_scalar_twin((instance, moves) in instances()) {
        let reference = compare::<f64, true>(&instance, &moves, Instructions::Portable);
        for instructions in Instructions::available() {
            prop_assert_eq!(&compare::<f64, true>(&instance, &moves, instructions), &reference);
            prop_assert_eq!(&compare::<u32, false>(&instance, &moves, instructions), &reference);
            if ElementKind::of(&instance) == ElementKind::U16 {
                prop_assert_eq!(&compare::<u16, false>(&instance, &moves, instructions), &reference);
            }
        }
    }
}
