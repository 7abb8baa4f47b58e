//! The two-machine bound: Johnson's rule with time lags for every pair of machines.

use super::ends::Ends;
use crate::permutation::job_id;
use crate::{Instance, JobId, Time};

/// How many key comparisons the bound may cost, about; beyond that, only the most loaded pairs are looked at.
/// Takes about a second.
pub(super) const MAX_WORK: f64 = 4e8;

/// The largest, over pairs of machines `a < b`, of the least makespan on these two machines alone, with the
/// work in between as a lag that needs no machine, and with the least head before `a` and tail after `b`.
///
/// The two-machine problem with lags is solved exactly by Johnson's order of `(p_a + lag, lag + p_b)`
/// (Mitten 1959; as a bound: Lenstra, Lageweg and Rinnooy Kan 1978). O(m^2 n log n); very large instances
/// look at fewer pairs, which keeps the bound valid. With one machine it is the one-machine bound.
pub fn two_machine_bound<T: Time>(instance: &Instance<T>) -> T {
    two_machine_bound_above(instance, T::ZERO, MAX_WORK, &|| true)
}

/// The larger of `floor` and the two-machine bound, sparing pairs that cannot exceed `floor`, and those that would
/// take more than `work` key comparisons; what is known so far where `go_on` ends it.
pub(super) fn two_machine_bound_above<T: Time>(
    instance: &Instance<T>,
    floor: T,
    work: f64,
    go_on: &dyn Fn() -> bool,
) -> T {
    if instance.num_jobs() == 1 {
        return floor.maximum(instance.total_time(0));
    }
    let ends = Ends::new(instance);
    let m = instance.num_machines();
    if m == 1 {
        return floor.maximum(ends.one_machine(0));
    }
    let selected = select_pairs(instance.num_jobs(), &ends, work);
    if selected.is_empty() {
        return floor;
    }
    let mut johnson = Johnson::new(instance);
    let mut best = floor;
    for of_first in selected.chunk_by(|x, y| x.0 == y.0) {
        johnson.restart();
        let mut next = of_first[0].0 + 1;
        for &(a, b) in of_first {
            if !go_on() {
                return best;
            }
            (next..b).for_each(|between| johnson.pass(between));
            next = b;
            best = johnson.raise(best, a, b, ends.around(a, b));
        }
    }
    best
}

/// So many machines and fewer are all considered for pairs.
const FEW_MACHINES: usize = 512;

/// What adding a time to a lag takes, in key comparisons.
const ADDITION: f64 = 0.125;

/// The pairs to look at, sorted: all of them, or those of the machines with the largest one-machine bounds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "budgets of work: a rough number is as good"
)]
fn select_pairs<T: Time>(num_jobs: usize, ends: &Ends<T>, work: f64) -> Vec<(usize, usize)> {
    let m = ends.loads.len();
    let work_per_pair = num_jobs as f64 * (num_jobs as f64).log2().max(1.0);
    // The rows of lags of a first machine count only where there are many machines.
    let rows = if m > FEW_MACHINES { 0.5 } else { 0.0 };
    let affordable = ((1.0 - rows) * work / work_per_pair) as usize;
    let single: Vec<f64> = (0..m).map(|machine| ends.one_machine(machine).to_f64()).collect();
    let mut machines: Vec<usize> = (0..m).collect();
    if m > FEW_MACHINES {
        let affordable_rows = (rows * work / (num_jobs as f64 * m as f64 * ADDITION)) as usize;
        // Some more than are needed, for the best pairs are not those of the best machines alone.
        let enough = affordable_rows.min(8usize.saturating_mul(affordable).isqrt()).clamp(2, m);
        machines.sort_by(|&x, &y| single[y].total_cmp(&single[x]));
        machines.truncate(enough);
        machines.sort_unstable();
    }
    let pairs_of = |index: usize| machines[index + 1..].iter().copied();
    let mut pairs: Vec<(usize, usize)> =
        machines.iter().enumerate().flat_map(|(index, &a)| pairs_of(index).map(move |b| (a, b))).collect();
    if affordable < pairs.len() {
        pairs.sort_by(|x, y| (single[y.0] + single[y.1]).total_cmp(&(single[x.0] + single[x.1])));
        pairs.truncate(affordable);
        pairs.sort_unstable();
    }
    pairs
}

