//! The same seed and evaluations give the same order, from version to version. A change here is a change of an algorithm;
//! moving code about must leave every line as it is.

use serde_json::Value;

use crate::harness::Folder;

/// What is solved: a name in the table, how it is made, and how it is given to `solve`.
const FLOW_SHOPS: [(&str, &str, &str); 5] = [
    ("ta001", "", "ta001"),
    ("ta051", "", "ta051"),
    ("gamma-10x5", "generate gamma -n 10 -m 5 -s 3 -q -o gamma-10x5.json", "gamma-10x5.json"),
    ("gamma-40x8", "generate gamma -n 40 -m 8 -s 4 -q -o gamma-40x8.json", "gamma-40x8.json"),
    ("uniform-120x30", "generate uniform -n 120 -m 30 -s 5 -q -o uniform-120x30.json", "uniform-120x30.json"),
];

/// Algorithms with settings and evaluations.
const ALGORITHMS: [(&str, u32); 27] = [
    ("auto", 60_000),
    ("random-search", 2_000),
    ("iterated-local-search", 5_000),
    ("paper-iterated-greedy", 5_000),
    ("paper-neh", 1_000_000),
    ("neh", 1_000_000),
    ("neh --set local-search=true --set tie=first", 1_000_000),
    ("palmer", 1_000),
    ("cds", 1_000),
    ("iterated-greedy", 60_000),
    ("iterated-greedy --set destruction=block --set reinsertion=block --set tie=ff", 60_000),
    ("iterated-greedy --set acceptance=better --set partial-local-search=false --set restart=20", 60_000),
    ("beam", 60_000),
    ("beam --set guide=bound", 30_000),
    ("beam --set guide=idle", 30_000),
    ("beam --set guide=alpha", 30_000),
    ("beam --set guide=walpha --set aspiration=off", 30_000),
    ("beam --set guide=gap --set one-sided-penalty=on", 30_000),
    ("beam --set guide=policy", 4_000),
    ("branch-and-bound", 60_000),
    ("policy", 1_000),
    ("policy --set reverse=true --set improve=insertion", 60_000),
    ("policy --set decoding=sample --set samples=4", 1_000),
    ("policy --set decoding=beam --set width=4 --set finish=6", 1_000),
    ("policy --set model=MODELS/gamma-m5", 1_000),
    ("policy --set model=MODELS/gamma-m5 --set decoding=sample --set samples=3", 1_000),
    ("policy --set model=MODELS/gamma-m5 --set decoding=beam --set width=3", 1_000),
];

/// The same for tours.
#[cfg(feature = "tsp")]
const TOURS: [(&str, u32); 4] = [
    ("auto", 20_000),
    ("iterated-local-search", 20_000),
    ("branch-and-bound", 20_000),
    ("policy --set model=MODELS/tsp-50", 1_000),
];

#[test]
fn flow_shops() {
    let folder = Folder::new();
    let mut table = String::new();
    for (name, generate, instance) in FLOW_SHOPS {
        if !generate.is_empty() {
            folder.run(generate).ok();
        }
        for (algorithm, evaluations) in ALGORITHMS {
            let solve = format!("solve {instance} -a {algorithm} --evaluations {evaluations} -s 7 -j 1");
            table += &line(&folder, name, algorithm, &solve);
        }
    }
    insta::assert_snapshot!(table);
}

#[cfg(feature = "tsp")]
#[test]
fn tours() {
    let folder = Folder::new();
    let mut table = String::new();
    for cities in [9, 20, 60] {
        let name = format!("tsp-{cities}");
        folder.run(&format!("generate tsp -n {cities} -s {cities} -q -o {name}.json")).ok();
        for (algorithm, evaluations) in TOURS {
            let solve = format!(
                "solve --problem tsp {name}.json -a {algorithm} --evaluations {evaluations} -s 7 -j 1"
            );
            table += &line(&folder, &name, algorithm, &solve);
        }
    }
    insta::assert_snapshot!(table);
}

/// One line of the table.
fn line(folder: &Folder, name: &str, algorithm: &str, solve: &str) -> String {
    let done = folder.run(&format!("{solve} -q -o result.json"));
    if done.code != Some(0) {
        return format!("{name} {algorithm}: refused\n");
    }
    let record: Value = serde_json::from_str(&folder.read("result.json")).unwrap();
    let cost = record.get("makespan").or_else(|| record.get("length")).unwrap();
    format!(
        "{name} {algorithm}: {cost}, bound {}, {}, {} evaluations, order {:016x}\n",
        record["bound"],
        record["status"].as_str().unwrap(),
        record["evaluations"],
        fingerprint(record.get("order").or_else(|| record.get("tour")).unwrap())
    )
}

/// FNV-1a over the numbers of an order: short enough for a line, and told apart from every other order.
fn fingerprint(order: &Value) -> u64 {
    order.as_array().unwrap().iter().fold(0xcbf2_9ce4_8422_2325, |hash, job| {
        (hash ^ job.as_u64().unwrap()).wrapping_mul(0x0100_0000_01b3)
    })
}
