//! `pfss check`.

use serde_json::{Value, json};

use crate::harness::{Folder, NAMED};

#[test]
fn right_orders_are_ok() {
    let folder = Folder::with(&[("named.csv", NAMED), ("order.txt", "0 2 1\n"), ("names.txt", "A\nC\nB\n")]);
    for order in ["A,C,B", "0,2,1", "order.txt", "names.txt", "1,3,2 --one-based"] {
        assert_eq!(folder.run(&format!("check named.csv {order}")).ok(), "ok: makespan 11\n");
    }
    assert_eq!(folder.run_with("check named.csv -", "[0, 2, 1]").ok(), "ok: makespan 11\n");
    assert_eq!(folder.run("check named.csv A,C,B --makespan 11").ok(), "ok: makespan 11\n");
}

#[test]
fn wrong_orders_and_claims_are_negative_answers() {
    let result = "{\"schema\":\"pfss.result/1\",\"instance\":\"other\",\"makespan\":10,\"order\":[0,2,1]}";
    let folder = Folder::with(&[("named.csv", NAMED), ("result.json", result)]);
    let check = |order: &str| folder.run(&format!("check named.csv {order}")).transcript();
    insta::assert_snapshot!(check("0,2,1 --makespan 10"), @r"
    wrong: the order has makespan 11, not 10
    exit code 1
    ");
    insta::assert_snapshot!(check("result.json"), @r"
    wrong: the order has makespan 11, not 10
    warning: the order is said to be for `other`, the instance is `named`
    exit code 1
    ");
    insta::assert_snapshot!(check("0,2"), @r"
    wrong: the order has 2 jobs but the instance has 3
    exit code 1
    ");
    insta::assert_snapshot!(check("0,2,2"), @r"
    wrong: job 2 stands at positions 1 and 2; each job must stand exactly once
    exit code 1
    ");
    insta::assert_snapshot!(check("0,1,3"), @r"
    wrong: position 2 holds job 3, but jobs are numbered 0 to 2
    exit code 1
    ");
    insta::assert_snapshot!(check("0,1 --json"), @r#"
    {"instance":"named","ok":false,"reason":"the order has 2 jobs but the instance has 3","schema":"pfss.check/1"}
    exit code 1
    "#);
    assert_eq!(folder.run("check named.csv none.txt").code, Some(2));
}

/// A record that contradicted itself was once `ok` as long as its makespan was right.
#[test]
fn what_else_a_record_claims_is_checked() {
    let jobs = "job,cut,weld,due\nA,3,4,4\nB,2,1,5\nC,5,2,6\n";
    let folder =
        Folder::with(&[("named.csv", NAMED), ("due.csv", jobs), ("other.csv", &NAMED.replace("3,4", "3,5"))]);
    for (instance, flags) in
        [("named.csv", ""), ("due.csv", ""), ("due.csv", "--objective total-tardiness,makespan")]
    {
        let solved = folder.run(&format!("solve {instance} -a neh {flags} -o result.json"));
        assert_eq!(solved.code, Some(0), "{}", solved.err);
        let right: Value = serde_json::from_str(&folder.read("result.json")).unwrap();
        let check = |key: &str, value: Value| {
            let mut record = right.clone();
            record[key] = value;
            std::fs::write(folder.path("claim.json"), record.to_string()).unwrap();
            folder.run(&format!("check {instance} claim.json"))
        };
        assert!(check("seed", json!(1)).ok().starts_with("ok: "));
        let wrong = [
            ("bound", json!(1000), "the bound 1000 is above the value"),
            ("bound", json!(0.5), "the gap of value"),
            ("gap", json!(0.125), "not 0.125"),
            ("status", json!("perfect"), "it can be `optimal` or `feasible`"),
            ("num_jobs", json!(4), "of 4 jobs, but the instance has 3"),
            ("num_machines", json!(3), "of 3 machines, but the instance has 2"),
            ("value", json!(1), "not 1"),
            ("instance_hash", json!("00"), "its instance_hash is 00"),
        ];
        for (key, value, sentence) in wrong {
            let done = check(key, value);
            assert_eq!(done.code, Some(1), "{instance} {flags} {key}: {}", done.out);
            assert!(done.out.starts_with("wrong: ") && done.out.contains(sentence), "{}", done.out);
        }
    }
    folder.run("solve named.csv -a neh -o result.json");
    let other = folder.run("check other.csv result.json");
    assert!(other.code == Some(1) && other.out.contains("of other numbers than these"), "{}", other.out);
}

#[test]
fn optimal_needs_a_bound_that_meets_the_value() {
    let claim = r#"{"makespan":11,"bound":9,"gap":0.2222222222222222,"status":"optimal","order":[0,2,1]}"#;
    let folder = Folder::with(&[("named.csv", NAMED), ("claim.json", claim)]);
    let done = folder.run("check named.csv claim.json");
    assert_eq!(done.out, "wrong: the status is `optimal`, but the gap is 0.2222222222222222, not 0\n");
    assert_eq!(done.code, Some(1));
}
