//! The beginning and the end of the process.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::serving::Serving;

#[test]
fn asked_to_end_it_keeps_what_it_has_and_ends_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Serving::at(folder.path(), &["--workers", "2"]);
    let id = server.submit_hard(json!({"time_limit": 60, "threads": 1}));
    let running = server.wait(&id, |job| job["value"].is_number());
    let mut events = server.events(&id, None);
    let waiting = std::thread::spawn(move || while events.next().is_some() {});
    let (time, code) = server.terminate();
    assert!(time < Duration::from_secs(5) && code == Some(0), "{time:?} {code:?}");
    waiting.join().unwrap();
    let server = Serving::at(folder.path(), &["--workers", "2"]);
    let job = server.wait(&id, |job| job["state"] == "running");
    assert!(job["value"].as_f64() <= running["value"].as_f64(), "{job}");
}

fn fails(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pfss"))
        .args(["serve", "--store"])
        .arg(folder.path())
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_is_in_the_way_is_told_with_what_to_do() {
    let server = Serving::new(&[]);
    let taken = fails(&["--listen", &server.address]);
    assert!(
        taken.contains("is in use by another program") && taken.contains("--listen 127.0.0.1:0"),
        "{taken}"
    );
    let open = fails(&["--listen", "0.0.0.0:0"]);
    assert!(open.contains("--token-file") && open.contains("--no-auth"), "{open}");
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "short\n").unwrap();
    let short = fails(&["--listen", "0.0.0.0:0", "--token-file", token.to_str().unwrap()]);
    assert!(short.contains("at least 16"), "{short}");
}
