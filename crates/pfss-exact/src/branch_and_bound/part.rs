//! Whether a tree is all that is searched, or a part of a larger one.

use std::sync::atomic::{AtomicBool, Ordering};

/// What a tree knows of the others that it is searched with.
#[derive(Debug)]
pub(super) struct Part {
    is_part: AtomicBool,
    raises: AtomicBool,
    is_hungry: AtomicBool,
}

impl Default for Part {
    fn default() -> Self {
        let [is_part, raises, is_hungry] = [false, true, false].map(AtomicBool::new);
        Self { is_part, raises, is_hungry }
    }
}

impl Part {
    pub(super) fn become_part(&self, raises: bool) {
        self.is_part.store(true, Ordering::Relaxed);
        self.raises.store(raises, Ordering::Relaxed);
    }

    /// Whether there is more than this tree.
    pub(super) fn is_part(&self) -> bool {
        self.is_part.load(Ordering::Relaxed)
    }

    /// Whether the trees that raise the bound are searched here.
    pub(super) fn raises(&self) -> bool {
        self.raises.load(Ordering::Relaxed)
    }

    /// A thread found nothing to take.
    pub(super) fn note_hunger(&self) {
        self.is_hungry.store(true, Ordering::Relaxed);
    }

    /// There is something to take again.
    pub(super) fn note_food(&self) {
        self.is_hungry.store(false, Ordering::Relaxed);
    }

    /// Whether a thread found nothing to take.
    pub(super) fn is_hungry(&self) -> bool {
        self.is_hungry.load(Ordering::Relaxed)
    }
}
