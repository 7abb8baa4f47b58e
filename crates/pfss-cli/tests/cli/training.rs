//! `pfss train`: what its folder holds, and what it says of it.
#![cfg(all(unix, feature = "train", feature = "tsp"))]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use rand::RngExt;
use serde_json::{Value, json};

use crate::harness::Folder;
use crate::signals::wait_until;

/// A network that learns in no time.
pub(crate) const NET: &str = "--batch 8 --width 16 --heads 2 --layers 1 --learning-rate 1e-3";
/// A whole training of it.
pub(crate) const TINY: &str = "-n 6 -m 3 --count 24 --validation 6 --expert neh --epochs 3";

fn bc(rest: &str) -> String {
    format!("-q train bc {NET} {rest}")
}

fn tiny(rest: &str) -> String {
    bc(&format!("{TINY} {rest}"))
}

fn record(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(&format!("{name}/training.json"))).unwrap()
}

pub(crate) fn start(folder: &Folder, arguments: &str) -> Child {
    folder.command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

pub(crate) fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until a file of labels has so many lines.
pub(crate) fn wait_for_lines(folder: &Folder, file: &str, count: usize) {
    wait_until(|| std::fs::read_to_string(folder.path(file)).is_ok_and(|text| text.lines().count() >= count));
}

/// What labels in a file say of where they come from.
fn label_record(folder: &Folder, file: &str) -> Value {
    let bytes = folder.bytes(file);
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    serde_json::from_str(header["__metadata__"]["pfss.labels/1"].as_str().unwrap()).unwrap()
}

/// Trained on uniform times and NEH, a policy was judged on gamma times and iterated greedy (L1).
#[test]
fn labels_tell_what_is_measured_on() {
    let folder = Folder::new();
    let labels =
        "--distribution uniform --high 20 -n 6 -m 3 --count 24 -s 4 --expert neh -o labels.safetensors";
    folder.run(&format!("-q train label {labels}")).ok();
    let own = "--labels labels.safetensors --validation 6 --epochs 1 -s 1";
    folder.run(&bc(&format!("{own} -o run"))).ok();
    let measured = &record(&folder, "run")["validation"];
    assert_eq!((&measured["distribution"], &measured["expert"]), (&json!("uniform"), &json!("neh")));
    assert_eq!(measured["parameters"], json!({"low": 1.0, "high": 20.0}));
    assert_eq!((&measured["num_jobs"], &measured["count"]), (&json!(6), &json!(6)));
    let told = folder.run(&bc(&format!("{own} --distribution gamma --expert cds -o other"))[3..]);
    assert_eq!(told.code, Some(0), "{}", told.err);
    assert!(
        told.err.contains("measured on gamma 6x3, though labels.safetensors holds uniform"),
        "{}",
        told.err
    );
    assert!(told.err.contains("measured beside cds, though labels.safetensors was labelled by neh"));
    assert_eq!(record(&folder, "other")["validation"]["expert"], "cds");
}

/// Any training replaced a model whose checkpoint was gone, and took over its history (L2).
#[test]
fn a_model_is_replaced_by_its_own_training_only() {
    let folder = Folder::new();
    folder.run(&tiny("-s 5 -o first")).ok();
    folder.run(&tiny("-s 6 --start first -o second")).ok();
    assert_eq!(record(&folder, "second")["earlier"][0]["seed"], 5);
    let model = folder.bytes("second/model.safetensors");
    std::fs::remove_file(folder.path("second/checkpoint.safetensors")).unwrap();
    let refused = folder.run(&tiny("-s 6 --start first -o second")).fails();
    assert!(refused.contains("its checkpoint is gone"), "{refused}");
    let refused = folder.run(&tiny("-s 7 --start first -o second")).fails();
    assert!(refused.contains("the model of another training (seed is 6 there and 7 here)"), "{refused}");
    let front = "-q train front --mix gamma:6x3 --labelled 5 --validation 5 --expert neh -o second";
    assert!(folder.run(front).fails().contains("the model of another training"), "{refused}");
    assert_eq!(folder.bytes("second/model.safetensors"), model);
    // Without `--start` nothing came before it.
    std::fs::remove_file(folder.path("second/model.safetensors")).unwrap();
    folder.run(&tiny("-s 6 -o second")).ok();
    assert_eq!(record(&folder, "second")["earlier"], Value::Null);
}

/// All labels of an interrupted labelling were lost (L3), and it ended with another exit code than a training (L10).
#[test]
fn labels_are_kept_as_they_are_made() {
    let folder = Folder::new();
    let label = "train label --count 200 -n 12 -m 5 -s 4 --expert-evaluations 20000 -j 1 -o";
    for (name, how) in [("killed", "-KILL"), ("stopped", "-INT")] {
        let child = start(&folder, &format!("{label} {name}"));
        wait_for_lines(&folder, &format!("{name}.part"), 5);
        signal(&child, how);
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!folder.path(name).exists());
        if how == "-INT" {
            assert_eq!(output.status.code(), Some(130));
            assert!(
                told.contains("of 200 labels are kept in stopped.part; the same command goes on"),
                "{told}"
            );
        }
        let other = folder.run(&format!("-q {} {name}", label.replace("-s 4", "-s 5"))).fails();
        assert!(other.contains("made with other settings"), "{other}");
        let told = folder.run(&format!("{label} {name}"));
        assert!(told.code == Some(0) && told.err.contains("were labelled before"), "{}", told.err);
    }
    folder.run(&format!("-q {label} whole")).ok();
    assert_eq!(folder.bytes("killed"), folder.bytes("whole"));
    assert_eq!(folder.files(), ["killed", "stopped", "whole"]);
}

