//! Three processes on this machine, over TCP as on a cluster. A build with feature `mpi` only.
#![cfg(feature = "mpi")]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::RngExt;
use serde_json::Value;

/// The program, in a folder, on so many processes; one does without `mpirun`.
fn command(folder: &Path, ranks: usize, arguments: &str) -> Command {
    command_that_dies_after(1, folder, ranks, arguments)
}

/// The same, where `mpirun` kills a job so many seconds after it has told it to end.
fn command_that_dies_after(seconds: u8, folder: &Path, ranks: usize, arguments: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_pfss");
    let mut command = if ranks == 1 {
        Command::new(program)
    } else {
        let mut command = Command::new("mpirun");
        command.args(["-n", &ranks.to_string(), "--oversubscribe", "--bind-to", "none"]);
        command.args(["--mca", "btl", "tcp,self", "--mca", "odls_base_sigkill_timeout"]);
        command.args([&seconds.to_string(), program]);
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command
    };
    command.current_dir(folder).args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, ranks: usize, arguments: &str) -> String {
    let output = command(folder, ranks, arguments).output().unwrap();
    let told = text(&output);
    assert!(output.status.success(), "{ranks} ranks: pfss {arguments}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn records(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn send(signal: &str, process: u32) {
    let _ = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
}

/// The processes that `mpirun` has started, by their rank.
fn ranks_of(mpirun: &Child) -> Vec<(usize, u32)> {
    let mut ranks = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
        if parent != Some(mpirun.id().to_string().as_str()) {
            continue;
        }
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let rank = environment.split(|&byte| byte == 0).find_map(|variable| {
            std::str::from_utf8(variable).ok()?.strip_prefix("OMPI_COMM_WORLD_RANK=")?.parse().ok()
        });
        ranks.extend(rank.map(|rank| (rank, process)));
    }
    ranks.sort_unstable();
    ranks
}

/// What `mpirun` and its ranks tell until they end. OpenMPI 4.1 now and then waits for ever for a rank that was killed as it began.
fn output_of(mpirun: Child) -> Output {
    let process = mpirun.id();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let clock = Instant::now();
            while !is_done.load(Ordering::Relaxed) && clock.elapsed() < Duration::from_secs(8) {
                std::thread::sleep(Duration::from_millis(20));
            }
            if !is_done.load(Ordering::Relaxed) {
                send("-KILL", process);
            }
        });
        let output = mpirun.wait_with_output().unwrap();
        is_done.store(true, Ordering::Relaxed);
        output
    })
}

/// Waits until `is_done`, for at most so many seconds.
fn wait_until(seconds: u64, is_done: impl Fn() -> bool) {
    let clock = Instant::now();
    while !is_done() {
        assert!(clock.elapsed() < Duration::from_secs(seconds), "this takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The one checkpoint in a folder.
fn checkpoint(folder: &Path) -> Option<String> {
    let mut files = std::fs::read_dir(folder.join("kept")).ok()?.flatten().map(|entry| entry.path());
    let file = files.find(|path| path.extension().is_some_and(|ending| ending == "checkpoint"))?;
    std::fs::read_to_string(file).ok()
}

#[test]
fn the_optimum_of_200_random_instances_is_that_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, 1, "generate uniform -n 9 -m 5 --count 100 -s 1 -o whole.json");
    run(folder, 1, "generate gamma -n 8 -m 6 --count 100 -s 2 -o real.json");
    let solve = "solve whole.json real.json -a branch-and-bound -t 60s -j 1 -s 1 --json";
    let (one, three) = (records(&run(folder, 1, solve)), records(&run(folder, 3, solve)));
    assert_eq!((one.len(), three.len()), (200, 200));
    for (one, three) in one.iter().zip(&three) {
        assert_eq!((&one["status"], &three["status"]), (&"optimal".into(), &"optimal".into()));
        let costs = [one, three].map(|record| record["makespan"].as_f64().unwrap());
        assert!((costs[0] - costs[1]).abs() <= 1e-9 * costs[0], "{}: {costs:?}", one["instance"]);
    }
}

#[test]
fn ta030_is_proven() {
    let folder = tempfile::tempdir().unwrap();
    let solve = "solve ta030 -a branch-and-bound -t 100s -j 1 -s 1 --json";
    let record = &records(&run(folder.path(), 3, solve))[0];
    assert_eq!((&record["makespan"], &record["status"]), (&2178.into(), &"optimal".into()));
}

#[test]
fn a_checkpoint_of_three_ranks_that_were_killed_is_finished_by_two() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let solve =
        "solve ta017 -a branch-and-bound -t 200s -j 1 -s 1 --checkpoint kept --checkpoint-every 100ms --json";
    let mut mpirun = command(folder, 3, solve).spawn().unwrap();
    let is_under_way = |text: String| text.lines().count() > 20;
    wait_until(20, || checkpoint(folder).is_some_and(is_under_way));
    let ranks = ranks_of(&mpirun);
    assert_eq!(ranks.len(), 3);
    send("-KILL", mpirun.id());
    ranks.iter().for_each(|rank| send("-KILL", rank.1));
    mpirun.wait().unwrap();
    let kept = checkpoint(folder).unwrap();
    let output = command(folder, 2, solve).output().unwrap();
    let told = text(&output);
    assert!(told.contains(&format!("goes on from {} open nodes", kept.lines().count() - 1)), "{told}");
    let record = &records(&String::from_utf8_lossy(&output.stdout))[0];
    assert_eq!((&record["makespan"], &record["status"]), (&1484.into(), &"optimal".into()));
    // And a third time, now without mpirun: nothing is left to do.
    let record = &records(&run(folder, 1, solve))[0];
    assert_eq!((&record["makespan"], &record["status"]), (&1484.into(), &"optimal".into()));
    assert!(record["runtime_s"].as_f64().unwrap() < 5.0);
}

