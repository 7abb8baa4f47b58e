//! Whether the columns of a row fit together: most follow from others, and a row that was changed by hand shows it.

use pfss_core::{JobId, Permutation};

use super::Row;
use crate::mistake::Mistake;
use crate::primal_integral::NO_ORDER;

/// What follows from other columns may differ from them by this share.
const EQUAL: f64 = 1e-9;

impl Row {
    /// The first column that is no number of its kind, or does not follow from the others.
    pub(crate) fn mistake(&self) -> Option<Mistake> {
        number(self)
            .or_else(|| size(self))
            .or_else(|| deviation(self))
            .or_else(|| proof(self))
            .or_else(|| order(self))
    }
}

fn number(row: &Row) -> Option<Mistake> {
    let optional = |column, value: Option<f64>| Mistake::unless_finite(column, value.unwrap_or_default());
    Mistake::unless_finite("makespan", row.makespan)
        .or_else(|| optional("best_known", row.best_known))
        .or_else(|| optional("rpd", row.rpd))
        .or_else(|| Mistake::unless_finite("bound", row.bound))
        .or_else(|| Mistake::unless_seconds("runtime_s", row.runtime_s))
        .or_else(|| optional("primal_integral", row.primal_integral))
}

fn size(row: &Row) -> Option<Mistake> {
    let at_least_one = || "a whole number, 1 or more".to_string();
    let group = format!("{}x{}", row.num_jobs, row.num_machines);
    Mistake::unless(row.num_jobs > 0, "num_jobs", at_least_one)
        .or_else(|| Mistake::unless(row.num_machines > 0, "num_machines", at_least_one))
        .or_else(|| {
            Mistake::unless(row.group == group, "group", || format!("{group}, its num_jobs and num_machines"))
        })
}

/// What follows from the makespan and the best known one.
fn deviation(row: &Row) -> Option<Mistake> {
    let rpd = row.expected_rpd();
    let is_same = match (row.rpd, rpd) {
        (Some(found), Some(expected)) => is_close(found, expected),
        (found, expected) => found == expected,
    };
    let expected = || match rpd {
        Some(rpd) => format!("{rpd}, what makespan and best_known give"),
        None => "nothing without a best_known above 0".to_string(),
    };
    Mistake::unless(is_same, "rpd", expected).or_else(|| integral(row, rpd))
}

/// A run is never better than at its end, nor worse than without an order.
fn integral(row: &Row, rpd: Option<f64>) -> Option<Mistake> {
    let (Some(integral), Some(rpd)) = (row.primal_integral, rpd) else {
        return Mistake::unless(row.primal_integral.is_none(), "primal_integral", || {
            "nothing without a best_known above 0".to_string()
        });
    };
    let least = rpd.min(NO_ORDER);
    let is_mean = (integral >= least || is_close(integral, least)) && integral <= NO_ORDER * (1.0 + EQUAL);
    Mistake::unless(is_mean, "primal_integral", || format!("a number from {least}, the rpd, to {NO_ORDER}"))
}

fn proof(row: &Row) -> Option<Mistake> {
    let is_reached = is_close(row.bound, row.makespan);
    let is_bound = row.bound <= row.makespan || is_reached;
    let status = row.status.as_str();
    Mistake::unless(is_bound, "bound", || format!("at most {}, the makespan", row.makespan))
        .or_else(|| {
            Mistake::unless(matches!(status, "optimal" | "feasible"), "status", || {
                "optimal or feasible".into()
            })
        })
        .or_else(|| {
            let is_proven = status != "optimal" || is_reached;
            Mistake::unless(is_proven, "status", || {
                format!("feasible, since the bound {} is below the makespan", row.bound)
            })
        })
}

/// An order is kept where it is better than the best known.
fn order(row: &Row) -> Option<Mistake> {
    if !row.improves_best_known() {
        return Mistake::unless(row.order.is_empty(), "order", || {
            "nothing where the makespan is not below best_known".to_string()
        });
    }
    let jobs: Result<Vec<JobId>, _> = row.order.split(' ').map(str::parse).collect();
    let is_order = jobs.is_ok_and(|jobs| Permutation::new(jobs, row.num_jobs).is_ok());
    let last = row.num_jobs.saturating_sub(1);
    Mistake::unless(is_order, "order", || format!("the jobs 0 to {last}, each once, separated by blanks"))
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= EQUAL * a.abs().max(b.abs()).max(1.0)
}
