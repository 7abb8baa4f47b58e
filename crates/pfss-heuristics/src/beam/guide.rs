//! Guides from outside: what comes next, as somebody else sees it.

use pfss_core::JobId;

/// A node as a guide sees it; times are the instance's.
#[derive(Clone, Copy, Debug)]
pub struct OpenNode<'a> {
    /// When each machine becomes free after the jobs placed first.
    pub front: &'a [f64],
    /// How long before the end each machine is needed by the jobs placed last.
    pub back: &'a [f64],
    /// The work that is left on each machine.
    pub work: &'a [f64],
    /// The jobs that are not placed, in ascending order.
    pub jobs: &'a [JobId],
}

/// Tells how likely each open job comes next, and at which end: a trained policy, or a rule of one's own.
///
/// One look at a node judges all of its children, so a guide costs a beam one look for each node that it keeps.
pub trait Guide: Send {
    /// Writes the logarithms of the probabilities at the front and at the back, for each job of [`OpenNode::jobs`]. They
    /// need not sum up to anything: only their differences within an end count, and the most likely child says which end
    /// the node branches at.
    fn look(&mut self, node: &OpenNode<'_>, log_probabilities: &mut Vec<[f32; 2]>);
}
