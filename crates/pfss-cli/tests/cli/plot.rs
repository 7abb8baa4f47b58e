//! `pfss plot`.

use crate::harness::{Folder, NAMED};

#[test]
fn gantt_charts_are_drawn_by_ending() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    folder.run("plot gantt named.csv C,A,B -o out.svg").ok();
    let svg = folder.read("out.svg");
    assert!(svg.starts_with("<svg") && svg.contains("makespan") && svg.contains("weld"), "{svg}");
    folder.run("plot gantt named.csv 3,1,2 --one-based -o out.html").ok();
    assert!(folder.read("out.html").starts_with("<!doctype html>"));
    assert_eq!(folder.run("plot gantt named.csv C,A,B -o -").ok(), svg);
    let refused = folder.run("plot gantt named.csv C,A,B -o out.png");
    assert_eq!(
        refused.transcript(),
        "error: out.png: a picture's name must end in .svg or .html\nexit code 2"
    );
}

#[test]
fn traces_become_convergence_plots() {
    let folder = Folder::new();
    folder.run("solve ta011 -a iterated-greedy --evaluations 20000 -s 1 --trace greedy.csv -q").ok();
    folder.run("solve ta011 -a random-search --evaluations 2000 -s 1 --trace random.csv -q").ok();
    folder.run("plot convergence greedy.csv random.csv -o out.svg").ok();
    let svg = folder.read("out.svg");
    assert!(svg.contains(">greedy</text>") && svg.contains(">random</text>"), "{svg}");
    // Each run has a line for its best makespan and one for its bound.
    assert_eq!((svg.matches("<path").count(), svg.matches(">lower bound</text>").count()), (4, 1), "{svg}");
    folder.run("plot convergence greedy.csv random.csv --linear-time -o linear.svg").ok();
    assert_ne!(folder.read("linear.svg"), svg);
}

#[test]
fn traces_without_bounds_and_of_tours_are_drawn_too() {
    let folder = Folder::with(&[
        ("old.csv", "time_s,evaluations,makespan\n0.1,1,20\n2.5,9,18\n"),
        ("tour.csv", "time_s,evaluations,length,bound\n0.1,1,20.5,0\n2.5,9,18.5,0\n"),
        ("bad.csv", "time_s,makespan,bound\n0.1,20,x\n"),
    ]);
    for trace in ["old.csv", "tour.csv"] {
        let svg = folder.run(&format!("plot convergence {trace} -o -")).ok();
        assert!(svg.matches("<path").count() == 1 && !svg.contains("lower bound"), "{svg}");
        // Time by factors of ten.
        assert!(svg.contains(">0.2</text>") && !svg.contains(">1.5</text>"), "{svg}");
        let even = folder.run(&format!("plot convergence {trace} --linear-time -o -")).ok();
        assert!(even.contains(">1.5</text>") && !even.contains(">0.2</text>"), "{even}");
    }
    insta::assert_snapshot!(folder.run("plot convergence bad.csv -o out.svg").transcript(), @r"
    error: bad.csv:2: found `x`, expected a finite number
    exit code 2
    ");
}

#[test]
fn runs_become_box_plots() {
    let rows = "instance,algorithm,rpd\nta001,neh,1.5\nta001,beam,0.5\nta002,neh,2.5\n";
    let folder = Folder::with(&[
        ("runs.csv", rows),
        ("bad.csv", "algorithm,group,rpd\na,b,c\n"),
        ("no.csv", "a,b\n1,2\n"),
    ]);
    folder.run("plot boxplot runs.csv -o out.html --title Deviations").ok();
    let html = folder.read("out.html");
    assert!(html.starts_with("<!doctype html>") && html.contains("Deviations") && html.contains("beam"));
    let refused = |file: &str| folder.run(&format!("plot boxplot {file} -o no.svg")).transcript();
    insta::assert_snapshot!(refused("bad.csv"), @r"
    error: bad.csv:2: found `c`, expected a finite number
    exit code 2
    ");
    insta::assert_snapshot!(refused("no.csv"), @r"
    error: no.csv:1: there is no column `algorithm`; found a, b
    exit code 2
    ");
    assert!(!folder.files().contains(&"no.svg".to_string()));
}

/// A row that `bench` refuses was drawn.
#[test]
fn rows_of_a_bench_are_checked_before_they_are_drawn() {
    let folder = Folder::new();
    assert_eq!(folder.run("bench ta001 -a neh,cds -o runs.csv").code, Some(0));
    folder.run("plot boxplot runs.csv -o runs.svg").ok();
    let rows = folder.read("runs.csv");
    let makespan = rows.lines().nth(1).unwrap().split(',').nth(8).unwrap().to_string();
    std::fs::write(folder.path("runs.csv"), rows.replacen(&format!(",{makespan},"), ",nan,", 1)).unwrap();
    let refused = folder.run("plot boxplot runs.csv -o runs.svg").transcript();
    assert!(refused.contains("runs.csv:2:") && refused.contains("exit code 2"), "{refused}");
}
