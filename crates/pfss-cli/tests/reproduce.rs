//! `pfss reproduce` as users and scripts call it.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;
#[cfg(feature = "tsp")]
use std::time::Instant;

use serde_json::Value;

/// The exit code, standard output and standard error of one call in a folder, without benchmark files.
fn reproduce(folder: &Path, arguments: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pfss"));
    command.current_dir(folder).arg("reproduce").args(arguments.split_whitespace()).env_remove("PFSS_DATA");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[cfg(feature = "tsp")]
fn models() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    root.canonicalize().unwrap().display().to_string()
}

fn summary(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap()).unwrap()
}

/// Method, group and mean cost of each cell whose runs end without a look at the clock.
fn costs(summary: &Value) -> Vec<(String, String, f64)> {
    let cells = summary["cells"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_string();
    cells
        .filter(|cell| cell["numbers"].is_object() && !text(&cell["method"]).ends_with("-time"))
        .map(|cell| (text(&cell["method"]), text(&cell["group"]), cell["numbers"]["cost"].as_f64().unwrap()))
        .collect()
}

#[cfg(feature = "tsp")]
#[test]
fn every_plan_runs_end_to_end_at_a_tiny_scale() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Instant::now();
    let (code, stdout, stderr) =
        reproduce(folder.path(), &format!("all --quick -j 2 -o out --models {}", models()));
    assert_eq!(code, 0, "{stderr}");
    assert!(clock.elapsed() < Duration::from_secs(120), "{:?}", clock.elapsed());
    assert!(
        stderr.contains("benchmarks-vrf is left out: the instances of vrf-small are not there"),
        "{stderr}"
    );
    for part in ["Comparative study, gamma, five machines", "pfss train bc", "not in the paper", "34.1"] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    // Most models are in the history alone; what is missing is told, with the way to it.
    assert!(stdout.contains("no model: gamma-m5-rl-lstm"), "{stdout}");
    let told = stderr.lines().find(|line| line.contains("ablation: no model ")).unwrap();
    assert!(told.contains("gamma-m5-paper-neh") && told.contains("scripts/models"), "{told}");
    let (_, list, _) = reproduce(folder.path(), "list");
    let out = folder.path().join("out");
    let names: Vec<&str> = list.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names.len(), 14, "{list}");
    for name in names.into_iter().filter(|name| *name != "benchmarks-vrf") {
        for ending in ["csv", "rows.csv.xz", "md", "tex", "json"] {
            let path = out.join(format!("{name}.{ending}"));
            assert!(std::fs::metadata(&path).is_ok_and(|file| file.len() > 0), "{}", path.display());
        }
        let found = summary(&out, name);
        assert_eq!((&found["schema"], &found["plan"]), (&"pfss.reproduction/1".into(), &name.into()));
        assert_eq!(found["origin"]["seeds"], serde_json::json!([1, 2, 3]));
        assert!(!costs(&found).is_empty(), "{name}");
    }
    for picture in ["time-complexity-time.svg", "job-differences-gap.svg"] {
        assert!(std::fs::read_to_string(out.join(picture)).unwrap().starts_with("<svg"));
    }
    assert!(summary(&out, "time-complexity")["fits"].as_array().unwrap().len() > 3);
}

