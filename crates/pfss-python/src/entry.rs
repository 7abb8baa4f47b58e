//! Instances as Python holds them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pfss_io::{
    AnyInstance, Clock, ColumnSetting, CsvOptions, Entry, Format, ReadError, ReadOptions, Role, json,
    read_file, resolve_with,
};
use pyo3::prelude::*;

use crate::attributes::Columns;
use crate::clock::NativeClock;
use crate::error::input;
use crate::problem::Problem;
use crate::times;
use crate::value::Number;

/// An instance, checked and never changed.
#[pyclass(frozen, module = "pfss._pfss")]
pub(crate) struct NativeInstance {
    problem: Arc<Problem>,
}

impl NativeInstance {
    pub(crate) fn new(entry: Entry, clock: Option<Clock>) -> PyResult<Self> {
        Ok(Self { problem: Arc::new(Problem::new(entry, clock)?) })
    }

    pub(crate) fn of(problem: Arc<Problem>) -> Self {
        Self { problem }
    }

    pub(crate) fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn entry(&self) -> &Entry {
        &self.problem.entry
    }
}

#[pymethods]
impl NativeInstance {
    #[new]
    #[pyo3(signature = (times, name, jobs, machines, columns, clock))]
    fn from_times(
        times: &Bound<'_, PyAny>,
        name: &str,
        jobs: Option<Vec<String>>,
        machines: Option<Vec<String>>,
        columns: Option<Columns<'_>>,
        clock: Option<PyRef<'_, NativeClock>>,
    ) -> PyResult<Self> {
        let mut instance = times::instance(name, times)?;
        if let Some(names) = jobs {
            refuse_namesakes(&names)?;
            instance = instance.with_job_names(names).map_err(input)?;
        }
        if let Some(names) = machines {
            instance = instance.with_machine_names(names).map_err(input)?;
        }
        let attributes = columns.map(|columns| columns.attributes(&instance)).transpose()?;
        let mut entry = Entry::from(instance);
        entry.attributes = attributes.unwrap_or_default();
        Self::new(entry, given(clock))
    }

    /// The same instance with a clock.
    fn with_clock(&self, clock: PyRef<'_, NativeClock>) -> PyResult<Self> {
        Self::new(self.entry().clone(), Some(clock.clock))
    }

    /// When time zero is, where that is said.
    #[getter]
    fn clock(&self) -> Option<NativeClock> {
        self.problem.clock.map(|clock| NativeClock { clock })
    }

    #[getter]
    fn name(&self) -> &str {
        self.entry().instance.name()
    }

    #[getter]
    fn num_jobs(&self) -> usize {
        self.entry().instance.num_jobs()
    }

    #[getter]
    fn num_machines(&self) -> usize {
        self.entry().instance.num_machines()
    }

    #[getter]
    fn jobs(&self) -> Option<Vec<String>> {
        self.entry().instance.job_names().map(<[String]>::to_vec)
    }

    #[getter]
    fn machines(&self) -> Option<Vec<String>> {
        self.entry().instance.machine_names().map(<[String]>::to_vec)
    }

    /// What is worth knowing about how it was read.
    fn notes(&self) -> Vec<String> {
        self.entry().notes().map(|note| in_python(&note.to_string())).collect()
    }

    #[getter]
    fn is_integer(&self) -> bool {
        self.entry().instance.is_integer()
    }

    /// Whether jobs and machines carry times only, and the makespan is minimised.
    #[getter]
    fn is_plain(&self) -> bool {
        self.problem.line.is_none()
    }

    /// A new array of the times, a row for each job.
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = [self.num_jobs(), self.num_machines()];
        Ok(match &self.entry().instance {
            AnyInstance::Integer(instance) => {
                let times: Vec<i64> = instance.times().iter().map(|&time| i64::from(time)).collect();
                times.into_pyarray(py).reshape(shape)?.into_any()
            }
            AnyInstance::Real(instance) => {
                PyArray1::from_slice(py, instance.times()).reshape(shape)?.into_any()
            }
        })
    }

    /// The best known bounds, where the file told them: lower and upper.
    #[getter]
    fn known_bounds(&self) -> (Option<f64>, Option<f64>) {
        let metadata = &self.entry().metadata;
        (metadata.lower_bound, metadata.upper_bound)
    }

    /// The names of the objectives.
    #[getter]
    fn objectives(&self) -> Vec<&'static str> {
        match &self.problem.line {
            None => vec!["makespan"],
            Some(line) => line.objectives().map(pfss_core::timing::Objective::name).collect(),
        }
    }

    /// Release dates, due dates, weights and families of the jobs, where one of them differs from what is usual.
    fn job_attributes(&self) -> Vec<(Number, Option<Number>, f64, Option<String>)> {
        let attributes = &self.entry().attributes;
        let number = |value: f64| Number::from(pfss_io::TimeValue::of_units(value, self.is_integer()));
        let row = |job: &pfss_core::timing::JobAttributes| {
            let family = job.family.and_then(|family| attributes.families.get(family).cloned());
            (number(job.release), job.due.map(number), job.weight, family)
        };
        attributes.jobs.iter().map(row).collect()
    }

    /// One line of JSON, schema `pfss.instance/1` or `/2`.
    fn to_json(&self) -> String {
        let mut line = String::new();
        json::write(self.entry(), &mut line);
        line.truncate(line.trim_end().len());
        line
    }

    /// Whether both are the same problem with the same names and the same clock.
    fn equals(&self, other: &Self) -> bool {
        self.entry().instance == other.entry().instance
            && self.entry().attributes == other.entry().attributes
            && self.problem.clock == other.problem.clock
    }

    /// The fingerprint that results carry.
    #[getter]
    fn fingerprint(&self) -> String {
        pfss_io::entry_hash(self.entry())
    }
}

