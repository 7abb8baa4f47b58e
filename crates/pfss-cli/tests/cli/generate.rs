//! `pfss generate` and `pfss convert`.

use crate::harness::{Folder, NAMED};

#[test]
fn seeds_give_the_same_instances() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.run("generate uniform -n 3 -m 2 -s 1 --count 2").ok(), @r#"
    {"schema":"pfss.instance/1","name":"uniform_3x2_1","seed":1,"times":[[90,73],[32,79],[58,45]]}
    {"schema":"pfss.instance/1","name":"uniform_3x2_2","seed":1,"times":[[13,43],[61,95],[68,45]]}
    "#);
    let first = folder.run("generate gamma -n 4 -m 3");
    let seed = first.err.trim_end().strip_prefix("seed ").unwrap();
    assert_eq!(folder.run(&format!("generate gamma -n 4 -m 3 -s {seed}")).ok(), first.out);
    let made = folder.run("generate taillard -n 20 -m 5 -s 873654221 --to csv").ok();
    assert_eq!(made, folder.run("convert ta001 --to csv").ok());
}

#[test]
fn published_seeds_give_the_published_instances() {
    let folder = Folder::new();
    let arguments = "generate taillard -n 4 -m 3 --taillard-seed 873654221,379008056 --to taillard";
    insta::assert_snapshot!(folder.run(arguments).ok(), @r"
    number of jobs, number of machines, initial seed, upper bound and lower bound :
               4           3   873654221           0           0
    processing times :
    54 83 15 71
    77 36 53 38
    27 87 76 91
    number of jobs, number of machines, initial seed, upper bound and lower bound :
               4           3   379008056           0           0
    processing times :
    26 38 27 88
    95 55 54 63
    23 45 86 43
    ");
}

#[test]
fn parameters_are_checked() {
    let folder = Folder::new();
    let refused = |arguments: &str| {
        let done = folder.run(&format!("generate {arguments}"));
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments}");
        done.err
    };
    insta::assert_snapshot!(refused("uniform -n 3 -m 2 --shape 1"), @"error: --shape is a parameter of gamma, not of uniform");
    insta::assert_snapshot!(refused("gamma -n 3 -m 2 --shape -1"), @"error: `shape` is -1, but must be a positive number");
    insta::assert_snapshot!(refused("uniform -n 3 -m 2 --low 9 --high 3"), @"error: `low` is 9, but must be at most `high`");
    insta::assert_snapshot!(refused("normal -n 3 -m 2 --std NaN"), @"error: `std` is NaN, but must be a number that is not negative");
    insta::assert_snapshot!(refused("gamma -n 3 -m 2 --mean 1"), @"error: --mean is a parameter of normal, lognormal, not of gamma");
    insta::assert_snapshot!(refused("job-correlated -n 3 -m 2 --noise 1"), @"error: --noise is a parameter of mixed-correlated, not of job-correlated");
    insta::assert_snapshot!(refused("job-correlated -n 3 -m 2 --alpha 2"), @"error: `alpha` is 2, but must be a number from 0 to 1");
    insta::assert_snapshot!(refused("mixed-correlated -n 3 -m 2 --half-width 0"), @"error: `half-width` is 0, but must be at least 1");
    insta::assert_snapshot!(refused("lognormal -n 3 -m 2 --zeros -0.1"), @"error: `zeros` is -0.1, but must be a number from 0 to 1");
    insta::assert_snapshot!(refused("taillard -n 3 -m 2 --zeros 0.1"), @"error: --zeros is no parameter of taillard, whose generator gives times from 1 to 99");
    assert!(refused("machine-correlated -n 3 -s 1").contains("--machines"));
    insta::assert_snapshot!(refused("normal -n 0 -m 2 -s 1"), @"error: the instance has no jobs; at least one job is needed");
    insta::assert_snapshot!(refused("uniform -n 3 -m 2 --count 2 --to csv -o x.csv"), @"error: a csv file holds one instance, not 2; write one file each into a folder with `-o DIR/`, or use taillard, or-library or json");
    assert!(folder.files().is_empty());
}

