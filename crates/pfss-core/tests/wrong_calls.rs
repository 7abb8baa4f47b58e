//! Safe functions are sound for every argument: wrong calls of the pricers end in a clean panic that changes nothing,
//! and never touch memory outside their tables.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pfss_core::simd::Instructions;
use pfss_core::tree::{Columns, End, Nodes, Pricer, Score, Scoring, Tree, Weighting};
use pfss_core::{FlowShopPricer, Instance, JobId, Time, makespan};
use proptest::prelude::*;

/// A call with numbers as they come: many name jobs, places or machines that do not exist.
#[derive(Clone, Debug)]
enum Call {
    Load(Vec<JobId>),
    Insert(JobId, usize),
    Remove(usize),
    Price(JobId),
    PriceRemoved(usize),
    Cells(usize, usize),
    PriceAt(usize),
    PlaceAtMost(usize),
    IdleTime(JobId, usize),
    LeastIdle(JobId),
}

/// Mostly near the edge of what exists, sometimes far beyond.
fn number() -> impl Strategy<Value = usize> {
    prop_oneof![6 => 0usize..9, 3 => 9usize..300, 1 => prop_oneof![Just(usize::MAX), Just(usize::MAX / 64), Just(1 << 40)]]
}

fn job() -> impl Strategy<Value = JobId> {
    prop_oneof![8 => 0u32..9, 1 => 9u32..300, 1 => Just(u32::MAX)]
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let call = prop_oneof![
        prop::collection::vec(0u32..7, 0..9).prop_map(Call::Load),
        prop::collection::vec(job(), 0..40).prop_map(Call::Load),
        (job(), number()).prop_map(|(job, place)| Call::Insert(job, place)),
        (job(), 0usize..3).prop_map(|(job, place)| Call::Insert(job, place)),
        number().prop_map(Call::Remove),
        job().prop_map(Call::Price),
        number().prop_map(Call::PriceRemoved),
        (number(), number()).prop_map(|(position, machine)| Call::Cells(position, machine)),
        number().prop_map(Call::PriceAt),
        number().prop_map(Call::PlaceAtMost),
        (job(), number()).prop_map(|(job, place)| Call::IdleTime(job, place)),
        job().prop_map(Call::LeastIdle),
    ];
    prop::collection::vec(call, 1..40)
}

fn matrix() -> impl Strategy<Value = (usize, Vec<u32>)> {
    (1usize..8, prop_oneof![1usize..20, 20usize..140], prop_oneof![Just(9u32), Just(99), Just(30_000)])
        .prop_flat_map(|(jobs, machines, largest)| {
            (Just(machines), prop::collection::vec(0..=largest, jobs * machines))
        })
}

/// What a caller can see of the sequence.
fn seen<T: Time>(pricer: &FlowShopPricer<'_, T>) -> (Vec<JobId>, u64) {
    (pricer.order().to_vec(), pricer.cost().to_bits())
}

fn apply<T: Time>(pricer: &mut FlowShopPricer<'_, T>, call: &Call) {
    match call {
        Call::Load(order) => pricer.load(order),
        Call::Insert(job, place) => pricer.insert(*job, *place),
        Call::Remove(position) => {
            pricer.remove(*position);
        }
        Call::Price(job) => {
            pricer.price(*job);
        }
        Call::PriceRemoved(position) => {
            pricer.price_removed(*position);
        }
        Call::Cells(position, machine) => {
            pricer.head(*position, *machine);
            pricer.tail(*position, *machine);
        }
        Call::PriceAt(place) => {
            pricer.price_at(*place);
        }
        Call::PlaceAtMost(from) => {
            pricer.place_at_most(T::MAX, *from);
            pricer.last_place_at_most(T::ZERO);
            pricer.count_at_most(T::MAX);
        }
        Call::IdleTime(job, place) => {
            pricer.idle_time_added(*job, *place);
        }
        Call::LeastIdle(job) => {
            pricer.least_idle_place(*job, T::MAX);
        }
    }
}

/// Whether the call is one that the documentation allows.
fn is_legal(order: &[JobId], num_jobs: usize, call: &Call) -> bool {
    let exists = |job: JobId| (job as usize) < num_jobs;
    match call {
        Call::Load(jobs) => jobs.len() <= num_jobs && jobs.iter().all(|&job| exists(job)),
        Call::Insert(job, place) => exists(*job) && order.len() < num_jobs && *place <= order.len(),
        Call::Remove(position) | Call::PriceRemoved(position) => *position < order.len(),
        Call::Price(job) => exists(*job),
        // What these need depends on the pricing before; they change nothing in any case.
        _ => true,
    }
}

