//! The pages of results are what the result files say, byte for byte.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use pfss_experiments::reproduction::render::{pages, pictures};
use pfss_experiments::reproduction::{Models, Summary, plans, read_rows};

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
fn the_pages_are_generated_from_the_results() {
    let (plans, summaries) = (plans().unwrap(), summaries());
    let folder = root().join("docs/results/reproduction");
    let (mut told, mut names) = (String::new(), Vec::new());
    for page in pages(&plans, &summaries).unwrap() {
        let written = std::fs::read_to_string(folder.join(&page.file)).unwrap();
        assert!(written == page.text, "{} is not what `pfss reproduce docs` writes: run it", page.file);
        told.push_str(&page.text);
        names.push(page.file.to_string());
    }
    for below in ["", "tables/"] {
        for file in std::fs::read_dir(folder.join(below)).unwrap() {
            let name = format!("{below}{}", file.unwrap().file_name().into_string().unwrap());
            let is_folder = name == "images" || name == "tables";
            assert!(is_folder || names.contains(&name), "{name} is no page of results");
        }
    }
    let pages = names.iter().filter(|name| name.ends_with(".md"));
    let words: usize = pages
        .map(|name| std::fs::read_to_string(folder.join(name)).unwrap().split_whitespace().count())
        .sum();
    assert!(words <= 8_000, "the pages have {words} words");
    for plan in &plans {
        let heading = format!("\n## {} ({})\n", plan.title, plan.paper);
        assert_eq!(told.matches(&heading).count(), 1, "{} is not on exactly one page", plan.name);
    }
    for summary in &summaries {
        let plan = plans.iter().find(|plan| plan.name == summary.plan).unwrap();
        for picture in pictures(plan, summary).unwrap() {
            let file = folder.join("images").join(&picture.file);
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
        let summary = name.replace(".rows.csv.xz", ".json");
        assert!(name == "README.md" || names.contains(&summary), "{name} belongs to no plan");
    }
}

#[test]
fn the_kept_rows_give_the_results() {
    let (plans, mut checked, mut size) = (plans().unwrap(), 0, 0);
    for summary in summaries() {
        let plan = plans.iter().find(|plan| plan.name == summary.plan).unwrap();
        let path = root().join(format!("experiments/results/{}.rows.csv.xz", plan.name));
        let Ok(compressed) = std::fs::read(&path) else { continue };
        size += compressed.len();
        let text = String::from_utf8(pfss_io::xz::decompress(&compressed).unwrap()).unwrap();
        let again = summary.from_rows(plan, read_rows(&text, &plan.groups).unwrap());
        assert_eq!(summary.difference(&again), None, "{}", plan.name);
        checked += 1;
    }
    println!("{checked} plans have rows, {size} bytes");
    assert!(size < 4_000_000, "the rows take {size} bytes");
}

/// The models of other seeds of a plan are trained like the first: a mean over them is one of seeds, nothing else.
#[test]
fn trainings_of_a_row_differ_by_the_seed_alone() {
    let models = Models::in_folder(&root().join("models"));
    let mut wrong = Vec::new();
    let mut names: Vec<String> = plans().unwrap().iter().flat_map(|plan| plan.models()).collect();
    names.sort();
    names.dedup();
    for model in names {
        let others = [2, 3].map(|seed| format!("{model}-seed{seed}"));
        let others: Vec<&String> = others.iter().filter(|name| models.has(name)).collect();
        if others.is_empty() {
            continue;
        }
        for other in &others {
            for difference in models.differences(&model, other).unwrap() {
                wrong.push(format!("{other}: {difference}"));
            }
        }
        for name in others.into_iter().chain([&model]) {
            let stages = models.training(name).unwrap().unwrap().stages;
            let stage = stages.last().unwrap();
            if Some(stage.epochs) != stage.planned {
                wrong.push(format!("{name}: {} epochs of {:?}", stage.epochs, stage.planned));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
