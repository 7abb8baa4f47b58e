//! A level of a beam: its nodes, best first, in segments that threads made.

use pfss_core::tree::{Element, NodeRef, Nodes, Tree};

/// Neighbouring nodes of a level, the idle weights of their ends, and their scores.
pub(super) struct Segment<E> {
    pub(super) nodes: Nodes<E>,
    pub(super) weights: Vec<[f32; 2]>,
    pub(super) scores: Vec<f32>,
}

impl<E: Element> Segment<E> {
    pub(super) fn new(num_machines: usize) -> Self {
        Self { nodes: Nodes::new(num_machines), weights: Vec::new(), scores: Vec::new() }
    }

    /// Removes all nodes; those to come have `num_blocks` blocks of lanes.
    pub(super) fn clear(&mut self, num_blocks: usize) {
        self.nodes.clear(num_blocks);
        self.weights.clear();
        self.scores.clear();
    }

    /// The root alone, with the same idle weight at both ends.
    pub(super) fn plant_root(&mut self, tree: &Tree<E>, num_blocks: usize, weight: f32) {
        self.clear(num_blocks);
        self.nodes.push_root(tree);
        self.weights.push([weight; 2]);
        self.scores.push(0.0);
    }
}

/// All nodes of a level. Segments are equally long, but for the last ones.
pub(super) struct Level<E> {
    pub(super) segments: Vec<Segment<E>>,
    size: u32,
    len: usize,
}

impl<E: Element> Level<E> {
    pub(super) fn new(segments: impl Iterator<Item = Segment<E>>) -> Self {
        Self { segments: segments.collect(), size: 1, len: 0 }
    }

    /// Says how many nodes there are now, and how many in a segment.
    pub(super) fn set_len(&mut self, len: usize, size: usize) {
        self.len = len;
        self.size = size.max(1) as u32;
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The node number `index`, the idle weights of its ends, and its score.
    #[inline]
    pub(super) fn get(&self, index: usize) -> (NodeRef<'_, E>, [f32; 2], f32) {
        let (segment, place) = (index as u32 / self.size, (index as u32 % self.size) as usize);
        let segment = &self.segments[segment as usize];
        (segment.nodes.get(place), segment.weights[place], segment.scores[place])
    }
}
