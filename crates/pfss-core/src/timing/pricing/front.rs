//! The state of a line behind some jobs, and what one further job makes of it.

use crate::timing::{Gap, Line, Score};
use crate::{JobId, MachineId};

/// How states of a line are stored and advanced: a row of numbers, first when each machine is free, then the starts that
/// limited buffers remember, oldest first.
#[derive(Clone, Debug)]
pub struct FrontRules<'l> {
    line: &'l Line,
    gaps: Vec<Gap>,
    /// Where the starts on the machine behind each gap are remembered, and how many; none behind other gaps.
    memories: Vec<(usize, usize)>,
    width: usize,
    is_open: bool,
    has_breaks: bool,
    /// All ones behind machines whose jobs stay until the next one is free, else zero; empty where anything else lies between
    /// machines or there are breaks.
    blocks: Vec<u32>,
}

impl<'l> FrontRules<'l> {
    /// The rules of a line.
    pub fn new(line: &'l Line) -> Self {
        let gaps: Vec<Gap> = (0..line.num_machines()).map(|machine| line.gap(machine)).collect();
        let mut width = gaps.len();
        let mut memories = Vec::new();
        for &gap in &gaps {
            let count = if let Gap::Buffer(places @ 1..) = gap { places } else { 0 };
            memories.push((width, count));
            width += count;
        }
        let has_breaks = (0..gaps.len()).any(|machine| !line.breaks(machine).is_empty());
        let is_open = !has_breaks && gaps.iter().all(|&gap| gap == Gap::Unlimited);
        let is_simple = |&gap: &Gap| matches!(gap, Gap::Unlimited | Gap::Buffer(0));
        let blocks = if !has_breaks && gaps.iter().all(is_simple) {
            gaps.iter().map(|&gap| if gap == Gap::Unlimited { 0 } else { u32::MAX }).collect()
        } else {
            Vec::new()
        };
        Self { line, gaps, memories, width, is_open, has_breaks, blocks }
    }

