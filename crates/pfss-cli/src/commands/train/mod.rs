//! `pfss train`: learn a policy.

#[cfg(feature = "train")]
mod begun;
#[cfg(feature = "train")]
mod course;
#[cfg(feature = "train")]
mod curriculum;
#[cfg(feature = "train")]
mod epochs;
#[cfg(feature = "train")]
mod front;
mod guide;
mod label_plan;
mod label_record;
mod labels;
mod lot;
#[cfg(feature = "train")]
mod network;
mod parts;
#[cfg(feature = "train")]
pub(super) mod plan;
#[cfg(feature = "train")]
mod policy;
mod portfolio;
#[cfg(feature = "train")]
mod record;
#[cfg(feature = "train")]
mod run_folder;
mod sample;
#[cfg(feature = "train")]
mod steps;
mod ticker;
mod unused;
#[cfg(feature = "train")]
mod watch;

#[cfg(feature = "train")]
use pfss_training::{CostScale, Method};

use crate::args::{TrainArgs, TrainKind};
use crate::console::Console;
use crate::exit::Exit;

pub(super) use sample::Sample;

/// What a build without trainers says.
#[cfg(not(feature = "train"))]
pub(super) const CANNOT: &str = "this build cannot train; build with `cargo install --path crates/pfss-cli --features train` (or `cuda` for an NVIDIA GPU)";

/// Learns, or prepares what is learnt from.
pub(super) fn run(args: &TrainArgs, console: Console) -> anyhow::Result<Exit> {
    unused::refuse_unused(&args.kind)?;
    match &args.kind {
        TrainKind::Label(args) => labels::run(args, console),
        TrainKind::Portfolio(args) => portfolio::run(args, console),
        TrainKind::Guide(args) => guide::run(args, console),
        kind => learn(kind, console),
    }
}

#[cfg(feature = "train")]
fn learn(kind: &TrainKind, console: Console) -> anyhow::Result<Exit> {
    match kind {
        TrainKind::Bc(args) => {
            let lesson = policy::Lesson::Expert { labels: args.labels.as_deref() };
            course::run(&policy::PolicyCourse::new(&args.course, lesson, console)?, console)
        }
        TrainKind::Ac(args) => {
            let cost = network::cost_scale(args.cost);
            let lesson = policy::Lesson::Trial { method: Method::ActorCritic, cost, samples: 0 };
            course::run(&policy::PolicyCourse::new(&args.course, lesson, console)?, console)
        }
        TrainKind::Pomo(args) => {
            let (cost, samples) = (network::cost_scale(args.cost), args.drawn.samples.into());
            let lesson = policy::Lesson::Trial { method: Method::SharedBaseline, cost, samples };
            course::run(&policy::PolicyCourse::new(&args.course, lesson, console)?, console)
        }
        TrainKind::SelfLabelling(args) => {
            // Which order is the cheapest does not depend on the scale.
            let (cost, samples) = (CostScale::default(), args.drawn.samples.into());
            let lesson = policy::Lesson::Trial { method: Method::SelfLabelling, cost, samples };
            course::run(&policy::PolicyCourse::new(&args.course, lesson, console)?, console)
        }
        TrainKind::Plan(args) => plan::run(args, console),
        TrainKind::Front(args) => course::run(&front::FrontCourse::new(args, console)?, console),
        TrainKind::Label(args) => labels::run(args, console),
        TrainKind::Portfolio(args) => portfolio::run(args, console),
        TrainKind::Guide(args) => guide::run(args, console),
    }
}

#[cfg(not(feature = "train"))]
fn learn(_: &TrainKind, _: Console) -> anyhow::Result<Exit> {
    anyhow::bail!("{CANNOT}")
}
