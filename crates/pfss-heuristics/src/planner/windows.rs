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
    /// By job: where it stands in the sequence that is looked at. Empty without precedence.
    places: Vec<usize>,
    /// By job: the last walk over relatives that came by.
    seen: Vec<u64>,
    walks: u64,
    open: Vec<JobId>,
}

/// The windows of one sequence, which stays as it is meanwhile.
#[derive(Debug)]
pub(super) struct View<'w, 'l> {
    windows: &'w mut Windows<'l>,
    order: &'w [JobId],
}

impl<'l> Windows<'l> {
    pub(super) fn new(line: &'l Line) -> Self {
        let related = if line.has_precedence() { line.num_jobs() } else { 0 };
        Self { line, places: vec![NOWHERE; related], seen: vec![0; related], walks: 0, open: Vec::new() }
    }

    /// The line.
    pub(super) fn line(&self) -> &'l Line {
        self.line
    }

    /// Looks at a sequence: linear in its length, so that all questions about it share one look.
    pub(super) fn of<'w>(&'w mut self, order: &'w [JobId]) -> View<'w, 'l> {
        if self.line.has_precedence() {
            self.places.fill(NOWHERE);
            for (place, &job) in order.iter().enumerate() {
                self.places[job as usize] = place;
            }
        }
        View { windows: self, order }
    }

    /// Tells the places of the nearest relatives of a job that stand in the sequence, also beyond such as do not. Each job is
    /// walked through once, however many ways lead there: layers of jobs have exponentially many.
    fn walk(
        &mut self,
        job: JobId,
        relatives: impl Fn(&'l Line, JobId) -> &'l [JobId],
        mut tell: impl FnMut(usize),
    ) {
        self.walks += 1;
        self.open.clear();
        self.open.push(job);
        while let Some(next) = self.open.pop() {
            for &relative in relatives(self.line, next) {
                let place = self.places[relative as usize];
                if place != NOWHERE {
                    tell(place);
                } else if std::mem::replace(&mut self.seen[relative as usize], self.walks) != self.walks {
                    self.open.push(relative);
                }
            }
        }
    }
}

impl View<'_, '_> {
    /// How many jobs the sequence has.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The first place behind all predecessors, and the place of the first successor, where there are any.
    fn between(&mut self, job: JobId) -> (usize, Option<usize>) {
        let (mut first, mut last) = (self.windows.line.first().len(), None);
        self.windows.walk(job, Line::predecessors, |place| first = first.max(place + 1));
        self.windows.walk(job, Line::successors, |place| last = Some(last.unwrap_or(place).min(place)));
        (first, last)
    }

    /// The places where `job`, which is not in the sequence, can be put in.
    pub(super) fn places(&mut self, job: JobId) -> RangeInclusive<usize> {
        let (first, last) = self.between(job);
        first..=last.unwrap_or(self.order.len())
    }

    /// The places where the job at `position` can be put back when it is taken out.
    pub(super) fn places_without(&mut self, position: usize) -> RangeInclusive<usize> {
        let (first, last) = self.between(self.order[position]);
        // Everything behind the job moves up by one.
        first..=last.unwrap_or(self.order.len()) - 1
    }

    /// Whether a change of a complete sequence keeps fixed jobs and precedence.
    pub(super) fn allow(&self, change: Change, position: usize, distance: usize) -> bool {
        let line = self.windows.line;
        if position < line.first().len() {
            return false;
        }
        let (front, back) = (position, position + distance);
        let is_free = |job: &JobId| !(front..=back).contains(&self.windows.places[*job as usize]);
        (change == Change::Backward || line.successors(self.order[front]).iter().all(is_free))
            && (change == Change::Forward || line.predecessors(self.order[back]).iter().all(is_free))
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
                    let is_allowed = windows.of(&order).allow(change, position, distance);
                    assert_eq!(
                        is_allowed,
                        check(&line, &changed, None).is_ok(),
                        "{change:?} {position} {distance}"
                    );
                }
            }
        }
        // Job 2 is not there, but what comes before it is.
        assert_eq!(windows.of(&[4, 1, 0, 3]).places(5), 3..=4);
        assert_eq!(windows.of(&[4, 3, 5]).places(0), 1..=2);
        assert_eq!(windows.of(&[4, 1]).places(3), 1..=2);
        for position in 1..6 {
            let without: Vec<JobId> = order.iter().copied().filter(|&job| job != order[position]).collect();
            let places = windows.of(&without).places(order[position]);
            assert_eq!(windows.of(&order).places_without(position), places);
        }
    }

    /// Every job of a layer before every job of the next: `width` to the power of `layers` ways lead from end to end. The walk
    /// took all of them.
    #[test]
    fn a_walk_through_layers_takes_no_way_twice() {
        for (layers, width) in [(20, 5), (30, 10)] {
            let n = layers * width;
            let instance = Instance::new("", 1, vec![1u32; n]).unwrap();
            let job = |layer: usize, place: usize| (layer * width + place) as JobId;
            let steps = |layer: usize| (0..width * width).map(move |i| (layer, i / width, i % width));
            let pairs = (1..layers).flat_map(steps);
            let precedence = pairs.map(|(layer, a, b)| (job(layer - 1, a), job(layer, b))).collect();
            let attributes = Attributes { precedence, ..Attributes::default() };
            let line = Line::new(&instance, &attributes).unwrap();
            let mut windows = Windows::new(&line);
            let (first, last) = (job(0, 0), job(layers - 1, 0));
            assert_eq!(windows.of(&[]).places(last), 0..=0);
            assert_eq!(windows.of(&[first]).places(last), 1..=1);
            assert_eq!(windows.of(&[last]).places(first), 0..=0);
        }
    }
}
