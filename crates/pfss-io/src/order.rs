//! Reading an order of jobs: bare numbers, job names, a JSON array or a JSON result.

mod names;

use std::path::Path;

use pfss_core::{JobId, Permutation, PermutationError};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{Problem, ReadError, excerpt};
use crate::source::decode;
use crate::{AnyInstance, Claims, json, record};
use names::{Names, is_separator};

/// How orders are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderOptions {
    /// Job numbers count from 1 instead of 0.
    pub one_based: bool,
}

/// An order as it was given. It need not be an order of all jobs: [`AnyInstance::check`] says whether it is.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenOrder {
    /// The jobs, 0-based.
    pub order: Vec<JobId>,
    /// The makespan that the file claims.
    pub makespan: Option<f64>,
    /// The objectives that the file claims values of, as it names them.
    pub objective: Option<String>,
    /// The values of these objectives that it claims.
    pub values: Vec<f64>,
    /// The instance that the file claims to answer.
    pub instance: Option<String>,
    /// What else it claims.
    pub claims: Claims,
}

impl From<Vec<JobId>> for GivenOrder {
    fn from(order: Vec<JobId>) -> Self {
        Self {
            order,
            makespan: None,
            objective: None,
            values: Vec::new(),
            instance: None,
            claims: Claims::default(),
        }
    }
}

/// Reads the order of jobs of `instance` from a text: job numbers or job names separated by blanks, commas or
/// line ends, a JSON array of numbers or names, or a result of the schema `pfss.result/1` (of several, the
/// one whose `instance` is this instance's name).
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str, instance: &AnyInstance, options: OrderOptions) -> Result<GivenOrder, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let jobs = Jobs { instance, options };
    match text.trim_start().bytes().next() {
        None => Err(no_order("there is no order here; expected job numbers, job names or a JSON result")),
        Some(b'[') => jobs.array(text, &json::parse::<Value>(text, text)?).map(GivenOrder::from),
        Some(b'{') => jobs.result(text),
        Some(_) => jobs.words(text).map(GivenOrder::from),
    }
}

/// [`read`] of a file.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_file(
    path: &Path,
    instance: &AnyInstance,
    options: OrderOptions,
) -> Result<GivenOrder, ReadError> {
    let given = || read(decode(&std::fs::read(path).map_err(ReadError::new)?)?, instance, options);
    given().map_err(|error| error.in_file(&path.display().to_string()))
}

/// Jobs by name or number, separated by commas or line ends, or a JSON array of numbers and names: any of the instance's, not all.
pub(crate) fn jobs_of(
    text: &str,
    instance: &AnyInstance,
    options: OrderOptions,
) -> Result<Vec<JobId>, ReadError> {
    let jobs = Jobs { instance, options };
    let names = Names::of(instance);
    if text.trim_start().starts_with('[') && names.job(text.trim()).is_err() {
        return jobs.array(text, &json::parse::<Value>(text, text)?);
    }
    let job = |(offset, word): (usize, &str)| {
        let result = match names.job(word) {
            Ok(job) => Ok(job),
            Err(error @ Problem::DuplicateName { .. }) => Err(error),
            Err(_) => match word.parse::<u64>() {
                Ok(number) if is_number(word) && number < instance.num_jobs() as u64 => {
                    jobs.number(number, 0)
                }
                _ => Err(jobs.unknown(word)),
            },
        };
        result.map_err(|problem| ReadError::at(text.as_bytes(), offset, problem))
    };
    let words = text.split([',', ';', '\n']).map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| ((word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize), word))
        .map(job)
        .collect()
}

fn no_order(message: impl Into<String>) -> ReadError {
    ReadError::new(Problem::NoOrder { message: message.into() })
}

/// The fields of a result that matter here.
#[derive(Deserialize)]
struct Given {
    schema: Option<String>,
    instance: Option<String>,
    makespan: Option<f64>,
    objective: Option<String>,
    values: Option<Vec<f64>>,
    order: Option<Value>,
    job_names: Option<Value>,
}

struct Jobs<'a> {
    instance: &'a AnyInstance,
    options: OrderOptions,
}

