//! Orders that the policy draws on its own device, many at once.
//!
//! As in [`FrontState`], machines are counted from an end on in the view of that end. All tensors hold both views, so
//! that a step treats both ends alike.

use burn::tensor::backend::Backend;
use burn::tensor::{Bool, Int, Tensor, TensorData};
use pfss_core::Seed;
use pfss_core::simd::Instructions;
use pfss_neural::{Finish, FrontState, Gap};
use rand::RngExt;
use rayon::prelude::*;

use super::lessons::{ADVANTAGE_LIMIT, DEVIATION_FLOOR};
use super::network::{FEATURES, FrontNetwork, States};
use crate::TrainingError;
use crate::device::to_vec;

/// Instances of one size on a device, each as often as orders are drawn for it.
pub(super) struct Shops<B: Backend> {
    /// By row, view, job, and three times machine: times, and those of the machines before and after.
    jobs: Tensor<B, 4>,
    size: (usize, usize),
    samples: usize,
}

/// What the policy drew.
pub(super) struct Drawn<B: Backend> {
    /// The states with the numbers of jobs left that were asked for, what was done in them, and how much it is wanted.
    pub(super) states: Vec<States<B>>,
    /// Of all orders, in units of the instance's mean time.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) makespans: Tensor<B, 1>,
}

impl<B: Backend> Shops<B> {
    /// Instances with no job placed, all of one size; `None` of none.
    pub(super) fn load(starts: &[FrontState], samples: usize, device: &B::Device) -> Option<Self> {
        let count = starts.len();
        let (n, m) = (starts.first()?.num_jobs(), starts.first()?.num_machines());
        let times: Vec<f32> = starts.iter().flat_map(|start| start.times().iter().copied()).collect();
        let times = Tensor::<B, 4>::from_data(TensorData::new(times, [count, 1, n, m]), device);
        let times = Tensor::cat(vec![times.clone(), times.flip([3])], 1);
        let heads = times.clone().cumsum(3) - times.clone();
        // What comes after a machine in one view comes before it in the other.
        let tails = heads.clone().flip([1, 3]);
        let jobs = Tensor::cat(vec![times, heads, tails], 3);
        let each = 2 * n * 3 * m;
        let jobs = jobs.reshape([count, 1, each]).expand([count, samples, each]);
        Some(Self { jobs: jobs.reshape([count * samples, 2, n, 3 * m]), size: (n, m), samples })
    }

    /// Draws an order for each row up to its finish; keeps the states that have as many jobs left as one of `kept`.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    pub(super) fn draw(
        &self,
        network: &FrontNetwork<'_, B>,
        seed: Seed,
        kept: &[usize],
        finish: Finish,
    ) -> Result<Drawn<B>, TrainingError> {
        let (n, m) = self.size;
        let device = self.jobs.device();
        let rows = self.jobs.dims()[0];
        let mut rng = seed.rng();
        let draws: Vec<f32> = (0..rows * n).map(|_| rng.random()).collect();
        let draws = Tensor::<B, 2>::from_data(TensorData::new(draws, [n, rows]), &device);
        let mut fronts = Fronts {
            own: Tensor::zeros([rows, 2, 1, m], &device),
            work: self.jobs.clone().narrow(3, 0, m).sum_dim(2),
            jobs: self.jobs.clone(),
            num_jobs: n,
        };
        let mut taken = Vec::with_capacity(kept.len());
        // The last job stands between both ends, whichever of them it is placed at.
        let left_over = finish.of(n).max(1);
        for left in (left_over + 1..=n).rev() {
            let features = fronts.features();
            let size = (n, m, left);
            let likely = network.log_probabilities(features.clone(), size).exp();
            let action = choose(likely, draws.clone().narrow(0, n - left, 1).reshape([rows, 1]));
            if kept.contains(&left) {
                taken.push((size, features, is_at(action.clone(), 2 * left).float()));
            }
            fronts = fronts.place(action);
        }
        let makespans = if left_over == 1 { fronts.makespans() } else { fronts.finished(finish.nodes)? };
        let wanted = self.advantages(makespans.clone());
        let of = |(size, features, taught)| States { size, features, taught, weights: wanted.clone() };
        Ok(Drawn { states: taken.into_iter().map(of).collect(), makespans })
    }

    /// How much shorter each order is than the mean of its instance's, in units of their deviation.
    fn advantages(&self, makespans: Tensor<B, 1>) -> Tensor<B, 2> {
        let rows = makespans.dims()[0];
        let makespans = makespans.reshape([rows / self.samples, self.samples]);
        let mean = makespans.clone().mean_dim(1);
        let shorter = mean.clone() - makespans;
        let deviation = (shorter.clone() * shorter.clone()).mean_dim(1).sqrt();
        let unit = deviation + mean.mul_scalar(DEVIATION_FLOOR);
        (shorter / unit).clamp(-ADVANTAGE_LIMIT, ADVANTAGE_LIMIT).reshape([rows, 1])
    }
}

