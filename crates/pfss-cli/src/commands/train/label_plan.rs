//! Instances that an expert orders.

use std::path::Path;

use anyhow::bail;
use pfss::{Hands, Labelling, Piece, PortableProblem, Settings, Solvable};
use pfss_core::{CancelFlag, Instance, Permutation, Seed};
use pfss_neural::{LabelledSet, LearnableProblem, PolicyInput, ProblemInstance};
use serde_json::{Map, Value, json};

use super::label_record::differences;
use super::lot::{Lot, read_set};
use super::parts::{self, Parts};
use super::ticker::Ticker;
use crate::args::{ExpertArgs, ProblemName};
use crate::commands::solve::read_settings;
use crate::commands::unused::{ends_by_itself, refuse, searches};
use crate::console::Console;

/// Which instances an expert labels.
pub(super) struct LabelPlan<'a> {
    pub(super) lot: Lot,
    pub(super) expert: &'a ExpertArgs,
    pub(super) count: usize,
    pub(super) seed: u64,
}

/// How a labelling is told of, stopped and helped.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) cancel: &'a CancelFlag,
    pub(super) console: Console,
    pub(super) hands: Option<&'a dyn Hands>,
}

impl LabelPlan<'_> {
    fn expert_name(&self) -> &str {
        self.expert.name(self.lot.problem())
    }

    /// Fails for what could not be labelled.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.count == 0 {
            bail!("0 instances were asked for, but at least one is needed");
        }
        self.expert_config()?;
        if self.expert.expert_evaluations.is_some() && self.evaluations()?.is_none() {
            let why = ends_by_itself(self.lot.problem(), self.expert_name());
            refuse(&[("--expert-evaluations", true)], &why)?;
        }
        self.lot.instance(Seed::new(self.seed), 0).map(drop)
    }

    /// The expert's complete configuration.
    fn expert_config(&self) -> anyhow::Result<Settings> {
        let assignments = &self.expert.expert_settings;
        Ok(match self.lot.problem() {
            ProblemName::FlowShop => {
                let algorithm = pfss::algorithm(self.expert_name())?;
                algorithm.config(&read_settings(algorithm, None, "--expert-set", assignments)?)?
            }
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => {
                let algorithm = pfss_tsp::tsp_algorithm(self.expert_name())?;
                algorithm.config(&read_settings(algorithm, None, "--expert-set", assignments)?)?
            }
        })
    }

    /// How long the expert may search on an instance; none where it ends by itself.
    fn evaluations(&self) -> anyhow::Result<Option<u64>> {
        let searches = searches(self.lot.problem(), self.expert_name())?;
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
            "expert_evaluations": self.evaluations()?,
        });
        let mut record = Map::new();
        for part in [self.lot.record()?, own] {
            if let Value::Object(part) = part {
                record.extend(part);
            }
        }
        Ok(record)
    }

    /// The labelled instances of a file that exists, or new ones, written there; `None` when it was interrupted.
    pub(super) fn read_or_label(
        &self,
        stream: &str,
        file: &Path,
        around: Surroundings<'_>,
    ) -> anyhow::Result<Option<LabelledSet>> {
        if file.is_file() {
            let set = read_set(file)?;
            let others = differences(set.record(), &self.record(stream)?);
            if !others.is_empty() {
                bail!(
                    "{}: these instances were made with other settings ({}); name another folder or file, or remove this one",
                    file.display(),
                    others.join(", ")
                );
            }
            // A kill may have come between the set and the end of its parts.
            parts::remove(file);
            return Ok(Some(set));
        }
        self.label(stream, file, around)
    }

    /// Labels the instances and writes the set; `None` when it was interrupted. What is labelled is kept beside the file until
    /// then, and not labelled again. `stream` keeps the instances of different purposes apart.
    fn label(
        &self,
        stream: &str,
        file: &Path,
        around: Surroundings<'_>,
    ) -> anyhow::Result<Option<LabelledSet>> {
        self.check()?;
        let record = self.record(stream)?;
        let seed = Seed::new(self.seed).child(stream);
        let assignments = &self.expert.expert_settings;
        let task = Task { plan: self, seed, stream, file, record: &record, around };
        let labels = match self.lot.problem() {
            ProblemName::FlowShop => {
                let algorithm = pfss::algorithm(self.expert_name())?;
                let settings = read_settings(algorithm, None, "--expert-set", assignments)?;
                task.label::<Instance<f64>>(algorithm.name, &settings)?
            }
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => {
                let algorithm = pfss_tsp::tsp_algorithm(self.expert_name())?;
                let settings = read_settings(algorithm, None, "--expert-set", assignments)?;
                task.label::<pfss_tsp::TspInstance>(algorithm.name, &settings)?
            }
        };
        let Some((labels, held)) = labels else { return Ok(None) };
        let set = LabelledSet::new(labels, record)?;
        pfss_io::atomic::write(file, &set.to_bytes()?)?;
        parts::remove(file);
        drop(held);
        Ok(Some(set))
    }
}

