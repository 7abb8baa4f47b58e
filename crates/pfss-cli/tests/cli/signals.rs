//! Ctrl-C and SIGTERM.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt;
use serde_json::{Value, json};

use crate::harness::Folder;

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until `is_done`, for at most ten seconds.
pub(crate) fn wait_until(is_done: impl Fn() -> bool) {
    let clock = Instant::now();
    while !is_done() {
        assert!(clock.elapsed() < Duration::from_secs(10), "this takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_first_signal_gives_the_best_so_far() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let arguments = "solve ta101 ta102 -a iterated-greedy -t 60 --json -o best.json --trace {name}.csv";
        let child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The result is on disk long before the run ends.
        wait_until(|| folder.path("best.json").exists());
        let early: Value = serde_json::from_str(&folder.read("best.json")).unwrap();
        assert_eq!(early["stop_reason"], "running");
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        // An instance is missing.
        assert_eq!(output.status.code(), Some(130), "{signal}");
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&record["instance"], &record["stop_reason"]), (&"ta101".into(), &"cancelled".into()));
        assert_eq!(folder.read("best.json").as_bytes(), output.stdout);
        assert!(folder.run("check ta101 best.json").ok().starts_with("ok: makespan "));
        assert_eq!(folder.files(), ["best.json", "ta101.csv"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told, "warning: interrupted: 1 instances were not started\n");
    }
}

/// Waits until the program handles Ctrl-C: before that, the system ends it.
fn wait_for_handler(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    if !std::path::Path::new(&status).exists() {
        return std::thread::sleep(Duration::from_millis(200));
    }
    let handles = |text: String| {
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_string();
        Some(u64::from_str_radix(&caught, 16).ok()? & 0b10 != 0)
    };
    wait_until(|| std::fs::read_to_string(&status).ok().and_then(handles).unwrap_or(true));
}

#[test]
fn a_hundred_interrupts_at_random_moments_give_a_hundred_valid_results() {
    let runs = [
        "ta081",
        "ta111 -j 2",
        "ta051 -a iterated-greedy",
        "ta101 -a beam",
        "ta021 -a branch-and-bound -j 2",
    ];
    let mut rng = pfss_core::Seed::new(1).stream("interrupts");
    for (number, run) in runs.iter().cycle().take(100).enumerate() {
        let folder = Folder::new();
        let child = folder
            .command(&format!("solve {run} -t 60 --json -s {number} -o best.json"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_handler(&child);
        std::thread::sleep(Duration::from_micros(rng.random_range(0..120_000)));
        // Where the run is over by then, nobody is left to be told.
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{run} {number}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(record["bound"].as_f64().unwrap() <= record["makespan"].as_f64().unwrap());
        let name = record["instance"].as_str().unwrap();
        assert!(folder.run(&format!("check {name} best.json")).ok().starts_with("ok: makespan "));
    }
}

#[test]
fn the_second_signal_aborts_even_while_reading() {
    let folder = Folder::new();
    // Standard input stays open: the program waits for more.
    let mut child = folder
        .command("solve - -o out.json")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Waiting for the program would close it.
    let _open = child.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    send("-INT", &child);
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none());
    send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(folder.files().is_empty());
}

/// Twenty layers of five jobs, each before all of the next: 5^20 ways lead through them.
fn layers() -> String {
    let times: Vec<[u32; 3]> = (0..100u32).map(|job| [3, 5, 7].map(|prime| job * prime % 11 + 1)).collect();
    let pairs = (5..100).flat_map(|after| (0..5).map(move |i| [after / 5 * 5 - 5 + i, after]));
    let jobs: Vec<Value> = times.iter().map(|times| json!({"times": times})).collect();
    let precedence: Vec<[usize; 2]> = pairs.collect();
    json!({"schema": "pfss.instance/2", "name": "layers", "objective": "total-completion", "jobs": jobs,
        "precedence": precedence})
    .to_string()
}

/// A search among them heeded neither limits nor signals: it was still running after ten minutes.
#[test]
fn layers_of_precedence_keep_the_limit_and_heed_signals() {
    let folder = Folder::with(&[("layers.json", layers().as_str())]);
    let clock = Instant::now();
    let record = folder.run("solve layers.json -t 1s --json -s 1").json();
    assert!(clock.elapsed() < Duration::from_secs(8), "{:?}", clock.elapsed());
    assert_eq!(record["order"].as_array().unwrap().len(), 100);
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::with(&[("layers.json", layers().as_str())]);
        let arguments = "solve layers.json -t 600 --json -s 1 -o best.json";
        let child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until(|| folder.path("best.json").exists());
        let clock = Instant::now();
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert!(clock.elapsed() < Duration::from_secs(5), "{signal}: {:?}", clock.elapsed());
        assert_eq!(output.status.code(), Some(0), "{signal}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(folder.run("check layers.json best.json").ok().starts_with("ok: "));
    }
}
