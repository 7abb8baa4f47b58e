//! `pfss solve -a policy`, `pfss eval` and `pfss train`.

use serde_json::Value;

use crate::harness::Folder;

#[cfg(feature = "tsp")]
#[test]
fn a_model_that_comes_along_solves_at_once() {
    let folder = Folder::new();
    let solve = |arguments: &str| -> Value {
        serde_json::from_str(&folder.run(&format!("solve ta031 -a policy -s 1 --json {arguments}")).ok())
            .unwrap()
    };
    let greedy = solve("-j 1");
    assert_eq!(greedy["order"], solve("-j 2")["order"]);
    assert_eq!(greedy["order"].as_array().unwrap().len(), 50);
    let reversed = solve("--set decoding=sample --set samples=8 --set reverse=true");
    assert!(reversed["makespan"].as_u64() <= greedy["makespan"].as_u64());
    assert_eq!(reversed["config"]["decoding"], "sample");
    let improved = solve("--set improve=insertion");
    assert!(improved["makespan"].as_u64() <= greedy["makespan"].as_u64());
    assert_eq!(solve("--model front")["order"], greedy["order"]);
    assert_ne!(solve("--model MODELS/gamma-m5")["order"], greedy["order"]);
}

#[test]
fn models_that_do_not_fit_are_refused() {
    let seven = "0,1,2,3,4,5,6\n6,5,4,3,2,1,0\n";
    let folder = Folder::with(&[("seven.csv", seven), ("foreign.safetensors", "this is no model")]);
    folder.run("solve seven.csv -a policy -s 1").ok();
    let other = folder.run("solve seven.csv -a policy --model MODELS/gamma-m5").fails();
    assert!(other.contains("trained for 5 machines, but the instance has 7"), "{other}");
    let foreign = folder.run("solve ta001 -a policy --model foreign.safetensors").fails();
    assert!(foreign.contains("foreign.safetensors: this is not a policy model"), "{foreign}");
    let missing = folder.run("solve ta001 -a policy --model nowhere").fails();
    assert!(
        missing.contains("nowhere: cannot read the model") && missing.contains("scripts/models"),
        "{missing}"
    );
    let stray = folder.run("solve ta001 --model MODELS/gamma-m5").fails();
    assert!(stray.contains("--model is not used by auto"), "{stray}");
}

#[test]
fn policies_and_heuristics_are_measured_on_the_same_instances() {
    let folder = Folder::new();
    let arguments = "eval --distribution gamma -n 10,20 -m 5 --count 20 -s 3 --model MODELS/gamma-m5 --decoding greedy,sample:4+reverse";
    let rows = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect()
    };
    let found = rows(&folder.run(&format!("{arguments} --json -j 1")).ok());
    assert_eq!(found.len(), 8);
    assert_eq!(found[0]["method"], "paper-neh");
    assert_eq!(found[0]["gaps"]["paper-neh"]["ratio_of_means"], 0.0);
    assert!(found[3]["makespan"].as_f64() <= found[2]["makespan"].as_f64());
    let again = rows(&folder.run(&format!("{arguments} --json -j 2")).ok());
    for (one, other) in found.iter().zip(&again) {
        assert_eq!(one["makespan"], other["makespan"]);
    }
    let table = folder.run(&format!("{arguments} -o table.csv")).ok();
    assert!(table.contains("gap to neh, % (mean of ratios)"), "{table}");
    assert!(folder.read("table.csv").lines().count() == 9);
    assert!(
        folder
            .run("eval --model MODELS/gamma-m5 -m 7 --count 2 -s 1")
            .fails()
            .contains("trained for 5 machines")
    );
    assert!(folder.run("eval --model front --decoding sometimes -s 1").fails().contains("expected greedy"));
}

