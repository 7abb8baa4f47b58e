//! Collects times while a file is scanned and decides whether they are integers or reals.

use pfss_core::{Instance, InstanceError};

use crate::AnyInstance;
use crate::error::{Problem, ReadError, excerpt};

const EXPECTED: &str = "a processing time such as 12 or 3.5";

/// Real numbers hold all whole numbers up to here.
const MOST_EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

enum Values {
    Integer(Vec<u32>),
    Real(Vec<f64>),
}

/// The times read so far: integers until the first number with a point or an exponent.
pub(crate) struct Times {
    values: Values,
    /// Where the first whole number stands that does not fit: an error, unless the file turns out real.
    overflow: Option<(usize, String)>,
    /// Where the first one stands that no real number holds exactly either.
    inexact: Option<(usize, String)>,
    has_real: bool,
}

impl Times {
    /// Room for `expected` times, but never for more than `bytes` bytes of text can hold.
    pub(crate) fn with_room(expected: usize, bytes: usize) -> Self {
        // A number and its separator take two bytes.
        let capacity = expected.min(bytes / 2 + 1);
        Self {
            values: Values::Integer(Vec::with_capacity(capacity)),
            overflow: None,
            inexact: None,
            has_real: false,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.values {
            Values::Integer(values) => values.len(),
            Values::Real(values) => values.len(),
        }
    }

    /// Adds a whole number of at most nineteen digits.
    #[inline]
    pub(crate) fn push_whole(&mut self, value: u64, offset: usize) {
        match (&mut self.values, u32::try_from(value)) {
            (Values::Integer(values), Ok(value)) => values.push(value),
            (Values::Real(values), Ok(value)) => values.push(f64::from(value)),
            (_, Err(_)) => self.push_large(value, offset),
        }
    }

    /// Adds a whole number that is no time in a file of whole numbers.
    #[expect(clippy::cast_precision_loss, reason = "what rounding would change is refused")]
    fn push_large(&mut self, value: u64, offset: usize) {
        self.overflow.get_or_insert_with(|| (offset, value.to_string()));
        if value > MOST_EXACT {
            self.inexact.get_or_insert_with(|| (offset, value.to_string()));
        }
        self.push_real(value as f64);
    }

    /// Adds any other token: a real number, a very long whole number, or something wrong.
    pub(crate) fn push_token(&mut self, token: &[u8], offset: usize) -> Result<(), Problem> {
        let value = number(token)?;
        if token.iter().all(|byte| byte.is_ascii_digit() || *byte == b'+') {
            let mut digits = token.iter().filter(|byte| byte.is_ascii_digit());
            let whole = digits
                .try_fold(0u64, |whole, digit| whole.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
            if let Some(whole) = whole {
                self.push_whole(whole, offset);
                return Ok(());
            }
            self.overflow.get_or_insert_with(|| (offset, excerpt(token)));
            self.inexact.get_or_insert_with(|| (offset, excerpt(token)));
            self.push_real(value);
        } else {
            self.push_decimal(value);
        }
        Ok(())
    }

    /// Adds a number that was written with a point.
    #[inline]
    pub(crate) fn push_decimal(&mut self, value: f64) {
        self.has_real = true;
        self.push_real(value);
    }

    fn push_real(&mut self, value: f64) {
        match &mut self.values {
            Values::Real(values) => values.push(value),
            Values::Integer(values) => {
                let mut reals = Vec::with_capacity(values.capacity());
                reals.extend(values.iter().map(|&value| f64::from(value)));
                reals.push(value);
                self.values = Values::Real(reals);
            }
        }
    }

    /// The instance with job rows of `num_machines` times.
    pub(crate) fn into_job_rows(self, text: &[u8], num_machines: usize) -> Result<AnyInstance, ReadError> {
        self.checked(text)?.instance(num_machines).map_err(ReadError::new)
    }

    /// The instance with machine rows of `num_jobs` times.
    pub(crate) fn into_machine_rows(
        mut self,
        text: &[u8],
        num_jobs: usize,
    ) -> Result<AnyInstance, ReadError> {
        let num_machines = self.len() / num_jobs.max(1);
        self.values = match self.values {
            Values::Integer(values) => Values::Integer(transposed(&values, num_jobs)),
            Values::Real(values) => Values::Real(transposed(&values, num_jobs)),
        };
        self.into_job_rows(text, num_machines)
    }

    fn checked(self, text: &[u8]) -> Result<Self, ReadError> {
        let refused = |(offset, found): &(usize, String), limit: u64, hint| {
            let (found, limit) = (found.clone(), limit.to_string());
            let problem = Problem::TooLarge { found, what: "whole processing time", limit, hint };
            Err(ReadError::at(text, *offset, problem))
        };
        match (&self.overflow, &self.inexact) {
            (Some(place), _) if !self.has_real => refused(
                place,
                u32::MAX.into(),
                "; use a coarser unit of time, or write a point (`5.0`) for real times",
            ),
            (_, Some(place)) => refused(place, MOST_EXACT, "; use a coarser unit of time"),
            _ => Ok(self),
        }
    }

    fn instance(self, num_machines: usize) -> Result<AnyInstance, InstanceError> {
        Ok(match self.values {
            Values::Integer(mut values) => {
                values.shrink_to_fit();
                Instance::new("", num_machines, values)?.into()
            }
            Values::Real(mut values) => {
                values.shrink_to_fit();
                Instance::new("", num_machines, values)?.into()
            }
        })
    }
}

fn transposed<T: Copy>(values: &[T], row_length: usize) -> Vec<T> {
    let rows = values.len() / row_length.max(1);
    let mut result = Vec::with_capacity(values.len());
    for column in 0..row_length {
        result.extend((0..rows).map(|row| values[row * row_length + column]));
    }
    result
}

/// A finite number that is not negative, as people write it: `12`, `+12`, `3.5`, `.5`, `5.`, `1e3`.
pub(crate) fn number(token: &[u8]) -> Result<f64, Problem> {
    let found = || excerpt(token);
    let text = std::str::from_utf8(token).unwrap_or_default();
    match text.parse::<f64>() {
        // A sign on zero is refused as well: whoever writes it means something else.
        Ok(value) if value.is_sign_negative() && !value.is_nan() => Err(Problem::Negative { found: found() }),
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) if token.iter().any(u8::is_ascii_digit) => Err(Problem::TooLarge {
            found: found(),
            what: "number",
            limit: format!("{:e}", f64::MAX),
            hint: "",
        }),
        Ok(_) => Err(Problem::NotFinite { found: found() }),
        Err(_) if is_decimal_comma(token) => Err(Problem::NotANumber {
            found: found(),
            expected: EXPECTED,
            hint: "; write decimals with a point, not a comma",
        }),
        Err(_) => Err(Problem::NotANumber { found: found(), expected: EXPECTED, hint: "" }),
    }
}

/// Whether the token is a number with a decimal comma, as some spreadsheets write it.
pub(crate) fn is_decimal_comma(token: &[u8]) -> bool {
    let mut parts = token.split(|&byte| byte == b',');
    let digits =
        |part: Option<&[u8]>| part.is_some_and(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit));
    digits(parts.next()) && digits(parts.next()) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (text, value) in
            [("12", 12.0), ("+7", 7.0), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("0", 0.0)]
        {
            assert_eq!(number(text.as_bytes()).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn other_words_are_typed_errors() {
        assert!(matches!(number(b"-1"), Err(Problem::Negative { .. })));
        assert!(matches!(number(b"-inf"), Err(Problem::Negative { .. })));
        assert!(matches!(number(b"inf"), Err(Problem::NotFinite { .. })));
        assert!(matches!(number(b"NaN"), Err(Problem::NotFinite { .. })));
        assert!(matches!(number(b"1e999"), Err(Problem::TooLarge { .. })));
        assert!(matches!(number(b"x"), Err(Problem::NotANumber { hint: "", .. })));
        assert!(number(b"3,5").unwrap_err().to_string().ends_with("with a point, not a comma"));
        assert!(matches!(number(b"\xff"), Err(Problem::NotANumber { .. })));
    }

    #[test]
    fn large_whole_numbers_are_errors_unless_the_file_is_real() {
        let mut times = Times::with_room(4, 100);
        times.push_whole(1, 0);
        times.push_whole(5_000_000_000, 2);
        times.push_whole(3, 13);
        let error = times.into_job_rows(b"1 5000000000 3", 1).unwrap_err();
        assert!(error.to_string().starts_with("line 1, column 3: `5000000000` is too large"), "{error}");

        let mut times = Times::with_room(4, 100);
        times.push_whole(5_000_000_000, 0);
        times.push_token(b"0.5", 11).unwrap();
        let AnyInstance::Real(instance) = times.into_job_rows(b"5000000000 0.5", 1).unwrap() else {
            panic!("expected reals")
        };
        assert_eq!(instance.times(), &[5e9, 0.5]);
    }
}
