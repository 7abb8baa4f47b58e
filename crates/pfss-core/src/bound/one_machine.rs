//! The one-machine bound.

use super::ends::Ends;
use crate::{Instance, Time};

/// The largest, over the machines, of the machine's load with the least head before it and the least tail
/// after it; the head and the tail belong to different jobs when there are two or more. O(n m).
///
/// Taillard 1993 uses it with independent minima; different jobs are at least as good and cost nothing.
pub fn one_machine_bound<T: Time>(instance: &Instance<T>) -> T {
    if instance.num_jobs() == 1 {
        return instance.total_time(0);
    }
    let ends = Ends::new(instance);
    (0..instance.num_machines()).map(|machine| ends.one_machine(machine)).fold(T::ZERO, T::maximum)
}
