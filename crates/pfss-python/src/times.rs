//! Processing times from arrays and lists, read once and checked on the way.

use numpy::{Element, PyArrayDescrMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pfss_core::{Instance, InstanceError};
use pfss_io::AnyInstance;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::input;
use crate::value::{Given, INEXACT, shown};

/// What a time must be, as the library says it.
const ACCEPTED: &str = "a processing time must be a finite number that is not negative";

/// The instance with these times, one row for each job.
pub(crate) fn instance(name: &str, times: &Bound<'_, PyAny>) -> PyResult<AnyInstance> {
    let table = match times.cast::<PyUntypedArray>() {
        Ok(array) => of_array(array)?,
        Err(_) => of_rows(times)?,
    };
    let instance = match table.values {
        Values::Whole(times) => Instance::new(name, table.num_machines, times).map(AnyInstance::from),
        Values::Real(times) => Instance::new(name, table.num_machines, times).map(AnyInstance::from),
    };
    instance.map_err(|error| match error {
        InstanceError::InvalidTime { job, machine, value } => wrong(job, machine, &value),
        other => input(other),
    })
}

/// A table of numbers; columns are machines.
struct Table {
    num_machines: usize,
    values: Values,
}

enum Values {
    Whole(Vec<u32>),
    Real(Vec<f64>),
}

fn wrong(row: usize, column: usize, found: &str) -> PyErr {
    input(format!("row {row}, column {column} (counted from 0) is {found}; {ACCEPTED}"))
}

fn too_large(row: usize, column: usize, found: &str) -> PyErr {
    input(format!(
        "row {row}, column {column} (counted from 0) is {found}, which is more than {}; use a coarser unit of time",
        u32::MAX
    ))
}

fn of_array(array: &Bound<'_, PyUntypedArray>) -> PyResult<Table> {
    let &[num_jobs, num_machines] = array.shape() else {
        return Err(input(format!(
            "the array of times has {} dimensions; two are needed: a row for each job, a column for each machine",
            array.ndim()
        )));
    };
    if num_jobs == 0 {
        return Err(input(InstanceError::NoJobs));
    }
    if num_machines == 0 {
        return Err(input(InstanceError::NoMachines));
    }
    refuse_masked(array)?;
    let array = &readable(array)?;
    let dtype = array.dtype();
    let values = match (dtype.kind(), dtype.itemsize()) {
        (b'i', 8) => whole::<i64>(array)?,
        (b'i', 4) => whole::<i32>(array)?,
        (b'i', 2) => whole::<i16>(array)?,
        (b'i', 1) => whole::<i8>(array)?,
        (b'u', 8) => whole::<u64>(array)?,
        (b'u', 4) => whole::<u32>(array)?,
        (b'u', 2) => whole::<u16>(array)?,
        (b'u', 1) => whole::<u8>(array)?,
        (b'f', 8) => real::<f64>(array)?,
        (b'f', 4) => real::<f32>(array)?,
        (b'f', 2) => real::<f64>(array.call_method1("astype", ("float64",))?.cast::<PyUntypedArray>()?)?,
        // Item by item, so that the first one that is no number, or none that a double holds, has its place.
        (b'O' | b'f', _) => return of_rows(array),
        _ => return Err(wrong(0, 0, &array.get_item((0, 0))?.repr()?.to_string())),
    };
    Ok(Table { num_machines, values })
}

/// Refuses arrays with cells that are masked: what lies below the mask is no time.
fn refuse_masked(array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let masked = array.py().import("numpy.ma")?;
    if !array.is_instance(&masked.getattr("MaskedArray")?)? {
        return Ok(());
    }
    let (rows, columns): (Vec<usize>, Vec<usize>) =
        masked.call_method1("getmaskarray", (array,))?.call_method0("nonzero")?.extract()?;
    match (rows.first(), columns.first()) {
        (Some(&row), Some(&column)) => Err(wrong(row, column, "masked")),
        _ => Ok(()),
    }
}

/// The array, or a copy where its numbers do not lie in memory as this machine reads them: in the other byte order, at
/// addresses that are no multiples of their size (a field of packed records), or at such distances.
fn readable<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = array.dtype();
    let size = isize::try_from(dtype.itemsize().max(1))?;
    let is_aligned: bool = array.getattr("flags")?.getattr("aligned")?.extract()?;
    let is_native = dtype.is_native_byteorder() != Some(false);
    if is_native && is_aligned && array.strides().iter().all(|stride| stride % size == 0) {
        return Ok(array.clone());
    }
    let native = dtype.call_method1("newbyteorder", ("=",))?;
    let copy = array.py().import("numpy")?.call_method1("array", (array, native))?;
    Ok(copy.cast_into::<PyUntypedArray>()?)
}

