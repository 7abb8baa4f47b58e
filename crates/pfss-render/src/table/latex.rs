//! Tables as LaTeX.

use crate::table::{Alignment, Cell, Table, one_line};

impl Table {
    /// A LaTeX `tabular` with the rules of the `booktabs` package.
    pub fn to_latex(&self) -> String {
        let columns: String = self
            .alignments
            .iter()
            .map(|alignment| match alignment {
                Alignment::Left => 'l',
                Alignment::Right => 'r',
                Alignment::Centre => 'c',
            })
            .collect();
        let mut text = format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
        push_line(&mut text, self.header.iter().map(|name| escape(name)));
        text.push_str("\\midrule\n");
        for (index, row) in self.rows.iter().enumerate() {
            if self.has_rule(index) {
                text.push_str("\\midrule\n");
            }
            push_line(&mut text, row.iter().map(cell));
        }
        text.push_str("\\bottomrule\n\\end{tabular}\n");
        text
    }
}

fn push_line(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push_str(&cells.collect::<Vec<_>>().join(" & "));
    text.push_str(" \\\\\n");
}

fn cell(cell: &Cell) -> String {
    let text = escape(&cell.text);
    if cell.strong { format!("\\textbf{{{text}}}") } else { text }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            // Some languages make the plain quote a command.
            '"' => escaped.push_str("''"),
            // A bracket after a line break would be read as its argument.
            '[' => escaped.push_str("{[}"),
            ']' => escaped.push_str("{]}"),
            _ => escaped.push(c),
        }
    }
    escaped
}
