//! Prices that raise the bound of 1-trees.

use super::one_tree::OneTree;
use super::state::State;

/// How long and how far prices are changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// At most so many 1-trees.
    pub(super) most: usize,
    /// The first step, as a share of the one that would close the gap if the bound were a line.
    pub(super) first: f64,
    /// What the steps are multiplied by after `patience` trees without a better bound.
    pub(super) shrink: f64,
    pub(super) patience: usize,
    /// The least step.
    pub(super) last: f64,
}

/// The best prices so far with their 1-tree.
pub(super) struct Best {
    pub(super) bound: f64,
    pub(super) prices: Vec<f64>,
    pub(super) chosen: Vec<u32>,
    pub(super) degrees: Vec<i32>,
    /// Where the prices went last.
    pub(super) directions: Vec<f64>,
}

/// How an ascent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ascent {
    /// There is no 1-tree, or its bound reaches the threshold.
    Pruned,
    /// A 1-tree is a tour: nothing shorter is left.
    Tour,
    /// The bound stays below the threshold.
    Open,
}

/// Subgradient ascent (Held, Wolfe, Crowder 1974): cities with too many ways become dearer, those at the ends of
/// branches cheaper. As in Volgenant and Jonker, European Journal of Operational Research 9 (1982), the last
/// direction has a share in the next one. `prices` are where it starts; `best` has the result, and for a tour the
/// 1-tree of it.
pub(super) fn ascend(
    tree: &mut OneTree,
    state: &State<'_>,
    prices: &mut [f64],
    best: &mut Best,
    (threshold, target): (f64, f64),
    steps: Steps,
    must_end: &mut dyn FnMut() -> bool,
) -> Ascent {
    best.bound = f64::NEG_INFINITY;
    best.directions.fill(0.0);
    let mut factor = steps.first;
    let mut failures = 0;
    for _ in 0..steps.most {
        let Some(bound) = tree.compute(state.graph, prices) else { return Ascent::Pruned };
        let norm: i32 = tree.degrees.iter().map(|degree| (degree - 2) * (degree - 2)).sum();
        if bound > best.bound {
            best.bound = bound;
            best.prices.copy_from_slice(prices);
            best.chosen.clone_from(&tree.chosen);
            best.degrees.copy_from_slice(&tree.degrees);
            failures = 0;
        } else {
            failures += 1;
        }
        if bound >= threshold {
            return Ascent::Pruned;
        }
        if norm == 0 {
            best.chosen.clone_from(&tree.chosen);
            return Ascent::Tour;
        }
        if failures >= steps.patience {
            failures = 0;
            factor *= steps.shrink;
            if factor < steps.last {
                break;
            }
        }
        if must_end() {
            break;
        }
        let step = factor * (target - bound) / f64::from(norm);
        for ((price, direction), degree) in prices.iter_mut().zip(&mut best.directions).zip(&tree.degrees) {
            *direction = 0.7 * f64::from(degree - 2) + 0.3 * *direction;
            *price += step * *direction;
        }
    }
    Ascent::Open
}
