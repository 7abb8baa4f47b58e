//! From scores to orders by beam search.

use std::collections::HashSet;

use pfss_core::JobId;

use super::decoding::{Built, Decoder};
use super::{End, FrontState};

impl Decoder<'_> {
    /// The most likely partial orders at each step; one that was reached in several ways counts once.
    pub(super) fn beam(&mut self, state: FrontState, width: usize) -> Vec<Built> {
        let mut partial = vec![Partial { state, log_probability: 0.0, names: [0; 2] }];
        let num_steps = partial[0].state.remaining().len().saturating_sub(self.left_over);
        for _ in 0..num_steps {
            let Some(mut children) = self.children(&partial) else { return Vec::new() };
            // Most likely first; ties by parent, job and end, so that the result never depends on how it was found.
            children.sort_unstable_by(|a, b| {
                let places = (a.parent, a.job, a.end).cmp(&(b.parent, b.job, b.end));
                b.log_probability.total_cmp(&a.log_probability).then(places)
            });
            let mut seen = HashSet::new();
            children.retain(|child| seen.len() < width && seen.insert(child.names));
            partial = children.into_iter().map(|child| child.grow(&partial)).collect();
        }
        // Whole orders may still differ in where their ends met.
        let mut seen = HashSet::new();
        let built = partial.into_iter();
        let built =
            built.filter(|Partial { state, .. }| !state.remaining().is_empty() || seen.insert(state.order()));
        built.map(|Partial { state, log_probability, .. }| Built { state, log_probability }).collect()
    }

    fn children(&mut self, partial: &[Partial]) -> Option<Vec<Child>> {
        let mut children = Vec::new();
        for (parent, Partial { state, log_probability, names }) in partial.iter().enumerate() {
            if !(self.goes_on)() {
                return None;
            }
            let ends = match *state.remaining() {
                // The front's name too, since that end got the job.
                [_] => &End::BOTH[..1],
                _ => &End::BOTH,
            };
            if ends.len() > 1 {
                self.score(state);
                self.log_softmax(state.remaining().len(), 1.0);
            } else {
                self.likely.clear();
                self.likely.resize(2, 0.0);
            }
            for (place, &job) in state.remaining().iter().enumerate() {
                children.extend(ends.iter().map(|&end| {
                    let mut names = *names;
                    names[end as usize] = name(names[end as usize], job);
                    let log_probability = log_probability + self.likely[2 * place + end as usize];
                    Child { log_probability, parent, job, end, names }
                }));
            }
        }
        Some(children)
    }
}

/// A partial order of the beam.
struct Partial {
    state: FrontState,
    log_probability: f32,
    /// Names of the jobs at the front and of those at the back.
    names: [u64; 2],
}

/// A partial order and one more job.
struct Child {
    log_probability: f32,
    parent: usize,
    job: JobId,
    end: End,
    names: [u64; 2],
}

impl Child {
    fn grow(self, partial: &[Partial]) -> Partial {
        let mut state = partial[self.parent].state.clone();
        state.place(self.job, self.end);
        Partial { state, log_probability: self.log_probability, names: self.names }
    }
}

/// The name of a sequence and one more job: a mixing of 64 bits, so that two sequences hardly ever share both names.
fn name(sequence: u64, job: JobId) -> u64 {
    let mixed = (sequence ^ (u64::from(job) + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
}
