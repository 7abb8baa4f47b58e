//! The last jobs, ordered by search instead of by the network.
//!
//! A policy's last steps are its worst: what is left must go somewhere, and a step cannot see how the rest will fit. But
//! few jobs have few orders. When only some are left, a branch and bound looks for their best order between the two
//! fronts. It branches at the end whose children are bounded better, takes the least bound first, and gives up after a
//! fixed number of nodes, so that it costs little beside the network and its result does not depend on the machine
//! that it runs on.

use pfss_core::JobId;
use pfss_core::simd::{Instructions, RealRegister};
use serde::{Deserialize, Serialize};

use super::End;
use pfss_core::kernel;

/// The most jobs that are ordered by search: a lane for each.
pub(crate) const MOST: usize = 16;

/// How the last jobs of an order are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// So many jobs at most, and never more than half of all, are ordered by search instead of by the network; none for
    /// orders that are the network's alone. Not more than 16.
    pub jobs: usize,
    /// The search ends after so many partial orders at the latest.
    pub nodes: usize,
}

impl Finish {
    /// The network orders all jobs.
    pub const NONE: Self = Self { jobs: 0, nodes: 0 };

    /// How many of an instance's jobs are left to the search.
    pub fn of(&self, num_jobs: usize) -> usize {
        let count = self.jobs.min(MOST).min(num_jobs / 2);
        // One job has one order.
        if count < 2 { 0 } else { count }
    }
}

impl Default for Finish {
    fn default() -> Self {
        Self { jobs: 12, nodes: 8192 }
    }
}

/// Jobs that are left between two fronts.
pub struct Gap {
    /// How many machines there are.
    pub num_machines: usize,
    /// The times of the jobs, at most 16, job after job.
    pub times: Vec<f64>,
    /// When each machine is free after the jobs before, and how long before the end it is needed by those behind.
    pub fronts: [Vec<f64>; 2],
}

impl Gap {
    /// The best order that was found, as places among the jobs that are left, and its makespan.
    ///
    /// # Panics
    /// When the rows have other lengths than the machines and jobs ask for.
    pub fn close(&self, instructions: Instructions, nodes: usize) -> (Vec<JobId>, f64) {
        let m = self.num_machines;
        let count = self.times.len() / m;
        let [front, back] = &self.fronts;
        let mut times = vec![0.0; m * MOST];
        let mut load: Vec<f64> = front.iter().zip(back).map(|(front, back)| front + back).collect();
        for (lane, row) in self.times.chunks_exact(m).take(MOST).enumerate() {
            for (machine, &time) in row.iter().enumerate() {
                times[machine * MOST + lane] = time as f32;
                load[machine] += time;
            }
        }
        let most = load.iter().copied().fold(0.0, f64::max);
        // Small numbers, so that whole ones stay whole in single precision.
        let less = |values: &[f64], zero: f64| values.iter().map(|value| (value - zero) as f32).collect();
        let rows: [Vec<f32>; 3] = [less(front, front[0]), less(back, back[m - 1]), less(&load, most)];
        let mut rows = rows.concat();
        rows.resize(3 * m * (count + 1), 0.0);
        let mut search = Search {
            instructions,
            num_machines: m,
            times,
            rows,
            nodes,
            placed: Default::default(),
            least: f32::INFINITY,
            best: (0..count as u8).collect(),
        };
        if (1..=MOST).contains(&count) {
            search.branch(0, (1u32 << count) - 1);
        }
        let order = search.best.iter().map(|&lane| JobId::from(lane)).collect();
        (order, most + f64::from(search.least))
    }
}

/// What a step makes of each job at an end: how much longer the order gets at least, and how long machines wait in all.
type Looks = [[f32; MOST]; 2];

/// A branch and bound over the orders of a gap's jobs.
struct Search {
    instructions: Instructions,
    num_machines: usize,
    /// Machine after machine: the time of each job, one lane for each.
    times: Vec<f32>,
    /// By depth: the front, the back, and by how much the load of each machine is above the largest at the root.
    rows: Vec<f32>,
    /// How many partial orders may still be looked at.
    nodes: usize,
    /// The jobs placed at each end, the outermost first.
    placed: [Vec<u8>; 2],
    /// The best order, and by how much it is above the bound of the root.
    least: f32,
    best: Vec<u8>,
}

