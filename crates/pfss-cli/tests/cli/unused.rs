//! Settings that a command does not use are refused, not ignored.

use crate::harness::{Folder, NAMED};

/// The command fails and names `words`.
fn refused(folder: &Folder, command: &str, words: &[&str]) {
    let said = folder.run(command).fails();
    assert!(words.iter().all(|word| said.contains(word)), "{command}: {said}");
}

#[test]
fn solve_refuses_settings_without_a_use() {
    let folder = Folder::with(&[("jobs.csv", NAMED), ("rows.txt", "2 3\n1 2\n3 4\n5 6\n")]);
    for (command, words) in [
        ("solve ta001 -a neh --model front", &["--model", "neh", "policy"][..]),
        ("solve ta001 -a beam --model front -t 0", &["model", "guide=policy"]),
        ("solve ta001 -a neh --set ties=first", &["ties", "tie"]),
        ("solve ta001 -a policy --set samples=4", &["samples", "decoding=sample"]),
        (
            "solve ta001 -a policy --set decoding=beam --set temperature=2",
            &["temperature", "decoding=sample"],
        ),
        ("solve ta001 -a policy --model MODELS/gamma-m5 --set finish=3", &["finish", "gamma-m5", "front"]),
        ("solve ta001 --format taillard", &["--format", "made from its seed"]),
        ("solve rows.txt --transpose", &["--transpose", "CSV"]),
        ("solve ta001 --one-based", &["--start"]),
    ] {
        refused(&folder, command, words);
    }
    // Values that a record tells, defaults among them, are no mistake.
    folder.run("solve ta001 -a policy -s 1 --set samples=16 --set width=16").ok();
    folder.run("solve ta001 -a beam -t 0.05 -s 1 -j 1 --set guide=policy --model front").ok();
    folder.run("solve jobs.csv -s 1 --transpose -t 0.05").ok();
}

#[cfg(feature = "tsp")]
#[test]
fn tours_refuse_settings_of_schedules() {
    let folder = Folder::new();
    folder.run("generate tsp -n 6 -s 1 -o cities.json").ok();
    for (command, words) in [
        ("--model MODELS/tsp-50", &["--model", "auto", "policy"][..]),
        ("-a policy --set finish=3", &["finish", "tour"]),
        ("-a policy --set improve=insertion", &["improve", "tour"]),
        ("-a policy --set reverse=true", &["reverse", "tour"]),
        ("-a policy --set width=3", &["width", "decoding=beam"]),
    ] {
        refused(&folder, &format!("solve cities.json --problem tsp {command}"), words);
    }
    // The number of threads is accepted and recorded for every problem.
    folder.run("solve cities.json --problem tsp -j 1 -s 1").ok();
}

#[cfg(feature = "tsp")]
#[test]
fn eval_refuses_settings_without_a_use() {
    let folder = Folder::with(&[("jobs.csv", NAMED)]);
    for (command, words) in [
        ("--count 2 --decoding sample:4", &["--model"][..]),
        ("--count 2 --finish 3", &["--model"]),
        ("--count 2 --finish 3 --model MODELS/gamma-m5", &["--finish", "front"]),
        ("--count 2 --evaluations 100", &["--evaluations", "paper-neh", "iterated-greedy"]),
        ("--count 2 --problem tsp -n 6 --evaluations 9", &["--evaluations", "iterated-local-search"]),
        ("--count 2 --problem tsp -n 6 -m 5", &["--machines", "unit square"]),
        ("--count 2 --problem tsp -n 6 --shape 0.5", &["--shape", "unit square"]),
        ("--count 2 --distribution uniform --shape 0.5", &["--shape", "gamma", "uniform"]),
        ("--count 2 --problem tsp -n 6 --zeros 0.5", &["--zeros", "unit square"]),
        ("jobs.csv -n 20", &["[INSTANCE]", "--jobs"]),
        ("jobs.csv --count 5", &["[INSTANCE]", "--count"]),
        ("jobs.csv -m 2", &["[INSTANCE]", "--machines"]),
        ("jobs.csv --zeros 0.2", &["[INSTANCE]", "--zeros"]),
        ("jobs.csv --scale 2", &["[INSTANCE]", "--scale"]),
        ("jobs.csv --problem tsp", &["[INSTANCE]", "--problem"]),
        ("--count 2 --data .", &["--data", "drawn"]),
        ("--count 2 --transpose", &["--transpose", "drawn"]),
    ] {
        refused(&folder, &format!("eval -s 1 -j 1 {command}"), words);
    }
    folder.run("eval -s 1 -j 1 jobs.csv").ok();
    folder.run("eval -s 1 -j 1 --count 2 -n 6 --baselines neh,iterated-greedy --evaluations 50").ok();
    folder
        .run("eval -s 1 -j 1 --count 2 -n 6 --model front --model MODELS/gamma-m5 --finish 3 --decoding greedy")
        .ok();
}

