//! `pfss solve --problem tsp` and `pfss generate tsp`.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Folder, without_times};

const SQUARE: &str = "NAME : square\nTYPE : TSP\nDIMENSION : 5\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n\
                      1 0 0\n2 10 10\n3 0 10\n4 10 0\n5 5 0\nEOF\n";

#[test]
fn people_get_a_block_with_the_tour() {
    let folder = Folder::with(&[("square.tsp", SQUARE)]);
    let out = folder.run("solve --problem tsp square.tsp -s 7").ok();
    insta::assert_snapshot!(without_times(&out), @r"
    instance     square (5 cities)
    algorithm    auto
    length       40
    lower bound  40 (gap 0.00 %)
    status       optimal, as the lower bound proves
    time         [...]
    seed         7
    order        1 2 0 4 3
    ");
}

#[test]
fn programs_get_the_promised_fields() {
    let folder = Folder::with(&[("square.tsp", SQUARE)]);
    let mut record = folder.run("solve --problem tsp square.tsp -s 7 -j 1 --json").json();
    let fields = record.as_object_mut().unwrap();
    assert!(fields.remove("runtime_s").unwrap().as_f64().unwrap() > 0.0);
    assert_eq!(fields.remove("version").unwrap(), env!("CARGO_PKG_VERSION"));
    assert_eq!(fields.remove("order").unwrap().as_array().unwrap().len(), 5);
    assert!(fields.remove("evaluations").unwrap().as_u64().unwrap() > 0);
    let expected = json!({
        "schema": "pfss.tour/1", "problem": "tsp", "instance": "square", "num_cities": 5, "algorithm": "auto",
        "config": {}, "seed": 7, "threads": 1, "length": 40.0, "bound": 40.0, "gap": 0.0, "status": "optimal",
        "stop_reason": "optimal",
    });
    assert_eq!(record, expected);
}

#[test]
fn instances_come_from_standard_input_and_data_folders() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("lib/tsplib")).unwrap();
    std::fs::write(folder.path("lib/tsplib/square.tsp"), SQUARE).unwrap();
    assert_eq!(folder.run("solve --problem tsp square --data lib --json").json()["length"], 40.0);
    assert_eq!(folder.run_with("solve --problem tsp - --json", SQUARE).json()["instance"], "square");
    let missing = folder.run("solve --problem tsp berlin53 --data lib").fails();
    assert!(missing.contains("tsplib/NAME.tsp"), "{missing}");
    let geo = folder.run_with("solve --problem tsp -", &SQUARE.replace("EUC_2D", "GEO")).fails();
    assert!(geo.starts_with("error: stdin:4:1: EDGE_WEIGHT_TYPE is `GEO`; accepted are"), "{geo}");
}

#[test]
fn options_for_schedules_are_refused() {
    let folder = Folder::with(&[("square.tsp", SQUARE)]);
    for option in ["--gantt a.svg", "--schedule a.csv", "--time-factor 5", "--start 0,1,2,3,4", "--transpose"]
    {
        let told = folder.run(&format!("solve --problem tsp square.tsp {option}")).fails();
        assert!(told.contains("not for `--problem tsp`"), "{told}");
    }
    let told = folder.run("solve --problem tsp square.tsp -a neh").fails();
    assert!(told.contains("known are: auto, iterated-local-search, branch-and-bound"), "{told}");
    let told = folder.run("generate tsp -n 5 -m 3").fails();
    assert!(told.contains("not for cities"), "{told}");
}

#[test]
fn generated_cities_are_solved_and_written() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.run("generate tsp -n 2 -s 1 --count 2").ok(), @r#"
    {"schema":"pfss.tsp/1","name":"uniform_2_0","metric":"euclidean","points":[[0.5073357131010933,0.7775879635318684],[0.011722443409090344,0.9104621141772556]]}
    {"schema":"pfss.tsp/1","name":"uniform_2_1","metric":"euclidean","points":[[0.30542510506737874,0.7298630728270857],[0.306368040665021,0.1499692889501809]]}
    "#);
    folder.run("generate tsp -n 12 -s 1 --count 3 -o cities.json").ok();
    let out = folder.run("solve --problem tsp cities.json --json -s 1 -o all.json --trace {name}.csv").ok();
    assert_eq!(folder.read("all.json"), out);
    assert_eq!(out.lines().count(), 3);
    assert!(folder.read("uniform_12_0.csv").starts_with("time_s,evaluations,length,bound\n"));
    let told = folder.run("solve --problem tsp cities.json -o best.tour").fails();
    assert!(told.contains("{name}"), "{told}");
    folder.run("solve --problem tsp cities.json -q -o {name}.tour").ok();
    let tour = folder.read("uniform_12_2.tour");
    assert!(tour.contains("TOUR_SECTION\n") && tour.ends_with("-1\nEOF\n"), "{tour}");
}

#[test]
fn evaluations_give_the_same_tour_again() {
    let folder = Folder::new();
    folder.run("generate tsp -n 300 -s 1 -o cities.json").ok();
    for algorithm in ["auto", "iterated-local-search", "branch-and-bound"] {
        let solve = |threads: u32| {
            let arguments = format!("-a {algorithm} --evaluations 3000 -s 3 -q --json -j {threads}");
            folder.run(&format!("solve --problem tsp cities.json {arguments}")).json()
        };
        let (one, two) = (solve(1), solve(2));
        assert_eq!((&one["order"], &one["bound"]), (&two["order"], &two["bound"]));
        assert!(one["bound"].as_f64() <= one["length"].as_f64());
    }
    let missed = folder.run("solve --problem tsp cities.json --target 1 --evaluations 10 -q");
    assert_eq!(missed.code, Some(1));
    let set = folder.run("solve --problem tsp cities.json -a iterated-local-search --set kick=0").fails();
    assert!(set.contains("`kick` is `0`"), "{set}");
}

#[cfg(unix)]
#[test]
fn the_first_signal_gives_the_best_so_far() {
    let folder = Folder::new();
    folder.run("generate tsp -n 2000 -s 1 -o cities.json").ok();
    let arguments = "solve --problem tsp cities.json -t 60 --json -o best.json";
    let child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let clock = Instant::now();
    while !folder.path("best.json").exists() {
        assert!(clock.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(10));
    }
    let early: Value = serde_json::from_str(&folder.read("best.json")).unwrap();
    assert_eq!(early["stop_reason"], "running");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["stop_reason"], "cancelled");
    assert_eq!(folder.read("best.json").as_bytes(), output.stdout);
}

mod needs_data {
    use super::*;
    use std::path::PathBuf;

    /// A file of the folder that `PFSS_DATA` names; benchmark files are no part of the project.
    fn data(file: &str) -> PathBuf {
        let folder = std::env::var_os("PFSS_DATA").unwrap_or_default();
        let path = PathBuf::from(folder).join(file);
        assert!(path.exists(), "this test needs data: PFSS_DATA must name a folder with {file}");
        path
    }

    #[test]
    #[ignore = "needs the benchmark files; PFSS_DATA=FOLDER ./test runs it"]
    fn berlin52_is_solved_to_optimality() {
        let file = data("tsplib/berlin52.tsp");
        let folder = file.parent().and_then(std::path::Path::parent).unwrap().to_str().unwrap();
        let record =
            Folder::new().run(&format!("solve --problem tsp berlin52 --data {folder} --json")).json();
        assert_eq!((&record["length"], &record["status"]), (&json!(7542.0), &json!("optimal")));
    }
}
