//! What ranks find and prove together is what one process finds.

use crate::harness::{records, run};

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

/// Due dates, releases and set-ups: every rank is an island of the planner's `auto`, and one of them proves.
#[test]
fn planned_instances_have_the_optimum_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, 1, "generate uniform -n 8 -m 3 --count 10 -s 1 --due 0.4,0.6 --setup 3,50 -o few.json");
    run(folder, 1, "generate uniform -n 11 -m 3 --count 4 -s 2 --due 0.3,0.6 --release 0.5 -o some.json");
    for (objective, algorithm) in [("total-tardiness", "auto"), ("max-lateness,makespan", "branch-and-bound")]
    {
        let solve = format!(
            "solve few.json some.json --objective {objective} -a {algorithm} -t 60s -j 1 -s 1 --json"
        );
        let (one, three) = (records(&run(folder, 1, &solve)), records(&run(folder, 3, &solve)));
        assert_eq!((one.len(), three.len()), (14, 14));
        for (one, three) in one.iter().zip(&three) {
            assert_eq!((&one["status"], &three["status"]), (&"optimal".into(), &"optimal".into()));
            assert_eq!(one["value"], three["value"], "{}", one["instance"]);
        }
    }
}
