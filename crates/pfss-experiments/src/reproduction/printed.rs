//! What the paper prints, word for word.

use std::collections::HashSet;

use serde::Deserialize;

/// One cell of a table of the paper. Empty texts stand for what it does not print.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedCell {
    /// The row: a method or training of the plan.
    pub method: String,
    /// The column: a group of the plan; empty for what a training row tells.
    pub group: String,
    /// The mean makespan or tour length.
    pub cost: String,
    /// The gap, as `16.8%`.
    pub gap: String,
    /// The time, as `1.2s` or `43.1h`.
    pub time: String,
    /// The total time with expert and training.
    pub total: String,
    /// Whether the paper's mark of significance stands there.
    pub mark: String,
    /// Other things: parameters of a network, time of an epoch.
    pub other: String,
}

/// All printed cells of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    cells: Vec<PrintedCell>,
}

impl Printed {
    /// Reads the CSV file beside a plan; an empty text holds no cell.
    ///
    /// # Errors
    /// A sentence that names the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let cells: Result<Vec<PrintedCell>, csv::Error> = reader.deserialize().collect();
        let cells = cells.map_err(|error| format!("printed values: {error}"))?;
        for cell in &cells {
            let numbers = [
                (&cell.cost, number(&cell.cost)),
                (&cell.gap, percent(&cell.gap)),
                (&cell.time, seconds(&cell.time)),
                (&cell.total, seconds(&cell.total)),
            ];
            if let Some((text, _)) =
                numbers.into_iter().find(|(text, value)| !text.is_empty() && value.is_none())
            {
                return Err(format!(
                    "printed values: `{text}` of {} {} is no number",
                    cell.method, cell.group
                ));
            }
        }
        Ok(Self { cells })
    }

    /// What is printed in a cell.
    pub fn cell(&self, method: &str, group: &str) -> Option<&PrintedCell> {
        self.cells.iter().find(|cell| cell.method == method && cell.group == group)
    }

    /// All cells.
    pub fn cells(&self) -> &[PrintedCell] {
        &self.cells
    }

    /// A cell whose row or column the plan does not have.
    pub(super) fn stray(
        &self,
        methods: &HashSet<String>,
        groups: &HashSet<String>,
        trainings: &HashSet<String>,
    ) -> Option<String> {
        let is_known = |cell: &PrintedCell| match cell.group.as_str() {
            "" => trainings.contains(&cell.method) || methods.contains(&cell.method),
            group => methods.contains(&cell.method) && groups.contains(group),
        };
        let stray = self.cells.iter().find(|cell| !is_known(cell))?;
        Some(format!("the printed cell `{}`, `{}` has no place in the plan", stray.method, stray.group))
    }
}

/// A plain number.
pub(super) fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// A percentage.
pub(super) fn percent(text: &str) -> Option<f64> {
    text.strip_suffix('%')?.parse().ok()
}

/// A time in seconds.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let (digits, factor) = match text.strip_suffix('h') {
        Some(digits) => (digits, 3600.0),
        None => (text.strip_suffix('s')?, 1.0),
    };
    digits.parse::<f64>().ok().map(|value| value * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_printed() {
        let text = "# Table 1\nmethod,group,cost,gap,time,total,mark,other\nneh,20,29.2,0.0%,12.9s,,,\nrs,20,34.1,16.8%,0.3h,,x,\n";
        let printed = Printed::parse(text).unwrap();
        let cell = printed.cell("rs", "20").unwrap();
        assert_eq!(
            (number(&cell.cost), percent(&cell.gap), seconds(&cell.time)),
            (Some(34.1), Some(16.8), Some(1080.0))
        );
        assert_eq!(cell.mark, "x");
        assert_eq!(printed.cell("rs", "50"), None);
        assert!(Printed::parse("").unwrap().cells().is_empty());
        assert!(Printed::parse(&text.replace("34.1", "34,1")).is_err());
        assert!(Printed::parse(&text.replace("34.1", "many")).unwrap_err().contains("`many` of rs 20"));
    }
}
