//! Instances that an expert orders.

use std::path::Path;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pfss::{Hands, Labelling, Piece, PortableProblem, Settings, Solvable};
use pfss_core::{CancelFlag, Instance, Permutation, Seed};
use pfss_neural::{LabelledSet, LearnableProblem, ProblemInstance};
use serde_json::{Map, Value, json};

use super::sample::Sample;
use crate::args::{ExpertArgs, LabelArgs};
use crate::commands::hands::with_hands;
use crate::commands::problem::read_labels;
use crate::commands::seed::seed_or_drawn;
use crate::commands::solve::read_settings;
use crate::commands::threads::thread_pool;
use crate::commands::unused::searches;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::interrupt;

/// Draws instances, labels them and writes the set.
pub(super) fn run(args: &LabelArgs, console: Console) -> anyhow::Result<Exit> {
    FileGate::default().writes(&args.output)?;
    let seed = seed_or_drawn(args.seed, console);
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.threads)?;
    let plan = LabelPlan { sample: Sample::of(&args.sample)?, expert: &args.expert, count: args.count, seed };
    let set = with_hands(args.threads, &cancel, console, |hands| {
        pool.install(|| plan.label("labels", &cancel, console, hands))
    });
    let Some(set) = set? else {
        bail!("interrupted: nothing was written");
    };
    pfss_io::atomic::write(&args.output, &set.to_bytes()?)?;
    console.say(&format!(
        "{} instances of {}, mean cost {:.4}, in {}",
        set.items().len(),
        plan.sample.name(),
        set.mean_cost(),
        args.output.display()
    ));
    Ok(Exit::Success)
}

/// Which instances an expert labels.
pub(super) struct LabelPlan<'a> {
    pub(super) sample: Sample,
    pub(super) expert: &'a ExpertArgs,
    pub(super) count: usize,
    pub(super) seed: u64,
}

impl LabelPlan<'_> {
    fn expert_name(&self) -> &str {
        self.expert.name(self.sample.problem())
    }

    /// The expert's complete configuration.
    fn expert_config(&self) -> anyhow::Result<Settings> {
        let assignments = &self.expert.expert_settings;
        Ok(match self.sample {
            Sample::FlowShop { .. } => {
                let algorithm = pfss::algorithm(self.expert_name())?;
                algorithm.config(&read_settings(algorithm, None, "--expert-set", assignments)?)?
            }
            #[cfg(feature = "tsp")]
            Sample::Tsp { .. } => {
                let algorithm = pfss_tsp::tsp_algorithm(self.expert_name())?;
                algorithm.config(&read_settings(algorithm, None, "--expert-set", assignments)?)?
            }
        })
    }

    /// How long the expert may search on an instance; none where it ends by itself.
    fn evaluations(&self) -> anyhow::Result<Option<u64>> {
        let searches = searches(self.sample.problem(), self.expert_name())?;
        Ok(searches.then_some(self.expert.evaluations()))
    }

    /// Where the labels come from: what would give them again.
    pub(super) fn record(&self, stream: &str) -> anyhow::Result<Map<String, Value>> {
        let own = json!({
            "count": self.count,
            "seed": self.seed,
            "stream": stream,
            "expert": self.expert_name(),
            "expert_config": self.expert_config()?,
            "expert_evaluations": self.expert.evaluations(),
        });
        let mut record = Map::new();
        for part in [self.sample.record(), own] {
            if let Value::Object(part) = part {
                record.extend(part);
            }
        }
        Ok(record)
    }

    /// The labelled instances of a file that exists, or new ones, written there; `None` when it was interrupted.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn read_or_label(
        &self,
        stream: &str,
        file: &Path,
        cancel: &CancelFlag,
        console: Console,
    ) -> anyhow::Result<Option<LabelledSet>> {
        if file.exists() {
            let set = read(file)?;
            if *set.record() != self.record(stream)? {
                bail!(
                    "{}: these instances were made with other settings; train in another folder",
                    file.display()
                );
            }
            return Ok(Some(set));
        }
        let Some(set) = self.label(stream, cancel, console, None)? else { return Ok(None) };
        pfss_io::atomic::write(file, &set.to_bytes()?)?;
        Ok(Some(set))
    }

    /// Draws the instances and labels them, with the help of others where there are some; `None` when it was interrupted.
    /// `stream` keeps the instances of different purposes apart.
    pub(super) fn label(
        &self,
        stream: &str,
        cancel: &CancelFlag,
        console: Console,
        hands: Option<&dyn Hands>,
    ) -> anyhow::Result<Option<LabelledSet>> {
        if self.count == 0 {
            bail!("0 instances were asked for, but at least one is needed");
        }
        let record = self.record(stream)?;
        let seed = Seed::new(self.seed).child(stream);
        let assignments = &self.expert.expert_settings;
        let task = Task { plan: self, seed, stream, cancel, console };
        let labels = match self.sample {
            Sample::FlowShop { .. } => {
                let algorithm = pfss::algorithm(self.expert_name())?;
                let settings = read_settings(algorithm, None, "--expert-set", assignments)?;
                task.label::<Instance<f64>>(algorithm.name, &settings, hands)?
            }
            #[cfg(feature = "tsp")]
            Sample::Tsp { .. } => {
                let algorithm = pfss_tsp::tsp_algorithm(self.expert_name())?;
                let settings = read_settings(algorithm, None, "--expert-set", assignments)?;
                task.label::<pfss_tsp::TspInstance>(algorithm.name, &settings, hands)?
            }
        };
        let Some(labels) = labels else { return Ok(None) };
        Ok(Some(LabelledSet::new(labels, record)?))
    }
}

/// The labelling of instances of one type.
struct Task<'a> {
    plan: &'a LabelPlan<'a>,
    seed: Seed,
    stream: &'a str,
    cancel: &'a CancelFlag,
    console: Console,
}

impl Task<'_> {
    fn label<P>(
        &self,
        name: &str,
        settings: &Settings,
        hands: Option<&dyn Hands>,
    ) -> anyhow::Result<Option<Vec<(ProblemInstance, Permutation)>>>
    where
        P: LearnableProblem + Solvable + Clone,
        PortableProblem: for<'p> From<&'p P>,
    {
        let expert = P::solver(name, settings)?;
        let mut instances: Vec<P> = Vec::with_capacity(self.plan.count);
        for index in 0..self.plan.count as u64 {
            instances.extend(self.plan.sample.draw(self.seed, index)?.get::<P>().cloned());
        }
        let labelling = Labelling {
            expert: &*expert,
            evaluations: self.plan.evaluations()?,
            seed: self.seed.child("expert"),
            cancel: self.cancel.clone(),
        };
        let label = format!("{name} orders {}", self.stream);
        let bar = bar(instances.len(), &label, self.console);
        let progress = |done| {
            if let Some(bar) = &bar {
                bar.set_position(done as u64);
            }
        };
        let orders = match hands {
            Some(hands) => {
                let threads = rayon::current_num_threads();
                let piece = |instance: &P, seed| Piece::new(instance, name, settings, seed);
                labelling.label_with_hands(&instances, threads, hands, &piece, &progress)?
            }
            None => labelling.label(&instances, &progress)?,
        };
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        Ok(orders.map(|orders| instances.into_iter().map(Into::into).zip(orders).collect()))
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
    read_labels(&bytes).with_context(|| path.display().to_string())
}
