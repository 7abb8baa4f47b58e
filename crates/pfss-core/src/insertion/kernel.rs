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
pub trait Kernel<T>: Send {
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
    /// The first place at or after `from` that has `price`.
    fn place_with_price(&self, price: T, from: usize) -> Option<usize>;
    /// The last place that has `price`.
    fn last_place_with_price(&self, price: T) -> Option<usize>;
    /// How many places have `price`.
    fn count_price(&self, price: T) -> usize;
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

/// Where `wanted` first stands: whole blocks are compared before a single item is looked at.
#[inline(always)]
fn find<I: Copy + PartialEq>(items: &[I], wanted: I) -> Option<usize> {
    const BLOCK: usize = 32;
    let blocks = items.chunks_exact(BLOCK);
    let rest = blocks.remainder();
    for (index, block) in blocks.enumerate() {
        if block.iter().fold(false, |any, &item| any | (item == wanted)) {
            return block.iter().position(|&item| item == wanted).map(|at| index * BLOCK + at);
        }
    }
    let start = items.len() - rest.len();
    rest.iter().position(|&item| item == wanted).map(|at| start + at)
}

/// A number inside a kernel that stands for a number of type `T` outside.
pub(super) trait Inside<T>: Copy + PartialEq + PartialOrd + Send + Sync + 'static {
    fn outside(self) -> T;
    fn inside(value: T) -> Option<Self>;
}

impl Inside<u32> for u16 {
    fn outside(self) -> u32 {
        u32::from(self)
    }

    fn inside(value: u32) -> Option<u16> {
        u16::try_from(value).ok()
    }
}

impl Inside<u32> for u32 {
    fn outside(self) -> u32 {
        self
    }

    fn inside(value: u32) -> Option<u32> {
        Some(value)
    }
}

impl Inside<f64> for f64 {
    fn outside(self) -> f64 {
        self
    }

    fn inside(value: f64) -> Option<f64> {
        Some(value)
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
                // Only called where every time fits the inside type.
                let time = |job: usize, machine| {
                    V::Item::inside(instance.time(job as JobId, machine)).unwrap_or(V::zero_item())
                };
                // SAFETY: the caller's promise, here and below.
                let wavefront = unsafe { Wavefront::new(instance.num_jobs(), instance.num_machines(), time) };
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
            unsafe fn find_price(&self, price: V::Item, from: usize) -> Option<usize> {
                find(&self.wavefront.prices(self.num_places)[from..], price).map(|place| place + from)
            }

            $(#[target_feature(enable = $feature)])?
            unsafe fn count_prices(&self, price: V::Item) -> usize {
                let prices = self.wavefront.prices(self.num_places);
                prices.iter().map(|&item| u32::from(item == price)).sum::<u32>() as usize
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

            fn place_with_price(&self, price: T, from: usize) -> Option<usize> {
                unsafe { self.find_price(V::Item::inside(price)?, from) }
            }

            fn last_place_with_price(&self, price: T) -> Option<usize> {
                let price = V::Item::inside(price)?;
                self.wavefront.prices(self.num_places).iter().rposition(|&item| item == price)
            }

            fn count_price(&self, price: T) -> usize {
                V::Item::inside(price).map_or(0, |price| unsafe { self.count_prices(price) })
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
        SimdPath::Avx2 if narrow && instance.num_machines() <= 24 => {
            by_registers!(Avx2, U16x8, instance, [1, 2, 3])
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
        SimdPath::Avx2 if instance.num_machines() <= 6 => by_registers!(Avx2, F64x2, instance, [1, 3]),
        #[cfg(target_arch = "x86_64")]
        SimdPath::Avx2 => by_registers!(Avx2, F64x4, instance, [2, 3, 5, 8]),
        _ => by_registers!(Portable, Array<f64, 2>, instance, [3, 10]),
    }
}
