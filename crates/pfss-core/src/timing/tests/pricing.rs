//! Fast prices against the oracle, for every combination that is allowed.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::random::case;
use crate::simd::Instructions;
use crate::timing::pricing::{Change, Front, FrontRules, LinePricer};
use crate::timing::{Line, Score, Timetable};
use crate::{JobId, Seed};

fn oracle(line: &Line, order: &[JobId]) -> u64 {
    Timetable::of(line, order).score().0
}

/// All places of a job and all changes over a few distances, by every instruction set and without registers.
fn compare(number: u64, line: &Line, order: &[JobId], job: JobId) {
    let ways = Instructions::available().into_iter().map(Some).chain([None]);
    for way in ways {
        let mut pricer = LinePricer::with(line, way);
        pricer.load(order);
        assert_eq!(pricer.score().0, oracle(line, order), "case {number}, {way:?}");
        let prices = pricer.price(job, 0..=order.len(), Score(u64::MAX)).to_vec();
        let least = prices.iter().copied().min().unwrap();
        for (place, &price) in prices.iter().enumerate() {
            let mut changed = order.to_vec();
            changed.insert(place, job);
            let told = oracle(line, &changed);
            // A price above the best so far is only known to be one.
            assert!(price == told || price > least && told >= price, "case {number}, {way:?}, {place}");
        }
        for change in Change::ALL {
            for distance in 1..order.len() {
                let prices = pricer
                    .price_changes(change, distance, 0..order.len() - distance, Score(u64::MAX))
                    .to_vec();
                for (position, &price) in prices.iter().enumerate() {
                    let mut changed = order.to_vec();
                    change.apply(&mut changed, position, distance);
                    let told = oracle(line, &changed);
                    assert_eq!(price, told, "case {number}, {way:?}, {change:?} {distance} at {position}");
                }
            }
        }
    }
}

#[test]
fn every_price_is_the_oracles() {
    for number in 0..3_000 {
        let case = case(number, 9, 5);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let mut order: Vec<JobId> = (0..line.num_jobs() as JobId).collect();
        order.shuffle(&mut Seed::new(number).stream("order"));
        if let Some(job) = order.pop() {
            compare(number, &line, &order, job);
        }
    }
}

/// More jobs than lanes, and times that need 32 bits.
#[test]
fn long_sequences_are_priced_alike() {
    for number in 0..40 {
        let mut case = case(number, 90, 6);
        if number % 3 == 0 {
            let times = case.instance.times().iter().map(|time| time * 5000).collect();
            case.instance = crate::Instance::new("", case.instance.num_machines(), times).unwrap();
        }
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let mut order: Vec<JobId> = (0..line.num_jobs() as JobId).collect();
        order.shuffle(&mut Seed::new(number).stream("order"));
        if let Some(job) = order.pop() {
            let (mut pricer, mut plain) = (LinePricer::new(&line), LinePricer::with(&line, None));
            pricer.load(&order);
            plain.load(&order);
            let prices = pricer.price(job, 0..=order.len(), Score(u64::MAX)).to_vec();
            let least = prices.iter().copied().min().unwrap();
            for (place, &price) in prices.iter().enumerate() {
                let mut changed = order.clone();
                changed.insert(place, job);
                let told = oracle(&line, &changed);
                assert!(price == told || price > least && told >= price, "case {number}, {place}");
                assert_eq!(
                    plain.price(job, place..=place, Score(u64::MAX))[0],
                    told,
                    "case {number}, {place}"
                );
            }
            for change in Change::ALL {
                for distance in (1..order.len()).step_by(7) {
                    let prices = pricer
                        .price_changes(change, distance, 0..order.len() - distance, Score(u64::MAX))
                        .to_vec();
                    assert_eq!(
                        prices,
                        plain.price_changes(change, distance, 0..order.len() - distance, Score(u64::MAX)),
                        "case {number}"
                    );
                }
            }
        }
    }
}