impl Jobs<'_> {
    /// The order in the one of several results that answers this instance.
    fn result(&self, text: &str) -> Result<GivenOrder, ReadError> {
        let mut results = Vec::new();
        for part in json::values::<&RawValue>(text)? {
            let claims = json::parse::<Claims>(text, part.get())?;
            results.push((json::parse::<Given>(text, part.get())?, claims));
        }
        let name = self.instance.name();
        let index = match results.as_slice() {
            [_] => Some(0),
            results => results.iter().position(|(result, _)| result.instance.as_deref() == Some(name)),
        };
        let (given, claims) = match index {
            Some(index) => results.swap_remove(index),
            None => {
                return Err(no_order(format!(
                    "none of the {} results is for instance `{name}`",
                    results.len()
                )));
            }
        };
        if let Some(found) = given.schema.as_ref().filter(|schema| *schema != record::SCHEMA) {
            let problem = Problem::Schema { found: found.clone(), expected: record::SCHEMA };
            return Err(ReadError::new(problem));
        }
        if given.schema.is_some() && self.options.one_based {
            let message = "a pfss.result/1 always counts jobs from 0; leave out the option to count from 1";
            return Err(ReadError::new(Problem::Base { message }));
        }
        let Some(list) = given.order.as_ref().or(given.job_names.as_ref()) else {
            return Err(no_order(
                "the object has no field `order`; expected an array of 0-based job numbers",
            ));
        };
        let order = self.array(text, list)?;
        let order = self.by_names(text, order, given.job_names.as_ref())?;
        let Given { makespan, objective, instance, .. } = given;
        let values = given.values.unwrap_or_default();
        Ok(GivenOrder { order, makespan, objective, values, instance, claims })
    }

    /// The jobs of a result that has both numbers and names. Where rows were sorted, added or taken away since, the numbers are
    /// those of other jobs: then the names count.
    fn by_names(
        &self,
        text: &str,
        order: Vec<JobId>,
        named: Option<&Value>,
    ) -> Result<Vec<JobId>, ReadError> {
        let (Some(names), Some(named)) = (self.instance.job_names(), named) else { return Ok(order) };
        let is_called =
            |(job, name): (&JobId, &Value)| names.get(*job as usize).map(String::as_str) == name.as_str();
        let count = named.as_array().map_or(0, Vec::len);
        if count == order.len() && order.iter().zip(named.as_array().into_iter().flatten()).all(is_called) {
            return Ok(order);
        }
        self.array(text, named)
    }

    /// Numbers are job numbers, strings are names.
    fn array(&self, text: &str, list: &Value) -> Result<Vec<JobId>, ReadError> {
        let expected = "expected an array of job numbers or job names";
        let Some(items) = list.as_array() else {
            return Err(no_order(format!("the order is no array; {expected}")));
        };
        let names = Names::of(self.instance);
        let item = |(position, item): (usize, &Value)| match item {
            Value::String(name) => names.job(name),
            Value::Number(number) => match number.as_u64() {
                Some(number) => self.number(number, position),
                None => Err(self.unknown(&number.to_string())),
            },
            other => Err(Problem::NoOrder { message: format!("found {other} in the order; {expected}") }),
        };
        let start = text.len() - text.trim_start().len();
        items
            .iter()
            .enumerate()
            .map(item)
            .collect::<Result<_, _>>()
            .map_err(|problem| ReadError::at(text.as_bytes(), start, problem))
    }

    /// A bare list. Where the jobs have names, a list that is an order of all jobs both as numbers and as
    /// names, and not the same one, is refused.
    fn words(&self, text: &str) -> Result<Vec<JobId>, ReadError> {
        let by_number = self.numbers(text);
        if self.instance.job_names().is_none() {
            return by_number;
        }
        let names = Names::of(self.instance);
        match (by_number, names.jobs(text)) {
            (Ok(numbers), None) => Ok(numbers),
            (Err(_), Some(named)) => Ok(named),
            (Err(error), None) => Err(wrong_name(text, &names).unwrap_or(error)),
            (Ok(numbers), Some(named)) => match (self.is_complete(&numbers), self.is_complete(&named)) {
                (true, true) if numbers != named => Err(ReadError::new(Problem::AmbiguousOrder)),
                (false, true) => Ok(named),
                _ => Ok(numbers),
            },
        }
    }

    fn is_complete(&self, order: &[JobId]) -> bool {
        Permutation::new(order.to_vec(), self.instance.num_jobs()).is_ok()
    }

    fn numbers(&self, text: &str) -> Result<Vec<JobId>, ReadError> {
        let job = |(position, (offset, word)): (usize, (usize, &str))| {
            let result = match word.parse::<u64>() {
                Ok(number) if is_number(word) => self.number(number, position),
                _ => Err(self.unknown(word)),
            };
            result.map_err(|problem| ReadError::at(text.as_bytes(), offset, problem))
        };
        words(text).enumerate().map(job).collect()
    }

    fn number(&self, number: u64, position: usize) -> Result<JobId, Problem> {
        let job = match self.options.one_based {
            true => number
                .checked_sub(1)
                .ok_or(Problem::Base { message: "found job 0, but the order was said to count from 1" })?,
            false => number,
        };
        JobId::try_from(job).map_err(|_| {
            let last = (self.instance.num_jobs() as u64).saturating_sub(1);
            Problem::Order(PermutationError::OutOfRange { position, job, last })
        })
    }

    fn unknown(&self, found: &str) -> Problem {
        let last = self.instance.num_jobs().saturating_sub(1);
        let accepted = match (self.instance.job_names(), self.options.one_based) {
            (Some(_), _) => format!("jobs are numbered 0 to {last}, or called by their names"),
            (None, false) => format!("jobs are numbered 0 to {last}"),
            (None, true) => format!("jobs are numbered 1 to {}", last + 1),
        };
        Problem::UnknownJob { found: excerpt(found.as_bytes()), accepted }
    }
}

/// The words of a bare list with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    words.map(|word| ((word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize), word))
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first word of a list that is neither a number nor the name of one job.
fn wrong_name(text: &str, names: &Names<'_>) -> Option<ReadError> {
    words(text).filter(|(_, word)| !is_number(word)).find_map(|(offset, word)| {
        names.job(word).err().map(|problem| ReadError::at(text.as_bytes(), offset, problem))
    })
}
