//! Clock time: when time zero is, and how long a unit takes.

use numpy::IntoPyArray;
use numpy::datetime::{Datetime, units::Milliseconds};
use pfss_io::{Clock, Meaning};
use pfss_render::PlanClock;
use pyo3::prelude::*;

use crate::error::input;

/// A clock as Python holds it.
#[pyclass(frozen, module = "pfss._pfss")]
pub(crate) struct NativeClock {
    pub(crate) clock: Clock,
}

#[pymethods]
impl NativeClock {
    #[new]
    fn new(start_at: &str, unit: &str) -> PyResult<Self> {
        let unit = unit.parse().map_err(|error| input(format!("`unit`: {error}")))?;
        let clock = Clock::new(start_at, unit).map_err(|error| input(format!("`start_at`: {error}")))?;
        Ok(Self { clock })
    }

    /// When time zero is.
    #[getter]
    fn start_at(&self) -> String {
        self.clock.date(0.0)
    }

    #[getter]
    fn unit(&self) -> &'static str {
        self.clock.unit().name()
    }

    /// The units of a date or time of day at which something begins, or none where the text is neither.
    fn begin(&self, text: &str) -> Option<f64> {
        self.clock.units(text, Meaning::Begin)
    }

    /// The units of a due date: a date without a time of day is its last moment.
    fn due(&self, text: &str) -> Option<f64> {
        self.clock.units(text, Meaning::Due)
    }

    /// The units at which something ends that began then: a time of day is the first one after that.
    fn end_after(&self, begin: f64, text: &str) -> Option<f64> {
        self.clock.units(text, Meaning::EndAfter(begin))
    }
}

/// numpy's "not a time", for what no calendar reaches.
const NOT_A_TIME: i64 = i64::MIN;

/// Dates as an array of `datetime64[ms]`.
pub(crate) fn dates<'py>(py: Python<'py>, clock: &Clock, units: &[f64]) -> Bound<'py, PyAny> {
    let date = |&units: &f64| clock.milliseconds_since_1970(units).unwrap_or(NOT_A_TIME);
    let dates: Vec<Datetime<Milliseconds>> = units.iter().map(date).map(Datetime::from).collect();
    dates.into_pyarray(py).into_any()
}

/// The clock of a chart.
pub(crate) fn of_chart(clock: &Clock) -> PlanClock<'_> {
    PlanClock {
        seconds_per_unit: clock.unit().seconds(),
        start_of_day: clock.seconds_of_day(),
        date: Box::new(|units| clock.date(units)),
    }
}