/// The labelling of instances of one type.
struct Task<'a> {
    plan: &'a LabelPlan<'a>,
    seed: Seed,
    stream: &'a str,
    /// Where the set goes.
    file: &'a Path,
    record: &'a Map<String, Value>,
    around: Surroundings<'a>,
}

/// Instances with their orders, and where these were kept.
type Labels = (Vec<(ProblemInstance, Permutation)>, Parts);

impl Task<'_> {
    /// All instances; `None` when interrupted.
    fn instances<P: LearnableProblem + Clone>(&self) -> anyhow::Result<Option<Vec<P>>> {
        let mut instances = Vec::new();
        for index in 0..self.plan.count as u64 {
            if self.around.cancel.is_cancelled() {
                return Ok(None);
            }
            instances.extend(self.plan.lot.instance(self.seed, index)?.get::<P>().cloned());
        }
        Ok(Some(instances))
    }

    fn label<P>(&self, name: &str, settings: &Settings) -> anyhow::Result<Option<Labels>>
    where
        P: LearnableProblem + Solvable + Clone,
        PortableProblem: for<'p> From<&'p P>,
    {
        let Surroundings { cancel, console, hands } = self.around;
        let expert = P::solver(name, settings)?;
        let Some(instances) = self.instances::<P>()? else {
            console.warn("interrupted: nothing was labelled yet; the same command begins again");
            return Ok(None);
        };
        let lengths: Vec<usize> = instances.iter().map(PolicyInput::len).collect();
        let (parts, kept) = Parts::open(self.file, self.record, &lengths)?;
        let wanted: Vec<usize> = (0..kept.len()).filter(|&index| kept[index].is_none()).collect();
        let before = kept.len() - wanted.len();
        if before > 0 && !wanted.is_empty() {
            console.say(&format!("{before} of {} instances were labelled before", kept.len()));
        }
        let ticker = Ticker::start(console, &format!("{name} orders {}", self.stream), kept.len(), before);
        let orders = std::sync::Mutex::new((kept, before));
        let keep = |index: usize, order: Permutation| {
            let is_kept = parts.keep(index, &order);
            let mut orders = orders.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            orders.0[index] = Some(order);
            orders.1 += 1;
            ticker.set(orders.1, "");
            is_kept
        };
        let labelling = Labelling {
            expert: &*expert,
            evaluations: self.plan.evaluations()?,
            seed: self.seed.child("expert"),
            cancel: cancel.clone(),
        };
        match hands {
            Some(hands) => {
                let threads = rayon::current_num_threads();
                let piece = |instance: &P, seed| Piece::new(instance, name, settings, seed);
                labelling.label_with_hands(&instances, &wanted, threads, hands, &piece, &keep)?;
            }
            None => labelling.label_each(&instances, &wanted, &keep)?,
        }
        ticker.finish();
        parts.check()?;
        let (orders, done) = orders.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let count = orders.len();
        let Some(orders) = orders.into_iter().collect::<Option<Vec<Permutation>>>() else {
            console.warn(&format!(
                "interrupted: {done} of {count} labels are kept in {}; the same command goes on from there",
                parts.path().display()
            ));
            return Ok(None);
        };
        Ok(Some((instances.into_iter().map(Into::into).zip(orders).collect(), parts)))
    }
}
