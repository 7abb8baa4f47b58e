//! The epochs of a training, whatever it trains: saved again and again, so that nothing is lost.

use std::time::{Duration, Instant};

use pfss_neural::LabelledSet;
use pfss_training::{Epoch, Training, TrainingConfig, TrainingError};
use serde_json::{Value, json};

use super::begun::Begun;
use super::record::best;
use super::steps::Steps;
use super::ticker::{Ticker, rounded};
use super::watch::{Guessing, Watch, is_out_of_patience};
use crate::console::tell;
use crate::exit::Exit;

/// Within an epoch, a checkpoint is written this often.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// How the epochs of a training are run and told.
pub(super) struct Epochs<'a> {
    pub(super) begun: &'a Begun,
    /// The expert that validation compares with.
    pub(super) expert: &'a str,
    pub(super) validation: &'a [LabelledSet],
    /// What these sets are called.
    pub(super) names: Vec<String>,
    /// After so many epochs without a smaller gap it ends.
    pub(super) patience: Option<usize>,
    /// What tells that the policy takes all jobs to be alike, where that is known.
    pub(super) guessing: Option<Guessing>,
}

/// What is written and watched while a training runs.
struct Course {
    steps: Steps,
    watch: Watch,
    saved: Instant,
}

impl Epochs<'_> {
    /// Runs all epochs that are left. `record` tells what would give the model again, with the curve so far.
    pub(super) fn run<C: TrainingConfig>(
        &self,
        training: &mut Training<C>,
        record: impl Fn(&Training<C>) -> Value,
    ) -> anyhow::Result<Exit> {
        let (folder, console, expert) = (&self.begun.folder, self.begun.console, self.expert);
        let done = training.history().len() * training.batches() + training.batch();
        let mut course = Course {
            steps: Steps::open(&folder.steps(), done)?,
            watch: Watch::new(self.guessing),
            saved: Instant::now(),
        };
        let (started, before) = (Instant::now(), training.history().len());
        while !self.is_over(training) {
            if !self.epoch(training, &mut course)? {
                self.save(training, &mut course)?;
                console.warn("interrupted: saved; the same command goes on from here");
                return Ok(Exit::Interrupted);
            }
            let done = training.finish_epoch(self.validation)?.clone();
            // The model comes first: after a kill between the two, the epoch is repeated and gives the same one.
            if best(training.history()).map(|epoch| epoch.epoch) == Some(training.history().len()) {
                folder.write_model(&training.weights()?.to_bytes()?)?;
            }
            self.save(training, &mut course)?;
            folder.write_curve(training.history(), expert, &self.names)?;
            folder.write_record(&record(training))?;
            let made = training.history().len() - before;
            let pace = started.elapsed().div_f64(made.max(1) as f64);
            self.tell(&done, rest(training.config(), training.history(), pace));
            if let Some(told) = course.watch.epoch(training.history()) {
                console.warn(&told);
            }
        }
        folder.write_curve(training.history(), expert, &self.names)?;
        folder.write_record(&record(training))?;
        if let Some(best) = best(training.history()) {
            let last = training.history().len();
            let is_early = !training.is_finished();
            let why = if is_early {
                format!(" (none of the {} after it was better)", last - best.epoch)
            } else {
                String::new()
            };
            console.say(&format!(
                "best: epoch {}{why}, gap to {expert} {:+.3} %, in {}",
                best.epoch,
                best.gap,
                folder.model().display()
            ));
        }
        Ok(Exit::Success)
    }

    /// Whether nothing is left to do.
    fn is_over<C: TrainingConfig>(&self, training: &Training<C>) -> bool {
        let history = training.history();
        // Between two epochs: one that was interrupted goes on.
        let is_late = training.batch() == 0 && is_out_of_patience(history, best(history), self.patience);
        training.is_finished() || is_late
    }

    /// Saves where the training is.
    fn save<C: TrainingConfig>(&self, training: &Training<C>, course: &mut Course) -> anyhow::Result<()> {
        course.steps.flush()?;
        self.begun.folder.write_checkpoint(&training.checkpoint()?)?;
        course.saved = Instant::now();
        Ok(())
    }

    /// The batches of an epoch; false when it was interrupted.
    fn epoch<C: TrainingConfig>(
        &self,
        training: &mut Training<C>,
        course: &mut Course,
    ) -> anyhow::Result<bool> {
        let (console, epochs) = (self.begun.console, training.config().epochs());
        let label = format!("epoch {} of {epochs}", training.history().len() + 1);
        let ticker = Ticker::start(console, &label, training.batches(), training.batch());
        while training.batch() < training.batches() {
            if self.begun.cancel.is_cancelled() {
                return Ok(false);
            }
            let step = match training.step() {
                Err(TrainingError::Interrupted) => return Ok(false),
                step => step?,
            };
            if let Some(step) = step {
                course.steps.push(&step)?;
                ticker.set(training.batch(), &format!("loss {:.4}", step.loss));
                if let Some(told) = course.watch.step(&step) {
                    console.warn(&told);
                }
            }
            if course.saved.elapsed() > CHECKPOINT_EVERY {
                self.save(training, course)?;
            }
        }
        ticker.finish();
        Ok(true)
    }

    /// Tells of an epoch; the others take about so long.
    fn tell(&self, done: &Epoch, rest: Option<Duration>) {
        let console = self.begun.console;
        if console.writes_progress() {
            let mut line = json!({ "schema": "pfss.progress/1", "work": "epoch" });
            line["left_s"] = json!(rest.unwrap_or_default().as_secs());
            line["epoch"] = json!(done);
            tell(&line.to_string());
            return;
        }
        let left = rest.map_or_else(String::new, |rest| format!("  about {} left", rounded(rest)));
        console.say(&(describe(done, self.expert) + &left));
    }
}

/// How long the epochs that are left take at this pace, or the time that is left for them; `None` where none is left.
fn rest(config: &impl TrainingConfig, history: &[Epoch], pace: Duration) -> Option<Duration> {
    let left = config.epochs().checked_sub(history.len()).filter(|&left| left > 0)?;
    let rest = pace.mul_f64(left as f64);
    let Some(limit) = config.time_limit() else { return Some(rest) };
    let spent: f64 = history.iter().map(|epoch| epoch.seconds).sum();
    let time = Duration::try_from_secs_f64(limit - spent).ok().filter(|time| !time.is_zero())?;
    Some(rest.min(time))
}

/// An epoch in a line.
fn describe(epoch: &Epoch, expert: &str) -> String {
    let critic = epoch.critic_loss.map_or_else(String::new, |loss| format!("  critic {loss:.5}"));
    format!(
        "epoch {:>3}  loss {:.4}{critic}  cost {:.4}  gap to {expert} {:+.3} %  {:.2} s",
        epoch.epoch, epoch.loss, epoch.cost, epoch.gap, epoch.seconds
    )
}