impl Search {
    /// Tries the jobs that are left, a bit for each.
    fn branch(&mut self, depth: usize, left: u32) {
        if self.nodes == 0 {
            return;
        }
        self.nodes -= 1;
        let mut looks = [[[0.0; MOST]; 2]; 2];
        let mut sums = [0.0f32; 2];
        for (end, (looks, sum)) in End::BOTH.into_iter().zip(looks.iter_mut().zip(&mut sums)) {
            self.look(depth, end, looks);
            for lane in lanes(left) {
                // What cannot lead to a better order counts as much as what just cannot.
                *sum += looks[0][lane].min(self.least);
            }
        }
        let end = if sums[1] > sums[0] { End::Back } else { End::Front };
        let [bounds, waits] = looks[end as usize];
        let mut children = [0u8; MOST];
        let mut count = 0;
        for lane in lanes(left) {
            if bounds[lane] >= self.least {
                continue;
            }
            let key = |lane: usize| (bounds[lane], waits[lane]);
            let mut place = count;
            while place > 0 && key(children[place - 1].into()) > key(lane) {
                children[place] = children[place - 1];
                place -= 1;
            }
            children[place] = lane as u8;
            count += 1;
        }
        for &lane in &children[..count] {
            if bounds[usize::from(lane)] >= self.least {
                break;
            }
            let rest = left & !(1 << lane);
            self.placed[end as usize].push(lane);
            if rest == 0 {
                self.least = bounds[usize::from(lane)];
                self.best.clear();
                self.best.extend(self.placed[0].iter().chain(self.placed[1].iter().rev()));
            } else {
                self.place(depth, lane.into(), end);
                self.branch(depth + 1, rest);
            }
            self.placed[end as usize].pop();
        }
    }

    fn look(&self, depth: usize, end: End, looks: &mut Looks) {
        let m = self.num_machines;
        let rows = &self.rows[3 * m * depth..3 * m * (depth + 1)];
        let (front, load) = (&rows[m * end as usize..][..m], &rows[2 * m..]);
        jobs(self.instructions, &self.times, front, load, end, looks);
    }

    /// Writes the partial order with one more job.
    fn place(&mut self, depth: usize, lane: usize, end: End) {
        let m = self.num_machines;
        let (parent, child) = self.rows[3 * m * depth..3 * m * (depth + 2)].split_at_mut(3 * m);
        child.copy_from_slice(parent);
        let (fronts, load) = child.split_at_mut(2 * m);
        let front = &mut fronts[m * end as usize..][..m];
        let mut previous = f32::NEG_INFINITY;
        for step in 0..m {
            let machine = if end == End::Front { step } else { m - 1 - step };
            let start = front[machine].max(previous);
            load[machine] += start - front[machine];
            previous = start + self.times[machine * MOST + lane];
            front[machine] = previous;
        }
    }
}

fn lanes(left: u32) -> impl Iterator<Item = usize> {
    let next = |left: &u32| Some(left & (left - 1)).filter(|&rest| rest != 0);
    std::iter::successors(Some(left).filter(|&left| left != 0), next)
        .map(|left| left.trailing_zeros() as usize)
}

kernel!(jobs, jobs_lanes, fn(times: &[f32], front: &[f32], load: &[f32], end: End, looks: &mut Looks));