/// Solves two-machine problems with lags for one first machine and successive second machines.
struct Johnson<T> {
    num_jobs: usize,
    /// Times by machine: `columns[machine * num_jobs + job]`.
    columns: Vec<T>,
    /// Per job: the work between the two machines.
    lags: Vec<T>,
    integer_keys: Vec<u64>,
    real_keys: Vec<u128>,
}

impl<T: Time> Johnson<T> {
    fn new(instance: &Instance<T>) -> Self {
        let (n, m) = (instance.num_jobs(), instance.num_machines());
        let mut columns = vec![T::ZERO; n * m];
        for (job, times) in instance.times().chunks_exact(m).enumerate() {
            for (machine, &time) in times.iter().enumerate() {
                columns[machine * n + job] = time;
            }
        }
        let (integers, reals) = if T::IS_INTEGER { (n, 0) } else { (0, n) };
        Self {
            num_jobs: n,
            columns,
            lags: vec![T::ZERO; n],
            integer_keys: vec![0; integers],
            real_keys: vec![0; reals],
        }
    }

    /// The next pair is a machine and its successor: nothing lies between them.
    fn restart(&mut self) {
        self.lags.fill(T::ZERO);
    }

    /// The second machine moves on behind `b`, whose work becomes part of the lag.
    fn pass(&mut self, b: usize) {
        let column = &self.columns[b * self.num_jobs..(b + 1) * self.num_jobs];
        for (lag, &time) in self.lags.iter_mut().zip(column) {
            *lag += time;
        }
    }

    /// The larger of `best` and `around` plus the least makespan on machines `a` and `b` with lags.
    #[expect(clippy::cast_possible_truncation, reason = "the low half of a key is its job")]
    fn raise(&mut self, best: T, a: usize, b: usize, around: T) -> T {
        let n = self.num_jobs;
        let problem = TwoMachines {
            first: &self.columns[a * n..(a + 1) * n],
            second: &self.columns[b * n..(b + 1) * n],
            lags: &self.lags,
            around,
        };
        // A key holds the sort value above the job's number, so that plain integers are sorted. Integer
        // times have 32 bits and real ones 64.
        if T::IS_INTEGER {
            let pack = |bits, job| bits << 32 | u64::from(job);
            problem.raise(best, &mut self.integer_keys, pack, |key| key as JobId)
        } else {
            let pack = |bits, job| u128::from(bits) << 32 | u128::from(job);
            problem.raise(best, &mut self.real_keys, pack, |key| key as JobId)
        }
    }
}

struct TwoMachines<'a, T> {
    first: &'a [T],
    second: &'a [T],
    lags: &'a [T],
    /// The least head before the first machine and tail after the second one.
    around: T,
}

