//! Chooses a kernel for an instance: number type, register width and CPU features.

use super::lanes::{Array, Lanes};
#[cfg(target_arch = "x86_64")]
use super::lanes_x86::{F64x2, F64x4, U16x8, U16x16, U32x4, U32x8};
use super::wavefront::Wavefront;
use crate::{Instance, JobId, Time};

/// Which instructions a kernel may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimdPath {
    /// No more than every machine of the target has.
    Portable,
    /// AVX2, on x86-64.
    Avx2,
}

impl SimdPath {
    /// The widest path that this machine has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Self::Avx2;
        }
        Self::Portable
    }

    /// Every path that this machine has.
    pub fn available() -> Vec<Self> {
        let mut paths = vec![Self::Portable];
        if Self::detect() == Self::Avx2 {
            paths.push(Self::Avx2);
        }
        paths
    }
}

/// A kernel behind one virtual call per pricing, with `T` as its outside number type.
pub trait Kernel<T: Time>: Send {
    /// Replaces the sequence.
    fn load(&mut self, order: &[JobId]);
    /// Prices `job` at every place; returns the least price.
    fn price(&mut self, job: JobId) -> T;
    /// Prices the `job` at `position` at every place without it; returns the least price.
    fn price_removed(&mut self, job: JobId, position: usize) -> T;
    /// Puts `job` at `place`.
    fn insert(&mut self, job: JobId, place: usize);
    /// Takes out the job at `position`.
    fn remove(&mut self, position: usize);
    /// The makespan of the sequence.
    fn cost(&self) -> T;
    /// Completion time of `position` on `machine`.
    fn head(&self, position: usize, machine: usize) -> T;
    /// Time from the start of `position` on `machine` to the end.
    fn tail(&self, position: usize, machine: usize) -> T;
    /// How many places were priced last.
    fn num_places(&self) -> usize;
    /// A price of the last pricing.
    fn price_at(&self, place: usize) -> T;
    /// The first place at or after `from` that costs at most `limit`.
    fn place_at_most(&self, limit: T, from: usize) -> Option<usize>;
    /// The last place that costs at most `limit`.
    fn last_place_at_most(&self, limit: T) -> Option<usize>;
    /// How many places cost at most `limit`.
    fn count_at_most(&self, limit: T) -> usize;

    /// See [`FlowShopPricer::idle_time_added`](super::FlowShopPricer::idle_time_added). Here, so that the
    /// cells are read without a virtual call each.
    fn idle_time_added(&self, place: usize, inserted: &[T], pushed: Option<&[T]>) -> f64 {
        // `e` heads before the place, `f` completion of the inserted job, `g` of the job that it pushes back.
        let e = |machine| if place == 0 { 0.0 } else { self.head(place - 1, machine).to_f64() };
        let mut f = e(0) + inserted[0].to_f64();
        let mut idle = 0.0;
        let Some(pushed) = pushed else {
            for (machine, time) in inserted.iter().enumerate().skip(1) {
                let (free, time) = (e(machine), time.to_f64());
                f = f.max(free) + time;
                idle += f - free - time;
            }
            return idle;
        };
        let mut g = f + pushed[0].to_f64();
        for machine in 1..inserted.len() {
            let (x, y) = (inserted[machine].to_f64(), pushed[machine].to_f64());
            f = f.max(e(machine)) + x;
            idle += f - self.head(place, machine).to_f64() + y - x + (g - f).max(0.0);
            g = g.max(f) + y;
        }
        idle
    }

    /// The first place of least idle time among those that cost at most `limit`.
    fn least_idle_place(&self, limit: T, job: JobId, order: &[JobId], instance: &Instance<T>) -> usize {
        let Some(first) = self.place_at_most(limit, 0) else { return 0 };
        if self.count_at_most(limit) == 1 {
            return first;
        }
        let (mut best, mut least) = (first, f64::INFINITY);
        for place in first..self.num_places() {
            if self.price_at(place) <= limit {
                let pushed = order.get(place).map(|&pushed| instance.job(pushed));
                let idle = self.idle_time_added(place, instance.job(job), pushed);
                if idle < least {
                    (best, least) = (place, idle);
                }
            }
        }
        best
    }
}

