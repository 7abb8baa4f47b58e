//! Taillard's acceleration on a skewed wavefront, one vector row per step.
//!
//! Notation: `e` heads, `q` tails, `p` times, `f` the inserted job (Taillard 1990); `l` positions, `i`
//! machines, `k` the length of the sequence.
//!
//! *Skew.* Row `d` of a table holds the cells with `l + i = d`. Both recurrences run along it: a cell of row
//! `d` needs its own machine and the neighbouring machine of one adjacent row, so a row is one vector step.
//!
//! *Slots.* Machine `i` sits in slot `x = m - 1 - i`, register `x mod R`, lane `x div R`. "Next machine" is
//! then a renaming of registers plus one lane shift for a whole row, and the last machine is lane 0 of
//! register 0, so each place's price is one store. Machines are filled up to a multiple of `R` by machines
//! that take no time (they change no makespan); slots beyond them are padding and stay zero.
//!
//! *Alignment.* Heads and times count rows from the start of the sequence, tails from its end (row `d` at
//! index `capacity - k + d`), so inserting or removing a job moves no head before it and no tail after it.

use super::inside::Inside;
use crate::simd::ShiftRegister;
use crate::{Instance, Time};

/// The tables of one sequence, for `R` registers of `V` per row.
pub(super) struct Wavefront<V: ShiftRegister, const R: usize> {
    num_machines: usize,
    capacity: usize,
    len: usize,
    /// From the item of machine 0 in row `l` to the item of machine `i` in row `l + i`: a position's cells.
    strides: Vec<usize>,
    /// One row per job: its times in slot order.
    jobs: Vec<[V; R]>,
    /// `below[b]` has ones where the machine is less than `b`.
    below: Vec<[V; R]>,
    /// Zero from row `len + m - 1` on.
    times: Vec<[V; R]>,
    /// Row `d` at index `d + 1`; index 0 is zero.
    heads: Vec<[V; R]>,
    tails: Vec<[V; R]>,
    /// Tails of the shortened sequence, written by `price_removed`.
    scratch: Vec<[V; R]>,
    /// Row `d` writes the price of place `d - (m - 1)`.
    prices: Vec<V::Item>,
    /// Zero at the first padding slot, which the tails' lane shift would fill. It lies in register 0.
    guard: V,
}

/// Where a slot's item lies in the memory of a row, which is `R` registers of `LANES` items.
#[inline(always)]
fn offset<V: ShiftRegister, const R: usize>(slot: usize) -> usize {
    (slot % R) * V::LANES + slot / R
}

/// A loop over rows, four at a time where rows are short: there, counting would cost as much as a vector.
macro_rules! rows {
    ($d:ident in $from:expr, $to:expr => $body:block) => {{
        let (mut $d, end): (usize, usize) = ($from, $to);
        while R <= 3 && $d + 4 <= end {
            $body
            $d += 1;
            $body
            $d += 1;
            $body
            $d += 1;
            $body
            $d += 1;
        }
        while $d < end {
            $body
            $d += 1;
        }
    }};
}

/// The row of the neighbouring, earlier machine in every slot.
#[inline(always)]
unsafe fn from_previous_machine<V: ShiftRegister, const R: usize>(row: [V; R]) -> [V; R] {
    let mut shifted = row;
    shifted[..R - 1].copy_from_slice(&row[1..]);
    // SAFETY: the caller upholds the contract of `Register`.
    shifted[R - 1] = unsafe { row[0].down() };
    shifted
}

/// The row of the neighbouring, later machine in every slot.
#[inline(always)]
unsafe fn from_next_machine<V: ShiftRegister, const R: usize>(row: [V; R], guard: V) -> [V; R] {
    let mut shifted = row;
    shifted[1..].copy_from_slice(&row[..R - 1]);
    // SAFETY: the caller upholds the contract of `Register`.
    shifted[0] = unsafe { row[R - 1].up().keep(guard) };
    shifted
}

#[inline(always)]
unsafe fn max_rows<V: ShiftRegister, const R: usize>(mut a: [V; R], b: [V; R]) -> [V; R] {
    for r in 0..R {
        // SAFETY: the caller upholds the contract of `Register`.
        a[r] = unsafe { a[r].max(b[r]) };
    }
    a
}

#[inline(always)]
unsafe fn add_rows<V: ShiftRegister, const R: usize>(mut a: [V; R], b: [V; R]) -> [V; R] {
    for r in 0..R {
        // SAFETY: the caller upholds the contract of `Register`.
        a[r] = unsafe { a[r].add(b[r]) };
    }
    a
}