#[test]
fn runs_resume_and_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let call = |arguments: &str| {
        let (code, _, stderr) =
            reproduce(folder.path(), &format!("comparative-gamma-m5 --quick {arguments}"));
        assert_eq!(code, 0, "{stderr}");
        stderr
    };
    call("-j 1 -o one");
    let without_models = std::fs::read_to_string(folder.path().join("one/comparative-gamma-m5.md")).unwrap();
    assert!(without_models.contains("no model: gamma-m5-rl-lstm"), "{without_models}");
    call("-j 3 -o three");
    let whole = summary(&folder.path().join("one"), "comparative-gamma-m5");
    assert_eq!(costs(&whole), costs(&summary(&folder.path().join("three"), "comparative-gamma-m5")));
    // Interrupted in the middle of a line: the rest is made again, what was there is kept.
    let rows = folder.path().join("one/comparative-gamma-m5.csv");
    let text = std::fs::read_to_string(&rows).unwrap();
    std::fs::write(&rows, &text[..text.len() / 2]).unwrap();
    let stderr = call("-j 2 -o one -v");
    assert!(!stderr.contains("20 jobs: Random search"), "{stderr}");
    assert!(stderr.contains("1000 jobs: Random search (9 runs)"), "{stderr}");
    assert_eq!(costs(&summary(&folder.path().join("one"), "comparative-gamma-m5")), costs(&whole));
    let again = std::fs::read_to_string(&rows).unwrap();
    assert!(again.starts_with(&text[..text.len() / 3]) && again.lines().count() == text.lines().count());
    // Other seeds are other runs.
    call("-j 2 -o one --seed 7");
    assert_ne!(costs(&summary(&folder.path().join("one"), "comparative-gamma-m5")), costs(&whole));
}

/// A table of learned policies from nothing: their trainings, and its rows.
#[cfg(feature = "train")]
#[test]
fn quick_models_are_trained_and_fill_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let call = || {
        let (code, stdout, stderr) =
            reproduce(folder.path(), "train aggregation --quick -o out --at-once 2 -- --count 128");
        assert_eq!(code, 0, "{stderr}");
        assert!(stderr.contains("3 trainings are done"), "{stderr}");
        stdout
    };
    let stdout = call();
    assert!(stdout.contains("tiny scale") && !stdout.contains("no model"), "{stdout}");
    let found = summary(&folder.path().join("out"), "aggregation");
    let methods: Vec<String> = costs(&found).into_iter().map(|(method, ..)| method).collect();
    for method in ["max", "sum", "mean"] {
        assert!(methods.iter().any(|known| known == method), "{methods:?}");
    }
    let model = |name: &str| std::fs::read(folder.path().join("out/models").join(name)).unwrap();
    let before = model("gamma-m5-max/model.safetensors");
    let record: Value = serde_json::from_slice(&model("gamma-m5-max/training.json")).unwrap();
    assert_eq!(record["epochs"].as_array().unwrap().len(), 3);
    call();
    assert_eq!(model("gamma-m5-max/model.safetensors"), before);
    for (arguments, expected) in [
        ("train", "of which plans?"),
        ("train nothing", "there is no plan `nothing`"),
        ("train aggregation -o out", "-o"),
        ("aggregation train", "`train` stands first"),
        ("aggregation --quick --at-once 2", "--at-once"),
    ] {
        let (code, _, stderr) = reproduce(folder.path(), arguments);
        assert!(code == 2 && stderr.contains(expected), "{arguments}: {stderr}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        ("table-one", "there is no plan `table-one`; known are: comparative-gamma-m5"),
        ("list tsp", "`list` stands alone"),
        ("docs --results here -o /dev/null/pages", "/dev/null/pages/images: cannot make the folder"),
        ("tsp --seed one", "invalid value 'one'"),
    ] {
        let (code, stdout, stderr) = reproduce(folder.path(), arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments}");
        assert!(stderr.contains(message), "{arguments}: {stderr}");
    }
    reproduce(folder.path(), "exact-vs-neh --quick -o here");
    let (code, _, stderr) = reproduce(folder.path(), "docs --results here -o pages");
    assert!(code == 2 && stderr.contains("results of a quick run mean nothing"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pfss"));
    command.current_dir(folder.path()).args(["reproduce", "comparative-gamma-m5", "-j", "1", "-o", "out"]);
    let child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let rows = folder.path().join("out/comparative-gamma-m5.csv");
    let lines = || std::fs::read_to_string(&rows).map_or(0, |text| text.lines().count());
    while lines() < 100 {
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(130) && output.stdout.is_empty(), "{told}");
    assert!(told.contains("interrupted; the same command goes on from there"), "{told}");
    let text = std::fs::read_to_string(&rows).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() >= 100);
    assert!(!folder.path().join("out/comparative-gamma-m5.json").exists());
}
