//! One problem to solve: an instance, and where it carries more than times the line that this makes.

use pfss_core::timing::{Line, Objective, Timetable, check as check_plan, lower_bound as bound_of_line};
use pfss_core::{JobId, lower_bound as bound_of_shop, makespan};
use pfss_io::{Clock, Entry, TimeValue, match_instance};

use crate::error::Fault;

/// An instance that passed all checks.
pub(crate) struct Problem {
    pub(crate) entry: Entry,
    /// Where jobs or machines carry more than times, or something else than the makespan is minimised.
    pub(crate) line: Option<Line>,
    /// When time zero is, where that is said.
    pub(crate) clock: Option<Clock>,
}

impl Problem {
    pub(crate) fn new(entry: Entry, clock: Option<Clock>) -> Result<Self, Fault> {
        let line = if entry.attributes.is_plain() {
            None
        } else {
            let line = match_instance!(&entry.instance, instance => Line::new(instance, &entry.attributes));
            Some(line.map_err(Fault::input)?)
        };
        Ok(Self { entry, line, clock })
    }

    /// The same instance with other objectives, where they differ.
    pub(crate) fn with_objectives(&self, objectives: &[Objective]) -> Result<Option<Self>, Fault> {
        let is_same = match self.entry.attributes.objectives.as_slice() {
            [] => objectives == [Objective::Makespan],
            own => own == objectives,
        };
        if is_same {
            return Ok(None);
        }
        let mut entry = self.entry.clone();
        entry.attributes.objectives = objectives.to_vec();
        Self::new(entry, self.clock).map(Some)
    }

    /// The values of an order, one for each objective.
    pub(crate) fn values(&self, order: &[JobId]) -> Result<Vec<TimeValue>, Fault> {
        let is_integer = self.entry.instance.is_integer();
        match &self.line {
            None => Ok(vec![
                match_instance!(&self.entry.instance, instance => TimeValue::new(makespan(instance, order))),
            ]),
            Some(line) => {
                let score = check_plan(line, order, None).map_err(Fault::input)?;
                Ok(line
                    .values(score)
                    .into_iter()
                    .map(|value| TimeValue::of_units(value, is_integer))
                    .collect())
            }
        }
    }

    /// A value of the first objective that no order undercuts.
    pub(crate) fn bound(&self) -> TimeValue {
        match &self.line {
            None => {
                match_instance!(&self.entry.instance, instance => TimeValue::new(bound_of_shop(instance)))
            }
            Some(line) => {
                let bound = match line.plain_shop() {
                    Some(shop) => line.to_units(bound_of_shop(shop)),
                    None => line.value(bound_of_line(line)),
                };
                TimeValue::of_units(bound, self.entry.instance.is_integer())
            }
        }
    }

    /// The schedule of an order where the instance carries more than times.
    pub(crate) fn timetable(&self, order: &[JobId]) -> Result<Option<(&Line, Timetable)>, Fault> {
        let Some(line) = &self.line else { return Ok(None) };
        Ok(Some((line, Timetable::new(line, order).map_err(Fault::input)?)))
    }
}
