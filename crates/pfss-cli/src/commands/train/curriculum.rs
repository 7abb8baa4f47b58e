//! What a training learns from and what it is measured on: drawn instances, or those of files.

use std::path::{Path, PathBuf};

use anyhow::bail;
use pfss_neural::LabelledSet;

use super::begun::Begun;
use super::label_plan::LabelPlan;
use super::label_record;
use super::lot::{Given, Held, Lot, are_labels, divide, held_back, read_set};
use super::sample::Sample;
use crate::args::{ExpertArgs, ProblemName, SampleArgs};
use crate::console::Console;

/// Instances with an expert's orders: there already, or to be made.
pub(super) enum Labelled {
    There(LabelledSet),
    Wanted { lot: Lot, count: usize, expert: ExpertArgs },
}

impl Labelled {
    /// Fails for what could not be labelled.
    pub(super) fn check(&self, seed: u64) -> anyhow::Result<()> {
        match self {
            Self::There(_) => Ok(()),
            Self::Wanted { lot, count, expert } => {
                LabelPlan { lot: lot.clone(), expert, count: *count, seed }.check()
            }
        }
    }

    /// The set: read from the training's folder or made and kept in it; `None` when interrupted.
    pub(super) fn prepared(
        &self,
        stream: &str,
        file: &str,
        seed: u64,
        begun: &Begun,
    ) -> anyhow::Result<Option<LabelledSet>> {
        match self {
            Self::There(set) => Ok(Some(set.clone())),
            Self::Wanted { lot, count, expert } => {
                let plan = LabelPlan { lot: lot.clone(), expert, count: *count, seed };
                plan.read_or_label(stream, &begun.folder.path().join(file), begun.around())
            }
        }
    }

    /// The problem, and the numbers of jobs and machines.
    pub(super) fn shape(&self) -> (ProblemName, usize, usize) {
        match self {
            Self::There(set) => (ProblemName::of(set), set.num_jobs(), set.num_machines()),
            Self::Wanted { lot, .. } => lot.shape(),
        }
    }
}

/// Lessons of one size, and what is measured on beside them.
pub(super) struct Chapter {
    /// What fresh instances are drawn from.
    pub(super) lot: Lot,
    pub(super) lessons: Labelled,
    pub(super) validation: Labelled,
}

/// What all chapters of a training have in common.
pub(super) struct Curriculum<'a> {
    pub(super) expert: &'a ExpertArgs,
    /// How many instances of drawn ones are labelled.
    pub(super) count: usize,
    /// What is measured on.
    pub(super) held: Held,
    /// How many of drawn ones, where nobody says it.
    pub(super) measured: usize,
    pub(super) console: Console,
}

