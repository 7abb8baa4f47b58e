//! Blocks of a page that are generated.

use super::content::content;
use super::{PageError, Sources};

const START: &str = "<!-- measured: ";
const END: &str = "<!-- end -->";

/// The page with its blocks filled from the files; everything else stays as it is.
///
/// # Errors
/// [`PageError`] when a block is unknown, does not end, or has no rows.
pub fn rewrite(page: &str, text: &str, sources: &Sources) -> Result<String, PageError> {
    let mut filled = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        filled.push_str(line);
        filled.push('\n');
        let Some(block) = line.strip_prefix(START).and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let (file, name) = block.split_once(' ').ok_or_else(|| PageError::UnknownBlock(block.to_string()))?;
        filled.push_str(&content(file, name, sources)?);
        filled.push_str(END);
        filled.push('\n');
        if !lines.by_ref().any(|line| line == END) {
            return Err(PageError::Unclosed { page: page.to_string(), block: block.to_string() });
        }
    }
    Ok(filled)
}
