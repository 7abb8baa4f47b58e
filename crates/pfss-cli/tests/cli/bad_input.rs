//! Every kind of bad input: its message, exit code 2, and no output file left behind.

use crate::harness::{Folder, NAMED};

/// Runs `solve` with every kind of output on a bad file and returns what it says.
fn refused(name: &str, content: &str) -> String {
    let folder = Folder::with(&[(name, content)]);
    refused_in(&folder, &format!("solve {name}"))
}

/// Runs a command that must fail without printing data or leaving files.
fn refused_in(folder: &Folder, arguments: &str) -> String {
    let before = folder.files();
    let outputs = "--json -o out.json --gantt out.svg --trace out.csv --schedule ops.csv";
    let all =
        if arguments.starts_with("solve") { format!("{arguments} {outputs}") } else { arguments.to_string() };
    let done = folder.run(&all);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.err);
    assert_eq!(folder.files(), before);
    done.err.strip_prefix("error: ").unwrap().trim_end().to_string()
}

#[test]
fn times_that_are_not_finite_numbers() {
    insta::assert_snapshot!(refused("nan.txt", "2 3\n1 NaN 2\n1 2 3\n"), @"nan.txt:2:3: found `NaN`, but a processing time must be a finite number");
    insta::assert_snapshot!(refused("inf.txt", "2 3\n1 inf 2\n1 2 3\n"), @"inf.txt:2:3: found `inf`, but a processing time must be a finite number");
    insta::assert_snapshot!(refused("word.csv", "a,b\n1,2\n3,x\n"), @"word.csv:3:3: found `x`, expected a processing time such as 12 or 3.5");
}

#[test]
fn negative_times() {
    insta::assert_snapshot!(refused("negative.txt", "2 3\n1 -4 2\n1 2 3\n"), @"negative.txt:2:3: found `-4`, but a processing time cannot be negative");
}

#[test]
fn empty_files_and_empty_instances() {
    insta::assert_snapshot!(refused("empty.txt", ""), @"empty.txt: there is nothing here; expected an instance (see `--format` for the layouts)");
    insta::assert_snapshot!(refused("zero.txt", "0 0\n"), @"zero.txt:1:1: the instance has no jobs; at least one job is needed");
}

#[test]
fn ragged_rows() {
    insta::assert_snapshot!(refused("ragged.csv", "a,b\n1,2\n3\n"), @"ragged.csv:3:2: row 2 has 1 times, expected 2");
}

#[test]
fn times_that_overflow() {
    insta::assert_snapshot!(refused("large.txt", "2 3\n1 4000000000 2\n4000000000 2 3\n"), @"large.txt: the processing times are so large that a schedule may exceed 4294967295; use a coarser unit of time");
    insta::assert_snapshot!(refused("larger.txt", "2 3\n1 99999999999 2\n1 2 3\n"), @"larger.txt:2:3: `99999999999` is too large; the largest whole processing time is 4294967295; use a coarser unit of time, or write a point (`5.0`) for real times");
    let reals = refused("reals.txt", "2 3\n1 1e308 2\n1e308 1e308 3.0\n");
    assert!(reals.starts_with("reals.txt: the processing times are so large"), "{reals}");
}

#[test]
fn square_matrices_without_a_format() {
    insta::assert_snapshot!(refused("square.txt", "2 2\n1 2\n3 4\n"), @"square.txt:1:1: this can be read as `machine-rows` (`n m`, then one row per machine) or as `job-rows` (`n m`, then one row per job); say which with `--format machine-rows` or `--format job-rows`");
    let folder = Folder::with(&[("square.txt", "2 2\n1 2\n3 4\n")]);
    let order = |format: &str| folder.run(&format!("check square.txt 0,1 --format {format}")).ok();
    assert_eq!(
        (order("machine-rows"), order("job-rows")),
        ("ok: makespan 8\n".into(), "ok: makespan 8\n".into())
    );
}

#[test]
fn unknown_instances() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    insta::assert_snapshot!(refused_in(&folder, "solve missing.txt"), @"missing.txt: there is no file and no known instance of this name; accepted are a path, `-` for standard input, ta001 to ta120, and names of files such as VFR100_20_1 in a data folder (looked below data)");
    assert!(refused_in(&folder, "solve ta121").starts_with("ta121: there is no file"));
    insta::assert_snapshot!(refused_in(&folder, "solve named.csv#3"), @"named.csv: there is no instance `3` here; there are 1 (numbered from 1): named");
    insta::assert_snapshot!(refused_in(&folder, "solve - -"), @"`-` stands more than once, but standard input can be read only once; use a file");
    // A mistake in the last instance is found before the first one is solved.
    assert!(refused_in(&folder, "solve named.csv missing.txt").starts_with("missing.txt"));
}