impl Curriculum<'_> {
    fn wanted(lot: Lot, count: usize, expert: &ExpertArgs) -> Labelled {
        Labelled::Wanted { lot, count, expert: expert.clone() }
    }

    fn asked(&self) -> Option<usize> {
        match self.held {
            Held::Count(count) => count,
            Held::Files(_) => None,
        }
    }

    /// Drawn instances.
    pub(super) fn drawn(&self, sample: Sample) -> Chapter {
        let lot = Lot::Drawn(sample);
        Chapter {
            lessons: Self::wanted(lot.clone(), self.count, self.expert),
            validation: Self::wanted(lot.clone(), self.asked().unwrap_or(self.measured), self.expert),
            lot,
        }
    }

    /// One's own instances, of which some are held back where nothing else is measured on.
    pub(super) fn given(&self, given: Given) -> anyhow::Result<Chapter> {
        let held = held_back(given.len(), self.asked());
        let (learnt, held) = match self.held {
            Held::Files(_) => (given.clone(), given),
            Held::Count(_) => given.divided(held)?,
        };
        let wanted = |given: Given| {
            let count = given.len();
            Self::wanted(Lot::Given(given), count, self.expert)
        };
        Ok(Chapter { lot: Lot::Given(learnt.clone()), lessons: wanted(learnt), validation: wanted(held) })
    }

    /// Labelled instances of a file. Validation instances are drawn from what the file's record tells, and its expert
    /// orders them; what was asked for instead is told. Where the record does not tell it, some are held back.
    pub(super) fn labels(&self, path: &Path, asked: Option<&SampleArgs>) -> anyhow::Result<Chapter> {
        let set = read_set(path)?;
        if let Some(asked) = asked {
            let sizes = [("-n", asked.jobs, set.num_jobs()), ("-m", asked.machines, set.num_machines())];
            if let Some((option, _, has)) =
                sizes.into_iter().find(|(_, given, has)| given.is_some_and(|given| given != *has))
            {
                bail!("{option} is not used with --labels: {} has {has}", path.display());
            }
        }
        let recorded = Sample::recorded(set.record());
        let wanted = asked.filter(|asked| asked.distribution.is_some() || asked.parameters.is_any());
        let sample = match wanted {
            Some(asked) => Some(Sample::new(
                ProblemName::of(&set),
                set.num_jobs(),
                Some(set.num_machines()),
                asked.distribution,
                &asked.parameters,
            )?),
            None => recorded,
        };
        let Some(sample) = sample else {
            // Nobody says what they were drawn from.
            let lot = Lot::Given(Given::of(&set, path));
            let (learnt, held) = match self.held {
                Held::Files(_) => (set.clone(), set),
                Held::Count(_) => divide(&set, held_back(set.items().len(), self.asked()), path)?,
            };
            return Ok(Chapter { lot, lessons: Labelled::There(learnt), validation: Labelled::There(held) });
        };
        let expert = self.expert_of(&set, path);
        if let Some(recorded) = recorded.filter(|recorded| *recorded != sample) {
            self.console.warn(&format!(
                "measured on {}, though {} holds {}",
                sample.name(),
                path.display(),
                recorded.name()
            ));
        }
        let lot = Lot::Drawn(sample);
        let count = self.asked().unwrap_or(self.measured);
        Ok(Chapter {
            validation: Self::wanted(lot.clone(), count, &expert),
            lessons: Labelled::There(set),
            lot,
        })
    }

    /// The expert of a file's labels, but for what was asked for instead, which is told.
    fn expert_of(&self, set: &LabelledSet, path: &Path) -> ExpertArgs {
        let asked = self.expert;
        let Some(recorded) = label_record::expert(set) else { return asked.clone() };
        if asked.expert.is_some() && asked.expert != recorded.expert {
            self.console.warn(&format!(
                "measured beside {}, though {} was labelled by {}",
                asked.expert.as_deref().unwrap_or_default(),
                path.display(),
                recorded.expert.as_deref().unwrap_or_default()
            ));
            return asked.clone();
        }
        let settings = if asked.expert_settings.is_empty() {
            recorded.expert_settings
        } else {
            asked.expert_settings.clone()
        };
        ExpertArgs {
            expert: recorded.expert,
            expert_settings: settings,
            expert_evaluations: asked.expert_evaluations.or(recorded.expert_evaluations),
        }
    }

    /// The sets of the files of `--validation`; `None` where it names none.
    pub(super) fn files(&self) -> anyhow::Result<Option<Vec<Labelled>>> {
        let Held::Files(files) = &self.held else { return Ok(None) };
        let mut sets = Vec::new();
        let (labels, instances): (Vec<&PathBuf>, Vec<&PathBuf>) =
            files.iter().partition(|path| are_labels(path));
        for path in labels {
            sets.push(Labelled::There(read_set(path)?));
        }
        let instances: Vec<String> = instances.iter().map(|path| path.display().to_string()).collect();
        for given in Given::read(&instances, self.console)? {
            let count = given.len();
            sets.push(Self::wanted(Lot::Given(given), count, self.expert));
        }
        Ok(Some(sets))
    }
}
