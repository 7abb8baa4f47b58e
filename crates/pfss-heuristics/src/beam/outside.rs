//! How a beam follows a guide from outside.

use pfss_core::tree::{BLOCK, Element, End, NodeRef, Pricer};
use pfss_core::{JobId, Time};

use super::guide::{Guide, OpenNode};

/// More surprising than all paths that a guide finds possible; sums of it stay finite, so that nothing gets lost.
const IMPOSSIBLE: f32 = 1e30;

/// A guide from outside, and the memory that it takes.
///
/// A node branches at the end of its most likely child that is not pruned, so that no order is reached in two ways. A
/// child's score is minus the logarithm of the probability of its path, each step given its end: in a beam of
/// width one without pruning, the guide's greedy order.
pub(super) struct Outside<'p> {
    guide: Box<dyn Guide + 'p>,
    rows: [Vec<f64>; 3],
    jobs: Vec<JobId>,
    lanes: Vec<usize>,
    likely: Vec<[f32; 2]>,
    /// Minus the logarithms of the probabilities of the children that are left, by lane.
    surprises: Vec<(usize, f32)>,
}

impl<'p> Outside<'p> {
    pub(super) fn new(guide: Box<dyn Guide + 'p>) -> Self {
        Self {
            guide,
            rows: Default::default(),
            jobs: Vec::new(),
            lanes: Vec::new(),
            likely: Vec::new(),
            surprises: Vec::new(),
        }
    }

    /// The end at which a node that was priced branches, and how surprising each of its children there is that is not
    /// pruned. There is none where an end has no child left: then no order below is worth it.
    pub(super) fn look<E: Element>(
        &mut self,
        node: NodeRef<'_, E>,
        jobs: &[JobId],
        pricer: &Pricer<E>,
    ) -> (End, &[(usize, f32)]) {
        self.surprises.clear();
        if End::BOTH.iter().any(|&end| pricer.count(end) == 0) {
            return (End::Front, &self.surprises);
        }
        self.ask(node, jobs);
        let is_kept = |end: End, lane: usize| pricer.kept(end)[lane / BLOCK] >> (lane % BLOCK) & 1 == 1;
        let mut best = (End::Front, f32::NEG_INFINITY);
        for (&lane, likely) in self.lanes.iter().zip(&self.likely) {
            for end in End::BOTH {
                if is_kept(end, lane) && likely[end as usize] > best.1 {
                    best = (end, likely[end as usize]);
                }
            }
        }
        let end = best.0;
        let of_end = self.lanes.iter().zip(&self.likely).map(|(&lane, likely)| (lane, likely[end as usize]));
        let most = of_end.clone().map(|(_, likely)| likely).fold(f32::NEG_INFINITY, f32::max);
        let total = most + of_end.clone().map(|(_, likely)| (likely - most).exp()).sum::<f32>().ln();
        let left = of_end.filter(|&(lane, _)| is_kept(end, lane));
        self.surprises.extend(left.map(|(lane, likely)| {
            let surprise = total - likely;
            // Rounding takes nothing below zero.
            (lane, if surprise.is_nan() { IMPOSSIBLE } else { surprise.clamp(0.0, IMPOSSIBLE) })
        }));
        (end, &self.surprises)
    }

    fn ask<E: Element>(&mut self, node: NodeRef<'_, E>, jobs: &[JobId]) {
        self.lanes.clear();
        self.lanes.extend((0..jobs.len()).filter(|&lane| node.is_open(lane)));
        self.jobs.clear();
        self.jobs.extend(self.lanes.iter().map(|&lane| jobs[lane]));
        for (row, times) in self.rows.iter_mut().zip([node.front, node.back, node.remaining]) {
            row.clear();
            row.extend(times.iter().map(|time| time.to_time::<f64>().to_f64()));
        }
        let [front, back, work] = &self.rows;
        self.guide.look(&OpenNode { front, back, work, jobs: &self.jobs }, &mut self.likely);
        // A guide that says nothing of a job finds it impossible.
        self.likely.resize(self.jobs.len(), [f32::NEG_INFINITY; 2]);
    }
}
