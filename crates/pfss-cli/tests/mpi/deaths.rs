//! Ranks that die take the job down, but never what was found.

use std::time::Duration;

use rand::RngExt;

use crate::harness::{
    checkpoint, command, command_that_dies_after, output_of, ranks_of, records, run, send, text, wait_until,
};

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

/// Whatever rank dies whenever: the result file and the checkpoint are whole, and twenty interrupted parts make one proof.
#[test]
fn a_rank_that_dies_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut rng = pfss_core::Seed::new(1).stream("deaths");
    let solve = "solve ta017 -a branch-and-bound -t 200s -j 1 -s 1 --checkpoint kept --checkpoint-every 50ms -o best.json";
    for number in 0..20 {
        // The first one is under way, and rank 0 has time for a last word; the others have none, as a rule.
        let is_first = number == 0;
        let patience = if is_first { 2 } else { u8::from(number % 5 == 0) };
        let mpirun = command_that_dies_after(patience, folder, 3, solve).spawn().unwrap();
        wait_until(20, || ranks_of(&mpirun).len() == 3);
        if is_first {
            wait_until(20, || checkpoint(folder).is_some());
        } else {
            std::thread::sleep(Duration::from_millis(rng.random_range(0..900)));
        }
        let victim = if is_first { 2 } else { rng.random_range(0..3) };
        if let Some(&(_, process)) = ranks_of(&mpirun).get(victim) {
            send("-KILL", process);
        }
        let told = text(&output_of(mpirun));
        assert!(!is_first || told.contains("the same command goes on from kept"), "{told}");
        if folder.join("best.json").exists() {
            assert!(run(folder, 1, "check ta017 best.json").starts_with("ok: makespan "), "{number}");
        }
    }
    let last = solve.replace("--checkpoint-every 50ms", "--json");
    let record = &records(&run(folder, 1, &last))[0];
    assert_eq!((&record["makespan"], &record["status"]), (&1484.into(), &"optimal".into()));
}
