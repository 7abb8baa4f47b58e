//! Where jobs may stand: behind the fixed ones, and where precedence allows.

use std::ops::RangeInclusive;

use pfss_core::JobId;
use pfss_core::timing::Line;
use pfss_core::timing::pricing::Change;

const NOWHERE: usize = usize::MAX;

/// Which places and changes the fixed jobs and the precedence of a line allow. Sequences begin with all fixed jobs.
#[derive(Clone, Debug)]
pub(super) struct Windows<'l> {
    line: &'l Line,
    /// By job: where it stands in the sequence that is looked at.
    places: Vec<usize>,
}

impl<'l> Windows<'l> {
    pub(super) fn new(line: &'l Line) -> Self {
        Self { line, places: vec![NOWHERE; if line.has_precedence() { line.num_jobs() } else { 0 }] }
    }

    fn look(&mut self, order: &[JobId]) {
        self.places.fill(NOWHERE);
        for (place, &job) in order.iter().enumerate() {
            self.places[job as usize] = place;
        }
    }

    /// The places of a sequence where `job` can be put in.
    pub(super) fn places(&mut self, order: &[JobId], job: JobId) -> RangeInclusive<usize> {
        let fixed = self.line.first().len();
        if !self.line.has_precedence() {
            return fixed..=order.len();
        }
        self.look(order);
        let first = self.nearest(job, |job| self.line.predecessors(job)).max();
        let last = self.nearest(job, |job| self.line.successors(job)).min();
        first.map_or(fixed, |place| (place + 1).max(fixed))..=last.unwrap_or(order.len())
    }

    /// The line.
    pub(super) fn line(&self) -> &'l Line {
        self.line
    }

    /// The places where the job at `position` can be put back when it is taken out.
    pub(super) fn places_without(&mut self, order: &[JobId], position: usize) -> RangeInclusive<usize> {
        let fixed = self.line.first().len();
        if !self.line.has_precedence() {
            return fixed..=order.len() - 1;
        }
        let mut without = order.to_vec();
        let job = without.remove(position);
        self.places(&without, job)
    }

    /// The places of the nearest relatives of a job that stand in the sequence, also beyond such as do not.
    fn nearest<'s>(
        &'s self,
        job: JobId,
        relatives: impl Fn(JobId) -> &'l [JobId] + 's,
    ) -> impl Iterator<Item = usize> + 's {
        let mut open = relatives(job).to_vec();
        std::iter::from_fn(move || {
            loop {
                let relative = open.pop()?;
                match self.places[relative as usize] {
                    NOWHERE => open.extend_from_slice(relatives(relative)),
                    place => return Some(place),
                }
            }
        })
    }

    /// Whether a change of a complete sequence keeps fixed jobs and precedence.
    pub(super) fn allow(
        &mut self,
        order: &[JobId],
        change: Change,
        position: usize,
        distance: usize,
    ) -> bool {
        if position < self.line.first().len() {
            return false;
        }
        if !self.line.has_precedence() {
            return true;
        }
        self.look(order);
        let (front, back) = (position, position + distance);
        let moves_back = change != Change::Backward;
        let moves_ahead = change != Change::Forward;
        let successors = self.line.successors(order[front]).iter();
        let predecessors = self.line.predecessors(order[back]).iter();
        let is_free = |job: &JobId| !(front..=back).contains(&self.places[*job as usize]);
        (!moves_back || successors.clone().all(is_free))
            && (!moves_ahead || predecessors.clone().all(is_free))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;
    use pfss_core::timing::{Attributes, check};

    #[test]
    fn changes_are_allowed_exactly_where_they_keep_the_order() {
        let instance = Instance::new("", 1, vec![1u32; 6]).unwrap();
        let attributes = Attributes {
            first: vec![4],
            precedence: vec![(4, 0), (0, 2), (2, 5), (1, 5)],
            ..Attributes::default()
        };
        let line = Line::new(&instance, &attributes).unwrap();
        let mut windows = Windows::new(&line);
        let order = [4, 1, 0, 3, 2, 5];
        check(&line, &order, None).unwrap();
        for change in Change::ALL {
            for distance in 1..6 {
                for position in 0..6 - distance {
                    let mut changed = order;
                    change.apply(&mut changed, position, distance);
                    let is_allowed = windows.allow(&order, change, position, distance);
                    assert_eq!(
                        is_allowed,
                        check(&line, &changed, None).is_ok(),
                        "{change:?} {position} {distance}"
                    );
                }
            }
        }
        // Job 2 is not there, but what comes before it is.
        assert_eq!(windows.places(&[4, 1, 0, 3], 5), 3..=4);
        assert_eq!(windows.places(&[4, 3, 5], 0), 1..=2);
        assert_eq!(windows.places(&[4, 3], 3), 1..=2);
    }
}
