//! How many jobs of a schedule are late, and by how much.

use pfss_core::timing::{Line, Timetable};

/// The late jobs of a schedule, in the user's units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lateness {
    /// How many jobs have a due date.
    pub num_due: usize,
    /// How many of them are late.
    pub num_late: usize,
    /// By how much, all together.
    pub total: f64,
    /// The job that is latest and by how much, where one is late.
    pub worst: Option<(String, f64)>,
}

impl Lateness {
    /// The late jobs of a schedule.
    pub fn of(line: &Line, table: &Timetable) -> Self {
        let mut lateness = Self::default();
        let (mut total, mut worst) = (0, 0);
        for (position, &job) in table.order().iter().enumerate() {
            let Some(late) = table.lateness(line, position) else { continue };
            lateness.num_due += 1;
            if late <= 0 {
                continue;
            }
            lateness.num_late += 1;
            total += late;
            if late > worst {
                worst = late;
                lateness.worst = Some((line.shop().job_label(job), line.to_units(late)));
            }
        }
        // Whole numbers of ticks add up exactly; one division rounds once.
        lateness.total = line.to_units(total);
        lateness
    }
}
