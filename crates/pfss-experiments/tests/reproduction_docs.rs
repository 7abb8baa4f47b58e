//! The page of results is what the result files say, byte for byte.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use pfss_experiments::reproduction::render::{document, pictures};
use pfss_experiments::reproduction::{Summary, plans};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn summaries() -> Vec<Summary> {
    let names = plans().unwrap().into_iter().map(|plan| plan.name);
    let read =
        |name: String| std::fs::read_to_string(root().join(format!("experiments/results/{name}.json"))).ok();
    names.filter_map(read).map(|text| Summary::from_json(&text).unwrap()).collect()
}

#[test]
fn the_page_is_generated_from_the_results() {
    let (plans, summaries) = (plans().unwrap(), summaries());
    let page = std::fs::read_to_string(root().join("docs/reproduction.md")).unwrap();
    let expected = document(&plans, &summaries).unwrap();
    assert!(page == expected, "docs/reproduction.md is not what `pfss reproduce docs` writes: run it");
    for summary in &summaries {
        let plan = plans.iter().find(|plan| plan.name == summary.plan).unwrap();
        for picture in pictures(plan, summary).unwrap() {
            let file = root().join("docs/images/reproduction").join(&picture.file);
            assert!(std::fs::read_to_string(file).unwrap() == picture.svg, "{} is out of date", picture.file);
        }
    }
}

#[test]
fn results_are_of_full_scale_and_read_back() {
    for summary in summaries() {
        assert!(!summary.origin.quick, "{}", summary.plan);
        assert_eq!(Summary::from_json(&summary.to_json().unwrap()).unwrap(), summary);
    }
    let files = std::fs::read_dir(root().join("experiments/results")).into_iter().flatten();
    let names: Vec<String> = plans().unwrap().into_iter().map(|plan| format!("{}.json", plan.name)).collect();
    for file in files {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || names.contains(&name), "{name} belongs to no plan");
    }
}
