//! What candidates were in the network when all of them were last scored, for steps that score only some.

use pfss_core::JobId;

use super::End;

/// What a step notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Noting {
    /// All candidates are scored in every step: nothing need be known of others.
    #[default]
    Nothing,
    /// All candidates, as the first of a series of steps.
    All,
    /// Those that are scored, to tell how the others changed.
    Some,
}

/// The embeddings of all candidates at both levels: before and after they know their context.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    noting: Noting,
    /// By level and end.
    levels: [[Level; 2]; 2],
}

/// The embeddings of an end's candidates.
#[derive(Clone, Debug, Default)]
struct Level {
    /// By job and channel, as they were when all were noted.
    rows: Vec<f32>,
    /// Over the jobs that are left. In double precision: rows go one by one.
    sums: Vec<f64>,
    /// Over the candidates of this step, and by how much the probes among them changed.
    scored: Vec<f64>,
    changes: Vec<f64>,
}

/// How many candidates of an end there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) left: usize,
    pub(super) scored: usize,
    /// Those of the scored that stand for the others.
    pub(super) probes: usize,
}

impl Level {
    fn row(&self, job: JobId) -> &[f32] {
        let width = self.sums.len();
        &self.rows[job as usize * width..][..width]
    }
}

impl Memory {
    pub(super) fn noting(&self) -> Noting {
        self.noting
    }

    /// Begins a step.
    pub(super) fn begin(&mut self, noting: Noting, num_jobs: usize, width: usize) {
        self.noting = noting;
        for level in self.levels.iter_mut().flatten() {
            if noting == Noting::All {
                refill(&mut level.rows, num_jobs * width, 0.0);
                refill(&mut level.sums, width, 0.0);
            }
            if noting == Noting::Some {
                refill(&mut level.scored, width, 0.0);
                refill(&mut level.changes, width, 0.0);
            }
        }
    }

    /// Notes an embedding of a step that scores all.
    pub(super) fn note(
        &mut self,
        level: usize,
        (job, end): (JobId, End),
        embedding: impl Iterator<Item = f32>,
    ) {
        let level = &mut self.levels[level][end as usize];
        let width = level.sums.len();
        let row = level.rows[job as usize * width..][..width].iter_mut();
        for ((own, sum), value) in row.zip(&mut level.sums).zip(embedding) {
            *own = value;
            *sum += f64::from(value);
        }
    }

    /// Notes which jobs a step scores.
    pub(super) fn note_scored(&mut self, level: usize, end: End, jobs: &[JobId]) {
        let level = &mut self.levels[level][end as usize];
        let mut scored = std::mem::take(&mut level.scored);
        for &job in jobs {
            for (sum, &value) in scored.iter_mut().zip(level.row(job)) {
                *sum += f64::from(value);
            }
        }
        level.scored = scored;
    }

    /// Notes the embedding of a probe.
    pub(super) fn note_probe(
        &mut self,
        level: usize,
        (job, end): (JobId, End),
        embedding: impl Iterator<Item = f32>,
    ) {
        let level = &mut self.levels[level][end as usize];
        let mut changes = std::mem::take(&mut level.changes);
        for ((change, &before), value) in changes.iter_mut().zip(level.row(job)).zip(embedding) {
            *change += f64::from(value) - f64::from(before);
        }
        level.changes = changes;
    }

    /// A job was placed.
    pub(super) fn forget(&mut self, job: JobId) {
        if self.noting == Noting::Nothing {
            return;
        }
        for level in self.levels.iter_mut().flatten() {
            let mut sums = std::mem::take(&mut level.sums);
            let width = sums.len();
            for (sum, &value) in sums.iter_mut().zip(&level.rows[job as usize * width..][..width]) {
                *sum -= f64::from(value);
            }
            level.sums = sums;
        }
    }

    /// Makes means over the scored candidates of an end, as shares of all, the means over all: those that were not scored
    /// changed as the `probes` did.
    pub(super) fn complete(&self, level: usize, end: End, counts: Counts, means: &mut [f32]) {
        let level = &self.levels[level][end as usize];
        let share = 1.0 / counts.left as f64;
        let each = (counts.left - counts.scored) as f64 / counts.probes.max(1) as f64;
        for (channel, mean) in means.iter_mut().enumerate().take(level.sums.len()) {
            let others = level.sums[channel] - level.scored[channel] + each * level.changes[channel];
            *mean = (f64::from(*mean) + others * share) as f32;
        }
    }
}

fn refill<T: Clone>(row: &mut Vec<T>, len: usize, value: T) {
    row.clear();
    row.resize(len, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_means_of_some_become_those_of_all_where_others_change_as_the_probes_do() {
        let mut memory = Memory::default();
        let value = |job: u32, channel: usize| (job as f32 + 1.0) * (channel as f32 + 1.0);
        let row = |job, more: f32| (0..2).map(move |channel| value(job, channel) + more);
        memory.begin(Noting::All, 5, 2);
        for job in 0..5 {
            memory.note(1, (job, End::Back), row(job, 0.0));
        }
        memory.forget(4);
        memory.begin(Noting::Some, 5, 2);
        // One that changes in its own way, and one that changes as the two that are not scored.
        memory.note_scored(1, End::Back, &[3, 0]);
        memory.note_probe(1, (0, End::Back), row(0, 1.0));
        let now = |job: u32, channel| value(job, channel) + if job == 3 { 7.0 } else { 1.0 };
        let mut means = [0, 1].map(|channel| (now(3, channel) + now(0, channel)) / 4.0);
        memory.complete(1, End::Back, Counts { left: 4, scored: 2, probes: 1 }, &mut means);
        assert_eq!(means, [0, 1].map(|channel| (0..4).map(|job| now(job, channel)).sum::<f32>() / 4.0));
    }
}
