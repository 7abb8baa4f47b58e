//! Measured pages are what the files of rows say, byte for byte.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use pfss_experiments::pages::{Measured, PAGES, PageError, Sources, rewrite};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

#[test]
fn pages_are_filled_from_the_rows() {
    let sources = Sources::read(&root()).unwrap();
    for page in PAGES {
        let text = text(page);
        assert!(text.contains("<!-- measured: "), "{page} has no block");
        assert!(
            rewrite(page, &text, &sources).unwrap() == text,
            "{page} is not what `pfss reproduce docs` writes: run it"
        );
    }
}

#[test]
fn no_page_shows_a_trial() {
    let sources = Sources::read(&root()).unwrap();
    for (file, Measured { origin, .. }) in sources.files() {
        assert!(!origin.quick, "{file}.csv is of `--quick`: run `scripts/measure {file}`");
        for value in [&origin.cpu, &origin.cores, &origin.date, &origin.program, &origin.command] {
            assert!(!value.is_empty(), "the head of {file}.csv is incomplete: {origin:?}");
        }
    }
}

#[test]
fn every_measured_page_names_its_machine_and_date() {
    // The orders come from many runs, and each line names its own.
    let is_measured = |page: &&str| page.starts_with("docs/results/") && !page.ends_with("new-best-known.md");
    for page in PAGES.into_iter().filter(is_measured) {
        let name = page.trim_start_matches("docs/results/").trim_end_matches(".md");
        let text = text(page);
        let at = text.find(&format!("<!-- measured: {name} origin -->")).unwrap();
        assert!(text[at..].contains("Measured on 20"), "{page}");
    }
}

#[test]
fn blocks_that_cannot_be_filled_are_refused() {
    let sources = Sources::read(&root()).unwrap();
    let fill = |text: &str| rewrite("page", text, &sources);
    assert_eq!(fill("a\n\nb\n").unwrap(), "a\n\nb\n");
    assert!(matches!(
        fill("<!-- measured: tsp nothing -->\n<!-- end -->\n"),
        Err(PageError::UnknownBlock(_))
    ));
    assert!(matches!(fill("<!-- measured: nowhere x -->\n<!-- end -->\n"), Err(PageError::UnknownBlock(_))));
    assert!(matches!(fill("<!-- measured: tsp proofs -->\nold\n"), Err(PageError::Unclosed { .. })));
    assert!(matches!(sources.table("tsp", "nothing"), Err(PageError::NoRows { .. })));
    let old = "a\n<!-- measured: tsp proofs -->\nold\n<!-- end -->\nb\n";
    let filled = fill(old).unwrap();
    assert!(
        !filled.contains("old") && filled.starts_with("a\n") && filled.ends_with("<!-- end -->\nb\n"),
        "{filled}"
    );
    assert_eq!(fill(&filled).unwrap(), filled);
}

#[test]
fn a_file_without_its_columns_is_refused() {
    let error = Measured::parse(Path::new("x.csv"), "# date: d\ntable,set\nt,s\n").unwrap_err();
    assert!(error.to_string().starts_with("x.csv: "), "{error}");
    let columns =
        "table,set,contender,instance,count,seed,limit,cost,best_known,bound,status,runtime_s,evaluations";
    let text = |cost: &str| format!("{columns}\nt,s,c,i,1,1,l,{cost},,,,,\n");
    assert!(Measured::parse(Path::new("x.csv"), &text("7")).is_ok());
    let error = Measured::parse(Path::new("x.csv"), &text("nan")).unwrap_err();
    assert!(error.to_string().contains("not finite"), "{error}");
}
