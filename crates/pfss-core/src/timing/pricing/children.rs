//! All jobs at once behind the same beginning: a lane each.

use super::front::FrontRules;
use super::lanes::any_step;
use super::rows::{Rows, Tick};
use crate::JobId;
use crate::permutation::job_id;
use crate::simd::{InstructionSet, Instructions, Kernel, LaneRegister, MOST_LANES, Register};
use crate::timing::Gap;

/// What becomes of a line when each of its jobs comes next.
///
/// After [`append`](Self::append) there are, for every job, its completion and a weighted sum of the times when machines are
/// free behind it.
#[derive(Clone, Debug)]
pub struct Children<'l> {
    rules: FrontRules<'l>,
    engine: AnyEngine,
    ends: Vec<u32>,
    sums: Vec<f32>,
    spare: Vec<u32>,
}

/// Registers for times of 16 or 32 bits, or none.
#[derive(Clone, Debug)]
enum AnyEngine {
    None,
    U16(Engine<u16>),
    U32(Engine<u32>),
}

/// All jobs in rows.
#[derive(Clone, Debug)]
struct Engine<E> {
    instructions: Instructions,
    lanes: usize,
    gaps: Vec<Gap>,
    rows: Rows<E, u32>,
    heads: Vec<E>,
}

impl<'l> Children<'l> {
    /// Of the jobs of a line.
    pub fn new(rules: FrontRules<'l>) -> Self {
        Self::with(rules, Some(Instructions::detect()))
    }

    /// With no wider instructions than these, or without registers.
    pub fn with(rules: FrontRules<'l>, instructions: Option<Instructions>) -> Self {
        let line = rules.line();
        let n = line.num_jobs();
        let engine = match instructions {
            Some(with) if !rules.has_breaks() && !rules.has_memories() && !line.has_setups() => {
                if line.horizon() < u32::from(u16::MAX) {
                    AnyEngine::U16(Engine::new(&rules, with))
                } else {
                    AnyEngine::U32(Engine::new(&rules, with))
                }
            }
            _ => AnyEngine::None,
        };
        let room = n + MOST_LANES;
        Self { engine, ends: vec![0; room], sums: vec![0.0; room], spare: vec![0; rules.width()], rules }
    }

    /// Puts each job behind `before` in a state; the free times of machines are weighted with `weights`. Only jobs for which
    /// `is_left` holds are sure to be looked at.
    #[expect(clippy::cast_precision_loss, reason = "scores are in single precision")]
    pub fn append(
        &mut self,
        before: Option<JobId>,
        state: &[u32],
        weights: &[f32],
        is_left: impl Fn(JobId) -> bool,
    ) {
        let Self { rules, engine, ends, sums, spare } = self;
        match engine {
            AnyEngine::U16(engine) => engine.append(state, weights, ends, sums),
            AnyEngine::U32(engine) => engine.append(state, weights, ends, sums),
            AnyEngine::None => {
                for job in (0..job_id(rules.line().num_jobs())).filter(|&job| is_left(job)) {
                    ends[job as usize] = rules.step(before, job, state, spare);
                    // In the order in which registers add.
                    sums[job as usize] = spare
                        .iter()
                        .zip(weights)
                        .fold(0.0, |sum, (&free, weight)| sum + weight * free as f32);
                }
            }
        }
    }

    /// When `job` is completed.
    #[inline]
    pub fn end(&self, job: JobId) -> u32 {
        self.ends[job as usize]
    }

    /// The weighted sum behind `job`.
    #[inline]
    pub fn sum(&self, job: JobId) -> f32 {
        self.sums[job as usize]
    }
}

impl<E: Tick> Engine<E> {
    fn new(rules: &FrontRules<'_>, instructions: Instructions) -> Self {
        let line = rules.line();
        let m = line.num_machines();
        let mut rows = Rows::new(line, line.num_jobs());
        for job in 0..line.num_jobs() {
            rows.write(line, job, job_id(job));
        }
        Self {
            instructions,
            lanes: instructions.register_bits() / (8 * size_of::<E>()),
            gaps: (0..m).map(|machine| line.gap(machine)).collect(),
            rows,
            heads: vec![E::default(); m * MOST_LANES],
        }
    }

    fn append(&mut self, state: &[u32], weights: &[f32], ends: &mut [u32], sums: &mut [f32]) {
        let jobs = ends.len() - MOST_LANES;
        for first in (0..jobs).step_by(self.lanes) {
            for (heads, &free) in self.heads.chunks_exact_mut(self.lanes).zip(&state[..self.gaps.len()]) {
                heads.fill(E::wrap(free));
            }
            self.instructions.run(Append {
                gaps: &self.gaps,
                rows: &self.rows,
                first,
                weights,
                heads: &mut self.heads,
                ends: &mut ends[first..first + self.lanes],
                sums: &mut sums[first..first + self.lanes],
            });
        }
    }
}

/// A register of jobs.
struct Append<'a, E> {
    gaps: &'a [Gap],
    rows: &'a Rows<E, u32>,
    first: usize,
    weights: &'a [f32],
    heads: &'a mut [E],
    ends: &'a mut [u32],
    sums: &'a mut [f32],
}

impl<E: Tick> Kernel for Append<'_, E> {
    type Output = ();

    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "scores are in single precision")]
    fn run<I: InstructionSet>(self, _: I) {
        let Self { gaps, rows, first, weights, heads, ends, sums } = self;
        let lanes = <E::Register<I> as Register>::LANES;
        let is_roomy = heads.len() >= gaps.len() * lanes && first + lanes <= rows.stride;
        assert!(is_roomy && ends.len() == lanes && sums.len() == lanes, "no room for lanes");
        let mut told = [E::default(); MOST_LANES];
        // SAFETY: a value of `I` exists; there is room for a register per machine, and rows have as many columns.
        unsafe {
            let end = any_step::<E, u32, E::Register<I>>(
                gaps,
                heads.as_mut_ptr(),
                rows,
                first,
                std::ptr::null(),
                0,
            );
            end.store(told.as_mut_ptr());
        }
        let mut total = [0.0; MOST_LANES];
        for (heads, &weight) in heads.chunks_exact(lanes).zip(weights) {
            for (total, head) in total[..lanes].iter_mut().zip(heads) {
                *total += weight * head.widen() as f32;
            }
        }
        sums.copy_from_slice(&total[..lanes]);
        for (end, told) in ends.iter_mut().zip(&told) {
            *end = told.widen();
        }
    }
}
