//! Options of a training without a use: refused, not ignored.

use crate::args::{
    CourseArgs, EncoderName, ExpertArgs, FrontArgs, LabelArgs, NetworkArgs, ProblemName, SampleArgs,
    TrainKind,
};
use crate::commands::unused::{ends_by_itself, refuse, searches};

/// Fails for the first option that the training would ignore.
pub(super) fn refuse_unused(kind: &TrainKind) -> anyhow::Result<()> {
    match kind {
        TrainKind::Bc(args) => {
            network(&args.course.network)?;
            expert(&args.course.expert, &args.course.sample)
        }
        // Its critic is a graph network, whatever the actor is.
        TrainKind::Ac(args) => expert(&args.course.expert, &args.course.sample),
        TrainKind::Pomo(args) => by_trial(&args.course),
        TrainKind::SelfLabelling(args) => by_trial(&args.course),
        TrainKind::Front(args) => {
            stages(args)?;
            expert_of(&args.expert, ProblemName::FlowShop)
        }
        TrainKind::Label(LabelArgs { expert: asked, sample, .. }) => expert(asked, sample),
        TrainKind::Portfolio(_) | TrainKind::Guide(_) | TrainKind::Plan(_) => Ok(()),
    }
}

/// Without a critic only the encoder puts neighbours together.
fn by_trial(course: &CourseArgs) -> anyhow::Result<()> {
    network(&course.network)?;
    expert(&course.expert, &course.sample)
}

fn network(network: &NetworkArgs) -> anyhow::Result<()> {
    if network.encoder == EncoderName::Ggcn {
        return Ok(());
    }
    let given =
        [("--neighbours", network.neighbours.is_some()), ("--aggregation", network.aggregation.is_some())];
    refuse(&given, "only `--encoder ggcn` puts neighbours together")
}

fn stages(args: &FrontArgs) -> anyhow::Result<()> {
    if args.imitation_epochs == 0 {
        let given = [
            ("--labelled", args.labelled.is_some()),
            ("--rows", args.rows.is_some()),
            ("--imitation-rate", args.imitation_rate.is_some()),
        ];
        refuse(&given, "there is no imitation with `--imitation-epochs 0`")?;
    }
    if args.gradient_epochs == 0 {
        let given = [
            ("--kinds", args.kinds.is_some()),
            ("--batch", args.instances.is_some()),
            ("--samples", args.samples.is_some()),
            ("--rollouts", args.rollouts.is_some()),
            ("--finish", args.finish.is_some()),
            ("--gradient-rate", args.gradient_rate.is_some()),
        ];
        refuse(&given, "there is no policy gradient with `--gradient-epochs 0`")?;
    }
    Ok(())
}

fn expert(args: &ExpertArgs, sample: &SampleArgs) -> anyhow::Result<()> {
    expert_of(args, sample.problem)
}

fn expert_of(args: &ExpertArgs, problem: ProblemName) -> anyhow::Result<()> {
    let name = args.name(problem);
    if args.expert_evaluations.is_none() || searches(problem, name)? {
        return Ok(());
    }
    refuse(&[("--expert-evaluations", true)], &ends_by_itself(problem, name))
}