#[test]
fn instances_as_factories_have_them_are_drawn() {
    let folder = Folder::new();
    for kind in ["lognormal", "job-correlated", "machine-correlated", "mixed-correlated"] {
        let draw = |options: &str| folder.run(&format!("generate {kind} -n 6 -m 4 -s 3 {options}")).ok();
        let plain = draw("");
        assert!(plain.contains(&format!("{kind}_6x4_1")), "{plain}");
        assert_eq!(draw("--zeros 0"), plain);
        // Some are zero, and what is not is as before.
        let times = |text: &str| -> Vec<String> {
            let (_, times) = text.split_once("\"times\":").unwrap();
            times.split(',').map(|time| time.replace(['[', ']', '}', '\n'], "")).collect()
        };
        let (plain, skipping) = (times(&plain), times(&draw("--zeros 0.5")));
        let zeros = skipping.iter().filter(|time| ["0", "0.0"].contains(&time.as_str())).count();
        assert!((4..=20).contains(&zeros), "{kind}: {skipping:?}");
        let kept = skipping.iter().zip(&plain).filter(|(skipping, plain)| skipping == plain).count();
        assert_eq!(kept + zeros, plain.len(), "{kind}");
    }
    let table =
        folder.run("eval -s 1 -j 1 --distribution job-correlated --zeros 0.2 --count 3 -n 6 -m 3").ok();
    assert!(table.contains("job-correlated+zeros=0.2 6x3"), "{table}");
    folder.run("-q train label --distribution mixed-correlated --noise 2 --count 2 -n 6 -m 3 -s 1 --expert neh -o l").ok();
}

#[test]
fn folders_get_one_file_each() {
    let folder = Folder::new();
    folder.run("generate uniform -n 3 -m 2 -s 1 --count 2 --to csv -o set/").ok();
    let mut names: Vec<String> = std::fs::read_dir(folder.path("set"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["uniform_3x2_1.csv", "uniform_3x2_2.csv"]);
    assert_eq!(folder.run("check set/uniform_3x2_1.csv 0,1,2").code, Some(0));
}

#[test]
fn formats_are_converted_there_and_back() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    assert_eq!(folder.run("convert named.csv --to csv").ok(), NAMED);
    insta::assert_snapshot!(folder.run("convert named.csv --to job-rows").transcript(), @r"
    3 2
    3 4
    2 1
    5 2
    warning: job-rows keeps no names of jobs and machines; csv and json do
    exit code 0
    ");
    folder.run("convert named.csv -o named.json").ok();
    assert_eq!(folder.run("convert named.json --to csv").ok(), NAMED);
    assert_eq!(folder.run_with("convert - --to csv --transpose", "1,2,3\n4,5,6\n").ok(), "1,4\n2,5\n3,6\n");
    assert!(folder.run("convert named.csv").err.starts_with("error: say which format to write with `--to`"));
    for format in ["taillard", "machine-rows", "job-rows", "pairs", "or-library", "json"] {
        folder.run(&format!("convert ta011 --to {format} -o made.txt")).ok();
        let back = folder.run(&format!("convert made.txt --format {format} --to pairs")).ok();
        assert_eq!(back, folder.run("convert ta011 --to pairs").ok(), "{format}");
    }
}

/// It ended in a panic about a capacity.
#[cfg(feature = "tsp")]
#[test]
fn more_cities_than_fit_are_an_error() {
    let error = Folder::new().run("generate tsp -n 99999999999999 -s 1").fails();
    assert!(error.contains("99999999999999 cities are more than"), "{error}");
    let error = Folder::new().run("eval --problem tsp -n 18446744073709551615 -s 1").fails();
    assert!(error.contains("cities are more than"), "{error}");
}

#[cfg(not(feature = "tsp"))]
#[test]
fn a_build_without_tours_says_so() {
    for command in
        ["generate tsp -n 5", "solve --problem tsp x.tsp", "eval --problem tsp", "algorithms --problem tsp"]
    {
        let error = Folder::new().run(command).fails();
        assert!(error.contains("has no tours") && error.contains("--features tsp"), "{command}: {error}");
    }
}
