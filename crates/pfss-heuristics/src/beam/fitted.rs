//! Weighings that were fitted to drawn instances (`pfss train guide`), and which of them suits an instance.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pfss_core::{Instance, Time};
use thiserror::Error;

use super::weighing::Weighing;

/// The columns of a table: a shape, and the numbers of its weighing.
const COLUMNS: &str = "num_jobs,num_machines,variation,urgency,slope,curve,urgency_added,slope_added,curve_added,bound_power,idle_power,idle_scale,idle_floor";

/// How far apart shapes are before one says little of the other: in logarithms of jobs and machines, and in variation.
const WIDTHS: [f64; 3] = [0.7, 0.35, 0.25];

/// Farther from all that were fitted than so many of these, none suits.
const REACH: f64 = 1.2;

/// What of an instance says how to weigh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The number of jobs.
    pub num_jobs: usize,
    /// The number of machines.
    pub num_machines: usize,
    /// The standard deviation of the times, as a share of their mean.
    pub variation: f64,
}

/// Why there is no table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeighingTableError {
    /// The file cannot be read.
    #[error("{}: cannot read the table of weighings: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not as [`WeighingTable::to_csv`] writes it.
    #[error("line {line} of the table of weighings: found `{found}`, expected {COLUMNS}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// The line as written.
        found: String,
    },
}

/// Weighings by shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeighingTable {
    rows: Vec<(Shape, Weighing)>,
}

impl Shape {
    /// The shape of an instance.
    pub fn of<T: Time>(instance: &Instance<T>) -> Self {
        let mean = instance.mean_time();
        let square = |time: &T| (time.to_f64() / mean - 1.0).powi(2);
        let times = instance.times();
        let variance = times.iter().map(square).sum::<f64>() / times.len() as f64;
        let variation = if mean > 0.0 { variance.sqrt() } else { 0.0 };
        Self { num_jobs: instance.num_jobs(), num_machines: instance.num_machines(), variation }
    }

    /// How far apart two shapes are.
    fn distance(&self, other: &Self) -> f64 {
        let ratio = |one: usize, other: usize| (one as f64 / other as f64).ln();
        let apart = [
            ratio(self.num_jobs, other.num_jobs),
            ratio(self.num_machines, other.num_machines),
            self.variation - other.variation,
        ];
        apart.iter().zip(WIDTHS).map(|(apart, width)| (apart / width).powi(2)).sum::<f64>().sqrt()
    }
}

impl WeighingTable {
    /// The table that comes with the program.
    pub fn built_in() -> &'static Self {
        static TABLE: OnceLock<WeighingTable> = OnceLock::new();
        // A test reads it.
        TABLE.get_or_init(|| Self::parse(include_str!("weighings.csv")).unwrap_or_default())
    }

    /// The table in a file.
    ///
    /// # Errors
    /// [`WeighingTableError`] says what is wrong and where.
    pub fn read(path: &Path) -> Result<Self, WeighingTableError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| WeighingTableError::Read { path: path.to_path_buf(), source })?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, WeighingTableError> {
        let mut rows = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let wrong = || WeighingTableError::Line { line: index + 1, found: line.to_string() };
            match index {
                0 if line == COLUMNS => (),
                0 => return Err(wrong()),
                _ => rows.push(row(line).ok_or_else(wrong)?),
            }
        }
        Ok(Self { rows })
    }

    /// The table as text, a line for each shape.
    pub fn to_csv(&self) -> String {
        let mut text = format!("{COLUMNS}\n");
        for (shape, weighing) in &self.rows {
            let _ = write!(text, "{},{},{:.2}", shape.num_jobs, shape.num_machines, shape.variation);
            for number in weighing.to_array() {
                let _ = write!(text, ",{number:.3}");
            }
            text.push('\n');
        }
        text
    }

    /// Adds what was fitted to a shape; it takes the place of an older one.
    pub fn insert(&mut self, shape: Shape, weighing: Weighing) {
        self.rows.retain(|(other, _)| shape.distance(other) > 1e-6);
        self.rows.push((shape, weighing));
    }

    /// The weighing of the nearest shape; `None` where all are far.
    pub fn nearest(&self, shape: &Shape) -> Option<Weighing> {
        let distances = self.rows.iter().map(|(other, weighing)| (shape.distance(other), weighing));
        let (distance, weighing) = distances.min_by(|one, other| one.0.total_cmp(&other.0))?;
        (distance <= REACH).then_some(*weighing)
    }
}