#[test]
fn sequences_that_change_are_kept_right() {
    for number in 0..500 {
        let case = case(number, 8, 4);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let mut rng = Seed::new(number).stream("changes");
        let mut order: Vec<JobId> = (0..line.num_jobs() as JobId).collect();
        let mut pricer = LinePricer::new(&line);
        pricer.load(&order);
        for _ in 0..20 {
            let (from, to) = (rng.random_range(0..order.len()), rng.random_range(0..order.len()));
            if rng.random() && from < to {
                let change = Change::ALL[rng.random_range(0..3)];
                change.apply(&mut order, from, to - from);
                pricer.apply(change, from, to - from);
            } else {
                let job = order.remove(from);
                order.insert(to, job);
                let taken = pricer.remove(from);
                assert_eq!(
                    pricer.price(taken, to..=to, Score(u64::MAX))[0],
                    oracle(&line, &order),
                    "case {number}"
                );
                pricer.insert(taken, to);
            }
            assert_eq!(pricer.order(), order);
            assert_eq!(pricer.score().0, oracle(&line, &order), "case {number}");
        }
        let rules = FrontRules::new(&line);
        let mut front = Front::new(&rules);
        let ends: Vec<u32> = order.iter().map(|&job| front.append(&rules, job)).collect();
        assert_eq!(ends, Timetable::of(&line, &order).completions().collect::<Vec<_>>());
    }
}

#[test]
fn children_are_those_of_the_front() {
    use crate::timing::pricing::Children;
    for number in 0..600 {
        let case = case(number, 40, 6);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let rules = FrontRules::new(&line);
        let mut front = Front::new(&rules);
        let mut rng = Seed::new(number).stream("children");
        let placed: Vec<JobId> = (0..line.num_jobs() as JobId / 2).collect();
        for &job in &placed {
            front.append(&rules, job);
        }
        let weights: Vec<f32> = (0..line.num_machines()).map(|_| rng.random()).collect();
        let all = |way| {
            let mut children = Children::with(rules.clone(), way);
            children.append(placed.last().copied(), front.state(), &weights, |_| true);
            let jobs = 0..line.num_jobs() as JobId;
            jobs.map(|job| (children.end(job), children.sum(job))).collect::<Vec<_>>()
        };
        let plain = all(None);
        for way in Instructions::available() {
            assert_eq!(all(Some(way)), plain, "case {number}, {way}");
        }
        for (job, &(end, _)) in plain.iter().enumerate().skip(placed.len()) {
            assert_eq!(front.clone().append(&rules, job as JobId), end, "case {number}");
        }
    }
}

#[test]
fn every_move_of_a_block_is_the_oracles() {
    use crate::MovePricer;
    let mut seen = 0;
    for number in 0..3_000 {
        let mut case = case(number, 45, 5);
        case.attributes.objectives.clear();
        case.attributes.jobs.iter_mut().for_each(|job| job.release = 0.0);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let mut order: Vec<JobId> = (0..line.num_jobs() as JobId).collect();
        order.shuffle(&mut Seed::new(number).stream("order"));
        // Single jobs, and runs of jobs that stay together.
        let length = (1 + number as usize % 3).min(order.len());
        for way in Instructions::available() {
            let Some(mut moves) = MovePricer::of_line_with(&line, way) else { continue };
            seen += 1;
            for first in (0..=order.len() - length).step_by(32) {
                for lane in (0..moves.price_runs(&order, first, length)).step_by(5) {
                    let mut least = u32::MAX;
                    for place in 0..=order.len() - length {
                        let mut moved = order.clone();
                        let run: Vec<JobId> = moved.drain(first + lane..first + lane + length).collect();
                        moved.splice(place..place, run);
                        let told = Timetable::of(&line, &moved).makespan();
                        assert_eq!(
                            moves.price_at::<u32>(lane, place),
                            told,
                            "case {number}, {way}, {first} + {lane}"
                        );
                        least = least.min(told);
                    }
                    assert_eq!(moves.least::<u32>(lane), least, "case {number}, {way}");
                }
            }
        }
        if seen > 600 {
            return;
        }
    }
    panic!("{seen} lines have paths");
}
