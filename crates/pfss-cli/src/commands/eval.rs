//! `pfss eval`: policies and heuristics on the same instances.

mod measuring;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use pfss::{Building, Hands};
use pfss_core::{CancelFlag, Seed};
use pfss_neural::{Decoding, Finish, ProblemInstance};
use pfss_render::{Alignment, Table};
use serde_json::{Map, json};

use super::hands::with_hands;
use super::problem::{read_labels, real};
use super::seed::seed_or_drawn;
use super::threads::thread_pool;
use super::train::Sample;
use super::unused::{ends_by_itself, refuse, searches};
use crate::args::{EvalArgs, ProblemName, SourceArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::{interrupt, output, source};
use measuring::{Measuring, PolicyMethod};

/// Measures and prints a table.
pub(super) fn run(args: &EvalArgs, console: Console) -> anyhow::Result<Exit> {
    let decodings = args
        .decodings()
        .into_iter()
        .map(|text| Ok((building(&text)?, text)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    if args.problem != ProblemName::FlowShop && decodings.iter().any(|(building, _)| building.reverse) {
        bail!("+reverse mirrors the machines of a flow shop; a tour has none");
    }
    let mut gate = FileGate::default();
    if let Some(path) = &args.output {
        gate.writes(path)?;
    }
    args.model.iter().try_for_each(|model| gate.reads_model(model))?;
    let seed = Seed::new(seed_or_drawn(args.seed, console));
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.threads)?;
    let mut rows = Vec::new();
    let interrupted = || {
        console.warn("interrupted: the table holds the groups that were finished");
        Ok(Exit::Interrupted)
    };
    let Some(groups) = groups(args, seed, &mut gate, &cancel, console)? else { return interrupted() };
    refuse_unused(args, &groups)?;
    let mut end = Ok(Exit::Success);
    for group in groups {
        let measured = with_hands(args.threads, &cancel, console, |hands| {
            pool.install(|| measure_group(args, &group, &decodings, seed, &cancel, console, hands))
        });
        // What is measured so far is told, whatever comes after it.
        match measured {
            Ok(Some(measured)) => {
                if args.json {
                    let line =
                        |row: &Measured| row.json(args, seed, pool.current_num_threads()).to_string() + "\n";
                    output::print(&measured.iter().map(line).collect::<String>())?;
                }
                rows.extend(measured);
            }
            Ok(None) => {
                end = interrupted();
                break;
            }
            Err(error) => {
                end = Err(error);
                break;
            }
        }
        if let Some(path) = &args.output {
            pfss_io::atomic::write(path, table(&rows)?.to_csv().as_bytes())?;
        }
    }
    if !args.json && !rows.is_empty() {
        let table = table(&rows)?;
        output::print(&if args.markdown { table.to_markdown() } else { table.to_text() })?;
    }
    end
}

/// Instances of one kind that share a part of the table.
struct Group {
    name: String,
    problem: ProblemName,
    instances: Vec<ProblemInstance>,
    /// The costs of an expert, where the instances came with its orders.
    labels: Option<(String, Vec<f64>)>,
}

/// The instances of each part of the table; `None` when interrupted.
fn groups(
    args: &EvalArgs,
    seed: Seed,
    gate: &mut FileGate,
    cancel: &CancelFlag,
    console: Console,
) -> anyhow::Result<Option<Vec<Group>>> {
    if !args.instances.is_empty() {
        source::check_stdin(args.instances.iter().map(String::as_str))?;
        return args
            .instances
            .iter()
            .map(|text| read_group(text, &args.source, gate, console).map(Some))
            .collect();
    }
    let of_files = [
        ("--data", !args.source.data.is_empty()),
        ("--format", args.source.format.is_some()),
        ("--transpose", args.source.transpose),
        ("--column", !args.source.columns.is_empty()),
    ];
    refuse(&of_files, "no instance is given, so they are drawn")?;
    if args.count == 0 {
        bail!("--count is 0, but at least one instance is needed");
    }
    let group = |&jobs: &usize| {
        let sample = Sample::new(args.problem, jobs, args.machines, args.distribution, &args.parameters)?;
        let mut instances = Vec::new();
        for index in 0..args.count as u64 {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            instances.push(sample.draw(seed, index)?);
        }
        Ok(Some(Group { name: sample.name(), problem: args.problem, instances, labels: None }))
    };
    args.jobs.iter().map(group).collect()
}

/// The instances that an argument stands for: a labelled set, or whatever `pfss solve` reads.
fn read_group(text: &str, args: &SourceArgs, gate: &mut FileGate, console: Console) -> anyhow::Result<Group> {
    let name = text.to_string();
    if Path::new(text).extension().is_some_and(|ending| ending == "safetensors") {
        gate.reads(Path::new(text))?;
        let bytes = std::fs::read(text).with_context(|| format!("{text}: cannot read"))?;
        let set = read_labels(&bytes).with_context(|| name.clone())?;
        let expert = set.record().get("expert").and_then(|expert| expert.as_str()).unwrap_or("expert");
        let labels = (format!("labels ({expert})"), set.items().iter().map(|item| item.cost).collect());
        let instances = set.items().iter().map(|item| item.instance.clone()).collect();
        return Ok(Group { name, problem: ProblemName::of(&set), instances, labels: Some(labels) });
    }
    let entries = source::read_plain(text, args, gate, console)?;
    let instances = entries.iter().map(|entry| real(&entry.instance)).collect::<anyhow::Result<Vec<_>>>()?;
    if instances.is_empty() {
        bail!("{text}: holds no instance");
    }
    Ok(Group { name, problem: ProblemName::FlowShop, instances, labels: None })
}

/// How a policy builds orders, as in `sample:16+reverse`.
fn building(text: &str) -> anyhow::Result<Building> {
    let (word, reverse) = match text.trim().strip_suffix("+reverse") {
        Some(word) => (word, true),
        None => (text.trim(), false),
    };
    let parts: Vec<&str> = word.split(':').collect();
    let decoding = match parts[..] {
        ["greedy"] => Some(Decoding::Greedy),
        ["beam", width] => {
            width.parse().ok().filter(|&width| width > 0).map(|width| Decoding::Beam { width })
        }
        ["sample", samples] => samples
            .parse()
            .ok()
            .filter(|&samples| samples > 0)
            .map(|samples| Decoding::Sample { samples, temperature: 1.0 }),
        ["sample", samples, temperature] => match (samples.parse(), temperature.parse::<f32>()) {
            (Ok(samples), Ok(temperature)) if samples > 0 && temperature > 0.0 && temperature.is_finite() => {
                Some(Decoding::Sample { samples, temperature })
            }
            _ => None,
        },
        _ => None,
    };
    match decoding {
        Some(decoding) => Ok(Building { decoding, reverse }),
        None => bail!(
            "--decoding {text}: expected greedy, sample:K, sample:K:TEMPERATURE or beam:WIDTH, each also with +reverse"
        ),
    }
}

/// What a method gave on a group.
struct Measured {
    group: String,
    problem: ProblemName,
    method: String,
    costs: Vec<f64>,
    seconds: Option<f64>,
    /// To each baseline: its name, the ratio of means and the mean of ratios, both as percentages above it.
    gaps: Vec<(String, f64, f64)>,
}

impl Measured {
    fn mean(&self) -> f64 {
        self.costs.iter().sum::<f64>() / self.costs.len() as f64
    }

    fn compare(&mut self, baselines: &[(String, Vec<f64>)]) {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        self.gaps = baselines
            .iter()
            .map(|(name, costs)| {
                let of_means = 100.0 * (self.mean() / mean(costs) - 1.0);
                let ratios: Vec<f64> = self.costs.iter().zip(costs).map(|(own, other)| own / other).collect();
                (name.clone(), of_means, 100.0 * (mean(&ratios) - 1.0))
            })
            .collect();
    }

    fn json(&self, args: &EvalArgs, seed: Seed, threads: usize) -> serde_json::Value {
        let gap = |(_, of_means, of_ratios): &(String, f64, f64)| json!({ "ratio_of_means": of_means / 100.0, "mean_of_ratios": of_ratios / 100.0 });
        let gaps: Map<String, serde_json::Value> =
            self.gaps.iter().map(|entry| (entry.0.clone(), gap(entry))).collect();
        let cost = match self.problem {
            ProblemName::FlowShop => "makespan",
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => "length",
        };
        json!({
            "schema": "pfss.eval/1",
            "group": self.group,
            "method": self.method,
            "instances": self.costs.len(),
            "problem": self.problem.kind(),
            (cost): self.mean(),
            "gaps": gaps,
            "seconds": self.seconds,
            "seed": seed.number(),
            "threads": threads,
            "evaluations": args.evaluations(),
            "version": env!("CARGO_PKG_VERSION"),
            "commit": env!("PFSS_COMMIT"),
        })
    }
}

/// Options without a use for any of the groups.
fn refuse_unused(args: &EvalArgs, groups: &[Group]) -> anyhow::Result<()> {
    let Some(problem) = groups.first().map(|group| group.problem) else { return Ok(()) };
    if args.evaluations.is_some() {
        let mut is_used = false;
        for group in groups {
            for name in baselines(args, group.problem) {
                is_used |= searches(group.problem, name)?;
            }
        }
        if !is_used {
            let names = baselines(args, problem).join(", ");
            refuse(&[("--evaluations", true)], &ends_by_itself(problem, &names))?;
        }
    }
    if args.finish.is_some() {
        let mut has_finish = false;
        for model in &args.model {
            has_finish |= problem.load_model(model)?.has_finish();
        }
        refuse(
            &[("--finish", !has_finish)],
            "it belongs to policies that build orders from both ends, such as `front`",
        )?;
    }
    Ok(())
}

/// The heuristics that are asked for, or those that suit the problem.
fn baselines(args: &EvalArgs, problem: ProblemName) -> Vec<&str> {
    match problem {
        _ if !args.baselines.is_empty() => args.baselines.iter().map(String::as_str).collect(),
        ProblemName::FlowShop => vec!["paper-neh", "neh"],
        #[cfg(feature = "tsp")]
        ProblemName::Tsp => vec!["branch-and-bound"],
    }
}

/// Every method on the instances of a group; `None` when interrupted.
fn measure_group(
    args: &EvalArgs,
    group: &Group,
    decodings: &[(Building, String)],
    seed: Seed,
    cancel: &CancelFlag,
    console: Console,
    hands: Option<&dyn Hands>,
) -> anyhow::Result<Option<Vec<Measured>>> {
    let mut rows = Vec::new();
    let row = |method: String, costs: Vec<f64>, seconds: Option<f64>| Measured {
        group: group.name.clone(),
        problem: group.problem,
        method,
        costs,
        seconds,
        gaps: Vec::new(),
    };
    if let Some((name, costs)) = &group.labels {
        rows.push(row(name.clone(), costs.clone(), None));
    }
    let (problem, instances) = (group.problem, &group.instances);
    let measuring = Measuring { problem, instances, evaluations: args.evaluations(), seed, cancel, hands };
    for name in baselines(args, group.problem) {
        console.note(&format!("{}: {name}", group.name));
        let clock = Instant::now();
        let Some(costs) = measuring.heuristic(name)? else { return Ok(None) };
        rows.push(row(name.to_string(), costs, Some(clock.elapsed().as_secs_f64())));
    }
    let baselines: Vec<(String, Vec<f64>)> =
        rows.iter().map(|row| (row.method.clone(), row.costs.clone())).collect();
    for model in &args.model {
        let mut policy = group.problem.load_model(model)?;
        let portable = group.problem.portable_model(model)?;
        let finish = args.finish.map(|jobs| Finish { jobs: jobs.into(), ..Finish::default() });
        if let Some(finish) = finish {
            policy = policy.with_finish(finish);
        }
        for (building, text) in decodings {
            console.note(&format!("{}: {model} {text}", group.name));
            let clock = Instant::now();
            let method = PolicyMethod { policy: &policy, model: &portable, finish, building: *building };
            let costs = measuring.policy(&method).with_context(|| format!("{model} on {}", group.name))?;
            let Some(costs) = costs else { return Ok(None) };
            rows.push(row(format!("{model} {text}"), costs, Some(clock.elapsed().as_secs_f64())));
        }
    }
    rows.iter_mut().for_each(|row| row.compare(&baselines));
    Ok(Some(rows))
}

fn table(rows: &[Measured]) -> anyhow::Result<Table> {
    let mut columns = vec![
        ("instances".to_string(), Alignment::Left),
        ("count".to_string(), Alignment::Right),
        ("method".to_string(), Alignment::Left),
        ("mean cost".to_string(), Alignment::Right),
    ];
    let names: Vec<String> = rows.iter().flat_map(|row| row.gaps.iter().map(|gap| gap.0.clone())).collect();
    let mut baselines: Vec<String> = Vec::new();
    for name in names {
        if !baselines.contains(&name) {
            baselines.push(name);
        }
    }
    for name in &baselines {
        columns.push((format!("gap to {name}, % (of means)"), Alignment::Right));
        columns.push((format!("gap to {name}, % (mean of ratios)"), Alignment::Right));
    }
    columns.push(("time s".to_string(), Alignment::Right));
    let mut table = Table::new(columns);
    let mut group = rows.first().map(|row| row.group.clone());
    for row in rows {
        if group.as_ref() != Some(&row.group) {
            table.push_rule();
            group = Some(row.group.clone());
        }
        let mut cells = vec![
            row.group.clone(),
            row.costs.len().to_string(),
            row.method.clone(),
            format!("{:.3}", row.mean()),
        ];
        for name in &baselines {
            match row.gaps.iter().find(|gap| gap.0 == *name) {
                Some((_, of_means, of_ratios)) => {
                    cells.extend([format!("{of_means:.2}"), format!("{of_ratios:.2}")]);
                }
                None => cells.extend([String::new(), String::new()]),
            }
        }
        cells.push(row.seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}")));
        table.push_row(cells)?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodings_are_parsed() {
        let parse = |text| building(text).ok();
        assert_eq!(parse("greedy"), Some(Building { decoding: Decoding::Greedy, reverse: false }));
        assert_eq!(
            parse("beam:8+reverse"),
            Some(Building { decoding: Decoding::Beam { width: 8 }, reverse: true })
        );
        let sample = Decoding::Sample { samples: 16, temperature: 0.5 };
        assert_eq!(parse("sample:16:0.5"), Some(Building { decoding: sample, reverse: false }));
        for wrong in ["", "beam", "beam:0", "sample:x", "sample:4:-1", "sample:4:inf", "random"] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }
}