impl<T: Time> TwoMachines<'_, T> {
    /// Johnson's rule: jobs that are shorter on the first machine go first, by rising first value; the
    /// others follow by falling second value.
    ///
    /// The makespan of any order is at least the least one. So a half-sorted order is tried first: when
    /// even that does not exceed `best`, the pair is done without sorting everything.
    fn raise<K: Copy + Ord>(
        &self,
        best: T,
        keys: &mut [K],
        pack: impl Fn(u64, JobId) -> K,
        job_of: impl Fn(K) -> JobId,
    ) -> T {
        let (mut front, mut back) = (0, keys.len());
        for (job, ((&p, &q), &lag)) in self.first.iter().zip(self.second).zip(self.lags).enumerate() {
            let key = pack((p.minimum(q) + lag).to_bits(), job_id(job));
            if p < q {
                keys[front] = key;
                front += 1;
            } else {
                back -= 1;
                keys[back] = key;
            }
        }
        let (early, late) = keys.split_at_mut(front);
        let (sorted_early, sorted_late) = (sort_least(early), sort_least(late));
        let rough = self.length(early, late, &job_of);
        if rough <= best {
            return best;
        }
        early[sorted_early..].sort_unstable();
        late[sorted_late..].sort_unstable();
        best.maximum(self.length(early, late, &job_of))
    }

    /// The makespan of `early` followed by `late` from back to front, with what surrounds it.
    fn length<K: Copy>(&self, early: &[K], late: &[K], job_of: impl Fn(K) -> JobId) -> T {
        let (mut on_first, mut on_second) = (T::ZERO, T::ZERO);
        for &key in early.iter().chain(late.iter().rev()) {
            let job = job_of(key) as usize;
            on_first += self.first[job];
            on_second = on_second.maximum(on_first + self.lags[job]) + self.second[job];
        }
        on_second + self.around
    }
}

/// Brings the least keys to the front, sorted; the others follow unsorted. Returns how many are sorted.
fn sort_least<K: Copy + Ord>(keys: &mut [K]) -> usize {
    let count = 8 + 2 * keys.len().isqrt();
    if count >= keys.len() {
        keys.sort_unstable();
        return keys.len();
    }
    keys.select_nth_unstable(count);
    keys[..count].sort_unstable();
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::taillard_benchmark;
    use crate::one_machine_bound;

    #[test]
    fn johnson_by_hand() {
        // Johnson's order is 1, 0: machine 0 ends at 5, machine 1 at 1 + 4 + 2 = 7.
        let instance = Instance::from_job_rows("", &[[4u32, 2], [1, 4]]).unwrap();
        assert_eq!(two_machine_bound(&instance), 7);
    }

    #[test]
    fn bounds_of_the_benchmark() {
        for (number, one, two) in TAILLARD {
            let instance = taillard_benchmark(number).unwrap();
            assert_eq!(one_machine_bound(&instance), one, "ta{number:03}");
            assert_eq!(two_machine_bound(&instance), two, "ta{number:03}");
        }
    }

    /// Instance, one-machine bound, two-machine bound.
    const TAILLARD: [(usize, u32, u32); 8] = [
        (1, 1232, 1278),
        (21, 1911, 1996),
        (42, 2821, 2828),
        (56, 3460, 3495),
        (75, 5431, 5431),
        (90, 6298, 6348),
        (105, 11132, 11143),
        (120, 26315, 26337),
    ];

    #[test]
    fn fewer_pairs_still_bound() {
        let instance = taillard_benchmark(51).unwrap();
        let ends = Ends::new(&instance);
        // So many jobs that only a few pairs are affordable.
        let count = select_pairs(2_000_000, &ends, MAX_WORK).len();
        assert!((1..190).contains(&count), "{count}");
        assert_eq!(select_pairs(100, &ends, MAX_WORK).len(), 190);
    }

    #[test]
    fn very_many_machines_keep_to_the_work() {
        let times: Vec<u32> = (0..10 * 5000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 25).collect();
        let instance = Instance::new("", 5000, times).unwrap();
        let ends = Ends::new(&instance);
        let pairs = select_pairs(10, &ends, 1e6);
        assert!(!pairs.is_empty() && pairs.len() < 20_000, "{}", pairs.len());
        assert!(pairs.is_sorted() && pairs.iter().all(|&(a, b)| a < b));
        // Few rows of lags: each takes ten thousand additions.
        let rows = pairs.chunk_by(|x, y| x.0 == y.0).count();
        assert!(rows <= 80, "{rows}");
        let bound = two_machine_bound_above(&instance, 0, 1e6, &|| true);
        assert!(bound <= crate::makespan(&instance, &(0..10).collect::<Vec<JobId>>()));
    }
}
