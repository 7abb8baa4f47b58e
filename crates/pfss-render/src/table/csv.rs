//! Tables as comma-separated values.

use std::borrow::Cow;

use crate::table::Table;

impl Table {
    /// Comma-separated values with a header line (RFC 4180 quoting, newline line ends).
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        push_line(&mut text, self.header.iter().map(String::as_str));
        for row in &self.rows {
            push_line(&mut text, row.iter().map(|cell| cell.text.as_str()));
        }
        text
    }
}

fn push_line<'a>(text: &mut String, cells: impl Iterator<Item = &'a str>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&quoted(cell));
    }
    text.push('\n');
}

/// Quotes where RFC 4180 asks for them, and around outer blanks, which some readers cut off.
fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains([',', '"', '\n', '\r']) || cell.trim() != cell {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}