#[test]
fn labelled_sets_are_saved_and_measured() {
    let folder = Folder::with(&[("broken.safetensors", "x")]);
    let label = "-q train label --count 12 -n 8 -m 5 -s 4 --expert iterated-greedy --expert-evaluations 2000";
    folder.run(&format!("{label} -o one.safetensors -j 1")).ok();
    folder.run(&format!("{label} -o two.safetensors -j 2")).ok();
    assert_eq!(folder.bytes("one.safetensors"), folder.bytes("two.safetensors"));
    let found = folder.run("eval one.safetensors --model MODELS/gamma-m5 -s 1").ok();
    assert!(found.contains("labels (iterated-greedy)"), "{found}");
    assert!(folder.run("eval broken.safetensors -s 1").fails().contains("not a set of labelled"));
}

#[cfg(not(feature = "train"))]
#[test]
fn a_build_that_cannot_train_says_so() {
    let error = Folder::new().run("train bc -o model").fails();
    assert!(error.contains("--features train"), "{error}");
}

#[cfg(feature = "train")]
mod training {
    use std::process::Stdio;
    use std::time::Duration;

    use super::*;
    use rand::{RngExt, SeedableRng};

    const TINY: &str = "train bc -s 5 -n 6 -m 3 --count 96 --validation 10 --expert neh --epochs 12 --batch 8 --width 16 --heads 2 --layers 2 --learning-rate 1e-3";

    #[test]
    fn a_policy_is_trained_and_used() {
        let folder = Folder::new();
        let told = folder.run(&format!("{TINY} -o run"));
        assert!(told.code == Some(0) && told.err.contains("epoch  12"), "{}", told.err);
        let files = [
            "model.safetensors",
            "checkpoint.safetensors",
            "metrics.csv",
            "convergence.svg",
            "training.json",
        ];
        for file in files {
            assert!(!folder.bytes(&format!("run/{file}")).is_empty());
        }
        assert_eq!(folder.read("run/metrics.csv").lines().count(), 13);
        let record: Value = serde_json::from_str(&folder.read("run/training.json")).unwrap();
        assert_eq!(record["training"]["expert"], "neh");
        assert_eq!(record["epochs"].as_array().unwrap().len(), 12);
        folder.run("generate gamma -n 9 -m 3 -s 1 -o one.json").ok();
        folder.run("solve one.json -a policy --model run -s 1").ok();
        // The same seed gives the same curve, on any number of threads.
        folder.run(&format!("-q {TINY} -o again -j 1")).ok();
        assert_eq!(folder.bytes("run/model.safetensors"), folder.bytes("again/model.safetensors"));
        // A finished training has nothing left to do; with other settings it is another one.
        folder.run(&format!("-q {TINY} -o run")).ok();
        let error = folder.run(&format!("{} -o run", TINY.replace("1e-3", "2e-3"))).fails();
        assert!(error.contains("the checkpoint was made with other settings"), "{error}");
        let error = folder.run(&format!("{} -o run", TINY.replace("--expert neh", "--expert cds"))).fails();
        assert!(error.contains("made with other settings"), "{error}");
    }

    /// What the reader of training records looks for: see `TrainingRecord` in pfss-experiments.
    #[test]
    fn the_record_of_actor_and_critic_tells_costs_and_the_critics_parameters() {
        let folder = Folder::new();
        let trial = TINY.replace("train bc", "-q train ac").replace("--epochs 12", "--epochs 1");
        folder.run(&format!("{trial} -o scaled")).ok();
        folder.run(&format!("{trial} --cost raw -o raw")).ok();
        let models = pfss_experiments::reproduction::Models::in_folder(&folder.path("."));
        for cost in ["scaled", "raw"] {
            let record: Value = serde_json::from_str(&folder.read(&format!("{cost}/training.json"))).unwrap();
            assert_eq!(record["config"]["cost"], cost);
            let read = models.training(cost).unwrap().unwrap();
            assert!(read.critic_parameters.is_some_and(|count| count > 0 && count < read.parameters));
        }
        assert!(folder.bytes("raw/model.safetensors") != folder.bytes("scaled/model.safetensors"));
    }

    /// Killed ten times at random moments, labelling and writing included.
    #[test]
    fn kills_lose_nothing() {
        survives_kills(TINY, &["model.safetensors", "labels.safetensors"]);
        let trial = TINY.replace("train bc", "train ac --encoder lstm");
        survives_kills(&trial, &["model.safetensors"]);
    }