/// The seed was known after the first epoch only, and the command could not go on without it (L4).
#[test]
fn a_training_without_a_seed_goes_on_from_any_point() {
    let folder = Folder::new();
    let long =
        tiny("--expert iterated-greedy").replace("--expert neh", "").replace("--count 24", "--count 60");
    let long = long.replace("-n 6", "-n 12 --expert-evaluations 20000 -j 1");
    let mut child = start(&folder, &format!("{long} -o run"));
    wait_for_lines(&folder, "run/labels.safetensors.part", 3);
    let begun = record(&folder, "run");
    assert_eq!((&begun["epochs"], &begun["config"]["epochs"]), (&json!([]), &json!(3)));
    child.kill().unwrap();
    child.wait().unwrap();
    // A kill may also come when the set is whole and its parts are still there.
    std::fs::copy(folder.path("run/labels.safetensors.part"), folder.path("part")).unwrap();
    folder.run(&format!("{long} -o run")).ok();
    std::fs::copy(folder.path("part"), folder.path("run/labels.safetensors.part")).unwrap();
    folder.run(&format!("{long} -o run")).ok();
    assert!(!folder.path("run/labels.safetensors.part").exists());
    let seed = begun["seed"].as_u64().unwrap();
    folder.run(&format!("{long} -s {seed} -o whole")).ok();
    assert_eq!(folder.bytes("run/model.safetensors"), folder.bytes("whole/model.safetensors"));
    let done = record(&folder, "run");
    assert_eq!(done["seed"], begun["seed"]);
    assert!(done["command"].as_str().unwrap().ends_with(&format!("-o run -s {seed}")), "{done}");
    // Where the record is lost, the checkpoint knows it too.
    std::fs::remove_file(folder.path("run/training.json")).unwrap();
    folder.run(&format!("{long} -o run")).ok();
    assert_eq!(record(&folder, "run")["seed"], begun["seed"]);
}

/// A finished training that was called with fewer epochs said afterwards that it had those (L5).
#[test]
fn epochs_are_added_but_not_taken_away() {
    let folder = Folder::new();
    folder.run(&tiny("-s 5 -o run")).ok();
    let before = record(&folder, "run");
    let fewer = folder.run(&tiny("-s 5 -o run").replace("--epochs 3", "--epochs 2")).fails();
    assert!(fewer.contains("3 epochs are done already, but 2 were asked for"), "{fewer}");
    assert_eq!(record(&folder, "run"), before);
    let more = tiny("-s 5 -o run").replace("--epochs 3", "--epochs 5");
    folder.run(&more).ok();
    folder.run(&more.replace("-o run", "-o whole")).ok();
    assert_eq!(folder.bytes("run/model.safetensors"), folder.bytes("whole/model.safetensors"));
    assert_eq!(record(&folder, "run")["epochs"].as_array().unwrap().len(), 5);
    let front = "-q train front -s 3 --mix gamma:6x3 --labelled 10 --validation 5 --expert neh --batches 2 --imitation-epochs 1 --gradient-epochs 1 --batch 2 --samples 2 -o front";
    folder.run(front).ok();
    let other = folder.run(&front.replace("--gradient-epochs 1", "--gradient-epochs 2")).fails();
    assert!(other.contains("gradient_epochs is 1 there and 2 here"), "{other}");
    assert!(other.contains("another training, which may start from this one's model"), "{other}");
}

