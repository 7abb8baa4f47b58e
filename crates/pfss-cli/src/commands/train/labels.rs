//! Instances that an expert orders.

use std::path::Path;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pfss::Labelling;
use pfss_core::generate::{Distribution, Generated};
use pfss_core::{CancelFlag, Instance, Seed};
use pfss_neural::LabelledSet;
use serde_json::{Map, Value, json};

use crate::args::{ExpertArgs, LabelArgs, SampleArgs};
use crate::commands::generate::distribution_with;
use crate::commands::solve::read_settings;
use crate::commands::{seed_or_drawn, thread_pool};
use crate::console::Console;
use crate::exit::Exit;
use crate::{interrupt, output};

/// Draws instances, labels them and writes the set.
pub(super) fn run(args: &LabelArgs, console: Console) -> anyhow::Result<Exit> {
    output::check_writable(&args.output)?;
    let seed = seed_or_drawn(args.seed, console);
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.threads)?;
    let plan = LabelPlan { sample: &args.sample, expert: &args.expert, count: args.count, seed };
    let Some(set) = pool.install(|| plan.label("labels", &cancel, console))? else {
        bail!("interrupted: nothing was written");
    };
    pfss_io::atomic::write(&args.output, &set.to_bytes()?)?;
    console.say(&format!(
        "{} instances of {} jobs and {} machines, mean makespan {:.4}, in {}",
        set.items().len(),
        set.num_jobs(),
        set.num_machines(),
        set.mean_makespan(),
        args.output.display()
    ));
    Ok(Exit::Success)
}

/// Instance `index` of a distribution and seed, with real times.
pub(in crate::commands) fn draw(
    distribution: Distribution,
    (jobs, machines): (usize, usize),
    seed: Seed,
    index: usize,
) -> anyhow::Result<Instance<f64>> {
    Ok(match distribution.nth(jobs, machines, seed, index as u64)? {
        Generated::Real(instance) => instance,
        Generated::Integer(instance) => {
            let times = instance.times().iter().map(|&time| f64::from(time)).collect();
            Instance::new(instance.name(), machines, times)?
        }
    })
}

/// Which instances an expert labels.
pub(super) struct LabelPlan<'a> {
    pub(super) sample: &'a SampleArgs,
    pub(super) expert: &'a ExpertArgs,
    pub(super) count: usize,
    pub(super) seed: u64,
}

impl LabelPlan<'_> {
    /// Where the labels come from: what would give them again.
    pub(super) fn record(&self, stream: &str) -> anyhow::Result<Map<String, Value>> {
        let distribution = distribution_with(self.sample.distribution, &self.sample.parameters)?;
        distribution.validate()?;
        let algorithm = pfss::algorithm(&self.expert.expert)?;
        let settings = read_settings(algorithm, None, &self.expert.expert_settings)?;
        let record = json!({
            "distribution": distribution.as_str(),
            "parameters": format!("{distribution:?}"),
            "num_jobs": self.sample.jobs,
            "num_machines": self.sample.machines,
            "count": self.count,
            "seed": self.seed,
            "stream": stream,
            "expert": algorithm.name,
            "expert_config": algorithm.config(&settings)?,
            "expert_evaluations": self.expert.expert_evaluations,
        });
        match record {
            Value::Object(record) => Ok(record),
            _ => Ok(Map::new()),
        }
    }

    /// Draws the instances and labels them; `None` when it was interrupted. `stream` keeps the instances of
    /// different purposes apart.
    pub(super) fn label(
        &self,
        stream: &str,
        cancel: &CancelFlag,
        console: Console,
    ) -> anyhow::Result<Option<LabelledSet>> {
        if self.count == 0 {
            bail!("0 instances were asked for, but at least one is needed");
        }
        let record = self.record(stream)?;
        let distribution = distribution_with(self.sample.distribution, &self.sample.parameters)?;
        let seed = Seed::new(self.seed).child(stream);
        let size = (self.sample.jobs, self.sample.machines);
        let instances = (0..self.count)
            .map(|index| draw(distribution, size, seed, index))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let algorithm = pfss::algorithm(&self.expert.expert)?;
        let settings = read_settings(algorithm, None, &self.expert.expert_settings)?;
        let expert = algorithm.real(&settings)?;
        let labelling = Labelling {
            expert: &expert,
            evaluations: algorithm.searches().then_some(self.expert.expert_evaluations),
            seed: seed.child("expert"),
            cancel: cancel.clone(),
        };
        let bar = bar(self.count, &format!("{} orders {stream}", algorithm.name), console);
        let orders = labelling.label(&instances, &|done| {
            if let Some(bar) = &bar {
                bar.set_position(done as u64);
            }
        })?;
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let Some(orders) = orders else { return Ok(None) };
        Ok(Some(LabelledSet::new(instances.into_iter().zip(orders).collect(), record)?))
    }
}

/// A bar on a terminal.
pub(super) fn bar(length: usize, label: &str, console: Console) -> Option<ProgressBar> {
    console.shows_progress().then(|| {
        let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr_with_hz(10))
            .with_prefix(label.to_string());
        if let Ok(style) = ProgressStyle::with_template(
            "{prefix}  {wide_bar} {pos}/{len}  {elapsed} (about {eta} left) {msg}",
        ) {
            bar.set_style(style);
        }
        bar
    })
}

/// Reads a labelled set.
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(super) fn read(path: &Path) -> anyhow::Result<LabelledSet> {
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot read", path.display()))?;
    LabelledSet::from_bytes(&bytes).with_context(|| path.display().to_string())
}