    const FRONT: &str = "train front -s 3 --mix gamma:6x3,uniform:5x2:2 --labelled 30 --validation 5 --expert neh --imitation-epochs 3 --gradient-epochs 3 --batches 4 --parts 2 --rows 400 --batch 3 --samples 3";

    #[test]
    fn a_bidirectional_policy_is_trained_and_used() {
        survives_kills(FRONT, &["model.safetensors", "training-0.safetensors"]);
        let folder = Folder::new();
        let told = folder.run(&format!("{FRONT} -o run"));
        assert!(told.code == Some(0) && told.err.contains("153985 parameters"), "{}", told.err);
        let record: Value = serde_json::from_str(&folder.read("run/training.json")).unwrap();
        assert_eq!(record["epochs"].as_array().unwrap().len(), 6);
        // One model for every number of machines.
        folder.run("solve ta001 ta011 -a policy --model run -s 1 --set decoding=sample --set samples=2").ok();
        let table = folder.run("eval -n 7 -m 4 --count 5 --model run --decoding greedy,beam:3 -s 1").ok();
        assert!(table.contains("run beam:3"), "{table}");
        let tours = folder.run("eval --problem tsp -n 7 --count 2 --model run -s 1").fails();
        assert!(tours.contains("trained for flow shops"), "{tours}");
        let wrong = folder.run("train front --mix gamma:20 -o other").fails();
        assert!(wrong.contains("--mix gamma:20: expected"), "{wrong}");
    }

    /// The name was looked for as a file.
    #[test]
    fn a_training_starts_from_a_model_of_a_name() {
        let folder = Folder::new();
        let tiny = "-q train front -s 3 --mix gamma:6x3 --validation 5 --expert neh --imitation-epochs 0 --gradient-epochs 1 --batches 1 --parts 1 --batch 2 --samples 2";
        folder.run(&format!("{tiny} --start front -o run")).ok();
        let record: Value = serde_json::from_str(&folder.read("run/training.json")).unwrap();
        assert!(record["config"]["start"].is_string(), "{record}");
        let error = folder.run(&format!("{tiny} --start nowhere -o other")).fails();
        assert!(error.contains("nowhere: cannot read the model"), "{error}");
    }