/// Labels were made for a minute before a wrong setting was told, and lay in a folder of somebody else (L8); a network that
/// was asked for was called a damaged file (L13).
#[test]
fn settings_are_looked_at_before_anything_is_made() {
    let folder = Folder::new();
    for (command, words) in [
        ("bc --epochs 0 -o x", "number of epochs"),
        ("bc --width 100 -o x", "there is no network of this shape"),
        ("bc --learning-rate 0 -o x", "learning rate"),
        ("bc --validation 0 -o x", "--validation is 0"),
        ("bc --count 0 -o x", "0 instances"),
        ("bc -n 1 -o x", "at least 2 are needed"),
        ("bc --expert neh --expert-set nothing=1 -o x", "nothing"),
        ("bc --start nowhere -o x", "nowhere: cannot read"),
        ("ac --batch 0 -o x", "batch size"),
        ("front --samples 1 -o x", "at least 2"),
        ("front --imitation-epochs 0 --gradient-epochs 0 -o x", "number of epochs"),
    ] {
        let refused = folder.run(&format!("-q train {command}")).fails();
        assert!(refused.contains(words) && !refused.contains("damaged"), "{command}: {refused}");
    }
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}

/// Rows that were measured were lost when a later file failed (L9).
#[test]
fn eval_keeps_what_it_measured() {
    let folder = Folder::new();
    folder.run("generate gamma -n 6 -m 5 -s 1 -o five.json").ok();
    folder.run("generate gamma -n 6 -m 7 -s 1 -o seven.json").ok();
    let eval = "-q eval five.json seven.json -s 1 --model MODELS/gamma-m5";
    for json in ["", "--json"] {
        let done = folder.run(&format!("{eval} {json} -o rows.csv"));
        assert!(done.code == Some(2) && done.err.contains("trained for 5 machines"), "{}", done.err);
        assert!(done.out.contains("five.json") && !done.out.contains("seven.json"), "{}", done.out);
        assert_eq!(folder.read("rows.csv").lines().count(), 4);
    }
}

/// Nothing stopped inside one instance or one step, and what was interrupted seemed to be whole (L10, L11).
#[test]
fn a_stop_is_obeyed_within_an_instance() {
    let folder = Folder::new();
    let front = "train front -s 1 -n 6 -m 3 --labelled 5 --validation 5 --expert neh --imitation-epochs 0 --gradient-epochs 1 -o run";
    let front = front.replace("-n 6 -m 3 --labelled 5", "--mix gamma:6x3:1:99999999999");
    for (command, begins) in [
        ("-v eval ta001 -s 1 --model front --decoding sample:99999999999", "front sample"),
        (front.as_str(), "parameters"),
    ] {
        for how in ["-INT", "-TERM"] {
            let mut child = start(&folder, command);
            let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
            assert!(lines.any(|line| line.unwrap().contains(begins)), "{command}");
            signal(&child, how);
            let told: Vec<String> = lines.map(|line| line.unwrap()).collect();
            assert_eq!(child.wait().unwrap().code(), Some(130), "{told:?}");
            assert!(told.iter().any(|line| line.contains("interrupted")), "{told:?}");
        }
    }
}

/// Times that no network can bear were told after an epoch, as too large a learning rate (L12).
#[test]
fn what_is_no_number_is_told_at_once() {
    let folder = Folder::new();
    let told = folder.run(&tiny("-s 1 --scale 1e38 --input-scale raw -o run")).fails();
    assert!(told.contains("is not a number after batch 1 of epoch 1"), "{told}");
    assert!(told.contains("processing times may be too large for the network"), "{told}");
    assert!(!folder.path("run/checkpoint.safetensors").exists());
}

/// Nine epochs of the loss of guessing were taken for a training (L7).
#[test]
fn a_policy_that_guesses_is_told_at_once() {
    let folder = Folder::new();
    let raw = "train bc --distribution uniform -n 10 -m 5 --count 256 --validation 10 --expert neh --epochs 4 --batch 16 --width 32 --heads 4 --layers 2 -s 1 --learning-rate 1e-3";
    let told = folder.run(&format!("{raw} --input-scale raw -o raw"));
    assert!(told.code == Some(0) && told.err.contains("is that of guessing (1.5104)"), "{}", told.err);
    assert!(told.err.contains("`--input-scale mean` where"), "{}", told.err);
    let told = folder.run(&format!("{raw} -o scaled"));
    assert!(told.code == Some(0) && !told.err.contains("guessing"), "{}", told.err);
}

