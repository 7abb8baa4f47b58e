//! The registered mixed-integer solver: a good order first, then the model.

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time, open};

use crate::starts::offer_starts;

/// Mixed-integer models from the best of the constructive starts.
///
/// HiGHS cuts off all nodes that cannot beat the start, and bounds the start times by its length.
pub struct Mip(pfss_exact::Mip);

impl Mip {
    /// The solver with these parameters.
    pub fn new(config: pfss_exact::MipConfig) -> Self {
        Self(pfss_exact::Mip::new(config))
    }
}

impl<T: Time> Solver<Instance<T>> for Mip {
    fn name(&self) -> &str {
        "mip"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        self.0.check_size(instance)?;
        open("mip", instance, run)?;
        offer_starts(instance, run);
        self.0.solve(instance, run)
    }
}
