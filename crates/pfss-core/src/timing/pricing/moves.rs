//! All moves of a block of neighbouring jobs at once, for lines whose makespan is a longest path.

use super::front::FrontRules;
use crate::insertion::{Machines, MovePricer};
use crate::permutation::job_id;
use crate::simd::Instructions;
use crate::timing::{Line, Objective};
use crate::tree::ElementKind;

impl MovePricer {
    /// A pricer for a line, where the makespan alone counts and is a longest path, and all jobs are there from the beginning.
    pub fn of_line(line: &Line) -> Option<Self> {
        Self::of_line_with(line, Instructions::detect())
    }

    /// A pricer for a line that uses no wider instructions than these.
    pub fn of_line_with(line: &Line, instructions: Instructions) -> Option<Self> {
        let rules = FrontRules::new(line);
        let is_makespan = line.objectives().eq([Objective::Makespan]);
        let has_releases = (0..job_id(line.num_jobs())).any(|job| line.release(job) > 0);
        if !is_makespan || !rules.has_paths() || has_releases {
            return None;
        }
        let kind = if line.horizon() < u32::from(u16::MAX) { ElementKind::U16 } else { ElementKind::U32 };
        let machines = Machines {
            available: (0..line.num_machines()).map(|machine| line.available_from(machine)).collect(),
            blocks: rules.blocks().iter().map(|&block| block > 0).collect(),
        };
        Some(Self::with_machines(line.shop(), kind, &machines, instructions))
    }
}
