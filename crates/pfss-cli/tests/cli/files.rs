//! No output replaces a file that the command reads, and what columns hold can be said.

use crate::harness::{Done, Folder, NAMED};

const FAMILIES: &str = "job,cut,weld,family\nA,3,4,red\nB,2,1,blue\n";
const SETUP: &str = "machine,from,to,time\ncut,red,blue,3\ncut,blue,green,2\n";
const RUNS: &str = "algorithm,rpd,group\nneh,1.5,20x5\nneh,2.5,20x5\n";
const TRACE: &str = "time_s,makespan\n0.1,12\n0.2,11\n";

fn folder() -> Folder {
    let folder = Folder::with(&[
        ("jobs.csv", NAMED),
        ("jobs.svg", NAMED),
        ("families.csv", FAMILIES),
        ("setup.csv", SETUP),
        ("plan.json", "[2, 0, 1]"),
        ("order.svg", "2 0 1"),
        ("neh.toml", ""),
        ("runs.svg", RUNS),
        ("trace.svg", TRACE),
    ]);
    std::fs::create_dir(folder.path("data")).unwrap();
    std::fs::write(folder.path("data/small.txt"), "2 3\n1 2 9\n3 4 7\n").unwrap();
    std::fs::hard_link(folder.path("jobs.csv"), folder.path("hard.csv")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("jobs.csv", folder.path("link.csv")).unwrap();
    folder
}

/// What is in all files.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let names =
        folder.files().into_iter().filter(|name| name != "data").chain(["data/small.txt".to_string()]);
    names.map(|name| (name.clone(), folder.bytes(&name))).collect()
}

#[test]
fn no_output_replaces_an_input() {
    let folder = folder();
    let before = contents(&folder);
    for command in [
        "solve jobs.csv -a neh --schedule jobs.csv",
        "solve jobs.csv -a neh -o ./jobs.csv",
        "solve jobs.csv -a neh --trace hard.csv",
        #[cfg(unix)]
        "solve jobs.csv -a neh --trace link.csv",
        #[cfg(unix)]
        "solve link.csv#1 -a neh -o data/../jobs.csv",
        "solve families.csv --setup setup.csv -a neh --trace setup.csv",
        "solve jobs.csv -a neh --config neh.toml -o neh.toml",
        "solve jobs.csv -a neh --start plan.json --trace plan.json",
        "solve jobs.svg --format csv -a neh --gantt jobs.svg",
        "solve small --data data -a neh -o data/small.txt",
        "solve jobs.csv -a policy --model plan.json --trace plan.json",
        "convert jobs.csv --to json -o jobs.csv",
        "convert jobs.csv --to csv -o ./",
        "convert families.csv --setup setup.csv --to json -o setup.csv",
        "bench jobs.csv -a neh -o jobs.csv",
        "bench families.csv --setup setup.csv -a neh -o setup.csv",
        "eval jobs.csv -b neh -o jobs.csv",
        "eval jobs.csv -b neh --model plan.json -o plan.json",
        "plot gantt jobs.svg 2,0,1 --format csv -o jobs.svg",
        "plot gantt jobs.csv order.svg -o order.svg",
        "plot convergence trace.svg -o trace.svg",
        "plot boxplot runs.svg -o runs.svg",
    ] {
        let said = folder.run(command).fails();
        assert!(said.contains("this would replace") && said.contains("which is read"), "{command}: {said}");
        assert_eq!(contents(&folder), before, "{command}");
    }
}

#[test]
fn two_outputs_are_two_files_under_any_name() {
    let folder = folder();
    std::fs::write(folder.path("out.csv"), "old").unwrap();
    std::fs::hard_link(folder.path("out.csv"), folder.path("other.csv")).unwrap();
    let said = folder.run("solve jobs.csv -a neh --trace out.csv --schedule other.csv").fails();
    assert!(said.contains("two outputs would go to this file"), "{said}");
    let said = folder.run("solve jobs.csv -a neh --trace new.csv --schedule ./new.csv").fails();
    assert!(said.contains("two outputs would go to this file"), "{said}");
    assert_eq!(folder.read("out.csv"), "old");
}

#[test]
fn a_plan_may_be_written_back() {
    let folder = folder();
    folder.run("solve jobs.csv -a neh -s 1 --start plan.json -o plan.json").ok();
    assert!(folder.read("plan.json").contains("pfss.result/1"));
}