fn drive<T: Time>(instance: &Instance<T>, instructions: Instructions, calls: &[Call]) {
    let mut pricer = FlowShopPricer::with(instance, instructions);
    for call in calls {
        let before = seen(&pricer);
        let result = catch_unwind(AssertUnwindSafe(|| apply(&mut pricer, call)));
        if !is_legal(&before.0, instance.num_jobs(), call) {
            assert!(result.is_err(), "{call:?} was accepted");
        }
        if result.is_err() {
            assert_eq!(seen(&pricer), before, "{call:?} failed and left a change");
        } else {
            assert!(pricer.cost().agrees(makespan(instance, pricer.order())), "after {call:?}");
        }
    }
}

/// Panics are expected here: their messages would hide what matters.
fn quietly(test: impl FnOnce()) {
    use std::sync::Once;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::env::var_os("PFSS_SHOW_PANICS").is_some() || info.to_string().contains("proptest") {
                usual(info);
            }
        }));
    });
    test();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn wrong_calls_of_the_insertion_pricer_are_clean_panics((machines, times) in matrix(), calls in calls()) {
        quietly(|| {
            let integer = Instance::new("", machines, times.clone()).unwrap();
            let real = Instance::new("", machines, times.iter().map(|&t| f64::from(t) / 7.0).collect()).unwrap();
            for instructions in Instructions::available() {
                drive(&integer, instructions, &calls);
                drive(&real, instructions, &calls);
            }
        });
    }

    #[test]
    fn trees_nodes_and_columns_of_other_instances_are_refused(
        (machines, times) in matrix(),
        (other_machines, other_times) in matrix(),
        choices in prop::collection::vec((any::<bool>(), any::<bool>(), any::<bool>(), 0usize..9, 0u32..9, number()), 1..12),
    ) {
        quietly(|| {
            let mine = Instance::new("", machines, times).unwrap();
            let other = Instance::new("", other_machines, other_times).unwrap();
            for instructions in Instructions::available() {
                mix::<u32>(&mine, &other, instructions, &choices);
                mix::<f64>(&mine, &other, instructions, &choices);
            }
        });
    }
}

type Choice = (bool, bool, bool, usize, JobId, usize);

/// Prices and scores with trees, columns and nodes of two instances, in any mixture.
fn mix<E: pfss_core::tree::Element>(
    mine: &Instance<u32>,
    other: &Instance<u32>,
    instructions: Instructions,
    choices: &[Choice],
) {
    let trees = [Tree::<E>::new(mine), Tree::<E>::new(other)];
    let columns = trees.each_ref().map(Columns::all);
    let mut nodes = [mine, other].map(|instance| Nodes::<E>::new(instance.num_machines()));
    for (of, nodes) in nodes.iter_mut().enumerate() {
        nodes.clear(columns[of].num_blocks());
        nodes.push_root(&trees[of]);
    }
    let mut pricer = Pricer::<E>::new(instructions);
    for &(tree, of_columns, node, index, job, lane) in choices {
        let (tree, columns) = (&trees[usize::from(tree)], &columns[usize::from(of_columns)]);
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let node = nodes[usize::from(node)].get(index);
            pricer.price(columns, node, E::MAX);
        }));
        for end in End::BOTH {
            let _ = catch_unwind(AssertUnwindSafe(|| {
                let node = nodes[usize::from(node)].get(index);
                let scoring = Scoring {
                    weighting: Weighting::Share,
                    score: Score::Blend { bound: 1.0, idle: 0.5, product: 0.1 },
                    threshold: f32::INFINITY,
                };
                pricer.score(tree, columns, node, end, scoring, 0.0);
            }));
        }
        let _ = catch_unwind(AssertUnwindSafe(|| {
            nodes[usize::from(node)].push_child_of(tree, index, job, lane, End::Front);
        }));
    }
}

/// Scoring a node on a tree of fewer machines read the weights beyond their end.
#[test]
fn a_tree_of_fewer_machines_is_refused() {
    let wide = Instance::new("", 40, vec![1u32; 80]).unwrap();
    let narrow = Instance::new("", 2, vec![1u32; 4]).unwrap();
    let (tree, small) = (Tree::<u16>::new(&wide), Tree::<u16>::new(&narrow));
    let columns = Columns::all(&tree);
    let mut nodes = Nodes::new(40);
    nodes.clear(columns.num_blocks());
    nodes.push_root(&tree);
    let mut pricer = Pricer::new(Instructions::detect());
    pricer.price(&columns, nodes.get(0), u16::MAX);
    let scoring = Scoring {
        weighting: Weighting::Idle,
        score: Score::Blend { bound: 1.0, idle: 1.0, product: 0.0 },
        threshold: f32::INFINITY,
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        pricer.score(&small, &columns, nodes.get(0), End::Front, scoring, 0.0);
    }));
    assert!(result.is_err());
}
