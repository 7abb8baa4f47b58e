//! One solve by HiGHS: options, callbacks, the warm start, the result.

use std::ffi::c_void;
use std::ptr::from_ref;

use highs::{HighsModelStatus, HighsStatus, Model, Sense};
use highs_sys::{
    Highs_setCallback, Highs_startCallback, STATUS_OK, kHighsCallbackMipImprovingSolution,
    kHighsCallbackMipInterrupt,
};
use pfss_core::Time;

use super::watch::{Watch, callback};

/// How far rows and 0-1 variables may be off. HiGHS' own 1e-6 would be coarse beside the relative 1e-9 within
/// which real makespans count as equal.
const TOLERANCE: f64 = 1e-9;

/// Why HiGHS gave no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// It reported an error.
    Highs(HighsStatus),
    /// It could not be started: an option was refused, or no thread was to be had.
    Start(&'static str),
}

/// Lets HiGHS work on the watched formulation from `start` until it is done or the run must end.
///
/// HiGHS keeps its pool of threads in thread-local memory and refuses another number of threads as long as
/// it lives, so each solve has a thread of its own.
pub(super) fn solve<T: Time>(watch: &Watch<'_, T>, start: &[usize]) -> Result<(), Failure> {
    let outcome = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(16 << 20);
        let thread = thread.spawn_scoped(scope, || solve_here(watch, start));
        match thread.map_err(|_| Failure::Start("no thread could be started"))?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    watch.resume_panic();
    outcome
}

fn solve_here<T: Time>(watch: &Watch<'_, T>, start: &[usize]) -> Result<(), Failure> {
    let problem = watch.formulation.problem();
    let mut model = problem.try_optimise(Sense::Minimise).map_err(Failure::Highs)?;
    set_options(&mut model, watch)?;
    set_callback(&mut model, watch)?;
    let columns = watch.formulation.columns(start);
    model.try_set_solution(Some(&columns), None, None, None).map_err(Failure::Highs)?;
    let solved = model.try_solve().map_err(Failure::Highs)?;

    let mut dual_bound = solved.double_info_value(c"mip_dual_bound").map_err(Failure::Highs)?;
    let is_optimal = solved.status() == HighsModelStatus::Optimal;
    if is_optimal && !dual_bound.is_finite() {
        // Presolve alone has shown that nothing beats the start; then HiGHS leaves the bound unset.
        dual_bound = solved.objective_value();
    }
    watch.raise(dual_bound);
    if is_optimal {
        let cost = watch.offer(solved.get_solution().columns());
        // HiGHS' word for optimal, with all gaps at zero: no order is better by more than its tolerances, which
        // are smaller than the one of real makespans. It is taken where its makespan is the true one.
        let bound = T::from_f64_floor(watch.work.to_instance(dual_bound));
        if !T::IS_INTEGER && cost.agrees(bound) {
            watch.run.raise_bound(bound.minimum(cost));
        }
    }
    Ok(())
}

fn set_options<T: Time>(model: &mut Model, watch: &Watch<'_, T>) -> Result<(), Failure> {
    let refused = |_| Failure::Start("an option was refused");
    let limits = watch.run.limits();
    for gap in ["mip_rel_gap", "mip_abs_gap"] {
        model.try_set_option(gap, 0.0).map_err(refused)?;
    }
    for tolerance in
        ["mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"]
    {
        model.try_set_option(tolerance, TOLERANCE).map_err(refused)?;
    }
    if let Some(left) = watch.run.remaining() {
        model.try_set_option("time_limit", left.as_secs_f64()).map_err(refused)?;
    }
    // A run with a limit on evaluations gives the same result with any number of threads: it uses one.
    let reproducible = limits.evaluations.is_some() || limits.stall.is_some();
    let threads = if reproducible { 1 } else { i32::try_from(watch.run.threads()).unwrap_or(i32::MAX) };
    model.try_set_option("threads", threads).map_err(refused)?;
    model.try_set_option("parallel", if threads > 1 { "on" } else { "off" }).map_err(refused)?;
    let seed = (watch.run.seed().child("mip").number() & 0x7fff_ffff) as i32;
    model.try_set_option("random_seed", seed).map_err(refused)
}

fn set_callback<T: Time>(model: &mut Model, watch: &Watch<'_, T>) -> Result<(), Failure> {
    let data = from_ref(watch).cast::<c_void>().cast_mut();
    // SAFETY: the pointer is that of a live model; the callback fits the type behind `data`, only shares it,
    // and the watch outlives the model, which is dropped before the caller returns.
    let statuses = unsafe {
        let highs = model.as_mut_ptr();
        [
            Highs_setCallback(highs, Some(callback::<T>), data),
            Highs_startCallback(highs, kHighsCallbackMipImprovingSolution),
            Highs_startCallback(highs, kHighsCallbackMipInterrupt),
        ]
    };
    if statuses.iter().all(|&status| status == STATUS_OK) {
        Ok(())
    } else {
        Err(Failure::Start("a callback was refused"))
    }
}