/// The same model as without a kill, wherever it comes (L3, L4): in the labels, in an epoch, between two files. Two kills,
/// or `PFSS_CASES` times as many.
#[test]
fn kills_at_any_moment_change_no_model() {
    let times = std::env::var("PFSS_CASES").map_or(1, |times| times.parse().expect("a number of times"));
    let folder = Folder::new();
    let command = tiny("-j 2 --expert-evaluations 2000")
        .replace("--expert neh", "--expert iterated-greedy")
        .replace("--epochs 3", "--epochs 20");
    let clock = std::time::Instant::now();
    folder.run(&format!("{command} -s 5 -o whole")).ok();
    let whole = clock.elapsed();
    let mut rng = pfss_core::Seed::new(1).stream("kills");
    for number in 0..2 * times {
        let run = format!("{command} -s 5 -o run{number}");
        let mut child = start(&folder, &run);
        // Any moment will do: none of them decides what is expected.
        std::thread::sleep(whole.mul_f64(rng.random::<f64>()));
        child.kill().unwrap();
        child.wait().unwrap();
        folder.run(&run).ok();
        for file in ["model.safetensors", "labels.safetensors"] {
            let same = folder.bytes(&format!("run{number}/{file}")) == folder.bytes(&format!("whole/{file}"));
            assert!(same, "run{number}/{file}");
        }
    }
}

/// Both of two trainings in one folder ran (L15).
#[test]
fn a_folder_has_one_training_at_a_time() {
    let folder = Folder::new();
    let long = tiny("-s 5 -o run").replace("--epochs 3", "--epochs 100000");
    let mut child = start(&folder, &long);
    wait_until(|| folder.path("run/model.safetensors").exists());
    let second = folder.run(&long).fails();
    assert!(second.contains("run: another training is at work in this folder"), "{second}");
    child.kill().unwrap();
    child.wait().unwrap();
    let other = folder.run(&long.replace("--batch 8", "--batch 9")).fails();
    assert!(other.contains("other settings: batch_size is 8 there and 9 here;"), "{other}");
}

/// Labels of an expert that counts no evaluations recorded some, and parameters were Rust's debug text (L15).
#[test]
fn records_of_labels_are_true() {
    let folder = Folder::new();
    folder.run("-q train label --count 3 -n 6 -m 3 -s 1 --expert paper-neh -o neh.safetensors").ok();
    let found = label_record(&folder, "neh.safetensors");
    assert_eq!(found["expert_evaluations"], Value::Null);
    assert_eq!(found["parameters"], json!({"shape": 0.5, "scale": 2.0}));
    folder.run("-q train label --count 3 -n 6 -m 3 -s 1 --expert-evaluations 50 -o search.safetensors").ok();
    assert_eq!(label_record(&folder, "search.safetensors")["expert_evaluations"], 50);
}