#[cfg(feature = "tsp")]
#[test]
fn training_refuses_settings_without_a_use() {
    let folder = Folder::new();
    for (command, words) in [
        (
            "label --count 2 --expert neh --expert-evaluations 5 -o x",
            &["--expert-evaluations", "neh", "auto"][..],
        ),
        (
            "label --count 2 --problem tsp --expert-evaluations 5 -o x",
            &["--expert-evaluations", "branch-and-bound"],
        ),
        ("label --count 2 --expert-set ties=first --expert neh -o x", &["--expert-set", "ties", "tie"]),
        ("label --count 2 --problem tsp -m 5 -o x", &["--machines", "unit square"]),
        ("label --count 2 --problem tsp --distribution gamma -o x", &["--distribution", "unit square"]),
        ("label --count 2 --distribution uniform --shape 2 -o x", &["--shape", "gamma", "uniform"]),
        ("bc --encoder lstm --neighbours 0.2 -o x", &["--neighbours", "ggcn"]),
        ("bc --encoder transformer --aggregation mean -o x", &["--aggregation", "ggcn"]),
        ("bc --labels x --count 5 -o x", &["--labels", "--count"]),
        ("front --imitation-epochs 0 --labelled 10 -o x", &["--labelled", "--imitation-epochs 0"]),
        ("front --imitation-epochs 0 --rows 200000 -o x", &["--rows", "--imitation-epochs 0"]),
        ("front --gradient-epochs 0 --samples 16 -o x", &["--samples", "--gradient-epochs 0"]),
        ("front --gradient-epochs 0 --finish 12 -o x", &["--finish", "--gradient-epochs 0"]),
        ("front --expert palmer --expert-evaluations 5 -o x", &["--expert-evaluations", "palmer"]),
    ] {
        refused(&folder, &format!("train {command}"), words);
    }
    assert!(folder.files().is_empty(), "{:?}", folder.files());
    folder.run("-q train label --count 2 -n 5 -s 1 --expert-evaluations 50 -j 1 -o labels.safetensors").ok();
}

#[cfg(feature = "tsp")]
#[test]
fn generate_refuses_parameters_of_others() {
    let folder = Folder::new();
    for (command, words) in [
        ("uniform -n 3 -m 2 --shape 2", &["--shape", "gamma", "uniform"][..]),
        ("gamma -n 3 -m 2 --low 2", &["--low", "uniform", "gamma"]),
        ("taillard -n 3 -m 2 --mean 2", &["--mean", "normal", "taillard"]),
        ("gamma -n 3 -m 2 --taillard-seed 5", &["--taillard-seed", "taillard", "gamma"]),
        ("tsp -n 3 -m 2", &["--machines", "flow shops"]),
        ("tsp -n 3 --to csv", &["--to", "flow shops"]),
    ] {
        refused(&folder, &format!("generate {command}"), words);
    }
}

#[test]
fn reproduce_refuses_settings_without_a_use() {
    let folder = Folder::new();
    for (command, words) in [
        ("list --quick", &["--quick", "list"][..]),
        ("list -o x", &["-o", "list"]),
        ("docs --seed 1", &["--seed", "docs"]),
        ("docs --models x", &["--models", "docs"]),
        ("docs -j 2", &["-j", "docs"]),
        ("exact-vs-neh --quick --results x", &["--results", "docs"]),
    ] {
        refused(&folder, &format!("reproduce {command}"), words);
    }
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}
