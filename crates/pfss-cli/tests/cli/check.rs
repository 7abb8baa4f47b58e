//! `pfss check`.

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
