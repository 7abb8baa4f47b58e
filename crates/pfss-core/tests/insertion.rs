//! Every insertion kernel against the plain makespan.

#![allow(clippy::unwrap_used)]

use pfss_core::simd::Instructions;
use pfss_core::{FlowShopPricer, Instance, JobId, Time, makespan};
use proptest::prelude::*;

/// One change of a sequence, as raw numbers that are reduced to what is possible when it is applied.
#[derive(Clone, Debug)]
enum Change {
    Insert(usize, usize),
    Remove(usize),
    Load(u64),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        6 => (any::<usize>(), any::<usize>()).prop_map(|(job, place)| Change::Insert(job, place)),
        3 => any::<usize>().prop_map(Change::Remove),
        1 => any::<u64>().prop_map(Change::Load),
    ];
    prop::collection::vec(change, 1..40)
}

/// Sizes on both sides of every register limit, times with many zeros, some too large for 16 bits.
fn matrix() -> impl Strategy<Value = (usize, Vec<u32>)> {
    (1usize..12, 1usize..40, prop_oneof![Just(0u32), Just(3), Just(99), Just(20_000)]).prop_flat_map(
        |(jobs, machines, largest)| (Just(machines), prop::collection::vec(0..=largest, jobs * machines)),
    )
}

fn check_prices<T: Time>(instance: &Instance<T>, pricer: &mut FlowShopPricer<'_, T>, job: JobId) {
    let order = pricer.order().to_vec();
    let least = pricer.price(job);
    assert_eq!(pricer.num_places(), order.len() + 1);
    check_places(instance, pricer, &order, job, least);
}

fn check_removed_prices<T: Time>(
    instance: &Instance<T>,
    pricer: &mut FlowShopPricer<'_, T>,
    position: usize,
) {
    let mut order = pricer.order().to_vec();
    let least = pricer.price_removed(position);
    assert_eq!(pricer.num_places(), order.len());
    let job = order.remove(position);
    check_places(instance, pricer, &order, job, least);
}

fn check_places<T: Time>(
    instance: &Instance<T>,
    pricer: &FlowShopPricer<'_, T>,
    order: &[JobId],
    job: JobId,
    least: T,
) {
    let mut expected = Vec::new();
    for place in 0..=order.len() {
        let mut with_job = order.to_vec();
        with_job.insert(place, job);
        expected.push(makespan(instance, &with_job));
        assert!(pricer.price_at(place).agrees(expected[place]));
    }
    assert_eq!((0..expected.len()).map(|place| pricer.price_at(place)).fold(T::MAX, T::minimum), least);
    let places: Vec<usize> = (0..expected.len()).filter(|&place| pricer.price_at(place) == least).collect();
    assert_eq!(pricer.place_at_most(least, 0), places.first().copied());
    assert_eq!(pricer.place_at_most(least, places[0] + 1), places.get(1).copied());
    assert_eq!(pricer.last_place_at_most(least), places.last().copied());
    assert_eq!(pricer.count_at_most(least), places.len());
}

fn check_cells<T: Time>(instance: &Instance<T>, pricer: &FlowShopPricer<'_, T>) {
    let order = pricer.order();
    assert!(pricer.cost().agrees(makespan(instance, order)));
    let reversed = instance.reversed();
    let (n, m) = (order.len(), instance.num_machines());
    let backwards: Vec<JobId> = order.iter().rev().copied().collect();
    let heads = pfss_core::Schedule::new(instance, order).unwrap();
    let tails = pfss_core::Schedule::new(&reversed, &backwards).unwrap();
    for position in 0..n {
        for machine in 0..m {
            assert!(pricer.head(position, machine).agrees(heads.operation(position, machine).end));
            let tail = tails.operation(n - 1 - position, m - 1 - machine).end;
            assert!(pricer.tail(position, machine).agrees(tail));
        }
    }
    for machine in 0..m {
        assert_eq!(pricer.tail(n, machine), T::ZERO);
    }
}

fn exercise<T: Time>(instance: &Instance<T>, instructions: Instructions, changes: &[Change]) {
    let mut pricer = FlowShopPricer::with(instance, instructions);
    let mut free: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
    for change in changes {
        let len = pricer.order().len();
        match *change {
            Change::Insert(job, place) if !free.is_empty() => {
                let job = free.swap_remove(job % free.len());
                check_prices(instance, &mut pricer, job);
                pricer.insert(job, place % (len + 1));
            }
            Change::Remove(position) if len > 0 => {
                check_removed_prices(instance, &mut pricer, position % len);
                free.push(pricer.remove(position % len));
            }
            Change::Load(shuffle) => {
                let mut jobs: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
                let by = shuffle as usize % jobs.len();
                jobs.rotate_left(by);
                free = jobs.split_off((shuffle >> 32) as usize % (jobs.len() + 1));
                pricer.load(&jobs);
            }
            _ => {}
        }
        check_cells(instance, &pricer);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn kernels_equal_the_plain_makespan((machines, times) in matrix(), changes in changes()) {
        let integer = Instance::new("", machines, times.clone()).unwrap();
        let real_times = times.iter().map(|&t| f64::from(t) / 7.0).collect();
        let real = Instance::new("", machines, real_times).unwrap();
        for instructions in Instructions::available() {
            exercise(&integer, instructions, &changes);
            exercise(&real, instructions, &changes);
        }
    }
}

/// Kernels must agree with the textbook recurrences to the last bit, in every register width, also on real times.
#[test]
fn all_instructions_give_the_same_bits() {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 40
    };
    for machines in (1..=70).chain([128, 129, 300]) {
        let times: Vec<f64> = (0..9 * machines).map(|_| next() as f64 / 1000.0).collect();
        let instance = Instance::new("", machines, times).unwrap();
        let prices = |mut pricer: FlowShopPricer<'_, f64>| {
            pricer.load(&[3, 1, 4, 0, 5, 2, 6, 7]);
            pricer.price(8);
            let mut all: Vec<u64> = (0..9).map(|place| pricer.price_at(place).to_bits()).collect();
            pricer.price_removed(3);
            all.extend((0..8).map(|place| pricer.price_at(place).to_bits()));
            all
        };
        let expected = prices(FlowShopPricer::plain(&instance));
        for instructions in Instructions::available() {
            let prices = prices(FlowShopPricer::with(&instance, instructions));
            assert_eq!(prices, expected, "{machines} machines with {instructions}");
        }
    }
}

#[test]
fn very_many_machines_take_the_plain_path() {
    let times: Vec<u32> = (0..4 * 600).map(|i| (i * 37 % 101) as u32).collect();
    let instance = Instance::new("", 600, times).unwrap();
    exercise(
        &instance,
        Instructions::detect(),
        &[Change::Load(2 << 32), Change::Insert(0, 1), Change::Remove(0), Change::Insert(1, 2)],
    );
}
