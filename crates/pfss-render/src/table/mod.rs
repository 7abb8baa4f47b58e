//! Small tables for terminals, reports and papers.

mod csv;
mod latex;
mod markdown;
mod text;

use crate::RenderError;

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// At the left, for words.
    #[default]
    Left,
    /// At the right, for numbers.
    Right,
    /// In the middle.
    Centre,
}

/// A cell: its text, and whether it is emphasised (bold where the format has bold).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The text, unescaped.
    pub text: String,
    /// Whether it stands out, as the best value of a row does.
    pub strong: bool,
}

impl Cell {
    /// An emphasised cell.
    pub fn strong(text: impl Into<String>) -> Self {
        Self { text: text.into(), strong: true }
    }
}

impl<S: Into<String>> From<S> for Cell {
    fn from(text: S) -> Self {
        Self { text: text.into(), strong: false }
    }
}

/// A table: columns with a header and an alignment, and rows of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    header: Vec<String>,
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Cell>>,
    /// Rows that a rule stands above.
    rules: Vec<usize>,
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = (S, Alignment)>) -> Self {
        let (header, alignments) =
            columns.into_iter().map(|(name, alignment)| (name.into(), alignment)).unzip();
        Self { header, alignments, ..Self::default() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// [`RenderError::RowLength`] when it does not have one cell per column.
    pub fn push_row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<(), RenderError> {
        let row: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        if row.len() != self.header.len() {
            return Err(RenderError::RowLength { found: row.len(), expected: self.header.len() });
        }
        self.rows.push(row);
        Ok(())
    }

    /// Draws a rule below the rows so far, as above a line of means (text and LaTeX only).
    pub fn push_rule(&mut self) {
        self.rules.push(self.rows.len());
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// Whether a rule stands above this row.
    fn has_rule(&self, row: usize) -> bool {
        row > 0 && row < self.rows.len() && self.rules.contains(&row)
    }
}

/// Widths of the columns in characters, at least `least`.
fn widths(lines: &[Vec<String>], least: usize) -> Vec<usize> {
    let mut widths = Vec::new();
    for line in lines {
        widths.resize(widths.len().max(line.len()), least);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    widths
}

/// The text filled with blanks to a width in characters.
fn padded(text: &str, width: usize, alignment: Alignment) -> String {
    match alignment {
        Alignment::Left => format!("{text:<width$}"),
        Alignment::Right => format!("{text:>width$}"),
        Alignment::Centre => format!("{text:^width$}"),
    }
}

/// The text on one line: control characters become blanks.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let mut table = Table::new([
            ("algorithm", Alignment::Left),
            ("ARPD", Alignment::Right),
            ("best", Alignment::Centre),
        ]);
        table.push_row(["iterated_greedy".into(), Cell::strong("0.44"), "x".into()]).unwrap();
        table.push_row(["50% & more | \"A,B\"", "12.30", ""]).unwrap();
        table.push_rule();
        table.push_row(["mean", "6.37", "-"]).unwrap();
        table
    }

    #[test]
    fn rows_need_one_cell_per_column() {
        let mut table = example();
        assert_eq!(table.push_row(["a", "b"]), Err(RenderError::RowLength { found: 2, expected: 3 }));
        assert_eq!(table.rows().len(), 3);
    }

    #[test]
    fn text_is_aligned() {
        insta::assert_snapshot!(example().to_text(), @r##"
        algorithm            ARPD  best
        ------------------  -----  ----
        iterated_greedy      0.44   x
        50% & more | "A,B"  12.30
        ------------------  -----  ----
        mean                 6.37   -
        "##);
    }

    #[test]
    fn markdown_is_escaped_and_aligned() {
        insta::assert_snapshot!(example().to_markdown(), @r##"
        | algorithm               |     ARPD | best |
        | ----------------------- | -------: | :--: |
        | iterated_greedy         | **0.44** |  x   |
        | 50% &amp; more \| "A,B" |    12.30 |      |
        | mean                    |     6.37 |  -   |
        "##);
    }

    #[test]
    fn latex_is_escaped_with_booktabs() {
        insta::assert_snapshot!(example().to_latex(), @r##"
        \begin{tabular}{lrc}
        \toprule
        algorithm & ARPD & best \\
        \midrule
        iterated\_greedy & \textbf{0.44} & x \\
        50\% \& more \textbar{} ''A,B'' & 12.30 &  \\
        \midrule
        mean & 6.37 & - \\
        \bottomrule
        \end{tabular}
        "##);
    }

    #[test]
    fn csv_is_quoted() {
        insta::assert_snapshot!(example().to_csv(), @r##"
        algorithm,ARPD,best
        iterated_greedy,0.44,x
        "50% & more | ""A,B""",12.30,
        mean,6.37,-
        "##);
    }

    #[test]
    fn empty_tables_are_written_too() {
        let table = Table::new(Vec::<(String, Alignment)>::new());
        assert_eq!(table.to_csv(), "\n");
        assert!(table.to_latex().contains("tabular"));
        assert!(table.to_text().len() <= 2 && table.to_markdown().len() <= 8);
    }
}
