//! The two-machine bounds of several pairs of machines at once: pairs are lanes, places in Johnson's order are steps.

use pfss_core::JobId;
use pfss_core::simd::{InstructionSet, Instructions, Kernel};
use pfss_core::tree::Element;

use super::pair::Pair;

/// Pairs that are looked at together: as many 16-bit numbers as a register of 256 bits holds.
pub(super) const LANES: usize = 16;

/// Jobs per word of the mask that tells which are open.
const WORD: usize = 16;

/// One place in Johnson's order of each pair.
#[derive(Clone, Copy)]
struct Step<E> {
    first: [E; LANES],
    lag: [E; LANES],
    second: [E; LANES],
}

/// Up to [`LANES`] pairs, laid out for vector instructions.
pub(super) struct PairLanes<E> {
    num_jobs: usize,
    instructions: Instructions,
    machines: [[u32; LANES]; 2],
    steps: Vec<Step<E>>,
    /// Per step and word of the mask: the bit of the job that stands there.
    bits: Vec<[u16; LANES]>,
}

impl<E: Element> PairLanes<E> {
    pub(super) fn new(pairs: &[&Pair<E>], num_jobs: usize, instructions: Instructions) -> Self {
        let mut lanes = Self {
            num_jobs,
            // Sixteen lanes fill no wider registers.
            instructions: instructions.up_to_256_bits(),
            machines: [[0; LANES]; 2],
            steps: Vec::new(),
            bits: Vec::new(),
        };
        lanes.set(pairs);
        lanes
    }

    fn num_words(&self) -> usize {
        match self.num_jobs.div_ceil(WORD) {
            0..=2 => 2,
            3..=4 => 4,
            _ => 8,
        }
    }

    /// Replaces the pairs; where there are fewer than lanes, the first one is repeated.
    pub(super) fn set(&mut self, pairs: &[&Pair<E>]) {
        self.steps.clear();
        self.bits.clear();
        let Some(&first) = pairs.first() else { return };
        let pair = |lane: usize| pairs.get(lane).copied().unwrap_or(first);
        self.machines = [0, 1].map(|which| std::array::from_fn(|lane| pair(lane).machines[which] as u32));
        for place in 0..self.num_jobs {
            let entry = |lane: usize| pair(lane).entries[place];
            self.steps.push(Step {
                first: std::array::from_fn(|lane| entry(lane).first),
                lag: std::array::from_fn(|lane| entry(lane).lag),
                second: std::array::from_fn(|lane| entry(lane).second),
            });
            for word in 0..self.num_words() {
                let bit = |job: usize| if job / WORD == word { 1 << (job % WORD) } else { 0 };
                self.bits.push(std::array::from_fn(|lane| bit(entry(lane).job as usize)));
            }
        }
    }

    /// Whether some pair has no order below `limit`, of the jobs in `open` but `placed`, between both fronts.
    #[inline]
    pub(super) fn exclude(&self, front: &[E], back: &[E], open: &[u32], placed: JobId, limit: E) -> bool {
        if self.steps.is_empty() {
            return false;
        }
        match self.num_words() {
            2 => self.exclude_in::<2>(front, back, open, placed, limit),
            4 => self.exclude_in::<4>(front, back, open, placed, limit),
            _ => self.exclude_in::<8>(front, back, open, placed, limit),
        }
    }

    fn exclude_in<const W: usize>(
        &self,
        front: &[E],
        back: &[E],
        open: &[u32],
        placed: JobId,
        limit: E,
    ) -> bool {
        let mut words = [0u16; W];
        for (word, bits) in words.iter_mut().enumerate() {
            *bits = open.get(word / 2).map_or(0, |&open| (open >> (word % 2 * WORD)) as u16);
        }
        words[placed as usize / WORD] &= !(1 << (placed as usize % WORD));
        let [first, second] = &self.machines;
        let (mut on_first, mut on_second, mut after) =
            ([E::default(); LANES], [E::default(); LANES], [E::default(); LANES]);
        for lane in 0..LANES {
            let (a, b) = (first[lane] as usize, second[lane] as usize);
            (on_first[lane], on_second[lane], after[lane]) = (front[a], front[b], back[b]);
        }
        let bits = self.bits.as_chunks::<W>().0;
        let bounds = self.instructions.run(Bounds { steps: &self.steps, bits, words, on_first, on_second });
        let mut excluded = false;
        for lane in 0..LANES {
            excluded |= bounds[lane].plus(after[lane]) >= limit;
        }
        excluded
    }
}

/// When the second machine of each pair is free after all open jobs.
///
/// Written for arrays that compilers turn into registers: masks are 16 bits wide, and widening them to the elements'
/// width is what compilers do best.
struct Bounds<'a, E, const W: usize> {
    steps: &'a [Step<E>],
    bits: &'a [[[u16; LANES]; W]],
    words: [u16; W],
    on_first: [E; LANES],
    on_second: [E; LANES],
}

impl<E: Element, const W: usize> Kernel for Bounds<'_, E, W> {
    type Output = [E; LANES];

    /// Jobs that are placed take no time at all; the second machine is never free before the first, so that their lag
    /// of zero does no harm either.
    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> [E; LANES] {
        let Self { steps, bits, words, mut on_first, mut on_second } = self;
        for (step, bits) in steps.iter().zip(bits) {
            let mut open = [0u16; LANES];
            for (bits, word) in bits.iter().zip(words) {
                for lane in 0..LANES {
                    open[lane] |= bits[lane] & word;
                }
            }
            let keep: [u16; LANES] = std::array::from_fn(|lane| if open[lane] == 0 { 0 } else { u16::MAX });
            for lane in 0..LANES {
                on_first[lane] = on_first[lane].plus(step.first[lane].and(keep[lane]));
            }
            for lane in 0..LANES {
                let ready = on_first[lane].plus(step.lag[lane].and(keep[lane]));
                on_second[lane] = on_second[lane].larger(ready).plus(step.second[lane].and(keep[lane]));
            }
        }
        on_second
    }
}
