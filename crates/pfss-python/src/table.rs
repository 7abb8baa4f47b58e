//! Schedules as columns of numbers.

use numpy::{IntoPyArray, PyArray1};
use pfss_core::{JobId, Schedule, Time};
use pfss_io::{AnyInstance, match_instance};
use pyo3::prelude::*;

use crate::clock::dates;
use crate::error::Fault;
use crate::problem::Problem;

/// Every operation, job by job in order: numbers of jobs and machines, and times; whole times are
/// `int64`, and with a clock all are `datetime64[ms]`.
#[derive(IntoPyObject)]
pub(crate) struct OperationTable<'py> {
    job: Bound<'py, PyArray1<i64>>,
    machine: Bound<'py, PyArray1<i64>>,
    start: Bound<'py, PyAny>,
    end: Bound<'py, PyAny>,
    /// When the set-up before it starts (the start itself where there is none); where the instance carries more than times.
    setup_start: Option<Bound<'py, PyAny>>,
    /// When its job leaves the machine; where the instance carries more than times.
    leaves: Option<Bound<'py, PyAny>>,
}

/// The same before it has arrays.
#[derive(Default)]
struct Columns {
    job: Vec<i64>,
    machine: Vec<i64>,
    start: Vec<f64>,
    end: Vec<f64>,
    setup_start: Vec<f64>,
    leaves: Vec<f64>,
}

impl<'py> OperationTable<'py> {
    pub(crate) fn new(py: Python<'py>, problem: &Problem, order: &[JobId]) -> Result<Self, Fault> {
        let columns = match problem.timetable(order)? {
            Some((line, table)) => {
                let mut columns = Columns::default();
                for operation in table.operations() {
                    let has_setup = operation.setup_start < operation.setup_end;
                    let setup_start = if has_setup { operation.setup_start } else { operation.start };
                    columns.job.push(i64::from(operation.job));
                    columns.machine.push(operation.machine as i64);
                    columns.start.push(line.to_units(operation.start));
                    columns.end.push(line.to_units(operation.end));
                    columns.setup_start.push(line.to_units(setup_start));
                    columns.leaves.push(line.to_units(operation.departure));
                }
                columns
            }
            None => match_instance!(&problem.entry.instance, instance => {
                plain(&Schedule::new(instance, order).map_err(Fault::input)?)
            }),
        };
        // Dates may be real numbers although all times are whole.
        let is_whole = |values: &Vec<f64>| values.iter().all(|value| value.fract() == 0.0);
        let whole = matches!(problem.entry.instance, AnyInstance::Integer(_))
            && [&columns.start, &columns.end, &columns.setup_start, &columns.leaves]
                .into_iter()
                .all(is_whole);
        let array = |values: Vec<f64>| match (&problem.clock, whole) {
            (Some(clock), _) => dates(py, clock, &values),
            (None, true) => {
                values.iter().map(|&value| value as i64).collect::<Vec<i64>>().into_pyarray(py).into_any()
            }
            (None, false) => values.into_pyarray(py).into_any(),
        };
        let is_planned = problem.line.is_some();
        Ok(Self {
            job: columns.job.into_pyarray(py),
            machine: columns.machine.into_pyarray(py),
            start: array(columns.start),
            end: array(columns.end),
            setup_start: is_planned.then(|| array(columns.setup_start)),
            leaves: is_planned.then(|| array(columns.leaves)),
        })
    }
}

fn plain<T: Time>(schedule: &Schedule<T>) -> Columns {
    let mut columns = Columns::default();
    for operation in schedule.operations() {
        columns.job.push(i64::from(operation.job));
        columns.machine.push(operation.machine as i64);
        columns.start.push(operation.start.to_f64());
        columns.end.push(operation.end.to_f64());
    }
    columns
}