#[test]
fn unknown_algorithms_and_parameters() {
    let folder =
        Folder::with(&[("named.csv", NAMED), ("bad.toml", "tie = 3\n"), ("broken.toml", "tie = = 3\n")]);
    let unknown = refused_in(&folder, "solve named.csv -a foo");
    assert!(
        unknown.starts_with("invalid value 'foo' for '--algorithm <NAME>'\n  [possible values: auto,"),
        "{unknown}"
    );
    let with = |settings: &str| refused_in(&folder, &format!("solve named.csv -a neh {settings}"));
    insta::assert_snapshot!(with("--set tie"), @"--set tie: expected KEY=VALUE, such as `--set tie=first`");
    insta::assert_snapshot!(with("--set ties=first"), @"--set ties=first: neh has no parameter `ties`; known are order, tie, local-search");
    insta::assert_snapshot!(with("--set tie=x"), @"--set tie=x: `tie` is `x`, accepted is first | last | ff | kk1 | dong");
    insta::assert_snapshot!(with("--config bad.toml"), @"bad.toml: `tie` is `3`, accepted is first | last | ff | kk1 | dong");
    assert!(with("--config broken.toml").contains("cause: TOML parse error at line 1, column 7"));
    assert!(with("--config missing.toml").starts_with("missing.toml: cannot read\n  cause: "));
    insta::assert_snapshot!(refused_in(&folder, "solve named.csv -a random-search --set samples=0"), @"--set samples=0: `samples` is `0`, accepted is a whole number, at least 1");
}

#[test]
fn wrong_limits() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    for (arguments, message) in [
        ("-t 5parsec", "expected seconds such as `2.5`, or a time with a unit such as `500ms`, `10s`, `2m`"),
        ("-t NaN", "expected seconds such as `2.5`"),
        ("-t 1 --preset fast", "cannot be used with '--preset <PRESET>'"),
        ("--evaluations 1.5", "expected a whole number such as `1000000` or `1e6`"),
        ("--target x", "expected a finite number"),
        ("-j 0", "0 is not in 1..=4096"),
    ] {
        let refusal = refused_in(&folder, &format!("solve named.csv {arguments}"));
        assert!(refusal.contains(message), "{refusal}");
    }
}

#[test]
fn wrong_orders() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    let start = |order: &str| refused_in(&folder, &format!("solve named.csv --start {order}"));
    insta::assert_snapshot!(start("0,1,0"), @"order: job 0 stands at positions 0 and 2; each job must stand exactly once");
    insta::assert_snapshot!(start("0,1"), @"order: the order has 2 jobs but the instance has 3");
    insta::assert_snapshot!(start("A,B,X"), @"order:1:5: there is no job `X`; names must be written as in the instance");
    insta::assert_snapshot!(start("nofile"), @"nofile: there is no such file; an order is a file, `-` for standard input, or a list such as `2,0,1`");
    insta::assert_snapshot!(refused_in(&folder, "plot gantt named.csv 0,1 -o out.svg"), @"order: the order has 2 jobs but the instance has 3");
}

#[test]
fn outputs_that_cannot_be_written_are_found_first() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    for (arguments, message) in [
        ("-o none/x.json", "none/x.json: cannot write: there is no folder none"),
        ("-o .", ".: cannot write: this is a folder; name a file in it"),
        ("--gantt x.png", "x.png: a picture's name must end in .svg or .html"),
        ("-o x --trace x", "x: two outputs would go to this file"),
        ("--schedule - --json", "`--json` and `--schedule -` both print to standard output"),
        ("--trace -", "--trace needs a file"),
    ] {
        // The time limit would be noticed.
        let done = folder.run(&format!("solve named.csv -t 60 {arguments}"));
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments}: {}", done.err);
        assert!(done.err.contains(message), "{}", done.err);
        assert_eq!(folder.files(), ["named.csv"]);
    }
    let several = folder.run("solve ta001 ta002 --gantt out.svg");
    assert!(several.err.contains("with several instances put {name} into the path"), "{}", several.err);
}