    fn survives_kills(train: &str, files: &[&str]) {
        let folder = Folder::new();
        folder.run(&format!("-q {train} -o whole")).ok();
        let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(11);
        for _ in 0..10 {
            let mut child = folder
                .command(&format!("{train} -o killed"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(rng.random_range(5..400)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        folder.run(&format!("-q {train} -o killed")).ok();
        for file in files {
            assert_eq!(folder.bytes(&format!("killed/{file}")), folder.bytes(&format!("whole/{file}")));
        }
        let curve = |run: &str| -> Vec<String> {
            let text = folder.read(&format!("{run}/metrics.csv"));
            text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_string()).collect()
        };
        assert_eq!(curve("killed"), curve("whole"));
    }

    #[test]
    fn a_policy_for_tours_is_imitated_then_tried_out() {
        let folder = Folder::new();
        let tours = "--problem tsp -s 2 -n 8 --count 64 --validation 10 --epochs 2 --batch 16 --width 16 --heads 2 --layers 1 --input-scale mean";
        folder.run(&format!("-q train bc {tours} -o imitated")).ok();
        let record: Value = serde_json::from_str(&folder.read("imitated/training.json")).unwrap();
        assert_eq!(record["training"]["problem"], "tsp");
        assert_eq!(record["training"]["expert"], "branch-and-bound");
        folder.run(&format!("-q train ac {tours} --start imitated -o tried")).ok();
        // What a training started from stays in its record, whatever becomes of that folder.
        std::fs::write(folder.path("imitated/training.json"), "{}").unwrap();
        folder.run(&format!("-q train ac {tours} --start imitated -o tried")).ok();
        let tried: Value = serde_json::from_str(&folder.read("tried/training.json")).unwrap();
        assert_eq!(tried["earlier"], Value::from(vec![record]));
        let error = folder.run(&format!("train ac {tours} -o tried")).fails();
        assert!(error.contains("the checkpoint was made with other settings"), "{error}");
        let error = folder.run(&format!("train ac {tours} --encoder lstm --start imitated -o other")).fails();
        assert!(
            error.contains("the model to start from has the network of another shape: encoder is"),
            "{error}"
        );
        folder.run("generate tsp -n 9 -s 1 -o cities.json").ok();
        let told = folder.run("solve --problem tsp cities.json -a policy --model tried -s 1 --json").ok();
        let tour: Value = serde_json::from_str(&told).unwrap();
        assert!(tour["length"].as_f64() >= tour["bound"].as_f64(), "{tour}");
        let error = folder.run("solve ta001 -a policy --model tried").fails();
        assert!(error.contains("trained for tsp, but was given flow shops"), "{error}");
        let table = folder.run("eval --problem tsp -n 8,10 --count 5 --model tried -s 1").ok();
        assert!(table.contains("unit square 10") && table.contains("branch-and-bound"), "{table}");
        assert!(folder.run("train bc --problem tsp -m 5 -o x").fails().contains("belongs to flow shops"));
    }

    #[test]
    fn an_interrupt_saves() {
        let folder = Folder::new();
        let long = TINY.replace("--epochs 12", "--epochs 100000");
        let child = folder.command(&format!("{long} -o run")).stderr(Stdio::piped()).spawn().unwrap();
        let model = folder.path("run/model.safetensors");
        while !model.exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(130) && told.contains("the same command goes on"), "{told}");
        let record: Value = serde_json::from_str(&folder.read("run/training.json")).unwrap();
        let done = record["epochs"].as_array().unwrap().len();
        let resumed =
            folder.run(&format!("{} -o run", TINY.replace("--epochs 12", &format!("--epochs {}", done + 2))));
        assert!(resumed.err.contains("from epoch") && resumed.err.contains("best: epoch"), "{}", resumed.err);
    }
}

#[test]
fn a_guide_is_fitted_generation_by_generation_and_used() {
    let folder = Folder::new();
    let fit = |machines: u32, rest: &str| {
        let common = "--generations 2 --count 2 --trials 3 --evaluations 5000 -s 1 -o weighings.csv";
        folder.run(&format!("train guide -n 20 -m {machines} {common} {rest}"))
    };
    let told = fit(20, "-j 1");
    assert!(told.err.contains("generation   1: +0.000 % against walpha"), "{}", told.err);
    let first = folder.read("weighings.csv");
    std::fs::remove_file(folder.path("weighings.csv")).unwrap();
    fit(20, "-j 2 -q").ok();
    assert_eq!(folder.read("weighings.csv"), first);
    fit(5, "--distribution gamma -q").ok();
    let second = folder.read("weighings.csv");
    assert!(second.starts_with(&first) && second.lines().count() == 3, "{second}");

    let solve = |guide: &str| -> Value {
        let command = format!("solve ta021 -a beam --evaluations 100000 -s 1 --json --set {guide}");
        serde_json::from_str(&folder.run(&command).ok()).unwrap()
    };
    let fitted = solve("guide=fitted --set weighings=weighings.csv");
    assert_eq!(fitted["config"]["weighings"], "weighings.csv");
    assert_ne!(fitted["order"], solve("guide=walpha")["order"]);
    let none = folder.run("solve ta021 -a beam -t 1 --set guide=fitted").fails();
    assert!(none.contains("`pfss train guide` fits them"), "{none}");
    let stray = folder.run("solve ta021 -a beam -t 1 --set weighings=weighings.csv").fails();
    assert!(stray.contains("guide=fitted"), "{stray}");
    std::fs::write(folder.path("weighings.csv"), "nonsense\n").unwrap();
    let nonsense = fit(20, "").fails();
    assert!(nonsense.contains("line 1 of the table of weighings"), "{nonsense}");
    assert_eq!(folder.read("weighings.csv"), "nonsense\n");
}