/// Whole numbers of any type, in one pass.
fn whole<T>(array: &Bound<'_, PyUntypedArray>) -> PyResult<Values>
where
    T: Element + Copy + TryInto<u32> + ToString + PartialOrd + Default,
{
    let array: PyReadonlyArray2<'_, T> = array.extract()?;
    let view = array.as_array();
    let mut times = Vec::with_capacity(view.len());
    for ((row, column), &value) in view.indexed_iter() {
        match value.try_into() {
            Ok(time) => times.push(time),
            Err(_) if value < T::default() => return Err(wrong(row, column, &value.to_string())),
            Err(_) => return Err(too_large(row, column, &value.to_string())),
        }
    }
    Ok(Values::Whole(times))
}

/// Real numbers, in one pass; `Instance::new` looks at them.
fn real<T: Element + Copy + Into<f64>>(array: &Bound<'_, PyUntypedArray>) -> PyResult<Values> {
    let array: PyReadonlyArray2<'_, T> = array.extract()?;
    Ok(Values::Real(array.as_array().iter().map(|&value| value.into()).collect()))
}

/// Rows of Python numbers: lists, tuples, or whatever can be walked through.
fn of_rows(times: &Bound<'_, PyAny>) -> PyResult<Table> {
    let no_rows = || {
        input("the times are no table; expected a row for each job: a list of lists, an array or a DataFrame")
    };
    if times.is_instance_of::<PyString>() {
        return Err(no_rows());
    }
    let mut num_machines = None;
    let mut cells = Vec::new();
    for (row, items) in times.try_iter().map_err(|_| no_rows())?.enumerate() {
        let items = items?;
        let before = cells.len();
        let one_value =
            || input(format!("row {row} (counted from 0) is one value; expected a time for each machine"));
        if items.is_instance_of::<PyString>() {
            return Err(one_value());
        }
        for (column, item) in items.try_iter().map_err(|_| one_value())?.enumerate() {
            cells.push(cell(row, column, &item?)?);
        }
        let (found, expected) = (cells.len() - before, *num_machines.get_or_insert(cells.len() - before));
        if found != expected {
            return Err(input(InstanceError::Ragged { row, found, expected }));
        }
    }
    let num_machines = num_machines.ok_or_else(|| input(InstanceError::NoJobs))?;
    let all_whole: Option<Vec<u32>> =
        cells.iter().map(|cell| if let Cell::Whole(time) = cell { Some(*time) } else { None }).collect();
    let values = match all_whole {
        Some(times) => Values::Whole(times),
        None => Values::Real(cells.into_iter().map(Cell::to_f64).collect()),
    };
    Ok(Table { num_machines, values })
}

#[derive(Clone, Copy)]
enum Cell {
    Whole(u32),
    Real(f64),
}

impl Cell {
    fn to_f64(self) -> f64 {
        match self {
            Self::Whole(value) => f64::from(value),
            Self::Real(value) => value,
        }
    }
}

fn cell(row: usize, column: usize, item: &Bound<'_, PyAny>) -> PyResult<Cell> {
    let is_negative = || item.lt(0).unwrap_or(false);
    match Given::of(item) {
        Given::Whole(value) => match u32::try_from(value) {
            Ok(time) => Ok(Cell::Whole(time)),
            Err(_) if value < 0 => Err(wrong(row, column, &shown(item))),
            Err(_) => Err(too_large(row, column, &shown(item))),
        },
        Given::Huge if !is_negative() => Err(too_large(row, column, &shown(item))),
        Given::Real(value) if value.is_finite() && value >= 0.0 => Ok(Cell::Real(value)),
        Given::Inexact if !is_negative() => {
            let found = shown(item);
            Err(input(format!("row {row}, column {column} (counted from 0) is {found}; {INEXACT}")))
        }
        _ => Err(wrong(row, column, &shown(item))),
    }
}
