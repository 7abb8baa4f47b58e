//! Between HiGHS and the run: incumbents and bounds go up, the wish to stop goes down.

use std::any::Any;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use highs_sys::{
    HighsCallbackDataIn, HighsCallbackDataOut, kHighsCallbackMipImprovingSolution, kHighsCallbackMipInterrupt,
};
use pfss_core::{Instance, Run, Time, makespan};

use super::bound::proven;
use super::formulation::Formulation;
use super::work::Work;

/// What HiGHS' callbacks need.
pub(super) struct Watch<'a, T: Time> {
    pub(super) instance: &'a Instance<T>,
    pub(super) run: &'a Run<'a, T>,
    pub(super) work: &'a Work,
    pub(super) formulation: &'a dyn Formulation,
    nodes: AtomicU64,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a, T: Time> Watch<'a, T> {
    /// Watches one solve.
    pub(super) fn new(
        instance: &'a Instance<T>,
        run: &'a Run<'a, T>,
        work: &'a Work,
        formulation: &'a dyn Formulation,
    ) -> Self {
        let (nodes, panic) = (AtomicU64::new(0), Mutex::new(None));
        Self { instance, run, work, formulation, nodes, panic }
    }

    /// Offers the order in `columns`, with its makespan computed by the recurrence, and returns that.
    pub(super) fn offer(&self, columns: &[f64]) -> T {
        let order = self.work.full_order(&self.formulation.order(columns));
        let cost = makespan(self.instance, &order);
        self.run.count(1);
        self.run.offer(&order, cost);
        cost
    }

    /// Raises the bound as far as HiGHS' dual bound, in the model's unit, proves it.
    pub(super) fn raise(&self, dual_bound: f64) {
        let bound = proven::<T>(self.work.to_instance(dual_bound));
        // Nodes that cannot improve on the best order are cut off: what is left may start above it.
        self.run.raise_bound(bound.minimum(self.run.best_cost()));
    }

    /// Counts the nodes of the tree as evaluations.
    fn count_nodes(&self, nodes: i64) {
        let nodes = u64::try_from(nodes).unwrap_or(0);
        let before = self.nodes.fetch_max(nodes, Ordering::Relaxed);
        self.run.count(nodes.saturating_sub(before));
    }

    /// Takes in one callback's news; returns whether HiGHS must stop.
    fn hear(&self, kind: c_int, news: &HighsCallbackDataOut) -> bool {
        self.count_nodes(news.mip_node_count);
        if kind == kHighsCallbackMipImprovingSolution {
            let length = usize::try_from(news.mip_solution_size).unwrap_or(0);
            if !news.mip_solution.is_null() && length > 0 {
                // SAFETY: HiGHS passes an array of `mip_solution_size` values that lives during the callback.
                let columns = unsafe { std::slice::from_raw_parts(news.mip_solution, length) };
                self.offer(columns);
            }
        }
        self.raise(news.mip_dual_bound);
        self.run.must_end()
    }

    /// Goes on with a panic of the run's observer, which must not unwind through C++.
    pub(super) fn resume_panic(&self) {
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
    }
}

/// Called by HiGHS with each better solution and, to ask whether to stop, every few milliseconds.
///
/// # Safety
/// `watch` must point to the [`Watch`] of this type that lives as long as the solve, `news` and `wish` must
/// be valid or null.
pub(super) unsafe extern "C" fn callback<T: Time>(
    kind: c_int,
    _message: *const c_char,
    news: *const HighsCallbackDataOut,
    wish: *mut HighsCallbackDataIn,
    watch: *mut c_void,
) {
    // SAFETY: by this function's contract the pointers are null or valid for the duration of the call; the
    // watch is only ever shared, and all of it may be shared among threads.
    let (news, wish, watch) =
        unsafe { (news.as_ref(), wish.as_mut(), watch.cast::<Watch<'_, T>>().as_ref()) };
    let (Some(news), Some(watch)) = (news, watch) else { return };
    let stop = catch_unwind(AssertUnwindSafe(|| watch.hear(kind, news))).unwrap_or_else(|panic| {
        watch.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        true
    });
    if let Some(wish) = wish.filter(|_| stop && kind == kHighsCallbackMipInterrupt) {
        wish.user_interrupt = 1;
    }
}
