//! Tables as aligned plain text.

use crate::table::{Table, one_line, padded, widths};

impl Table {
    /// Columns of plain text for a terminal; the last line ends with a newline.
    pub fn to_text(&self) -> String {
        let mut lines: Vec<Vec<String>> = vec![self.header.iter().map(|name| one_line(name)).collect()];
        lines.extend(self.rows.iter().map(|row| row.iter().map(|cell| one_line(&cell.text)).collect()));
        let widths = widths(&lines, 1);
        let rule = widths.iter().map(|&width| "-".repeat(width)).collect::<Vec<_>>().join("  ");
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if index == 1 || index > 1 && self.has_rule(index - 1) {
                text.push_str(&rule);
                text.push('\n');
            }
            let cells = line.iter().zip(&widths).zip(&self.alignments);
            let cells: Vec<String> =
                cells.map(|((cell, &width), &alignment)| padded(cell, width, alignment)).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}