fn row(line: &str) -> Option<(Shape, Weighing)> {
    let mut fields = line.split(',');
    let (num_jobs, num_machines) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let variation = fields.next()?.parse().ok().filter(|number: &f64| number.is_finite())?;
    let mut numbers = [0.0; Weighing::LEN];
    for number in &mut numbers {
        *number = fields.next()?.parse().ok().filter(|number: &f32| number.is_finite())?;
    }
    let shape = Shape { num_jobs, num_machines, variation };
    (fields.next().is_none() && num_jobs > 0 && num_machines > 0)
        .then(|| (shape, Weighing::from_array(numbers)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate;

    #[test]
    fn the_table_that_comes_with_the_program_can_be_read_and_written() {
        let text = include_str!("weighings.csv");
        let table = WeighingTable::parse(text).unwrap();
        assert!(!table.rows.is_empty());
        assert_eq!(table.to_csv(), text);
    }

    #[test]
    fn lines_that_are_no_rows_are_named() {
        let of = |line: &str| WeighingTable::parse(&format!("{COLUMNS}\n{line}\n"));
        assert!(of("100,20,0.57,1,0,0,0,0,0,1,1,1,0").is_ok());
        for line in [
            "100,20,0.57,1,0,0,0,0,0,1,1,1",
            "100,20,0.57,1,0,0,0,0,0,1,1,1,0,0",
            "0,20,0.57,1,0,0,0,0,0,1,1,1,0",
            "100,20,0.57,1,0,0,0,0,0,1,1,1,NaN",
        ] {
            let error = of(line).unwrap_err();
            assert!(matches!(error, WeighingTableError::Line { line: 2, .. }), "{line}: {error}");
        }
        assert!(matches!(WeighingTable::parse("a,b"), Err(WeighingTableError::Line { line: 1, .. })));
    }

    #[test]
    fn the_nearest_shape_counts_and_a_far_one_does_not() {
        let shape = |num_jobs, num_machines, variation| Shape { num_jobs, num_machines, variation };
        let other = Weighing { idle_scale: 0.5, ..Weighing::WALPHA };
        let mut table = WeighingTable::default();
        table.insert(shape(100, 20, 0.57), Weighing::WALPHA);
        table.insert(shape(100, 40, 0.57), other);
        assert_eq!(table.nearest(&shape(120, 22, 0.6)), Some(Weighing::WALPHA));
        assert_eq!(table.nearest(&shape(120, 35, 0.6)), Some(other));
        assert_eq!(table.nearest(&shape(100, 5, 0.57)), None);
        assert_eq!(table.nearest(&shape(100, 20, 1.5)), None);
        table.insert(shape(100, 40, 0.57), Weighing::WALPHA);
        assert_eq!(table.nearest(&shape(100, 40, 0.57)), Some(Weighing::WALPHA));
    }

    #[test]
    fn uniform_times_vary_by_0_57() {
        let shape = Shape::of(&generate::taillard_benchmark(111).unwrap());
        assert_eq!((shape.num_jobs, shape.num_machines), (500, 20));
        assert!((shape.variation - 0.57).abs() < 0.01, "{}", shape.variation);
        let zeros = Instance::new("", 2, vec![0u32; 6]).unwrap();
        assert_eq!(Shape::of(&zeros).variation, 0.0);
    }
}