/// The first action at which the sum of the probabilities passes a number between zero and one.
fn choose<B: Backend>(likely: Tensor<B, 2>, draw: Tensor<B, 2>) -> Tensor<B, 2, Int> {
    let [rows, actions] = likely.dims();
    let is_before = likely.cumsum(1).lower_equal(draw.expand([rows, actions]));
    // Rounding may leave the whole sum below the number.
    is_before.int().sum_dim(1).clamp_max(actions as i64 - 1)
}

/// Where each row's place is, among so many.
fn is_at<B: Backend>(place: Tensor<B, 2, Int>, count: usize) -> Tensor<B, 2, Bool> {
    let rows = place.dims()[0];
    let numbers = Tensor::arange(0..count as i64, &place.device()).reshape([1, count]);
    place.expand([rows, count]).equal(numbers.expand([rows, count]))
}

/// Orders that grow from both ends.
struct Fronts<B: Backend> {
    /// When each machine is free after the jobs at a view's own end: by row, view and machine.
    own: Tensor<B, 4>,
    /// The times of the remaining jobs, summed: by row, view and machine.
    work: Tensor<B, 4>,
    /// The remaining jobs, as in [`Shops`].
    jobs: Tensor<B, 4>,
    num_jobs: usize,
}

impl<B: Backend> Fronts<B> {
    /// What the network sees of all candidates on all machines, as [`FrontState::features`] has it.
    fn features(&self) -> Tensor<B, 2> {
        let [rows, _, left, columns] = self.jobs.dims();
        let m = columns / 3;
        let part = |index: usize| self.jobs.clone().narrow(3, index * m, m);
        let (times, heads, tails) = (part(0), part(1), part(2));
        let opposite = self.own.clone().flip([1, 3]);
        let load = self.own.clone() + opposite.clone() + self.work.clone();
        let slack = load.clone() - load.max_dim(3);
        let front = self.own.clone() - self.own.clone().narrow(3, 0, 1);
        let opposite = opposite.clone() - opposite.narrow(3, m - 1, 1);
        // The start on a machine is the latest of what the machines up to it allow: C_i = H_i + p_i + max_k (F_k - H_k).
        let held = (front.clone() - heads.clone()).cummax(3);
        let before: Vec<i64> = (0..m as i64).map(|i| (i - 1).max(0)).collect();
        let before = Tensor::<B, 1, Int>::from_data(TensorData::new(before, [m]), &self.jobs.device());
        let earlier = held.clone().select(3, before);
        let start = held.clone() + heads.clone();
        let idle = start.clone() - front.clone();
        let wait = held - earlier;
        let child = slack.clone() + idle.clone();
        let completion = start + times.clone() - times.clone().narrow(3, 0, 1);
        let shape = [rows, 2, left, m];
        let column = |tensor: Tensor<B, 4>| tensor.expand(shape).reshape([rows * 2 * left * m, 1]);
        let r = left as f32;
        let curved = [
            times,
            idle,
            wait,
            slack.clone(),
            child.clone(),
            completion,
            front,
            opposite,
            heads,
            tails,
            slack.div_scalar(r.sqrt()),
            child.mul_scalar(8.0 / r),
        ];
        let curved = asinh(Tensor::cat(curved.map(column).to_vec(), 1));
        let share = column(self.work.clone().div_scalar(r).sub_scalar(1.0));
        let positions: Vec<f32> = (0..m).map(|i| position(i, m)).collect();
        let positions = Tensor::from_data(TensorData::new(positions, [1, 1, 1, m]), &self.jobs.device());
        let scalars = TensorData::new(vec![r / self.num_jobs as f32, r.ln() / 4.0], [1, 2]);
        let scalars = Tensor::<B, 2>::from_data(scalars, &self.jobs.device());
        let all = vec![curved, share, column(positions), scalars.expand([rows * 2 * left * m, 2])];
        let all = Tensor::cat(all, 1);
        debug_assert_eq!(all.dims()[1], FEATURES);
        all
    }

