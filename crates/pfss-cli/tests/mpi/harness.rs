//! `mpirun` and what it started.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program, in a folder, on so many processes; one does without `mpirun`.
pub(crate) fn command(folder: &Path, ranks: usize, arguments: &str) -> Command {
    command_that_dies_after(1, folder, ranks, arguments)
}

/// The same, where `mpirun` kills a job so many seconds after it has told it to end.
pub(crate) fn command_that_dies_after(seconds: u8, folder: &Path, ranks: usize, arguments: &str) -> Command {
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

pub(crate) fn run(folder: &Path, ranks: usize, arguments: &str) -> String {
    let output = command(folder, ranks, arguments).output().unwrap();
    let told = text(&output);
    assert!(output.status.success(), "{ranks} ranks: pfss {arguments}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

pub(crate) fn records(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn send(signal: &str, process: u32) {
    let _ = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
}

/// The processes that `mpirun` has started, by their rank.
pub(crate) fn ranks_of(mpirun: &Child) -> Vec<(usize, u32)> {
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
pub(crate) fn output_of(mpirun: Child) -> Output {
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
pub(crate) fn wait_until(seconds: u64, is_done: impl Fn() -> bool) {
    let clock = Instant::now();
    while !is_done() {
        assert!(clock.elapsed() < Duration::from_secs(seconds), "this takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The one checkpoint in a folder.
pub(crate) fn checkpoint(folder: &Path) -> Option<String> {
    let mut files = std::fs::read_dir(folder.join("kept")).ok()?.flatten().map(|entry| entry.path());
    let file = files.find(|path| path.extension().is_some_and(|ending| ending == "checkpoint"))?;
    std::fs::read_to_string(file).ok()
}
