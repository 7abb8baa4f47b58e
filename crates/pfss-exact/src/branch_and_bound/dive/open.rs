//! What a dive has left open: as a bound, as tasks, and to be given away.

use std::sync::Arc;

use pfss_core::tree::Element;

use super::super::ground::Ground;
use super::super::shares::Shares;
use super::super::task::{Placement, Task};
use super::Dive;

impl<E: Element> Dive<E> {
    /// The least bound among what is left open.
    pub(super) fn least_bound(&self) -> Option<E> {
        // The best child of a frame stands last.
        let ends = self.frames.iter().skip(1).map(|frame| frame.first).chain([self.children.len()]);
        let best = self.frames.iter().zip(ends).filter(|(frame, end)| *end > frame.first);
        best.map(|(_, end)| self.children[end - 1].bound).reduce(|x, y| if y < x { y } else { x })
    }

    /// What is left open, in the order in which it is best taken up again: last first.
    pub(in super::super) fn open_tasks(&self, ground: &Ground<E>) -> Vec<Task<E>> {
        let mut tasks = Vec::new();
        for index in 0..self.frames.len() {
            self.tasks_of(ground, index, &mut tasks);
        }
        tasks
    }

    /// The open children of frame number `index` as tasks, best last.
    fn tasks_of(&self, ground: &Ground<E>, index: usize, tasks: &mut Vec<Task<E>>) {
        let frame = self.frames[index];
        let end = self.frames.get(index + 1).map_or(self.children.len(), |next| next.first);
        let mut share = frame.share;
        let from = tasks.len();
        let above: Arc<[Placement]> = self.placements[..self.given + index].into();
        for child in self.children[frame.first..end].iter().rev() {
            let last = Placement { job: ground.columns.jobs()[child.lane as usize], end: frame.end };
            tasks.push(Task { above: above.clone(), last: Some(last), bound: child.bound, share });
            share *= Shares::RATIO;
        }
        tasks[from..].reverse();
    }

    /// Gives away the open children nearest to the root; keeps the rest.
    pub(super) fn split(&mut self, ground: &Ground<E>) -> Vec<Task<E>> {
        let mut tasks = Vec::new();
        for index in 0..self.frames.len() {
            self.tasks_of(ground, index, &mut tasks);
            if !tasks.is_empty() {
                let first = self.frames[index].first;
                self.children.drain(first..first + tasks.len());
                for frame in &mut self.frames[index + 1..] {
                    frame.first -= tasks.len();
                }
                break;
            }
        }
        tasks
    }
}
