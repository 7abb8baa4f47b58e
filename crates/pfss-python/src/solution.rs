//! Answers as Python holds them.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1};
use pfss_core::Schedule;
use pfss_core::timing::{Attributes, Line, Timetable};
use pfss_io::{ResultRecord, match_instance};
use pfss_render::{GanttOptions, PlanChart, gantt_html, gantt_svg, plan_html, plan_svg};
use pyo3::prelude::*;

use crate::clock::{dates, of_chart};
use crate::entry::NativeInstance;
use crate::error::{Fault, input};
use crate::news::TraceRow;
use crate::problem::Problem;
use crate::table::OperationTable;
use crate::value::Number;

/// The answer to one instance.
#[pyclass(frozen, module = "pfss._pfss")]
pub(crate) struct NativeSolution {
    problem: Arc<Problem>,
    record: ResultRecord,
    trace: Vec<TraceRow>,
}

/// The columns of a trace: times, evaluations, values, bounds.
type TraceColumns<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

impl NativeSolution {
    pub(crate) fn new(problem: Arc<Problem>, record: ResultRecord, trace: Vec<TraceRow>) -> Self {
        Self { problem, record, trace }
    }

    fn options(&self) -> GanttOptions {
        GanttOptions { lower_bound: Some(self.record.bound.to_f64()), ..GanttOptions::default() }
    }

    fn drawn(&self, as_page: bool) -> Result<String, Fault> {
        let order = &self.record.order;
        let clock = self.problem.clock.as_ref().map(of_chart);
        let draw_plan = |line: &Line, table: &Timetable| {
            let draw = if as_page { plan_html } else { plan_svg };
            draw(line, table, clock.as_ref(), &PlanChart::default()).map_err(Fault::input)
        };
        if let Some((line, table)) = self.problem.timetable(order)? {
            return draw_plan(line, &table);
        }
        match_instance!(&self.problem.entry.instance, instance => {
            // Only the chart of plans has an axis of dates; times with very many decimals are no plan.
            if clock.is_some() && let Ok(line) = Line::new(instance, &Attributes::default()) {
                return draw_plan(&line, &Timetable::new(&line, order).map_err(Fault::input)?);
            }
            let schedule = Schedule::new(instance, order).map_err(Fault::input)?;
            let draw = if as_page { gantt_html } else { gantt_svg };
            draw(instance, &schedule, &self.options()).map_err(Fault::input)
        })
    }
}

#[pymethods]
impl NativeSolution {
    /// The solution that a record of this instance tells of, with the columns of its trace.
    #[staticmethod]
    fn from_json(
        instance: &NativeInstance,
        record: &str,
        trace: Vec<(f64, u64, f64, f64)>,
    ) -> PyResult<Self> {
        let record: ResultRecord = serde_json::from_str(record).map_err(input)?;
        let is_integer = instance.problem().entry.instance.is_integer();
        let value = |value| pfss_io::TimeValue::of_units(value, is_integer);
        let row = |(time, evaluations, best, bound)| TraceRow {
            time,
            evaluations,
            value: value(best),
            bound: value(bound),
        };
        let trace = trace.into_iter().map(row).collect();
        Ok(Self::new(Arc::clone(instance.problem()), record, trace))
    }

    /// The instance with the objectives that were minimised.
    #[getter]
    fn instance(&self) -> PyResult<NativeInstance> {
        Ok(NativeInstance::of(Arc::clone(&self.problem)))
    }

    /// The jobs in order, by number.
    #[getter]
    fn order<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.record.order.iter().map(|&job| i64::from(job)).collect::<Vec<i64>>().into_pyarray(py)
    }

    /// The jobs in order, by name, where they have names.
    #[getter]
    fn job_names(&self) -> Option<Vec<String>> {
        self.record.job_names.clone()
    }

    #[getter]
    fn makespan(&self) -> Number {
        self.record.makespan.into()
    }

    /// When the last job is done, as an array of one date; where there is a clock.
    #[getter]
    fn done_at<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.problem.clock.map(|clock| dates(py, &clock, &[self.record.makespan.to_f64()]))
    }

    /// The value of the first objective.
    #[getter]
    fn value(&self) -> Number {
        self.record.minimised().into()
    }

    /// The values of all objectives.
    #[getter]
    fn values(&self) -> Vec<Number> {
        match &self.record.values {
            Some(values) => values.iter().copied().map(Number::from).collect(),
            None => vec![self.record.minimised().into()],
        }
    }

    #[getter]
    fn bound(&self) -> Number {
        self.record.bound.into()
    }

    #[getter]
    fn gap(&self) -> Option<f64> {
        self.record.gap
    }

    #[getter]
    fn status(&self) -> &str {
        &self.record.status
    }

    #[getter]
    fn stop_reason(&self) -> &str {
        &self.record.stop_reason
    }

    #[getter]
    fn algorithm(&self) -> &str {
        &self.record.algorithm
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.record.seed
    }

    #[getter]
    fn runtime(&self) -> f64 {
        self.record.runtime_s
    }

    #[getter]
    fn evaluations(&self) -> u64 {
        self.record.evaluations
    }

    /// The record as one line of JSON.
    fn to_json(&self) -> PyResult<String> {
        self.record.to_json().map_err(input)
    }

    /// Every operation, column by column.
    fn operations<'py>(&self, py: Python<'py>) -> PyResult<OperationTable<'py>> {
        Ok(OperationTable::new(py, &self.problem, &self.record.order)?)
    }

    /// The course of the search, column by column.
    fn trace<'py>(&self, py: Python<'py>) -> TraceColumns<'py> {
        let column =
            |of: fn(&TraceRow) -> f64| self.trace.iter().map(of).collect::<Vec<f64>>().into_pyarray(py);
        let evaluations: Vec<i64> = self.trace.iter().map(|row| row.evaluations as i64).collect();
        (
            column(|row| row.time),
            evaluations.into_pyarray(py),
            column(|row| row.value.to_f64()),
            column(|row| row.bound.to_f64()),
        )
    }

    /// The schedule as a picture.
    fn svg(&self) -> PyResult<String> {
        Ok(self.drawn(false)?)
    }

    /// The schedule as a page.
    fn html(&self) -> PyResult<String> {
        Ok(self.drawn(true)?)
    }
}
