//! No bound is above the optimum.

use super::random::case;
use crate::timing::pricing::{Front, FrontRules};
use crate::timing::{Line, Relaxation, Timetable, check, lower_bound};
use crate::{JobId, PermutationProblem};

/// Calls `tell` with every order of all jobs that goes on from `order`.
fn orders(line: &Line, order: &mut Vec<JobId>, tell: &mut impl FnMut(&[JobId])) {
    if order.len() == line.num_jobs() {
        if check(line, order, None).is_ok() {
            tell(order);
        }
        return;
    }
    for job in 0..line.num_jobs() as JobId {
        if !order.contains(&job) {
            order.push(job);
            orders(line, order, tell);
            order.pop();
        }
    }
}

#[test]
fn no_bound_is_above_the_optimum() {
    let mut tight = 0;
    for number in 0..20_000 {
        let case = case(number, 5, 3);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let mut best = None;
        orders(&line, &mut Vec::new(), &mut |order| {
            let cost = line.cost(order);
            best = Some(best.map_or(cost, |best: crate::timing::Score| best.min(cost)));
        });
        let (bound, best) = (lower_bound(&line), best.unwrap());
        assert!(bound <= best, "case {number}: {bound} above {best}");
        tight += u32::from(bound == best);
    }
    assert!(tight > 8_000, "the bound met the optimum {tight} times only");
}

#[test]
fn no_bound_behind_some_jobs_is_above_what_follows() {
    for number in 0..1_500 {
        let case = case(number, 5, 3);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let rules = FrontRules::new(&line);
        let mut relaxation = Relaxation::new(&line);
        orders(&line, &mut Vec::new(), &mut |order| {
            let score = line.cost(order).0;
            let mut front = Front::new(&rules);
            for count in 0..=order.len() {
                let table = Timetable::of(&line, &order[..count]);
                let cost = order[..count]
                    .iter()
                    .zip(table.completions())
                    .map(|(&job, end)| line.job_cost(job).at(end));
                let lateness =
                    |(&job, end): (&JobId, u32)| line.job_cost(job).lateness.map(|shifted| shifted + end);
                let lateness =
                    order[..count].iter().zip(table.completions()).filter_map(lateness).max().unwrap_or(0);
                let (cost, end) = (cost.sum(), table.makespan());
                let bound = relaxation.bound(
                    &|| true,
                    &rules,
                    front.state(),
                    &order[count..],
                    cost,
                    lateness,
                    end,
                    u64::MAX,
                );
                assert!(bound <= score, "case {number}, {order:?} behind {count}: {bound} above {score}");
                if let Some(&job) = order.get(count) {
                    front.append(&rules, job);
                } else {
                    assert_eq!(bound, score, "case {number}");
                }
            }
        });
    }
}