#[inline(always)]
unsafe fn select_rows<V: ShiftRegister, const R: usize>(mut a: [V; R], b: [V; R], mask: [V; R]) -> [V; R] {
    for r in 0..R {
        // SAFETY: the caller upholds the contract of `Register`.
        a[r] = unsafe { a[r].select(b[r], mask[r]) };
    }
    a
}

// All functions below are inlined into a wrapper that enables the CPU feature; indices are in range because
// every table has `capacity + m + 2` rows and `len <= capacity`. They are unchecked in the inner loops, so every
// function that changes or reads a position first asserts what it needs, and changes nothing where that fails.
impl<V: ShiftRegister, const R: usize> Wavefront<V, R> {
    /// Tables for the jobs of `instance`, whose times all fit the lanes; the sequence is empty.
    ///
    /// The set is only there to prove that its instructions exist. The unsafe functions below ask for the same: a value
    /// of `V::Set` exists.
    #[inline(always)]
    pub(super) fn new<T: Time>(_set: V::Set, instance: &Instance<T>) -> Self
    where
        V::Item: Inside<T>,
    {
        let num_jobs = instance.num_jobs();
        let num_machines = instance.num_machines().next_multiple_of(R);
        assert!(num_machines <= R * V::LANES, "more machines than lanes");
        // SAFETY: there is a value of `V::Set`.
        let zero = unsafe { [V::zero(); R] };
        let offsets: Vec<usize> =
            (0..num_machines).map(|machine| offset::<V, R>(num_machines - 1 - machine)).collect();
        let mut jobs = vec![zero; num_jobs];
        for (row, times) in jobs.iter_mut().zip(instance.times().chunks_exact(instance.num_machines())) {
            for (&offset, &time) in offsets.iter().zip(times) {
                // SAFETY: offsets lie within a row.
                unsafe { *row.as_mut_ptr().cast::<V::Item>().add(offset) = V::Item::inside(time) }
            }
        }
        let mut below = vec![zero; num_machines + 1];
        for (bound, row) in below.iter_mut().enumerate() {
            for &offset in &offsets[..bound] {
                // SAFETY: as above.
                unsafe { *row.as_mut_ptr().cast::<V::Item>().add(offset) = V::ONES }
            }
        }
        // SAFETY: there is a value of `V::Set`; V is LANES items in memory.
        let guard = unsafe {
            let mut mask = V::zero();
            for lane in (0..V::LANES).filter(|&lane| lane != num_machines / R) {
                *(&raw mut mask).cast::<V::Item>().add(lane) = V::ONES;
            }
            mask
        };
        let rows = num_jobs + num_machines + 2;
        let strides = offsets.iter().enumerate().map(|(i, offset)| i * R * V::LANES + offset).collect();
        Self {
            num_machines,
            strides,
            capacity: num_jobs,
            len: 0,
            jobs,
            below,
            times: vec![zero; rows],
            heads: vec![zero; rows],
            tails: vec![zero; rows],
            scratch: vec![zero; rows],
            prices: vec![V::ZERO; rows + V::FIRST_WIDTH],
            guard,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// A table as plain items.
    #[inline(always)]
    fn items(rows: &[[V; R]]) -> &[V::Item] {
        // SAFETY: a row is R registers of LANES items, without padding.
        unsafe { std::slice::from_raw_parts(rows.as_ptr().cast(), rows.len() * R * V::LANES) }
    }

    #[inline(always)]
    pub(super) fn head(&self, position: usize, machine: usize) -> V::Item {
        Self::items(&self.heads)[(position + 1) * R * V::LANES + self.strides[machine]]
    }

    #[inline(always)]
    pub(super) fn tail(&self, position: usize, machine: usize) -> V::Item {
        let row = self.capacity - self.len + position;
        Self::items(&self.tails)[row * R * V::LANES + self.strides[machine]]
    }

    /// The makespan: the last head, or zero for the empty sequence.
    pub(super) fn cost(&self) -> V::Item {
        if self.len == 0 { V::ZERO } else { self.head(self.len - 1, self.num_machines - 1) }
    }

    /// The prices of the last pricing, of which the caller knows the number.
    pub(super) fn prices(&self, count: usize) -> &[V::Item] {
        &self.prices[self.num_machines - 1..self.num_machines - 1 + count]
    }

    #[inline(always)]
    pub(super) unsafe fn load(&mut self, order: &[u32]) {
        assert!(order.len() <= self.capacity, "a sequence holds each job at most once");
        assert!(order.iter().all(|&job| (job as usize) < self.capacity), "no such job");
        // SAFETY: the caller's promise; positions and jobs are below `capacity`.
        unsafe {
            // Times of rows past the sequence are zero already.
            self.times[..self.len + self.num_machines].fill([V::zero(); R]);
            self.len = order.len();
            for (position, &job) in order.iter().enumerate() {
                for machine in 0..self.num_machines {
                    let offset = offset::<V, R>(self.num_machines - 1 - machine);
                    let item = *self.jobs[job as usize].as_ptr().cast::<V::Item>().add(offset);
                    *self.times[position + machine].as_mut_ptr().cast::<V::Item>().add(offset) = item;
                }
            }
            self.update(0, self.len + self.num_machines - 1);
        }
    }

    #[inline(always)]
    unsafe fn tail_step(&self, row: [V; R], times: [V; R]) -> [V; R] {
        // SAFETY: the caller's promise.
        unsafe { add_rows(max_rows(row, from_next_machine(row, self.guard)), times) }
    }

    /// Recomputes heads from row `from` and the `count` first tails. The two are independent chains of
    /// latency, so they run side by side for as long as both last.
    #[inline(always)]
    unsafe fn update(&mut self, from: usize, count: usize) {
        let end = self.len + self.num_machines - 1;
        let both = (end - from).min(count);
        // SAFETY: rows are in range (see above).
        unsafe {
            let times = self.times.as_ptr();
            let heads = self.heads.as_mut_ptr();
            let tails = self.tails.as_mut_ptr().add(self.capacity - self.len);
            let mut head = *heads.add(from);
            let mut tail = *tails.add(count);
            rows!(step in 0, both => {
                let (up, down) = (from + step, count - 1 - step);
                head = head_step(head, *times.add(up));
                tail = self.tail_step(tail, *times.add(down));
                *heads.add(up + 1) = head;
                *tails.add(down) = tail;
            });
            rows!(d in from + both, end => {
                head = head_step(head, *times.add(d));
                *heads.add(d + 1) = head;
            });
            rows!(step in both, count => {
                let down = count - 1 - step;
                tail = self.tail_step(tail, *times.add(down));
                *tails.add(down) = tail;
            });
        }
    }

    #[inline(always)]
    pub(super) unsafe fn insert(&mut self, job: u32, place: usize) {
        let (m, k) = (self.num_machines, self.len);
        assert!(k < self.capacity, "the sequence is full");
        assert!(place <= k, "no such place");
        let job = self.jobs[job as usize];
        // SAFETY: the caller's promise; `place <= k < capacity`.
        unsafe {
            let times = self.times.as_mut_ptr();
            // Rows of later positions only move; the rows of the band mix both sides and the job.
            std::ptr::copy(times.add(place + m - 1), times.add(place + m), k - place);
            for band in (1..m).rev() {
                let d = place + band;
                let kept = select_rows(job, *times.add(d), self.below[band + 1]);
                *times.add(d) = select_rows(*times.add(d - 1), kept, self.below[band]);
            }
            *times.add(place) = select_rows(job, *times.add(place), self.below[1]);
            self.len = k + 1;
            self.update(place, place + m);
        }
    }

    #[inline(always)]
    pub(super) unsafe fn remove(&mut self, position: usize) {
        let (m, k) = (self.num_machines, self.len);
        assert!(position < k, "no such position");
        // SAFETY: the caller's promise; `position < k`.
        unsafe {
            let times = self.times.as_mut_ptr();
            for band in 0..m - 1 {
                let d = position + band;
                *times.add(d) = select_rows(*times.add(d + 1), *times.add(d), self.below[band + 1]);
            }
            // Includes the zero row past the end.
            std::ptr::copy(times.add(position + m), times.add(position + m - 1), k - position);
            self.len = k - 1;
            self.update(position, position + m - 1);
        }
    }

    #[inline(always)]
    pub(super) unsafe fn price(&mut self, job: u32) {
        // SAFETY: the caller's promise; the tables hold rows up to `len + m - 1`.
        unsafe {
            let job = self.jobs[job as usize];
            let heads = self.heads.as_ptr();
            let tails = self.tails.as_ptr().add(self.capacity - self.len);
            let prices = self.prices.as_mut_ptr();
            let zero = [V::zero(); R];
            let (mut f, mut c) = (zero, zero);
            let end = self.len + self.num_machines;
            if V::SLOW_SUMS && end >= 8 * self.num_machines {
                // A place's price depends on its own cells alone, so a wavefront may start anywhere: the
                // second one prices the places from `half` on, the first one the others.
                let half = end / 2;
                let (mut f2, mut c2) = (zero, zero);
                rows!(d in 0, end - half => {
                    (f, c) = price_step(f, c, job, *heads.add(d), *tails.add(d));
                    (f2, c2) = price_step(f2, c2, job, *heads.add(half + d), *tails.add(half + d));
                    c[0].store_first(prices.add(d));
                    // The first rows of the second wavefront complete no place of its own.
                    if d >= self.num_machines - 1 {
                        c2[0].store_first(prices.add(half + d));
                    }
                });
                rows!(d in end - half, half + self.num_machines - 1 => {
                    (f, c) = price_step(f, c, job, *heads.add(d), *tails.add(d));
                    c[0].store_first(prices.add(d));
                });
            } else {
                rows!(d in 0, end => {
                    (f, c) = price_step(f, c, job, *heads.add(d), *tails.add(d));
                    c[0].store_first(prices.add(d));
                });
            }
        }
    }

    /// Prices the job at `position` at every place of the sequence without it, leaving the sequence alone.
    #[inline(always)]
    pub(super) unsafe fn price_removed(&mut self, job: u32, position: usize) {
        let (m, r) = (self.num_machines, position);
        assert!(position < self.len, "no such position");
        let job = self.jobs[job as usize];
        // SAFETY: the caller's promise; `position < len`.
        unsafe {
            let times = self.times.as_ptr();
            let heads = self.heads.as_ptr();
            let below = self.below.as_ptr();
            let scratch = self.scratch.as_mut_ptr();
            let prices = self.prices.as_mut_ptr();
            // One job fewer: counted from the end, the later positions' tails stay where they are.
            let tails = self.tails.as_ptr().add(self.capacity - self.len + 1);
            let band = |d: usize| select_rows(*times.add(d + 1), *times.add(d), *below.add(d - r + 1));

            let mut tail = *tails.add(r + m - 1);
            for d in (r..r + m - 1).rev() {
                tail = self.tail_step(tail, band(d));
                *scratch.add(d) = tail;
            }
            rows!(step in 0, r => {
                tail = self.tail_step(tail, *times.add(r - 1 - step));
                *scratch.add(r - 1 - step) = tail;
            });

            let mut f = [V::zero(); R];
            let mut c = f;
            // Heads before the removed job are as they were, after it they are new. The tails of the rows
            // up to the band are in the scratch table, later ones stand.
            rows!(d in 0, (r + 1).min(r + m - 1) => {
                (f, c) = price_step(f, c, job, *heads.add(d), *scratch.add(d));
                c[0].store_first(prices.add(d));
            });
            let mut head = *heads.add(r);
            if m == 1 {
                (f, c) = price_step(f, c, job, head, *tails.add(r));
                c[0].store_first(prices.add(r));
            } else {
                for d in r + 1..r + m {
                    head = head_step(head, band(d - 1));
                    let tail = if d < r + m - 1 { scratch.cast_const().add(d) } else { tails.add(d) };
                    (f, c) = price_step(f, c, job, head, *tail);
                    c[0].store_first(prices.add(d));
                }
            }
            rows!(d in r + m, self.len + m - 1 => {
                head = head_step(head, *times.add(d));
                (f, c) = price_step(f, c, job, head, *tails.add(d));
                c[0].store_first(prices.add(d));
            });
        }
    }
}

/// One row of heads: `e = max(e of the previous position, e of the previous machine) + p`.
#[inline(always)]
unsafe fn head_step<V: ShiftRegister, const R: usize>(row: [V; R], times: [V; R]) -> [V; R] {
    // SAFETY: the caller upholds the contract of `Register`.
    unsafe { add_rows(max_rows(row, from_previous_machine(row)), times) }
}

/// One row of pricing: `f = max(f of the previous machine, e) + p`, `c = max(c of the previous machine, f + q)`.
#[inline(always)]
unsafe fn price_step<V: ShiftRegister, const R: usize>(
    f: [V; R],
    c: [V; R],
    job: [V; R],
    head: [V; R],
    tail: [V; R],
) -> ([V; R], [V; R]) {
    // SAFETY: the caller upholds the contract of `Register`.
    unsafe {
        let f = add_rows(max_rows(from_previous_machine(f), head), job);
        let c = max_rows(from_previous_machine(c), add_rows(f, tail));
        (f, c)
    }
}
