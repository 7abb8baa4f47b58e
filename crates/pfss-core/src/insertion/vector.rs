//! The kernel on vector registers: every operation on its tables runs inside a function that enables their instructions.

use super::inside::Inside;
use super::kernel::PricingKernel;
use super::wavefront::Wavefront;
use crate::simd::{InstructionSet, Kernel, Register, ShiftRegister};
use crate::{Instance, JobId, Time};

/// Tables of `R` registers of `V` a row, and the proof that the registers' instructions exist: whatever runs on the
/// tables of such a kernel may use them.
pub(super) struct VectorKernel<V: ShiftRegister, const R: usize> {
    set: V::Set,
    wavefront: Wavefront<V, R>,
    num_places: usize,
}

impl<V: ShiftRegister, const R: usize> VectorKernel<V, R> {
    pub(super) fn new<T: Time>(set: V::Set, instance: &Instance<T>) -> Self
    where
        V::Item: Inside<T>,
    {
        let wavefront = set.run(Tables::<T, V, R> { set, instance });
        Self { set, wavefront, num_places: 0 }
    }

    fn prices(&self) -> &[V::Item] {
        self.wavefront.prices(self.num_places)
    }
}

/// Makes the tables; `set` proves that the instructions of their registers exist.
struct Tables<'a, T, V: Register, const R: usize> {
    set: V::Set,
    instance: &'a Instance<T>,
}

impl<T: Time, V: ShiftRegister, const R: usize> Kernel for Tables<'_, T, V, R>
where
    V::Item: Inside<T>,
{
    type Output = Wavefront<V, R>;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> Wavefront<V, R> {
        Wavefront::new(self.set, self.instance)
    }
}

/// An operation on a kernel, as work for its instructions.
macro_rules! operation {
    ($name:ident($($field:ident: $type:ty),*) -> $output:ty $body:block) => {
        struct $name<'a, V: ShiftRegister, const R: usize> {
            $($field: $type),*
        }

        impl<'a, V: ShiftRegister, const R: usize> Kernel for $name<'a, V, R> {
            type Output = $output;

            #[inline(always)]
            fn run<S: InstructionSet>(self, _: S) -> $output {
                let Self { $($field),* } = self;
                $body
            }
        }
    };
}

operation!(Load(kernel: &'a mut VectorKernel<V, R>, order: &'a [JobId]) -> () {
    // SAFETY: the kernel's set proves that the instructions exist; the same holds below.
    unsafe { kernel.wavefront.load(order) }
});
operation!(Price(kernel: &'a mut VectorKernel<V, R>, job: JobId) -> V::Item {
    kernel.num_places = kernel.wavefront.len() + 1;
    // SAFETY: as above.
    unsafe { kernel.wavefront.price(job) }
    least(kernel.prices())
});
operation!(PriceRemoved(kernel: &'a mut VectorKernel<V, R>, job: JobId, position: usize) -> V::Item {
    kernel.num_places = kernel.wavefront.len();
    // SAFETY: as above.
    unsafe { kernel.wavefront.price_removed(job, position) }
    least(kernel.prices())
});
operation!(Insert(kernel: &'a mut VectorKernel<V, R>, job: JobId, place: usize) -> () {
    // SAFETY: as above.
    unsafe { kernel.wavefront.insert(job, place) }
});
operation!(Remove(kernel: &'a mut VectorKernel<V, R>, position: usize) -> () {
    // SAFETY: as above.
    unsafe { kernel.wavefront.remove(position) }
});
operation!(FindPlace(kernel: &'a VectorKernel<V, R>, limit: V::Item, from: usize) -> Option<usize> {
    find(kernel.prices().get(from..)?, limit).map(|place| place + from)
});
operation!(CountPlaces(kernel: &'a VectorKernel<V, R>, limit: V::Item) -> usize {
    kernel.prices().iter().map(|&item| u32::from(item <= limit)).sum::<u32>() as usize
});

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

impl<T: Time, V: ShiftRegister, const R: usize> PricingKernel<T> for VectorKernel<V, R>
where
    V::Item: Inside<T>,
{
    fn load(&mut self, order: &[JobId]) {
        self.set.run(Load { kernel: self, order });
    }

    fn price(&mut self, job: JobId) -> T {
        self.set.run(Price { kernel: self, job }).outside()
    }

    fn price_removed(&mut self, job: JobId, position: usize) -> T {
        self.set.run(PriceRemoved { kernel: self, job, position }).outside()
    }

    fn insert(&mut self, job: JobId, place: usize) {
        self.set.run(Insert { kernel: self, job, place });
    }

    fn remove(&mut self, position: usize) {
        self.set.run(Remove { kernel: self, position });
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
        self.prices()[place].outside()
    }

    fn place_at_most(&self, limit: T, from: usize) -> Option<usize> {
        self.set.run(FindPlace { kernel: self, limit: V::Item::inside(limit), from })
    }

    fn last_place_at_most(&self, limit: T) -> Option<usize> {
        let limit = V::Item::inside(limit);
        self.prices().iter().rposition(|&item| item <= limit)
    }

    fn count_at_most(&self, limit: T) -> usize {
        self.set.run(CountPlaces { kernel: self, limit: V::Item::inside(limit) })
    }
}