/// The least item; a plain loop that the compiler vectorises under the caller's CPU features.
#[inline(always)]
fn least<I: Copy + PartialOrd>(items: &[I]) -> I {
    let mut least = items[0];
    for &item in items {
        least = if item < least { item } else { least };
    }
    least
}

/// Where an item of at most `limit` first stands: whole blocks are compared before a single item is looked at.
#[inline(always)]
fn find<I: Copy + PartialOrd>(items: &[I], limit: I) -> Option<usize> {
    const BLOCK: usize = 32;
    let blocks = items.chunks_exact(BLOCK);
    let rest = blocks.remainder();
    for (index, block) in blocks.enumerate() {
        if block.iter().fold(false, |any, &item| any | (item <= limit)) {
            return block.iter().position(|&item| item <= limit).map(|at| index * BLOCK + at);
        }
    }
    let start = items.len() - rest.len();
    rest.iter().position(|&item| item <= limit).map(|at| start + at)
}

/// A number inside a kernel that stands for a number of type `T` outside.
pub(super) trait Inside<T>: Copy + PartialEq + PartialOrd + Send + Sync + 'static {
    fn outside(self) -> T;
    /// The nearest number of this type.
    fn inside(value: T) -> Self;
}

impl Inside<u32> for u16 {
    fn outside(self) -> u32 {
        u32::from(self)
    }

    fn inside(value: u32) -> u16 {
        value.min(u32::from(u16::MAX)) as u16
    }
}

impl Inside<u32> for u32 {
    fn outside(self) -> u32 {
        self
    }

    fn inside(value: u32) -> u32 {
        value
    }
}

impl Inside<f64> for f64 {
    fn outside(self) -> f64 {
        self
    }

    fn inside(value: f64) -> f64 {
        value
    }
}

