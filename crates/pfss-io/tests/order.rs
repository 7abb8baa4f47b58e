//! Orders as people and programs write them.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_core::Instance;
use pfss_io::{AnyInstance, GivenOrder, OrderOptions, ReadError, order};

fn instance(names: Option<[&str; 3]>) -> AnyInstance {
    let instance: AnyInstance = Instance::new("small", 1, vec![1u32, 2, 3]).unwrap().into();
    match names {
        Some(names) => instance.with_job_names(names.map(String::from).to_vec()).unwrap(),
        None => instance,
    }
}

fn read(text: &str, names: Option<[&str; 3]>) -> Result<GivenOrder, ReadError> {
    order::read(text, &instance(names), OrderOptions::default())
}

#[track_caller]
fn reads(text: &str, names: Option<[&str; 3]>, expected: [u32; 3]) {
    assert_eq!(read(text, names).unwrap().order, expected, "{text}");
}

#[track_caller]
fn refuses(text: &str, names: Option<[&str; 3]>, message: &str) {
    assert_eq!(read(text, names).unwrap_err().to_string(), message);
}

#[test]
fn bare_numbers() {
    for text in ["2 0 1", "2,0,1", "2\n0\n1\n", " 2;\t0, 1\r\n", "\u{feff}[2, 0, 1]", "[2,0,1]\n"] {
        reads(text, None, [2, 0, 1]);
    }
    let options = OrderOptions { one_based: true };
    assert_eq!(order::read("3 1 2", &instance(None), options).unwrap().order, [2, 0, 1]);
    let error = order::read("0 1 2", &instance(None), options).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 1: found job 0, but the order was said to count from 1");
}

#[test]
fn an_order_need_not_be_complete_to_be_read() {
    assert_eq!(read("2 2 7", None).unwrap().order, [2, 2, 7]);
    assert!(instance(None).check(&[2, 2, 7], None).is_err());
}

#[test]
fn names() {
    let names = Some(["A", "B 1", "C,2"]);
    reads("C,2\nA\nB 1\n", names, [2, 0, 1]);
    reads("[\"C,2\", \"A\", \"B 1\"]", names, [2, 0, 1]);
    reads("2 0 1", names, [2, 0, 1]);
    reads("z, x, y", Some(["x", "y", "z"]), [2, 0, 1]);
    reads("z x y", Some(["x", "y", "z"]), [2, 0, 1]);
    reads("30 10 20", Some(["10", "20", "30"]), [2, 0, 1]);
    refuses(
        "z x w",
        Some(["x", "y", "z"]),
        "line 1, column 5: there is no job `w`; names must be written as in the instance",
    );
    refuses(
        "y x x",
        Some(["x", "x", "y"]),
        "line 1, column 3: two jobs are named `x`; give the order by numbers",
    );
    refuses(
        "[\"a\"]",
        None,
        "line 1, column 1: there is no job `a`; the jobs have no names, give the order by numbers",
    );
}

#[test]
fn numbers_that_are_names_are_not_guessed() {
    refuses(
        "0 2 1",
        Some(["1", "0", "2"]),
        "the order can be read as job numbers or as job names; write it as a JSON array: numbers `[2, 0, 1]` are job numbers (from 0), strings `[\"2\", \"0\", \"1\"]` are names",
    );
    reads("[0, 2, 1]", Some(["1", "0", "2"]), [0, 2, 1]);
    reads("[\"0\", \"2\", \"1\"]", Some(["1", "0", "2"]), [1, 2, 0]);
    // Counted from 1 by name: only one reading is an order of all jobs.
    reads("3 1 2", Some(["1", "2", "3"]), [2, 0, 1]);
}

#[test]
fn results() {
    let result = "{\"schema\":\"pfss.result/1\",\"instance\":\"small\",\"makespan\":6,\"order\":[2,0,1]}";
    let given = read(result, None).unwrap();
    assert_eq!(given.order, [2, 0, 1]);
    assert_eq!((given.makespan, given.instance.as_deref()), (Some(6.0), Some("small")));
    let several = format!("{}\n{result}\n", result.replace("small", "other").replace("2,0,1", "0,1,2"));
    assert_eq!(read(&several, None).unwrap().order, [2, 0, 1]);
    let others = format!("{0}\n{0}\n", result.replace("small", "other"));
    refuses(&others, None, "none of the 2 results is for instance `small`");
    let error = order::read(result, &instance(None), OrderOptions { one_based: true }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a pfss.result/1 always counts jobs from 0; leave out the option to count from 1"
    );
}

#[test]
fn bad_orders() {
    refuses(" \n", None, "there is no order here; expected job numbers, job names or a JSON result");
    refuses("0 x", None, "line 1, column 3: there is no job `x`; jobs are numbered 0 to 2");
    refuses("0 -1", None, "line 1, column 3: there is no job `-1`; jobs are numbered 0 to 2");
    refuses(
        "0 99999999999",
        None,
        "line 1, column 3: position 1 holds job 99999999999, but jobs are numbered 0 to 2",
    );
    refuses(
        "{\"makespan\": 3}",
        None,
        "the object has no field `order`; expected an array of 0-based job numbers",
    );
    refuses("{\"order\": 3}", None, "the order is no array; expected an array of job numbers or job names");
    refuses(
        "[0, null]",
        None,
        "line 1, column 1: found null in the order; expected an array of job numbers or job names",
    );
    refuses("[0, 1", None, "line 1, column 5: EOF while parsing a list");
    refuses("{\"schema\": \"x\", \"order\": [0]}", None, "found schema `x`, expected `pfss.result/1`");
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("order.txt");
    std::fs::write(&path, "2 0 1\r\n").unwrap();
    let options = OrderOptions::default();
    assert_eq!(order::read_file(&path, &instance(None), options).unwrap().order, [2, 0, 1]);
    std::fs::write(&path, b"2 0 \xFF").unwrap();
    let error = order::read_file(&path, &instance(None), options).unwrap_err().to_string();
    assert_eq!(error, format!("{}:1:5: this is not UTF-8 text; save the file as UTF-8", path.display()));
    let missing = folder.path().join("missing");
    let error = order::read_file(&missing, &instance(None), options).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: cannot read", missing.display())), "{error}");
}

/// A plan of yesterday for rows that were sorted since went by numbers, which are those of other jobs now.
#[test]
fn a_result_with_names_is_read_by_them() {
    let names = Some(["saw", "drill", "paint"]);
    let record = |jobs: &str| format!(r#"{{"schema":"pfss.result/1","order":[1,0,2],"job_names":{jobs}}}"#);
    reads(&record(r#"["drill","saw","paint"]"#), names, [1, 0, 2]);
    reads(&record(r#"["paint","drill","saw"]"#), names, [2, 1, 0]);
    // Nothing to compare with.
    reads(&record(r#"["paint","drill","saw"]"#), None, [1, 0, 2]);
    let message = "line 1, column 1: there is no job `bend`; names must be written as in the instance";
    refuses(&record(r#"["drill","saw","bend"]"#), names, message);
    // Jobs of one name are told apart by their numbers.
    reads(&record(r#"["a","a","b"]"#), Some(["a", "a", "b"]), [1, 0, 2]);
}