    /// The line.
    pub fn line(&self) -> &'l Line {
        self.line
    }

    /// How many numbers a state has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether only jobs and machines wait for each other: no breaks, and room for any number of jobs everywhere.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether some machine has breaks.
    pub fn has_breaks(&self) -> bool {
        self.has_breaks
    }

    /// Whether the makespan is the greatest sum along paths of times: no breaks, no set-ups, jobs may wait, and buffers have
    /// room for any number of jobs or for none. Then what follows a position can be summed up machine by machine.
    pub fn has_paths(&self) -> bool {
        !self.blocks.is_empty() && !self.line.has_setups()
    }

    /// All ones where a job stays on `machine` until the next one is free, else zero. Only for lines that have paths.
    #[inline]
    pub(super) fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// Whether some gap has room for a limited number of jobs, at least one.
    pub fn has_memories(&self) -> bool {
        self.width > self.gaps.len()
    }

    /// Writes the state before the first job.
    pub fn begin(&self, state: &mut [u32]) {
        state.fill(0);
        for (machine, free) in state.iter_mut().take(self.gaps.len()).enumerate() {
            *free = self.line.available_from(machine);
        }
    }

    /// Writes the state behind `job` that follows `before` in the state `old`; returns when the job is completed.
    #[inline]
    pub fn step(&self, before: Option<JobId>, job: JobId, old: &[u32], new: &mut [u32]) -> u32 {
        let setups = self.line.setups(before, job);
        if self.is_open {
            self.step_open(setups, job, old, new)
        } else if self.has_paths() {
            self.step_blocked(job, old, new)
        } else {
            self.step_any(setups, job, old, new)
        }
    }

    #[inline]
    fn step_open(&self, setups: &[u32], job: JobId, old: &[u32], new: &mut [u32]) -> u32 {
        let mut arrival = self.line.release(job);
        let times = self.line.shop().job(job);
        if setups.is_empty() {
            for ((&time, &free), new) in times.iter().zip(old).zip(new) {
                arrival = arrival.max(free) + time;
                *new = arrival;
            }
        } else {
            for (((&time, &free), &setup), new) in times.iter().zip(old).zip(setups).zip(new) {
                arrival = arrival.max(free + setup) + time;
                *new = arrival;
            }
        }
        arrival
    }

    #[inline]
    fn step_blocked(&self, job: JobId, old: &[u32], new: &mut [u32]) -> u32 {
        let times = self.line.shop().job(job);
        let last = times.len() - 1;
        let (old, new, blocks) = (&old[..=last], &mut new[..=last], &self.blocks[..=last]);
        let (mut end, mut free) = (self.line.release(job), old[0]);
        for machine in 0..last {
            end = end.max(free) + times[machine];
            free = old[machine + 1];
            new[machine] = end.max(free & blocks[machine]);
        }
        end = end.max(free) + times[last];
        new[last] = end;
        end
    }

    fn step_any(&self, setups: &[u32], job: JobId, old: &[u32], new: &mut [u32]) -> u32 {
        let times = self.line.shop().job(job);
        let ready = |machine: MachineId| old[machine] + setups.get(machine).copied().unwrap_or(0);
        let mut arrival = self.line.release(job);
        let mut first = 0;
        while first < times.len() {
            // A stretch without waiting ends when it would with waiting; everything in it is moved to the right.
            let (mut last, mut end) = (first, arrival.max(ready(first)) + times[first]);
            while self.gaps[last] == Gap::NoWait {
                last += 1;
                end = end.max(ready(last)) + times[last];
            }
            let mut start = end - times[first..=last].iter().sum::<u32>();
            if first == last && self.has_breaks {
                (start, end) = self.work(first, start, times[first]);
            }
            self.remember(first, start, old, new);
            for machine in first..last {
                start += times[machine];
                new[machine] = start;
                self.remember(machine + 1, start, old, new);
            }
            new[last] = match self.gaps[last] {
                Gap::Unlimited | Gap::NoWait => end,
                Gap::Buffer(0) => end.max(old[last + 1]),
                Gap::Buffer(_) => end.max(old[self.memories[last].0]),
            };
            (arrival, first) = (end, last + 1);
        }
        arrival
    }

    /// The score of an order.
    pub fn score(&self, order: &[JobId]) -> Score {
        let mut front = Front::new(self);
        let (mut cost, mut lateness, mut end) = (0, 0, 0);
        for &job in order {
            end = front.append(self, job);
            let of = self.line.job_cost(job);
            cost += of.at(end);
            lateness = lateness.max(of.lateness.map_or(0, |shifted| shifted + end));
        }
        let (makespan, of_lateness) = self.line.costs_of_greatest();
        Score(cost + makespan * u64::from(end) + of_lateness * u64::from(lateness))
    }

    /// Remembers a start for the buffer before `machine`.
    #[inline]
    fn remember(&self, machine: MachineId, start: u32, old: &[u32], new: &mut [u32]) {
        if machine > 0
            && let (from, count @ 1..) = self.memories[machine - 1]
        {
            new[from..from + count - 1].copy_from_slice(&old[from + 1..from + count]);
            new[from + count - 1] = start;
        }
    }

    /// Start and end of an operation that may start at `start`.
    pub(crate) fn work(&self, machine: MachineId, mut start: u32, time: u32) -> (u32, u32) {
        let breaks = self.line.breaks(machine);
        if time == 0 || breaks.is_empty() {
            return (start, start + time);
        }
        let mut ahead = &breaks[breaks.partition_point(|&(_, to)| to <= start)..];
        let resumes = self.line.resumes(machine);
        while let Some((&(from, to), behind)) = ahead.split_first() {
            if from >= start + if resumes { 1 } else { time } {
                break;
            }
            (start, ahead) = (to, behind);
        }
        let mut end = start + time;
        for &(from, to) in ahead {
            if from >= end {
                break;
            }
            end += to - from;
        }
        (start, end)
    }
}

/// The state of a line behind some jobs, on its own.
#[derive(Clone, Debug)]
pub struct Front {
    state: Vec<u32>,
    spare: Vec<u32>,
    last: Option<JobId>,
}

impl Front {
    /// Before the first job.
    pub fn new(rules: &FrontRules<'_>) -> Self {
        let mut state = vec![0; rules.width()];
        rules.begin(&mut state);
        Self { spare: state.clone(), state, last: None }
    }

    /// Puts `job` behind the others; returns when it is completed.
    pub fn append(&mut self, rules: &FrontRules<'_>, job: JobId) -> u32 {
        let end = rules.step(self.last, job, &self.state, &mut self.spare);
        std::mem::swap(&mut self.state, &mut self.spare);
        self.last = Some(job);
        end
    }

    /// When each machine is free, and what buffers remember.
    pub fn state(&self) -> &[u32] {
        &self.state
    }
}
