//! A schedule as a table for people and programs: CSV, JSON, and a workbook.

mod build;
mod csv;
#[cfg(feature = "excel")]
mod workbook;

use serde::Serialize;

use crate::clock::Clock;

/// The schema of schedules in JSON.
pub const SCHEMA: &str = "pfss.schedule/1";

/// One job on one machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScheduledOperation {
    /// The job's name, or its number.
    pub job: String,
    /// The machine's name, or `M1`, `M2`, ...
    pub machine: String,
    /// When the set-up before it starts, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup_start: Option<Moment>,
    /// When it starts.
    pub start: Moment,
    /// When it ends.
    pub end: Moment,
    /// When its job leaves the machine, where it has to stay on it after the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<Moment>,
}

/// What becomes of one job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScheduledJob {
    /// The job's name, or its number.
    pub name: String,
    /// When it is done.
    pub completion: Moment,
    /// When it is due, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Moment>,
    /// Completion minus due date, in units: negative where the job is early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lateness: Option<f64>,
}

/// A point in time: units, and where there is a clock the date.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Units after the start.
    pub units: f64,
    /// The date, where there is a clock.
    pub date: Option<String>,
}

impl Moment {
    /// The moment of a number of units.
    pub fn new(units: f64, clock: Option<&Clock>) -> Self {
        Self { units, date: clock.map(|clock| clock.date(units)) }
    }

    /// The date, or the units where there is no clock.
    pub fn text(&self) -> String {
        self.date.clone().unwrap_or_else(|| self.units.to_string())
    }
}

impl Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.date {
            Some(date) => serializer.serialize_str(date),
            None => number(self.units).serialize(serializer),
        }
    }
}

/// A number that is written without a point where it is whole.
#[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
fn number(value: f64) -> serde_json::Value {
    // Up to 2^53 every whole number is exact.
    match value.fract() == 0.0 && value.abs() < 9e15 {
        true => serde_json::Value::from(value as i64),
        false => serde_json::Value::from(value),
    }
}

/// A schedule with names, ready to be written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScheduleTable {
    /// The name of the instance.
    pub instance: String,
    /// What stands on the sheet `summary`: names and values.
    #[serde(serialize_with = "as_map")]
    pub summary: Vec<(String, serde_json::Value)>,
    /// The jobs in order.
    pub jobs: Vec<ScheduledJob>,
    /// Every operation, job by job in order, machine by machine.
    pub operations: Vec<ScheduledOperation>,
}

fn as_map<S: serde::Serializer>(
    pairs: &[(String, serde_json::Value)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl ScheduleTable {
    /// The schedule as one JSON object, with a line end.
    ///
    /// # Errors
    /// When a value has no JSON form.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Document<'a> {
            schema: &'static str,
            #[serde(flatten)]
            table: &'a ScheduleTable,
        }
        Ok(serde_json::to_string_pretty(&Document { schema: SCHEMA, table: self })? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Unit;
    use pfss_core::timing::{
        Attributes, JobAttributes, Line, MachineAttributes, Objective, Setup, Timetable,
    };
    use pfss_core::{Instance, Schedule};

    fn plan() -> (Line, Timetable) {
        let instance = Instance::from_job_rows("line", &[[3u32, 4], [2, 1]]).unwrap();
        let instance = instance.with_job_names(vec!["A, B".into(), "C".into()]).unwrap();
        let family = Some(0);
        let job = |due| JobAttributes { due, family, ..JobAttributes::default() };
        let setups = vec![Setup { from: None, to: 0, time: 1.0 }];
        let attributes = Attributes {
            jobs: vec![job(Some(6.5)), job(None)],
            machines: vec![
                MachineAttributes { setups, buffer: Some(0), ..MachineAttributes::default() },
                MachineAttributes::default(),
            ],
            families: vec!["red".into()],
            objectives: vec![Objective::TotalTardiness],
            ..Attributes::default()
        };
        let line = Line::new(&instance, &attributes).unwrap();
        let table = Timetable::new(&line, &[0, 1]).unwrap();
        (line, table)
    }

    #[test]
    fn plans_have_set_ups_and_departures() {
        let (line, table) = plan();
        let table = ScheduleTable::of_plan(&line, &table, None);
        assert_eq!(
            table.to_csv(),
            "job,machine,start,end,setup_start,leaves\n\"A, B\",M1,1,4,0,\n\"A, B\",M2,4,8,,\nC,M1,4,6,,8\nC,M2,8,9,,\n"
        );
        let json: serde_json::Value = serde_json::from_str(&table.to_json().unwrap()).unwrap();
        assert_eq!(json["schema"], SCHEMA);
        assert_eq!(json["jobs"][0]["lateness"], 1.5);
        assert_eq!(json["operations"][2]["leaves"], 8);
        assert_eq!(json["summary"]["total-tardiness"], 1.5);
    }

    #[test]
    fn a_clock_turns_starts_into_dates() {
        let (line, table) = plan();
        let clock = Clock::new("2026-11-16T22:00", Unit::Hour).unwrap();
        let table = ScheduleTable::of_plan(&line, &table, Some(&clock));
        assert!(table.to_csv().contains("C,M2,2026-11-17T06:00,2026-11-17T07:00"), "{}", table.to_csv());
    }

    #[cfg(feature = "excel")]
    #[test]
    fn workbooks_hold_schedule_order_and_summary() {
        let (line, table) = plan();
        let clock = Clock::new("2026-11-16T22:00", Unit::Hour).unwrap();
        let bytes = ScheduleTable::of_plan(&line, &table, Some(&clock)).to_workbook().unwrap();
        let [schedule, order, summary] =
            ["schedule", "order", "summary"].map(|name| crate::excel::sheet_text(&bytes, name));
        let lines: Vec<&str> = schedule.lines().collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[1].starts_with("\"A, B\","), "{}", lines[1]);
        assert!(lines[4].contains(",2026-11-17T07:00:00"), "{}", lines[4]);
        let late = order.lines().nth(1).unwrap();
        assert!(late.contains(",1.5,late"), "{late}");
        assert!(!summary.is_empty());
    }

    #[test]
    fn plain_schedules_have_four_columns() {
        let instance = Instance::from_job_rows("x", &[[3u32, 4], [2, 1]]).unwrap();
        let schedule = Schedule::new(&instance, &[1, 0]).unwrap();
        let table = ScheduleTable::new(&instance, &schedule, None);
        assert_eq!(table.to_csv(), "job,machine,start,end\n1,M1,0,2\n1,M2,2,3\n0,M1,2,5\n0,M2,5,9\n");
    }
}
