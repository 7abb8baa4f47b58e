//! Tables as Markdown.

use crate::table::{Alignment, Cell, Table, one_line, padded, widths};

impl Table {
    /// A Markdown table as GitHub renders it.
    pub fn to_markdown(&self) -> String {
        let mut lines: Vec<Vec<String>> = vec![self.header.iter().map(|name| escape(name)).collect()];
        lines.extend(self.rows.iter().map(|row| row.iter().map(cell).collect()));
        let widths = widths(&lines, 3);
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            let cells = line.iter().zip(&widths).zip(&self.alignments);
            push_line(&mut text, cells.map(|((cell, &width), &alignment)| padded(cell, width, alignment)));
            if index == 0 {
                push_line(
                    &mut text,
                    widths.iter().zip(&self.alignments).map(|(&width, &a)| marker(width, a)),
                );
            }
        }
        text
    }
}

fn push_line(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push('|');
    for cell in cells {
        text.push(' ');
        text.push_str(&cell);
        text.push_str(" |");
    }
    text.push('\n');
}

/// The dashes below the header that tell the alignment.
fn marker(width: usize, alignment: Alignment) -> String {
    match alignment {
        Alignment::Left => "-".repeat(width),
        Alignment::Right => "-".repeat(width - 1) + ":",
        Alignment::Centre => format!(":{}:", "-".repeat(width - 2)),
    }
}

fn cell(cell: &Cell) -> String {
    let text = escape(&cell.text);
    if cell.strong && !text.is_empty() { format!("**{text}**") } else { text }
}

/// Backslashes before characters that Markdown reads as markup. An underscore inside a word is none.
fn escape(text: &str) -> String {
    let text = one_line(text);
    let characters: Vec<char> = text.trim().chars().collect();
    let is_word = |index: Option<usize>| {
        index.and_then(|index| characters.get(index)).is_some_and(|c| c.is_alphanumeric())
    };
    let mut escaped = String::with_capacity(text.len());
    for (index, &c) in characters.iter().enumerate() {
        let inside_word = is_word(index.checked_sub(1)) && is_word(Some(index + 1));
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '|' | '\\' | '*' | '`' | '[' | ']' | '~' => escaped.extend(['\\', c]),
            '_' if !inside_word => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}
