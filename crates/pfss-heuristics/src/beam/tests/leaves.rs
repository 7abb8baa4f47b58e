//! Leaves of a pass.

use std::collections::HashSet;

use super::*;

#[test]
fn leaves_are_different_orders_below_the_limit_best_first() {
    let instance = generate::taillard_benchmark(1).unwrap();
    for (prune_at, leaves) in [(u32::MAX, 1), (u32::MAX, 100), (1400, 100), (1310, 1 << 20)] {
        let settings = PassSettings { leaves, ..settings(500, HandMade::Walpha, prune_at) };
        // The best known cost is below what is pruned.
        let settings = PassSettings { upper: 1300, ..settings };
        let result = BeamSearch::new(&instance).pass(&settings, &free_run());
        let best = BeamSearch::new(&instance).pass(&PassSettings { leaves: 0, ..settings }, &free_run());
        assert!(best.leaves.is_empty());
        assert_eq!((&result.best, result.children), (&best.best, best.children));
        assert_eq!(result.leaves.first(), best.best.as_ref());
        assert!(result.leaves.len() <= leaves && (result.leaves.len() == leaves || prune_at == 1310));
        assert!(result.leaves.is_sorted_by_key(|leaf| leaf.1));
        for (order, cost) in &result.leaves {
            assert!(Permutation::new(order.clone(), 20).is_ok());
            assert_eq!(makespan(&instance, order), *cost);
            assert!(*cost < prune_at);
        }
        let orders: HashSet<_> = result.leaves.iter().map(|leaf| &leaf.0).collect();
        assert_eq!(orders.len(), result.leaves.len());
    }
}