    /// Places a job in each row: the candidates of the front come first, then those of the back.
    fn place(self, action: Tensor<B, 2, Int>) -> Self {
        let [rows, _, left, columns] = self.jobs.dims();
        let m = columns / 3;
        let device = self.jobs.device();
        let is_back = action.clone().greater_equal_elem(left as i64);
        let place = action - is_back.clone().int().mul_scalar(left as i64);
        let index = place.clone().reshape([rows, 1, 1, 1]).expand([rows, 2, 1, columns]);
        let job = self.jobs.clone().gather(2, index);
        let (later, times) = (self.after(job.clone()), job.narrow(3, 0, m));
        let is_own = Tensor::cat(vec![is_back.clone().bool_not(), is_back], 1);
        let own = self.own.mask_where(is_own.reshape([rows, 2, 1, 1]).expand([rows, 2, 1, m]), later);
        // All after the placed one move up.
        let numbers = Tensor::<B, 1, Int>::arange(0..left as i64 - 1, &device).reshape([1, left - 1]);
        let numbers = numbers.expand([rows, left - 1]);
        let moved = numbers.clone().greater_equal(place.expand([rows, left - 1])).int() + numbers;
        let moved = moved.reshape([rows, 1, left - 1, 1]).expand([rows, 2, left - 1, columns]);
        Self { own, work: self.work - times, jobs: self.jobs.gather(2, moved), num_jobs: self.num_jobs }
    }

    /// The makespans where one job is left.
    fn makespans(self) -> Tensor<B, 1> {
        let rows = self.jobs.dims()[0];
        let back = self.own.clone().narrow(1, 1, 1).flip([3]);
        let front = self.after(self.jobs.clone()).narrow(1, 0, 1);
        (front + back).max_dim(3).reshape([rows])
    }

    /// The makespans after a search, on the host, for the best order of the jobs that are left.
    fn finished(self, nodes: usize) -> Result<Tensor<B, 1>, TrainingError> {
        let [rows, _, left, columns] = self.jobs.dims();
        let m = columns / 3;
        let device = self.jobs.device();
        let times = to_vec(self.jobs.slice([0..rows, 0..1, 0..left, 0..m]))?;
        let fronts = to_vec(self.own)?;
        let instructions = Instructions::detect();
        let gaps = times.par_chunks_exact(left * m).zip(fronts.par_chunks_exact(2 * m));
        let makespans: Vec<f32> = gaps
            .map(|(times, fronts)| {
                let (front, back) = fronts.split_at(m);
                let front = front.iter().copied().map(f64::from).collect();
                let back = back.iter().rev().copied().map(f64::from).collect();
                let times = times.iter().copied().map(f64::from).collect();
                Gap { num_machines: m, times, fronts: [front, back] }.close(instructions, nodes).1 as f32
            })
            .collect();
        Ok(Tensor::from_data(TensorData::new(makespans, [rows]), &device))
    }

    /// When each machine is free after one more job of each row, which is given as in [`Shops`].
    fn after(&self, job: Tensor<B, 4>) -> Tensor<B, 4> {
        let m = job.dims()[3] / 3;
        let (times, heads) = (job.clone().narrow(3, 0, m), job.narrow(3, m, m));
        (self.own.clone() - heads.clone()).cummax(3) + heads + times
    }
}

/// Where machine `i` of `m` is on the way from the first to the last.
fn position(i: usize, m: usize) -> f32 {
    if m == 1 { 0.0 } else { i as f32 / (m - 1) as f32 }
}

/// Of either sign without loss of digits.
fn asinh<B: Backend>(x: Tensor<B, 2>) -> Tensor<B, 2> {
    let size = x.clone().abs();
    let sum = (size.clone() * size.clone()).add_scalar(1.0).sqrt() + size;
    sum.log() * x.sign()
}
