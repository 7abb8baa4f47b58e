//! What the network sees of a state.
//!
//! In the view of an end, machines are counted in the order in which a job meets them coming from that end, and both
//! ends are seen alike: the view of the back is the view of the front in the mirrored problem.

use pfss_core::JobId;
use pfss_core::simd::Instructions;

use super::config::{FEATURES, SCALARS};
use super::{End, FrontState};
use crate::inference::logarithm::asinh_all;

/// How many of the features are seen through `asinh`; they come first.
const CURVED: usize = 12;

/// The part of an end's view that all candidates share, machine by machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// How much later than the first machine each one is free (`F_i - F_0`).
    pub(crate) front: Vec<f32>,
    /// How much less than the busiest machine each one has to do, without new idle time
    /// (`F_i + R_i + O_i - max(F + R + O)`).
    pub(crate) slack: Vec<f32>,
    /// How much longer than the last machine each one must go on after the remaining jobs (`O_i - O_{m-1}`).
    pub(crate) opposite: Vec<f32>,
    /// The mean time of the remaining jobs, less one (`R_i / r - 1`).
    pub(crate) share: Vec<f32>,
}

impl View {
    /// Looks at an end of a state.
    pub(crate) fn look(&mut self, state: &FrontState, end: End) {
        let m = state.num_machines();
        let count = state.remaining().len().max(1) as f64;
        // The sum of both fronts first: so it is the same from both ends.
        let load = |machine: usize| state.front[machine] + state.back[machine] + state.work[machine];
        let most = (0..m).map(load).fold(f64::NEG_INFINITY, f64::max);
        let (own, other) = match end {
            End::Front => (&state.front, &state.back),
            End::Back => (&state.back, &state.front),
        };
        let at = |i: usize| match end {
            End::Front => i,
            End::Back => m - 1 - i,
        };
        fill(&mut self.front, m, |i| own[at(i)] - own[at(0)]);
        fill(&mut self.slack, m, |i| load(at(i)) - most);
        fill(&mut self.opposite, m, |i| other[at(i)] - other[at(m - 1)]);
        fill(&mut self.share, m, |i| state.work[at(i)] / count - 1.0);
    }
}

fn fill(target: &mut Vec<f32>, count: usize, value: impl Fn(usize) -> f64) {
    target.clear();
    target.extend((0..count).map(|i| value(i) as f32));
}

/// Where machine `i` of `m` is on the way from the first to the last.
pub(crate) fn position(i: usize, m: usize) -> f32 {
    if m == 1 { 0.0 } else { i as f32 / (m - 1) as f32 }
}

/// The times of the machines before and after each, summed from the nearer side: the same in the mirrored problem.
pub(crate) fn heads_and_tails(times: &[f32], heads: &mut Vec<f32>, tails: &mut Vec<f32>) {
    let running = |sum: &mut f32, &time: &f32| {
        let before = *sum;
        *sum += time;
        Some(before)
    };
    heads.clear();
    heads.extend(times.iter().scan(0.0, running));
    tails.clear();
    tails.extend(times.iter().rev().scan(0.0, running));
    tails.reverse();
}

impl FrontState {
    /// `[r / n, ln r / 4, ln n / 4, ln m / 3]`.
    pub(crate) fn scalars(&self) -> [f32; SCALARS] {
        let (n, m) = (self.num_jobs() as f32, self.num_machines() as f32);
        let r = self.remaining().len().max(1) as f32;
        [r / n, r.ln() / 4.0, n.ln() / 4.0, m.ln() / 3.0]
    }

    /// The features of all remaining jobs at an end, appended to `out`: job by job, machine by machine.
    ///
    /// The plain version of what the kernels do, and what trainings learn from.
    pub fn features(&self, end: End, out: &mut Vec<f32>) {
        let mut view = View::default();
        view.look(self, end);
        for &job in self.remaining() {
            self.candidate(&view, job, end, out);
        }
    }

    fn candidate(&self, view: &View, job: JobId, end: End, out: &mut Vec<f32>) {
        let m = self.num_machines();
        let r = self.remaining().len() as f32;
        let [left, log_left, ..] = self.scalars();
        let mut times = self.shop().job(job).to_vec();
        if end == End::Back {
            times.reverse();
        }
        let (mut heads, mut tails) = (Vec::new(), Vec::new());
        heads_and_tails(&times, &mut heads, &mut tails);
        // Completion times are counted from when the first machine is free.
        let mut completion = 0.0f32;
        let mut curved = Vec::with_capacity(m * CURVED);
        for i in 0..m {
            let (front, slack) = (view.front[i], view.slack[i]);
            let start = completion.max(front);
            let (idle, wait) = (start - front, start - completion);
            completion = start + times[i];
            let child = slack + idle;
            curved.extend([
                times[i],
                idle,
                wait,
                slack,
                child,
                completion - times[0],
                front,
                view.opposite[i],
                heads[i],
                tails[i],
                slack / r.sqrt(),
                child * (8.0 / r),
            ]);
        }
        asinh_all(Instructions::detect(), &mut curved);
        for (i, curved) in curved.chunks_exact(CURVED).enumerate() {
            let plain: [f32; FEATURES - CURVED] = [view.share[i], position(i, m), left, log_left];
            out.extend_from_slice(curved);
            out.extend(plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_of_the_back_is_that_of_the_front_in_the_mirrored_problem() {
        let times: Vec<f32> = (0..28u32).map(|k| (k * 37 % 17) as f32 / 7.0).collect();
        let mirrored: Vec<f32> = times.chunks_exact(4).flat_map(|row| row.iter().rev().copied()).collect();
        let mut state = FrontState::new(times, 4).unwrap();
        let mut mirror = FrontState::new(mirrored, 4).unwrap();
        for (job, end, other) in [(3, End::Front, End::Back), (0, End::Back, End::Front)] {
            assert!(state.place(job, end) && mirror.place(job, other));
            for (end, other) in [(end, other), (other, end)] {
                let (mut seen, mut reflected) = (Vec::new(), Vec::new());
                state.features(end, &mut seen);
                mirror.features(other, &mut reflected);
                assert_eq!(seen.len(), state.remaining().len() * 4 * FEATURES);
                assert_eq!(seen, reflected);
            }
        }
    }
}
