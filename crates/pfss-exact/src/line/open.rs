//! The open part of a search tree, as it is kept in files.

use pfss_core::JobId;
use pfss_core::tree::{End, OpenNode};

use super::frontier::{Frontier, Open};
use super::tree::LineTree;

impl LineTree<'_> {
    /// A copy of all that is open. Nothing else can hold a better order than those that were found.
    pub fn open_nodes(&self) -> Vec<OpenNode> {
        let waiting = self.frontier.iter().map(|open| node(open.bound, &open.order, None));
        let path = (self.depth..=self.order.len()).flat_map(|depth| {
            let children = self.nodes[depth].children.iter();
            children.map(move |&(bound, job)| node(bound, &self.order[..depth], Some(job)))
        });
        waiting.chain(path).collect()
    }

    /// Goes on from these open nodes alone, before the search begins. Returns those that are none of this line; nothing is
    /// changed then.
    pub fn replace_open(&mut self, nodes: Vec<OpenNode>) -> Vec<OpenNode> {
        let (good, wrong): (Vec<OpenNode>, Vec<OpenNode>) =
            nodes.into_iter().partition(|node| self.is_mine(node));
        if !wrong.is_empty() {
            return wrong;
        }
        self.frontier = Frontier::default();
        for node in good {
            let order: Vec<JobId> = node.placements.iter().map(|(job, _)| *job).collect();
            self.frontier.push(Open { bound: score_below(node.bound), order });
        }
        wrong
    }

    /// Whether a node places jobs of this line from the front, in a sequence that it allows.
    fn is_mine(&self, node: &OpenNode) -> bool {
        let mut is_placed = vec![false; self.line.num_jobs()];
        let first = self.line.first();
        let begins_well = node.placements.iter().zip(first).all(|((job, _), first)| job == first);
        begins_well
            && node.placements.len() >= first.len()
            && node.placements.iter().all(|&(job, end)| {
                let is_new = is_placed.get(job as usize) == Some(&false);
                let is_ready = |before: &JobId| is_placed[*before as usize];
                let fits = is_new && end == End::Front && self.line.predecessors(job).iter().all(is_ready);
                is_placed.iter_mut().skip(job as usize).take(1).for_each(|placed| *placed = true);
                fits
            })
    }
}

/// The score of a bound in a file. Large ones were rounded, perhaps up: the next lower one is a bound as well. To find them
/// again would take as long as the search that found them.
fn score_below(bound: f64) -> u64 {
    const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    (if bound < EXACT { bound } else { bound.next_down() }) as u64
}

/// A beginning, with one further job where there is one.
fn node(bound: u64, order: &[JobId], last: Option<JobId>) -> OpenNode {
    let jobs = order.iter().copied().chain(last);
    OpenNode { placements: jobs.map(|job| (job, End::Front)).collect(), bound: bound as f64, share: 0.0 }
}