#[test]
fn every_trainer_learns_from_own_instances() {
    let folder = Folder::new();
    folder.run("-q generate uniform -n 6 -m 3 --count 30 -s 1 -o mine.json").ok();
    folder.run("-q generate gamma -n 9 -m 3 --count 5 -s 2 -o other.json").ok();
    folder.run("-q train label mine.json --expert neh -o mine.safetensors").ok();
    let found = label_record(&folder, "mine.safetensors");
    assert_eq!((&found["instances"], &found["count"]), (&json!("mine.json"), &json!(30)));
    // Labels of another expert for the same instances: they were called a text that is none.
    folder.run("-q train label mine.safetensors --expert cds -o again.safetensors").ok();
    assert_eq!(label_record(&folder, "again.safetensors")["fingerprint"], found["fingerprint"]);
    // Labels are made once: the same command finds them, another one leaves them, and nothing else is replaced.
    let read = |name: &str| folder.bytes(name);
    let (labels, instances) = (read("again.safetensors"), read("mine.json"));
    folder.run("-q train label mine.safetensors --expert cds -o again.safetensors").ok();
    let refused = folder.run("-q train label mine.safetensors --expert neh -o again.safetensors").fails();
    assert!(refused.contains("expert is \"cds\" there and \"neh\" here"), "{refused}");
    folder.run("-q train label mine.json --expert neh -o mine.json").fails();
    folder.run("-q train label mine.safetensors --expert neh -o mine.safetensors").fails();
    assert!((labels, instances) == (read("again.safetensors"), read("mine.json")));
    folder.run("-q train label mine.json --expert neh -o new/folder/labels.safetensors").ok();
    let refused = folder.run("-q train label mine.json other.json --expert neh -o both.safetensors").fails();
    assert!(refused.contains("several sizes"), "{refused}");

    // A tenth is held back where nothing else is measured on.
    let bc = |rest: &str| folder.run(&bc(&format!("--epochs 2 -s 1 {rest}"))).ok();
    bc("--instances mine.json --expert neh -o imitated");
    let own = record(&folder, "imitated");
    assert_eq!((&own["training"]["count"], &own["validation"]["count"]), (&json!(27), &json!(3)));
    bc("--labels mine.safetensors --validation 6 -o labelled");
    let own = record(&folder, "labelled");
    assert_eq!(
        (&own["training"]["part"], &own["validation"]["part"]),
        (&json!("the first 24"), &json!("the last 6"))
    );
    let own = "--labels mine.safetensors --expert neh --validation other.json,mine.safetensors -o judged";
    bc(own);
    assert_eq!(record(&folder, "judged")["validation"]["instances"], "mine.json");
    assert_eq!(record(&folder, "judged")["more_validation"][0]["instances"], "other.json");
    let metrics = folder.read("judged/metrics.csv");
    assert!(
        metrics.starts_with("epoch,loss,critic_loss,cost,gap,mean_gap,learning_rate,gap 6x3,gap 9x3,seconds")
    );
    let ac = format!("-q train ac {NET} --instances mine.json --expert neh --epochs 1 -s 1 -o tried");
    folder.run(&ac).ok();
    assert!(record(&folder, "tried")["training"]["fresh"].as_str().unwrap().contains("mine.json"));

    let front = "-q train front -s 3 --expert neh --batches 2 --imitation-epochs 1 --gradient-epochs 1 --batch 2 --samples 2";
    folder.run(&format!("{front} --instances mine.json other.json -o front")).ok();
    assert_eq!(
        record(&folder, "front")["mix"],
        json!(["mine.json other.json 6x3", "mine.json other.json 9x3"])
    );
    folder.run(&format!("{front} --labels mine.safetensors -o taught")).ok();
    assert_eq!(record(&folder, "taught")["training"][0]["part"], "the first 27");
    let wide = folder
        .run(&format!(
            "{} --validation other.json -m 4 -o x",
            tiny("-s 1").replace("-m 3", "").replace("--validation 6", "")
        ))
        .fails();
    assert!(wide.contains("--validation: holds instances of 3 machines, but the policy is for 4"), "{wide}");
}

#[test]
fn the_course_is_written_for_programs() {
    let folder = Folder::new();
    let told = folder.run(&tiny("-s 5 -o run --progress json")[3..]);
    let lines: Vec<Value> = told.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let epochs: Vec<&Value> = lines.iter().filter(|line| line["work"] == "epoch").collect();
    assert_eq!(epochs.len(), 3);
    assert!(epochs[0]["epoch"]["loss"].as_f64() > Some(0.0) && epochs[0]["left_s"].is_u64(), "{epochs:?}");
    let steps = folder.read("run/steps.csv");
    assert!(steps.starts_with(
        "step,epoch,batch,loss,critic_loss,gradient_norm,entropy,learning_rate,seconds\n1,1,1,"
    ));
    assert_eq!(steps.lines().count(), 1 + 3 * 3);
    // More epochs leave the rows before them.
    folder.run(&tiny("-s 5 -o run").replace("--epochs 3", "--epochs 4")).ok();
    let more = folder.read("run/steps.csv");
    assert!(more.starts_with(&steps) && more.lines().count() == 1 + 4 * 3, "{more}");
}

#[test]
fn patience_ends_a_training_that_gains_nothing() {
    let folder = Folder::new();
    // Next to no step: each epoch is as good as the first.
    let command = tiny("-s 5 -o run --patience 2 --normalisation none")
        .replace("1e-3", "1e-12")
        .replace("--epochs 3", "--epochs 9");
    let told = folder.run(&command[3..]);
    assert!(
        told.code == Some(0) && told.err.contains("best: epoch 1 (none of the 2 after it was better)"),
        "{}",
        told.err
    );
    assert!(told.err.contains("the policy stands still"), "{}", told.err);
    assert_eq!(record(&folder, "run")["epochs"].as_array().unwrap().len(), 3);
}