#[test]
fn a_file_called_minus_is_never_written() {
    let folder = folder();
    for command in ["bench jobs.csv -a neh -o -", "eval jobs.csv -b neh -o -", "train label -o - --count 1"] {
        let said = folder.run(command).fails();
        assert!(said.contains("standard output has the result already"), "{command}: {said}");
    }
    assert!(!folder.files().contains(&"-".to_string()));
}

/// Standard output of a command that succeeds, and what it told.
fn told(done: Done) -> (String, String) {
    assert_eq!(done.code, Some(0), "{}", done.err);
    (done.out, done.err)
}

#[test]
fn columns_are_what_the_caller_says() {
    let folder = Folder::with(&[("jobs.csv", "pos,Teil,Liefertag,cut,weld\n1,A,9,3,4\n2,B,3,2,1\n")]);
    let columns = "--column Teil=job --column Liefertag=due --column 1=ignore";
    for command in [
        "solve jobs.csv --objective total-tardiness -a neh -s 1 --json",
        "check jobs.csv 1,0",
        "convert jobs.csv --to json",
    ] {
        let (out, err) = told(folder.run(&format!("{command} {columns}")));
        assert!(err.is_empty() && !out.is_empty(), "{err}");
    }
    let (csv, _) = told(folder.run(&format!("convert jobs.csv --to csv {columns}")));
    assert_eq!(csv, "job,cut,weld,due\nA,3,4,9\nB,2,1,3\n");
    told(folder.run(&format!("plot gantt jobs.csv 1,0 -o plan.svg {columns}")));
    let said = folder.run("solve jobs.csv --column Termin=due").fails();
    assert!(said.contains("there is no column `Termin`; there are `pos`, `Teil`"), "{said}");
    let said = folder.run("solve jobs.csv --column Teil=date").fails();
    assert!(said.contains("a column cannot be `date`; it can be job, machine, due"), "{said}");
    let said = folder.run("solve ta001 --column 1=due").fails();
    assert!(said.contains("--column is not used here"), "{said}");
}

#[test]
fn readings_that_could_be_others_are_told() {
    let folder = Folder::with(&[
        ("jobs.csv", "part,cut\n11,3\n12,4\n"),
        ("families.csv", FAMILIES),
        ("setup.csv", SETUP),
    ]);
    let (_, err) = told(folder.run("solve jobs.csv -a neh -s 1"));
    assert_eq!(
        err,
        "jobs.csv: the first column, `part`, is read as a machine with times; if it numbers the jobs, say `--column 1=job`\n"
    );
    assert_eq!(told(folder.run("solve jobs.csv -a neh -s 1 -q")).1, "");
    let (json, err) = told(folder.run("convert families.csv --setup setup.csv --to json"));
    assert_eq!(err, "families.csv: no job is of the families green, for which there are set-ups\n");
    assert!(json.contains("{\"from\":\"blue\",\"to\":\"green\",\"time\":2}"), "{json}");
}

#[test]
fn what_others_attach_to_json_goes_through_conversion() {
    let text = "{\"times\": [[1, 2]], \"metadata\": {\"b\": [1.50, null],\n \"a\": \"x\"}}";
    let folder = Folder::with(&[("a.json", text)]);
    let out = folder.run("convert a.json --to json").ok();
    assert!(out.contains("\"metadata\":{\"b\": [1.50, null],  \"a\": \"x\"}"), "{out}");
    std::fs::write(folder.path("b.json"), &out).unwrap();
    let again = folder.run("convert b.json --to json").ok();
    assert_eq!(again, out);
}

#[test]
fn machines_called_like_attributes_are_not_lost_in_csv() {
    let folder = Folder::with(&[("a.json", "{\"times\": [[1, 2]], \"machine_names\": [\"saw\", \"due\"]}")]);
    let said = folder.run("convert a.json --to csv -o a.csv").fails();
    assert!(said.contains("machine `due`") && said.contains("rename the machine"), "{said}");
    assert_eq!(folder.files(), ["a.json"]);
}

/// Redirected into the program, a file is an input like any other.
#[cfg(unix)]
#[test]
fn a_file_that_is_standard_input_is_not_replaced() {
    let folder = Folder::with(&[("jobs.csv", "job,saw\nA,3\nB,4\n")]);
    let before = folder.read("jobs.csv");
    for arguments in ["solve - -o jobs.csv", "solve - --trace jobs.csv", "convert - --to json -o jobs.csv"] {
        let stdin = std::fs::File::open(folder.path("jobs.csv")).unwrap();
        let output = folder.command(arguments).stdin(stdin).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.contains("which is read"), "{arguments}: {told}");
        assert_eq!(folder.read("jobs.csv"), before);
    }
}
