//! `pfss algorithms`, `pfss info`, `pfss completions`, help.

use serde_json::Value;

use crate::harness::Folder;

#[test]
fn algorithms_are_listed_and_described() {
    let folder = Folder::new();
    let list = folder.run("algorithms").ok();
    for name in
        ["auto", "random-search", "iterated-local-search", "paper-iterated-greedy", "paper-neh", "neh"]
    {
        assert!(list.lines().any(|line| line.starts_with(&format!("{name} "))), "{list}");
    }
    insta::assert_snapshot!(folder.run("algorithms neh").ok(), @r"
    neh: Inserts job after job at its best place; fast, a few percent above the best known
    Reference: Nawaz, Enscore, Ham 1983; Taillard 1990; Fernandez-Viagas, Framinan 2014

    parameter     default  accepted                                                    what it does
    ------------  -------  ----------------------------------------------------------  ------------------------------------------------
    order         usual    usual | total-time | mean-deviation | kk1 | given | random  In which order the jobs are inserted.
    tie           ff       first | last | ff | kk1 | dong                              Which of several equally good places a job gets.
    local-search  false    true | false                                                Whether an insertion local search follows.

    Set one with `--set PARAMETER=VALUE`.
    ");
    let all = folder.run("algorithms --json").json();
    assert_eq!(all.as_array().unwrap().len(), list.lines().count() - 4);
    let neh = folder.run("algorithms neh --json").json();
    let names: Vec<&Value> = neh["parameters"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["order", "tie", "local-search"]);
    assert_eq!(neh["parameters"][1]["default"], "ff");
    assert_eq!(folder.run("algorithms foo").code, Some(2));
}

#[test]
fn info_tells_the_version_and_the_machine() {
    let folder = Folder::new();
    let text = folder.run("info").ok();
    assert!(
        text.starts_with(&format!("version       {}\ncommit        ", env!("CARGO_PKG_VERSION"))),
        "{text}"
    );
    let json = folder.run("info --json").json();
    assert!(json["cores"].as_u64().unwrap() >= 1);
    assert!(json["cpu_features"].is_array() && json["models"].is_array() && json["features"].is_array());
    let version = folder.run("--version").ok();
    assert!(version.starts_with(&format!("pfss {} (", env!("CARGO_PKG_VERSION"))), "{version}");
}

#[test]
fn help_and_completions_are_printed() {
    let folder = Folder::new();
    assert!(folder.run("--help").ok().contains("Exit codes: 0 an answer"));
    assert!(folder.run("solve --help").ok().contains("--time-factor"));
    let script = folder.run("completions bash").ok();
    assert!(script.contains("iterated-greedy") && script.contains("--progress"), "{script}");
    assert_eq!(folder.run("").code, Some(2));
    assert_eq!(folder.run("sovle ta001").code, Some(2));
}
