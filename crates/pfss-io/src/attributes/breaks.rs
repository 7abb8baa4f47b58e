//! The breaks of one machine.

use std::collections::BTreeMap;

use crate::clock::{Clock, Meaning, is_date};
use crate::error::Problem;

use super::value::moment;

/// Breaks as they are read, by their begin. None begins before 0, and the bits of such numbers are in their order.
#[derive(Default)]
pub(crate) struct Breaks(BTreeMap<u64, (f64, f64)>);

impl Breaks {
    /// Adds a break from one moment to another. What lies before the start has no effect and is left out.
    pub(crate) fn add(&mut self, from: &str, to: &str, clock: Option<&Clock>) -> Result<(), Problem> {
        let begin = moment(from, clock, Meaning::Begin, "a break's begin")?;
        if begin < 0.0 && !is_date(from) {
            return Err(wrong(format!("a break begins at `{from}`, but time begins at 0")));
        }
        let end = moment(to, clock, Meaning::EndAfter(begin), "a break's end")?;
        if end <= begin {
            return Err(wrong(format!(
                "a break from {from} to {to} has no length; its end comes after its begin"
            )));
        }
        if end <= 0.0 {
            return Ok(());
        }
        // A zero has no sign.
        let begin = begin.max(0.0) + 0.0;
        let before = self.0.range(..begin.to_bits()).next_back().filter(|(_, other)| other.1 > begin);
        let after = self.0.range(begin.to_bits()..).next().filter(|(_, other)| other.0 < end);
        if let Some((_, other)) = before.or(after) {
            return Err(wrong(format!(
                "the break from {from} to {to} overlaps the one from {} to {}; write them as one",
                other.0, other.1
            )));
        }
        self.0.insert(begin.to_bits(), (begin, end));
        Ok(())
    }

    pub(crate) fn into_inner(self) -> Vec<(f64, f64)> {
        self.0.into_values().collect()
    }
}

fn wrong(message: String) -> Problem {
    Problem::Attribute { message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Unit;

    #[test]
    fn breaks_are_sorted_and_never_overlap() {
        let mut breaks = Breaks::default();
        breaks.add("60", "90", None).unwrap();
        breaks.add("10", "20", None).unwrap();
        breaks.add("20", "30", None).unwrap();
        for (from, to, part) in [
            ("25", "40", "overlaps the one from 20 to 30"),
            ("50", "100", "overlaps the one from 60 to 90"),
            ("5", "5", "has no length"),
            ("-5", "5", "time begins at 0"),
            ("60", "61", "overlaps"),
        ] {
            let message = breaks.add(from, to, None).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(breaks.into_inner(), [(10.0, 20.0), (20.0, 30.0), (60.0, 90.0)]);
    }

    #[test]
    fn clock_breaks_may_reach_back_before_the_start() {
        let clock = Clock::new("2026-11-16T06:00", Unit::Minute).unwrap();
        let mut breaks = Breaks::default();
        breaks.add("12:00", "12:30", Some(&clock)).unwrap();
        breaks.add("2026-11-16T05:00", "2026-11-16T06:10", Some(&clock)).unwrap();
        breaks.add("2026-11-15T05:00", "2026-11-15T06:10", Some(&clock)).unwrap();
        breaks.add("22:00", "06:00", Some(&clock)).unwrap();
        assert_eq!(breaks.into_inner(), [(0.0, 10.0), (360.0, 390.0), (960.0, 1440.0)]);
    }
}
