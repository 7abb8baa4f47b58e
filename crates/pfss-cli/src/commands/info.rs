//! `pfss info`: what this program is and what it finds on this machine.

use serde_json::{Value, json};

use crate::args::InfoArgs;
use crate::exit::Exit;
use crate::machine::cores;
use crate::output;

/// Tells what there is.
pub(super) fn run(args: &InfoArgs) -> anyhow::Result<Exit> {
    let facts = facts();
    let text =
        if args.json { format!("{:#}\n", Value::Object(facts.into_iter().collect())) } else { lines(&facts) };
    output::print(&text)?;
    Ok(Exit::Success)
}

/// Names and values, in the order in which they are told.
fn facts() -> Vec<(String, Value)> {
    let facts = [
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("commit", json!(env!("PFSS_COMMIT"))),
        ("target", json!(env!("PFSS_TARGET"))),
        ("features", json!(features())),
        ("cpu_features", json!(cpu_features())),
        ("kernel", json!(pfss_core::simd::Instructions::detect().name())),
        ("cores", json!(cores())),
        ("devices", json!(devices())),
        ("models", json!(models())),
    ];
    facts.map(|(name, value)| (name.to_string(), value)).into()
}

fn lines(facts: &[(String, Value)]) -> String {
    let line = |(name, value): &(String, Value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) if items.is_empty() => "none".to_string(),
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            other => other.to_string(),
        };
        format!("{:<13} {value}\n", name.replace('_', " "))
    };
    facts.iter().map(line).collect()
}

/// What this build can train on.
fn devices() -> Vec<&'static str> {
    if cfg!(feature = "cuda") { vec!["cpu", "cuda"] } else { vec!["cpu"] }
}

/// The built-in models, and those that are found by their names.
fn models() -> Vec<String> {
    let folders = std::fs::read_dir(pfss::MODEL_FOLDER).into_iter().flatten().flatten();
    let named = folders.filter(|folder| folder.path().join(pfss::MODEL_FILE).exists());
    let mut names: Vec<String> = named.filter_map(|folder| folder.file_name().into_string().ok()).collect();
    names.retain(|name| !pfss::BUILT_IN_MODELS.contains(&name.as_str()));
    names.sort();
    pfss::BUILT_IN_MODELS.map(String::from).into_iter().chain(names).collect()
}

/// Optional parts that were built in.
fn features() -> Vec<&'static str> {
    let optional = [
        ("mip", cfg!(feature = "mip")),
        ("train", cfg!(feature = "train")),
        ("cuda", cfg!(feature = "cuda")),
        ("tsp", cfg!(feature = "tsp")),
        ("serve", cfg!(feature = "serve")),
        ("mpi", cfg!(feature = "mpi")),
    ];
    optional.into_iter().filter(|&(_, is_built)| is_built).map(|(name, _)| name).collect()
}

#[cfg(target_arch = "x86_64")]
fn cpu_features() -> Vec<&'static str> {
    use std::arch::is_x86_feature_detected;
    let known = [
        ("sse4.2", is_x86_feature_detected!("sse4.2")),
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
    ];
    known.into_iter().filter(|&(_, is_there)| is_there).map(|(name, _)| name).collect()
}

#[cfg(target_arch = "aarch64")]
fn cpu_features() -> Vec<&'static str> {
    vec!["neon"]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn cpu_features() -> Vec<&'static str> {
    Vec::new()
}
