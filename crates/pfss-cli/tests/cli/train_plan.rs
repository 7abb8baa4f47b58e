//! `pfss train plan`: several trainings from one file.
#![cfg(all(unix, feature = "train"))]

use serde_json::Value;

use crate::harness::Folder;
use crate::training::{NET, TINY, signal, start, wait_for_lines};

/// Labels, a training that learns from them, one that starts from that, and one of its own.
fn plan() -> String {
    let commands = [
        format!("label {TINY} -s 1 -o labels.safetensors")
            .replace("--validation 6 ", "")
            .replace("--epochs 3 ", ""),
        format!("bc {NET} --labels labels.safetensors --validation 6 --epochs 3 -s 1 -o il"),
        format!("ac {NET} {TINY} --start il -s 1 -o il-then-rl"),
        format!("ac {NET} {TINY} -s 2 -o rl"),
    ];
    commands.iter().map(|words| format!("[[trainings]]\ntrain = \"pfss train {words}\"\n")).collect()
}

#[test]
fn a_plan_makes_the_models_of_its_commands() {
    let folder = Folder::with(&[("plan.toml", &plan())]);
    let told = folder.run("train plan plan.toml --at-once 2");
    assert!(told.code == Some(0) && told.err.contains("4 trainings are done"), "{}", told.err);
    assert!(told.err.lines().any(|line| line.starts_with("il-then-rl: ")), "{}", told.err);
    folder.run(&format!("-q train ac {NET} {TINY} -s 2 -o alone")).ok();
    assert_eq!(folder.bytes("alone/model.safetensors"), folder.bytes("rl/model.safetensors"));
    // Some trainings, and what they need.
    let some = Folder::with(&[("plan.toml", &plan())]);
    some.run("-q train plan plan.toml --only il").ok();
    assert_eq!(some.files(), ["il", "labels.safetensors", "plan.toml"]);
    assert_eq!(some.bytes("il/model.safetensors"), folder.bytes("il/model.safetensors"));
    // Words behind `--` go to every command.
    let told = some.run("train plan plan.toml --only rl --progress json -- --learning-rate 1e-12");
    let lines: Vec<Value> = told.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(lines.iter().any(|line| line["work"] == "epoch" && line["training"] == "rl"), "{}", told.err);
    assert_ne!(some.bytes("rl/model.safetensors"), folder.bytes("rl/model.safetensors"));
}

#[test]
fn an_interrupted_plan_goes_on() {
    let long = plan().replace("--epochs 3", "--epochs 60").replace("--count 24", "--count 240");
    let folder = Folder::with(&[("plan.toml", &long)]);
    let child = start(&folder, "train plan plan.toml --at-once 2");
    wait_for_lines(&folder, "il/metrics.csv", 2);
    wait_for_lines(&folder, "rl/metrics.csv", 2);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("the same command goes on from here"), "{told}");
    for name in ["il", "rl"] {
        assert!(folder.path(&format!("{name}/checkpoint.safetensors")).exists(), "{told}");
    }
    let told = folder.run("train plan plan.toml --at-once 2 --only rl,il");
    assert!(told.code == Some(0) && told.err.contains("3 trainings are done"), "{}", told.err);
}

#[test]
fn a_training_that_fails_stops_those_that_need_it_only() {
    let plan = plan()
        .replace("bc ", "bc --learning-rate 1e30 ")
        .replace("--learning-rate 1e-3 --labels", "--labels");
    let folder = Folder::with(&[("plan.toml", &plan)]);
    let told = folder.run("train plan plan.toml").fails();
    assert!(told.contains("failed: il; not begun, because they need it: il-then-rl;"), "{told}");
    assert!(folder.path("rl/model.safetensors").exists() && !folder.path("il-then-rl").exists());
}