/// The instances of a JSON text, one after the other.
#[pyfunction]
#[pyo3(signature = (text, clock))]
pub(crate) fn instances_from_json(
    text: &str,
    clock: Option<PyRef<'_, NativeClock>>,
) -> PyResult<Vec<NativeInstance>> {
    let clock = given(clock);
    let entries = Format::Json.read_at(text, CsvOptions::default(), clock.as_ref());
    all_of(entries, clock)
}

/// The instances of a file, or of `FILE#2`.
#[pyfunction]
#[pyo3(signature = (path, clock, columns))]
pub(crate) fn read(
    py: Python<'_>,
    path: &str,
    clock: Option<PyRef<'_, NativeClock>>,
    columns: Vec<(String, String)>,
) -> PyResult<Vec<NativeInstance>> {
    let setting = |(column, role): (String, String)| {
        let role = role.parse::<Role>().map_err(|error| input(format!("`columns`: {error}")))?;
        Ok(ColumnSetting { column: column.trim().to_string(), role })
    };
    let columns = columns.into_iter().map(setting).collect::<PyResult<_>>()?;
    let csv = CsvOptions { columns, ..CsvOptions::default() };
    let options = ReadOptions { clock: given(clock), csv, ..ReadOptions::default() };
    if path.ends_with(".safetensors") && Path::new(path).is_file() {
        return Err(input(format!(
            "{path}: holds a model or labelled instances; `pfss.Policy` reads models, `pfss.read_labels` labelled instances"
        )));
    }
    let entries = py.detach(|| {
        let file = Path::new(path);
        if file.exists() {
            return read_file(file, &options);
        }
        resolve_with(path, &[], &options, &mut std::io::empty())
    });
    all_of(entries, options.clock)
}

/// What a column of a table holds by its heading: `machine` where that says nothing.
#[pyfunction]
pub(crate) fn column_role(heading: &str) -> PyResult<&'static str> {
    match (Role::of(heading), Role::hinted_at(heading)) {
        (Role::Machine, Some(role)) => Err(input(format!(
            "the column `{heading}` may hold what `{role}` means, or the times of a machine; rename it to say which"
        ))),
        (role, _) => Ok(role.name()),
    }
}

/// A benchmark by its name.
#[pyfunction]
pub(crate) fn named(name: &str) -> PyResult<Vec<NativeInstance>> {
    all_of(resolve_with(name, &[], &ReadOptions::default(), &mut std::io::empty()), None)
}

/// Jobs are called by their names in orders, so that two of one name cannot be told apart.
fn refuse_namesakes(names: &[String]) -> PyResult<()> {
    let mut seen = HashMap::new();
    for (job, name) in names.iter().enumerate() {
        if let Some(other) = seen.insert(name, job) {
            return Err(input(format!(
                "jobs {other} and {job} (counted from 0) are both called `{name}`; give each job a name of its own"
            )));
        }
    }
    Ok(())
}

fn given(clock: Option<PyRef<'_, NativeClock>>) -> Option<Clock> {
    clock.map(|clock| clock.clock)
}

fn all_of(entries: Result<Vec<Entry>, ReadError>, clock: Option<Clock>) -> PyResult<Vec<NativeInstance>> {
    let told = |error: ReadError| input(in_python(&error.to_string()));
    entries.map_err(told)?.into_iter().map(|entry| NativeInstance::new(entry, clock)).collect()
}

/// A sentence of the command line; what it calls options are arguments here.
fn in_python(sentence: &str) -> String {
    sentence.replace("--start-at", "start_at").replace("--unit", "unit").replace("--column", "columns")
}