#[inline(always)]
unsafe fn jobs_lanes<V: RealRegister>(
    times: &[f32],
    front: &[f32],
    load: &[f32],
    end: End,
    looks: &mut Looks,
) {
    let m = front.len();
    assert!(load.len() == m && times.len() == m * MOST);
    for place in (0..MOST).step_by(V::LANES) {
        // SAFETY: the caller's feature; registers divide the lanes of a machine, and all machines are there.
        unsafe {
            let mut completion = V::splat(f32::NEG_INFINITY);
            let mut bound = completion;
            let mut waits = V::splat(0.0);
            for step in 0..m {
                let machine = match end {
                    End::Front => step,
                    End::Back => m - 1 - step,
                };
                let free = V::splat(front[machine]);
                let start = completion.max(free);
                let wait = start.sub(free);
                bound = bound.max(V::splat(load[machine]).add(wait));
                waits = waits.add(wait);
                completion = start.add(V::load(times.as_ptr().add(machine * MOST + place)));
            }
            bound.store(looks[0].as_mut_ptr().add(place));
            waits.store(looks[1].as_mut_ptr().add(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Seed;
    use proptest::prelude::*;
    use rand::RngExt;

    /// Whole times, so that sums are exact in any order.
    fn gap(count: usize, m: usize, seed: u64) -> Gap {
        let mut rng = Seed::new(seed).rng();
        let mut draw = |count: usize, most: u32| -> Vec<f64> {
            (0..count).map(|_| f64::from(rng.random_range(0..=most))).collect()
        };
        let times = draw(count * m, 30);
        let fronts = [(); 2].map(|()| draw(m, 60));
        Gap { num_machines: m, times, fronts }
    }

    fn makespan(gap: &Gap, order: &[JobId]) -> f64 {
        let m = gap.num_machines;
        let mut front = gap.fronts[0].clone();
        for &job in order {
            let mut previous = 0.0f64;
            for (front, time) in front.iter_mut().zip(&gap.times[job as usize * m..]) {
                *front = front.max(previous) + time;
                previous = *front;
            }
        }
        front.iter().zip(&gap.fronts[1]).map(|(front, back)| front + back).fold(0.0, f64::max)
    }

    /// The least makespan of all orders, one by one.
    fn least(gap: &Gap, order: &mut Vec<JobId>, left: &mut Vec<JobId>) -> f64 {
        if left.is_empty() {
            return makespan(gap, order);
        }
        let mut best = f64::INFINITY;
        for place in 0..left.len() {
            let job = left.remove(place);
            order.push(job);
            best = best.min(least(gap, order, left));
            order.pop();
            left.insert(place, job);
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn few_jobs_get_their_best_order(count in 1usize..7, m in 1usize..6, seed in 0u64..10_000) {
            let gap = gap(count, m, seed);
            let exact = least(&gap, &mut Vec::new(), &mut (0..count as JobId).collect());
            for instructions in Instructions::available() {
                let (order, length) = gap.close(instructions, usize::MAX);
                prop_assert_eq!(makespan(&gap, &order), exact);
                prop_assert_eq!(length, exact);
            }
        }

        #[test]
        fn many_jobs_get_an_order_that_is_better_with_more_nodes_and_the_same_on_every_path(
            count in 7usize..=MOST, m in 1usize..20, seed in 0u64..10_000,
        ) {
            let gap = gap(count, m, seed);
            let mut before = f64::INFINITY;
            for nodes in [count, 300, 3000] {
                let (order, length) = gap.close(Instructions::Portable, nodes);
                prop_assert_eq!(makespan(&gap, &order), length);
                prop_assert!(length <= before);
                before = length;
                let mut jobs = order.clone();
                jobs.sort_unstable();
                prop_assert!(jobs.into_iter().eq(0..count as JobId));
                for instructions in Instructions::available() {
                    prop_assert_eq!(gap.close(instructions, nodes), (order.clone(), length));
                }
            }
        }
    }

    #[test]
    fn times_beyond_single_precision_still_get_an_order() {
        let gap = Gap { num_machines: 1, times: vec![1e300, 2e300], fronts: [vec![0.0], vec![0.0]] };
        let (mut order, _) = gap.close(Instructions::Portable, 100);
        order.sort_unstable();
        assert_eq!(order, [0, 1]);
    }

    #[test]
    fn the_network_places_half_of_the_jobs_at_least() {
        let finish = Finish::default();
        assert_eq!([1, 3, 4, 20, 23, 24, 500].map(|n| finish.of(n)), [0, 0, 2, 10, 11, 12, 12]);
        assert_eq!(Finish::NONE.of(100), 0);
        assert_eq!(Finish { jobs: 99, nodes: 1 }.of(100), MOST);
    }
}