#[test]
fn a_signal_gives_the_best_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for algorithm in ["auto", "branch-and-bound"] {
        let solve = format!("solve ta051 -a {algorithm} -t 60s -j 1 -s 1 --json -o best.json");
        let mpirun = command(folder, 3, &solve).spawn().unwrap();
        wait_until(20, || folder.join("best.json").exists());
        std::thread::sleep(Duration::from_millis(500));
        send("-TERM", mpirun.id());
        let clock = Instant::now();
        let output = mpirun.wait_with_output().unwrap();
        // mpirun itself passes a signal on after a second, and kills after another one.
        assert!(clock.elapsed() < Duration::from_secs(8), "{:?}", clock.elapsed());
        let written: Value =
            serde_json::from_slice(&std::fs::read(folder.join("best.json")).unwrap()).unwrap();
        assert_eq!(written["stop_reason"], "cancelled", "{}", text(&output));
        assert!(run(folder, 1, "check ta051 best.json").starts_with("ok: makespan "));
        std::fs::remove_file(folder.join("best.json")).unwrap();
    }
}

/// Whatever rank dies whenever: the result file and the checkpoint are whole, and twenty interrupted parts make one proof.
#[test]
fn a_rank_that_dies_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut rng = pfss_core::Seed::new(1).stream("deaths");
    let mut tellers = BTreeSet::new();
    let solve = "solve ta017 -a branch-and-bound -t 200s -j 1 -s 1 --checkpoint kept --checkpoint-every 50ms -o best.json";
    for number in 0..20 {
        // Most of them at once: then nobody has time for a last word. The first one has, and is no longer than needed to be under way.
        let patience = u8::from(number % 5 == 0);
        let mpirun = command_that_dies_after(patience, folder, 3, solve).spawn().unwrap();
        wait_until(20, || ranks_of(&mpirun).len() == 3);
        let (least, most) = if number == 0 { (300, 500) } else { (0, 900) };
        std::thread::sleep(Duration::from_millis(rng.random_range(least..most)));
        let victim = if number == 0 { 2 } else { rng.random_range(0..3) };
        if let Some(&(_, process)) = ranks_of(&mpirun).get(victim) {
            send("-KILL", process);
        }
        let output = output_of(mpirun);
        if text(&output).contains("the same command goes on from kept") {
            tellers.insert(number);
        }
        if folder.join("best.json").exists() {
            assert!(run(folder, 1, "check ta017 best.json").starts_with("ok: makespan "), "{number}");
        }
    }
    // Rank 0 is among the dead sometimes, and sometimes the proof is over by then.
    assert!(!tellers.is_empty());
    let last = solve.replace("--checkpoint-every 50ms", "--json");
    let record = &records(&run(folder, 1, &last))[0];
    assert_eq!((&record["makespan"], &record["status"]), (&1484.into(), &"optimal".into()));
}

#[test]
fn a_bench_has_the_rows_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bench =
        "bench taillard --groups 20x5 -a neh,iterated-greedy,auto --evaluations 20000 --seeds 2 -j 1 -q -o";
    run(folder, 1, &format!("{bench} one.csv"));
    run(folder, 3, &format!("{bench} three.csv"));
    // Times differ, and rows come as they are done.
    let rows = |name: &str| -> BTreeSet<Vec<String>> {
        let mut reader = csv::Reader::from_path(folder.join(name)).unwrap();
        let time = reader.headers().unwrap().iter().position(|column| column == "runtime_s").unwrap();
        let row = |record: csv::StringRecord| {
            record.iter().enumerate().filter(|cell| cell.0 != time).map(|cell| cell.1.to_string()).collect()
        };
        reader.records().map(|record| row(record.unwrap())).collect()
    };
    assert_eq!(rows("one.csv").len(), 60);
    assert_eq!(rows("one.csv"), rows("three.csv"));
    // An interrupted one goes on: here from its first rows.
    let whole = std::fs::read_to_string(folder.join("three.csv")).unwrap();
    let some: String = whole.lines().take(31).map(|line| line.to_string() + "\n").collect();
    std::fs::write(folder.join("cut.csv"), &some).unwrap();
    run(folder, 3, &format!("{bench} cut.csv"));
    assert!(std::fs::read_to_string(folder.join("cut.csv")).unwrap().starts_with(&some));
    assert_eq!(rows("cut.csv"), rows("one.csv"));
}

#[test]
fn labels_and_baselines_are_those_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let label = "train label -n 10 -m 5 --count 12 -s 3 -j 1 --expert-evaluations 3000 -q -o";
    run(folder, 1, &format!("{label} one.safetensors"));
    run(folder, 3, &format!("{label} three.safetensors"));
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("one.safetensors"), bytes("three.safetensors"));
    let eval =
        "eval -n 10 -m 5 --count 12 -s 3 -j 1 --baselines neh,iterated-greedy --evaluations 3000 --json";
    let means = |ranks| -> Vec<Value> {
        records(&run(folder, ranks, eval)).iter().map(|record| record["makespan"].clone()).collect()
    };
    assert_eq!(means(1), means(3));
}
