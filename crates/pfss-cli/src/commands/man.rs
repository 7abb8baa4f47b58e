//! `pfss man`: manual pages, made from the same texts as the help.

use std::path::Path;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use pfss_io::atomic;

use crate::args::Cli;
use crate::console::Console;
use crate::exit::Exit;
use crate::output;

/// Writes a page for the program and for each command.
pub(super) fn run(folder: &Path, console: Console) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot create the folder", folder.display()))?;
    output::check_writable(&folder.join("pfss.1"))?;
    let mut pages = Vec::new();
    // Only a built command knows what its parts inherit.
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    collect(&program, &mut pages)?;
    for (name, page) in &pages {
        atomic::write(&folder.join(format!("{name}.1")), page)?;
    }
    console.say(&format!("{} pages in {}", pages.len(), folder.display()));
    Ok(Exit::Success)
}

/// Adds the pages of a command and of all commands in it: their names and contents.
fn collect(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> anyhow::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_string();
    let page = page(command, &name).context("cannot write a manual page")?;
    pages.push((name, page));
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        collect(part, pages)?;
    }
    Ok(())
}

/// One page: name, usage, options, commands, examples, version.
fn page(command: &Command, name: &str) -> std::io::Result<Vec<u8>> {
    let man = Man::new(command.clone()).title(name.to_uppercase());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = command.get_after_help() {
        page.extend(as_typed(&examples.to_string()).into_bytes());
    }
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// A section whose lines stay as they are typed.
fn as_typed(text: &str) -> String {
    let (heading, lines) = match text.split_once('\n') {
        Some((heading, lines)) => (heading.trim_end_matches(':').to_uppercase(), lines),
        None => ("NOTES".to_string(), text),
    };
    let mut section = format!(".SH {heading}\n.nf\n");
    for line in lines.lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        // A dot or quote at the start of a line would be a command.
        let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
        section.push_str(&format!("{guard}{line}\n"));
    }
    section + ".fi\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_no_commands_of_the_page() {
        let section = as_typed("Examples:\n  pfss solve -q a\\b\n.dot");
        assert_eq!(section, ".SH EXAMPLES\n.nf\n  pfss solve \\-q a\\eb\n\\&.dot\n.fi\n");
    }
}
