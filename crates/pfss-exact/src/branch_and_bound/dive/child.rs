//! Children that are still to be branched, best last.

use pfss_core::tree::Element;

/// A child that is still to be branched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<E> {
    pub(super) bound: E,
    pub(super) lane: u32,
}

/// Moves the last child so that those from `first` on fall by bound; among equal bounds, later lanes stand first.
#[inline(always)]
pub(super) fn sort_last<E: Element>(children: &mut [Child<E>], first: usize) {
    let mut place = children.len() - 1;
    let child = children[place];
    while place > first && children[place - 1].bound <= child.bound {
        children[place] = children[place - 1];
        place -= 1;
    }
    children[place] = child;
}

/// The same for all of them at once.
pub(super) fn sort_all<E: Element>(children: &mut [Child<E>]) {
    // As one by one: those of equal bounds in the reverse order of their lanes.
    children.reverse();
    children.sort_by(|a, b| b.bound.partial_cmp(&a.bound).unwrap_or(std::cmp::Ordering::Equal));
}