macro_rules! kernel {
    ($name:ident $(, $feature:literal)?) => {
        struct $name<V: Lanes, const R: usize> {
            wavefront: Wavefront<V, R>,
            num_places: usize,
        }

        impl<V: Lanes, const R: usize> $name<V, R> {
            /// # Safety
            /// The feature of this kernel was detected.
            $(#[target_feature(enable = $feature)])?
            unsafe fn make<T: Time>(instance: &Instance<T>) -> Self
            where
                V::Item: Inside<T>,
            {
                // SAFETY: the caller's promise, here and below.
                let wavefront = unsafe { Wavefront::new(instance) };
                Self { wavefront, num_places: 0 }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn load_rows(&mut self, order: &[JobId]) {
                // SAFETY: see `make`.
                unsafe { self.wavefront.load(order) }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn price_rows(&mut self, job: JobId) -> V::Item {
                self.num_places = self.wavefront.len() + 1;
                // SAFETY: see `make`.
                unsafe { self.wavefront.price(job) }
                least(self.wavefront.prices(self.num_places))
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn price_removed_rows(&mut self, job: JobId, position: usize) -> V::Item {
                self.num_places = self.wavefront.len();
                // SAFETY: see `make`.
                unsafe { self.wavefront.price_removed(job, position) }
                least(self.wavefront.prices(self.num_places))
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn insert_rows(&mut self, job: JobId, place: usize) {
                // SAFETY: see `make`.
                unsafe { self.wavefront.insert(job, place) }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn remove_rows(&mut self, position: usize) {
                // SAFETY: see `make`.
                unsafe { self.wavefront.remove(position) }
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn find_place(&self, limit: V::Item, from: usize) -> Option<usize> {
                let prices = self.wavefront.prices(self.num_places);
                find(prices.get(from..)?, limit).map(|place| place + from)
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn count_places(&self, limit: V::Item) -> usize {
                let prices = self.wavefront.prices(self.num_places);
                prices.iter().map(|&item| u32::from(item <= limit)).sum::<u32>() as usize
            }
        }

        // SAFETY of every block here: a kernel is only made by `choose`, where its feature was detected.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl<T: Time, V: Lanes, const R: usize> Kernel<T> for $name<V, R>
        where
            V::Item: Inside<T>,
        {
            fn load(&mut self, order: &[JobId]) {
                unsafe { self.load_rows(order) }
            }

            fn price(&mut self, job: JobId) -> T {
                unsafe { self.price_rows(job) }.outside()
            }

            fn price_removed(&mut self, job: JobId, position: usize) -> T {
                unsafe { self.price_removed_rows(job, position) }.outside()
            }

            fn insert(&mut self, job: JobId, place: usize) {
                unsafe { self.insert_rows(job, place) }
            }

            fn remove(&mut self, position: usize) {
                unsafe { self.remove_rows(position) }
            }

            fn cost(&self) -> T {
                self.wavefront.cost().outside()
            }

            fn head(&self, position: usize, machine: usize) -> T {
                self.wavefront.head(position, machine).outside()
            }

            fn tail(&self, position: usize, machine: usize) -> T {
                self.wavefront.tail(position, machine).outside()
            }

            fn num_places(&self) -> usize {
                self.num_places
            }

            fn price_at(&self, place: usize) -> T {
                self.wavefront.prices(self.num_places)[place].outside()
            }

            fn place_at_most(&self, limit: T, from: usize) -> Option<usize> {
                unsafe { self.find_place(V::Item::inside(limit), from) }
            }

            fn last_place_at_most(&self, limit: T) -> Option<usize> {
                let limit = V::Item::inside(limit);
                self.wavefront.prices(self.num_places).iter().rposition(|&item| item <= limit)
            }

            fn count_at_most(&self, limit: T) -> usize {
                unsafe { self.count_places(V::Item::inside(limit)) }
            }
        }
    };
}

kernel!(Portable);
#[cfg(target_arch = "x86_64")]
kernel!(Avx2, "avx2");

/// `$kernel<$lanes, R>` for the least R of the list whose R registers hold the machines.
macro_rules! by_registers {
    ($kernel:ident, $lanes:ty, $instance:expr, [$($registers:literal),*]) => {{
        let needed = $instance.num_machines().div_ceil(<$lanes as Lanes>::COUNT);
        $( if needed <= $registers {
            // SAFETY: `choose` detected the feature of this kernel.
            return Some(Box::new(unsafe { $kernel::<$lanes, $registers>::make($instance) }));
        } )*
        None
    }};
}

/// The kernel for integer times: 16 bits while every value fits, else 32; `None` for too many machines.
pub(crate) fn integer_kernel(instance: &Instance<u32>, path: SimdPath) -> Option<Box<dyn Kernel<u32>>> {
    // Values stay strictly below the saturation mark, so saturating sums are exact.
    let narrow = instance.horizon() < u32::from(u16::MAX);
    match path {
        #[cfg(target_arch = "x86_64")]
        SimdPath::Avx2 if narrow && instance.num_machines() <= 16 => {
            by_registers!(Avx2, U16x8, instance, [1, 2])
        }
        #[cfg(target_arch = "x86_64")]
        SimdPath::Avx2 if narrow => by_registers!(Avx2, U16x16, instance, [2, 3, 4, 8]),
        #[cfg(target_arch = "x86_64")]
        SimdPath::Avx2 if instance.num_machines() <= 8 => by_registers!(Avx2, U32x4, instance, [1, 2]),
        #[cfg(target_arch = "x86_64")]
        SimdPath::Avx2 => by_registers!(Avx2, U32x8, instance, [2, 3, 5, 8]),
        _ if narrow => by_registers!(Portable, Array<u16, 8>, instance, [1, 3, 8]),
        _ => by_registers!(Portable, Array<u32, 4>, instance, [2, 5]),
    }
}

/// The kernel for real times; `None` for too many machines.
pub(crate) fn real_kernel(instance: &Instance<f64>, path: SimdPath) -> Option<Box<dyn Kernel<f64>>> {
    match path {
        #[cfg(target_arch = "x86_64")]
        SimdPath::Avx2 if instance.num_machines() <= 4 => by_registers!(Avx2, F64x2, instance, [2]),
        #[cfg(target_arch = "x86_64")]
        SimdPath::Avx2 => by_registers!(Avx2, F64x4, instance, [2, 3, 5, 8]),
        _ => by_registers!(Portable, Array<f64, 2>, instance, [3, 10]),
    }
}
