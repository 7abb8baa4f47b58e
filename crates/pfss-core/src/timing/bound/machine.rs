//! One machine, with heads and tails: what is known to be optimal there is a bound for the whole line.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An operation on the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    /// It cannot start before.
    pub(super) head: u32,
    pub(super) work: u32,
    /// What its job needs behind the machine, at least.
    pub(super) tail: u32,
    /// When it should be done here, so that its job is done in time; none where that does not matter.
    pub(super) due: Option<i64>,
    pub(super) weight: u32,
}

/// The memory of a relaxation.
#[derive(Clone, Debug, Default)]
pub(super) struct Workshop {
    by_head: Vec<usize>,
    left: Vec<u32>,
    waiting: BinaryHeap<Reverse<(i64, usize)>>,
}

impl Workshop {
    /// Processes operations with interruptions; whoever has the least `urgency` (by index and what is left of it) goes first.
    /// Tells each end.
    fn preempt(
        &mut self,
        operations: &[Operation],
        urgency: impl Fn(usize, u32) -> i64,
        mut tell: impl FnMut(usize, u32),
    ) {
        let Self { by_head, left, waiting } = self;
        by_head.clear();
        by_head.extend(0..operations.len());
        by_head.sort_unstable_by_key(|&index| operations[index].head);
        left.clear();
        left.extend(operations.iter().map(|operation| operation.work));
        waiting.clear();
        let (mut next, mut now) = (0, 0);
        while next < by_head.len() || !waiting.is_empty() {
            if waiting.is_empty() {
                now = now.max(operations[by_head[next]].head);
            }
            while next < by_head.len() && operations[by_head[next]].head <= now {
                let index = by_head[next];
                waiting.push(Reverse((urgency(index, left[index]), index)));
                next += 1;
            }
            let Some(Reverse((_, index))) = waiting.pop() else { continue };
            let until = by_head.get(next).map_or(u32::MAX, |&next| operations[next].head);
            let done = left[index].min(until - now);
            (now, left[index]) = (now + done, left[index] - done);
            if left[index] == 0 {
                tell(index, now);
            } else {
                waiting.push(Reverse((urgency(index, left[index]), index)));
            }
        }
    }

    /// The earliest ends, in order: the shortest remaining work first makes every one of them as early as can be (Schrage
    /// 1968).
    pub(super) fn earliest_ends(&mut self, operations: &[Operation], ends: &mut Vec<u32>) {
        ends.clear();
        self.preempt(operations, |_, left| i64::from(left), |_, end| ends.push(end));
    }

    /// The least possible greatest excess of an end over its due date, with interruptions: the earliest due date first
    /// (Jackson 1955; Carlier 1982). `None` without due dates.
    pub(super) fn greatest_lateness(
        &mut self,
        operations: &[Operation],
        due: impl Fn(&Operation) -> i64,
        time: impl Fn(u32) -> u32,
    ) -> Option<i64> {
        let mut greatest = None;
        self.preempt(
            operations,
            |index, _| due(&operations[index]),
            |index, end| {
                let lateness = i64::from(time(end)) - due(&operations[index]);
                greatest = greatest.max(Some(lateness));
            },
        );
        greatest
    }
}

/// The least possible weighted sum of ends when all operations can start at the earliest head (Smith 1956). Breaks before that
/// count, later ones do not: between them the rule would not be optimal.
pub(super) fn weighted_ends(operations: &mut [Operation], time: impl Fn(u32) -> u32) -> u64 {
    let weighed = |a: &Operation, b: &Operation| {
        (u64::from(a.work) * u64::from(b.weight)).cmp(&(u64::from(b.work) * u64::from(a.weight)))
    };
    operations.sort_unstable_by(|a, b| (a.weight == 0).cmp(&(b.weight == 0)).then_with(|| weighed(a, b)));
    let mut now = time(operations.iter().map(|operation| operation.head).min().unwrap_or(0));
    let mut sum = 0;
    for operation in operations {
        now += operation.work;
        sum += u64::from(operation.weight) * u64::from(now);
    }
    sum
}

/// The least possible number of ends after their due dates when all operations can start at the earliest head (Moore 1968).
pub(super) fn late_operations(operations: &mut [Operation], time: impl Fn(u32) -> u32) -> u64 {
    operations.sort_unstable_by_key(|operation| operation.due.unwrap_or(i64::MAX));
    let mut now = operations.iter().map(|operation| operation.head).min().unwrap_or(0);
    let mut kept = BinaryHeap::new();
    let mut late = 0;
    for operation in operations.iter() {
        kept.push(operation.work);
        now += operation.work;
        if operation.due.is_some_and(|due| i64::from(time(now)) > due)
            && let Some(longest) = kept.pop()
        {
            now -= longest;
            late += 1;
        }
    }
    late
}
