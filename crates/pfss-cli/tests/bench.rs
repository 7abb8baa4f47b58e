//! `pfss bench` as users and scripts call it.

#![allow(clippy::unwrap_used)]

use std::process::Command;

/// The exit code, standard output and standard error of one call.
fn bench(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pfss")).arg("bench").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_bench_is_resumed_and_summarised() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let path = path.to_str().unwrap();
    let chosen = ["taillard", "-a", "neh,palmer", "--instances", "ta001,ta002,ta011"];
    let chosen = [&chosen[..], &["--evaluations", "1e5", "-o", path]].concat();

    let (code, stdout, stderr) = bench(&[&chosen[..], &["-j", "2", "-v"]].concat());
    assert_eq!(code, 0, "{stderr}");
    for part in ["mean over instances", "20x10", "first better"] {
        assert!(stdout.contains(part), "{stdout}");
    }
    assert!(stderr.contains("[6/6]") && stderr.contains("ta011 neh #1"), "{stderr}");
    let rows = std::fs::read_to_string(path).unwrap();
    assert_eq!(rows.lines().count(), 7, "{rows}");

    let (code, stdout, stderr) = bench(&[&chosen[..], &["-v", "--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let summary: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(summary["schema"], "pfss.bench/1");
    assert_eq!(summary["overall"][0]["runs"], 3);
    assert!(stderr.contains("6 of 6 runs were already in the file"), "{stderr}");
    assert!(!stderr.contains("[6/6]"), "{stderr}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), rows);

    let (code, stdout, stderr) = bench(&[&chosen[..], &["-q", "--markdown"]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("| mean over groups"), "{stdout}");
}

/// Rows of another instance of the same name were once taken for its own, and a torn line went without a word.
#[test]
fn a_file_of_rows_is_not_trusted_blindly() {
    let folder = tempfile::tempdir().unwrap();
    let (instance, rows) = (folder.path().join("mine.csv"), folder.path().join("rows.csv"));
    std::fs::write(&instance, "job,cut,weld\nA,3,4\nB,2,1\nC,5,2\n").unwrap();
    let arguments =
        [instance.to_str().unwrap(), "-a", "neh", "--evaluations", "9", "-o", rows.to_str().unwrap()];
    assert_eq!(bench(&arguments).0, 0);
    let written = std::fs::read_to_string(&rows).unwrap();

    std::fs::write(&rows, &written[..written.len() - 9]).unwrap();
    let (code, _, stderr) = bench(&arguments);
    assert!(code == 0 && stderr.contains("the last line was not whole and is cut off"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&rows).unwrap().lines().count(), 2);

    std::fs::write(&rows, written.replace(",feasible,", ",perfect,").replace(",optimal,", ",perfect,"))
        .unwrap();
    let (code, _, stderr) = bench(&arguments);
    assert!(
        code == 2 && stderr.contains("rows.csv:2:") && stderr.contains("expected optimal or feasible"),
        "{stderr}"
    );

    std::fs::write(&rows, &written).unwrap();
    std::fs::write(&instance, "job,cut,weld\nA,3,4\nB,2,1\nC,5,3\n").unwrap();
    let (code, _, stderr) = bench(&arguments);
    assert!(
        code == 2 && stderr.contains("rows.csv: its rows of `mine` were made of other numbers"),
        "{stderr}"
    );
    assert_eq!(std::fs::read_to_string(&rows).unwrap(), written);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "mine").unwrap();
    let calls: [(&[&str], &str); 7] = [
        (&["tailard"], "there is no set `tailard`"),
        (&["taillard", "--groups", "50x21"], "no instance of taillard"),
        (&["ta001", "-a", "nothing"], "there is no algorithm `nothing`"),
        (&["ta001", "-a", "neh:x=1"], "neh: unknown field `x`"),
        (&["ta001", "-a", "neh", "--time-factor", "0"], "must be a positive number"),
        (&["ta001", "-t", "1", "--evaluations", "5"], "cannot be used with"),
        (&["ta001", "-a", "neh", "-t", "1", "-o", notes.to_str().unwrap()], "not a file of bench rows"),
    ];
    for (arguments, message) in calls {
        let (code, stdout, stderr) = bench(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "mine");
}
