//! Two machines alone: Johnson's order, with the work in between as lags.

use pfss_core::JobId;
use pfss_core::tree::{Element, Tree};

/// A job in Johnson's order of one pair of machines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    pub(super) job: JobId,
    pub(super) first: E,
    pub(super) lag: E,
    pub(super) second: E,
}

/// Two machines and Johnson's order of all jobs on them.
pub(super) struct Pair<E> {
    pub(super) machines: [usize; 2],
    pub(super) entries: Vec<Entry<E>>,
}

impl<E: Element> Pair<E> {
    pub(super) fn new(tree: &Tree<E>, a: usize, b: usize) -> Self {
        let entry = |job: JobId| {
            let times = tree.job(job);
            let lag = times[a + 1..b].iter().fold(E::default(), |sum, &time| sum.plus(time));
            Entry { job, first: times[a], lag, second: times[b] }
        };
        let mut entries: Vec<Entry<E>> = (0..tree.num_jobs() as JobId).map(entry).collect();
        // Jobs that are shorter on the first machine go first, by rising value; the others by falling value.
        let key = |entry: &Entry<E>| {
            let [first, lag, second] = [entry.first, entry.lag, entry.second].map(Element::to_time::<f64>);
            if first < second { (false, first + lag) } else { (true, -(second + lag)) }
        };
        entries.sort_by(|x, y| {
            let ((late_x, key_x), (late_y, key_y)) = (key(x), key(y));
            late_x.cmp(&late_y).then(key_x.total_cmp(&key_y))
        });
        Self { machines: [a, b], entries }
    }
}

/// The least makespan on the two machines alone, of the open jobs, between both fronts: the plain twin of
/// [`PairLanes`](super::pair_lanes::PairLanes).
pub(super) fn pair_bound<E: Element>(
    pair: &Pair<E>,
    front: &[E],
    back: &[E],
    is_open: impl Fn(JobId) -> bool,
) -> E {
    let [a, b] = pair.machines;
    let (mut on_first, mut on_second) = (front[a], front[b]);
    for entry in pair.entries.iter().filter(|entry| is_open(entry.job)) {
        on_first = on_first.plus(entry.first);
        on_second = on_second.larger(on_first.plus(entry.lag)).plus(entry.second);
    }
    on_second.plus(back[b])
}
