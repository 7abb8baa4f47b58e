//! Arguments of `pfss train`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::network::NetworkArgs;
use super::{DistributionArgs, DistributionName, ProblemName, ProgressName, value};

/// Arguments of `pfss train`.
#[derive(Args, Debug)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) kind: TrainKind,
}

/// How a policy learns.
#[derive(Debug, Subcommand)]
pub(crate) enum TrainKind {
    /// Behaviour cloning: imitate an expert's orders
    Bc(CloneArgs),
    /// Actor and critic: learn from what drawn orders of fresh instances cost
    Ac(CriticArgs),
    /// Policy gradient: several orders of each fresh instance are drawn, and their mean cost is the baseline (POMO)
    Pomo(PomoArgs),
    /// Self-labelling: the best of several orders that are drawn of each fresh instance is imitated
    SelfLabelling(SelfLabellingArgs),
    /// The bidirectional policy for any number of jobs and machines: imitation, then policy gradient
    Front(FrontArgs),
    /// Only let an expert order instances, drawn or given ones, for `--labels` of a later training
    Label(LabelArgs),
    /// The table by which `auto` chooses its plan for an instance and a time, from rows of `pfss bench`
    Portfolio(PortfolioArgs),
    /// Weights of a beam's guide for one shape of instances, by evolution on drawn ones
    Guide(GuideArgs),
    /// Several trainings of a file, one after the other or side by side
    Plan(TrainPlanArgs),
}

const PLAN_EXAMPLES: &str = "\
Example, a file trainings.toml:
  [[trainings]]
  train = \"pfss train label -s 1 -n 20 -m 5 -o runs/labels.safetensors\"
  [[trainings]]
  train = \"pfss train bc -s 1 --labels runs/labels.safetensors --epochs 25 -o runs/il\"
  [[trainings]]
  train = \"pfss train ac -s 1 --start runs/il --epochs 25 -o runs/il-then-rl\"
and its command, for a GPU:
  pfss train plan trainings.toml --at-once 4 -- --device cuda

What a training learns from or starts from is made first. The same command goes on after an interrupt.";

/// Arguments of `pfss train plan`.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
#[command(after_help = PLAN_EXAMPLES)]
pub(crate) struct TrainPlanArgs {
    /// The file: a table `[[trainings]]` for each, with its command (`train`) and, where it is not that of its output, its name (`id`)
    #[arg(value_name = "FILE.toml")]
    pub(crate) plan: PathBuf,
    /// How many trainings run side by side; threads are divided among them where their commands have no -j [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) at_once: Option<u16>,
    /// Only these trainings, and those that they need
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// How progress is told on standard error; each line has the name of its training
    #[arg(long, value_name = "HOW", default_value = "bar")]
    pub(crate) progress: ProgressName,
    /// Options that every command but `label` and `guide` gets, in the place of its own
    #[arg(last = true, value_name = "OPTION")]
    pub(crate) options: Vec<String>,
}

const PORTFOLIO_EXAMPLES: &str = "\
Example (scripts/fit-portfolio does this for many sizes and times):
  pfss generate uniform -n 100 -m 20 --count 4 -s 1 -o drawn.json
  pfss bench drawn.json --time-factor 1 -o rows.csv -a auto:greedy-share=0.1:policy=off,auto:greedy-share=0.9:policy=off
  pfss train portfolio rows.csv --instances drawn.json -o plans.csv
  pfss solve ta081 --set plans=plans.csv";

/// Arguments of `pfss train portfolio`.
#[derive(Args, Debug)]
#[command(after_help = PORTFOLIO_EXAMPLES)]
pub(crate) struct PortfolioArgs {
    /// Files of rows; runs of `auto` with `greedy-share` and with `policy=on` or `off` count
    #[arg(required = true, value_name = "ROWS.csv")]
    pub(crate) rows: Vec<PathBuf>,
    /// The sets that the rows tell of; instances of one set and size count as alike
    #[arg(long, required = true, num_args = 1.., value_name = "SET")]
    pub(crate) instances: Vec<String>,
    /// The table to write
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: PathBuf,
}

const GUIDE_EXAMPLES: &str = "\
Example (scripts/fit-guide does this for many shapes):
  pfss train guide --distribution uniform -n 100 -m 40 -s 1 -o weighings.csv
  pfss solve VFR100_40_1 -a beam --set guide=fitted --set weighings=weighings.csv";

/// Arguments of `pfss train guide`.
#[derive(Args, Debug)]
#[command(after_help = GUIDE_EXAMPLES)]
pub(crate) struct GuideArgs {
    /// The table of weights by shape; the shape's row is added, or replaced after each generation
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: PathBuf,
    /// How many generations
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) generations: u32,
    /// How many weighings a generation tries
    #[arg(long, value_name = "K", default_value_t = 12, value_parser = clap::value_parser!(u16).range(3..=10_000))]
    pub(crate) trials: u16,
    /// How many instances a generation tries them on; each draws others
    #[arg(long, value_name = "K", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) count: u16,
    /// How many evaluations the beam search has each time
    #[arg(long, value_name = "N", default_value = "5000000", value_parser = value::count)]
    pub(crate) evaluations: u64,
    /// The seed; drawn and reported when absent
    #[arg(short, long)]
    pub(crate) seed: Option<u64>,
    /// How many threads may be used [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// What processing times are drawn from
    #[arg(long, default_value = "uniform", help_heading = "Instances")]
    pub(crate) distribution: DistributionName,
    /// The number of jobs
    #[arg(short = 'n', long, value_name = "N", help_heading = "Instances")]
    pub(crate) jobs: usize,
    /// The number of machines
    #[arg(short = 'm', long, value_name = "M", help_heading = "Instances")]
    pub(crate) machines: usize,
    #[command(flatten, next_help_heading = "Instances")]
    pub(crate) parameters: DistributionArgs,
}

/// Instances that are drawn.
#[derive(Args, Clone, Debug)]
pub(crate) struct SampleArgs {
    /// The problem; cities of the travelling salesman are drawn from the unit square
    #[arg(long, default_value = "flow-shop", value_parser = value::with_tours::<ProblemName>(), help_heading = "Instances")]
    pub(crate) problem: ProblemName,
    /// What processing times are drawn from [default: gamma]
    #[arg(long, help_heading = "Instances")]
    pub(crate) distribution: Option<DistributionName>,
    /// The number of jobs or cities [default: 20; that of --labels]
    #[arg(short = 'n', long, value_name = "N", help_heading = "Instances")]
    pub(crate) jobs: Option<usize>,
    /// The number of machines [default: 5]
    #[arg(short = 'm', long, value_name = "M", help_heading = "Instances")]
    pub(crate) machines: Option<usize>,
    #[command(flatten, next_help_heading = "Instances")]
    pub(crate) parameters: DistributionArgs,
}

/// Who labels the instances.
#[derive(Args, Clone, Debug)]
pub(crate) struct ExpertArgs {
    /// The expert: any algorithm of `pfss algorithms` [default: iterated-greedy; tsp: branch-and-bound]
    #[arg(long, value_name = "NAME", value_parser = value::algorithm(), hide_possible_values = true, help_heading = "Expert")]
    pub(crate) expert: Option<String>,
    /// A parameter of the expert (repeatable)
    #[arg(long = "expert-set", value_name = "KEY=VALUE", help_heading = "Expert")]
    pub(crate) expert_settings: Vec<String>,
    /// How many evaluations an expert that searches may spend on an instance [default: 200000]
    #[arg(long, value_name = "N", value_parser = value::count, help_heading = "Expert")]
    pub(crate) expert_evaluations: Option<u64>,
}

impl ExpertArgs {
    /// The expert's name.
    pub(crate) fn name(&self, problem: ProblemName) -> &str {
        self.expert.as_deref().unwrap_or(match problem {
            ProblemName::FlowShop => "iterated-greedy",
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => "branch-and-bound",
        })
    }

    /// How many evaluations it may spend on an instance, where it searches.
    pub(crate) fn evaluations(&self) -> u64 {
        self.expert_evaluations.unwrap_or(200_000)
    }
}

/// Arguments of `pfss train label`.
#[derive(Args, Debug)]
pub(crate) struct LabelArgs {
    /// Instances to label, as in `pfss solve`, all of one size; drawn ones when absent
    #[arg(
        value_name = "INSTANCE",
        conflicts_with_all = ["count", "problem", "jobs", "machines", "distribution", "shape", "scale", "mean", "std", "low", "high", "alpha", "half_width", "noise", "zeros"]
    )]
    pub(crate) instances: Vec<String>,
    /// How many instances
    #[arg(long, value_name = "K", default_value_t = 12_800)]
    pub(crate) count: usize,
    /// The seed; drawn and reported when absent
    #[arg(short, long)]
    pub(crate) seed: Option<u64>,
    /// How many threads may be used [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// The file to write (safetensors)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How progress is told on standard error
    #[arg(long, value_name = "HOW", default_value = "bar")]
    pub(crate) progress: ProgressName,
    #[command(flatten)]
    pub(crate) sample: SampleArgs,
    #[command(flatten)]
    pub(crate) expert: ExpertArgs,
}

/// Where a training is kept and runs.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct RunArgs {
    /// The folder for the model, checkpoint, labels and curve; the same command goes on where it was interrupted
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The seed of instances, weights and batches; that of the folder's training, or drawn and reported, when absent
    #[arg(short, long)]
    pub(crate) seed: Option<u64>,
    /// How many threads may be used [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// Where to train
    #[arg(long, default_value = "cpu")]
    pub(crate) device: DeviceName,
    /// Start from this model of the same network instead of drawn weights: its name, a file or the folder of a training
    #[arg(long, value_name = "MODEL", help_heading = "Training")]
    pub(crate) start: Option<PathBuf>,
    /// End after so many epochs without a smaller gap at validation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Training")]
    pub(crate) patience: Option<u32>,
    /// How progress is told on standard error
    #[arg(long, value_name = "HOW", default_value = "bar")]
    pub(crate) progress: ProgressName,
}

/// Arguments of `pfss train bc`.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct CloneArgs {
    #[command(flatten)]
    pub(crate) course: CourseArgs,
    /// Learn from these labelled instances instead of drawing some; what they were drawn from and their expert are the defaults of validation
    #[arg(long, value_name = "FILE", help_heading = "Instances", conflicts_with_all = ["instances", "given", "problem"])]
    pub(crate) labels: Option<PathBuf>,
}

/// Arguments of `pfss train ac`.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct CriticArgs {
    #[command(flatten)]
    pub(crate) course: CourseArgs,
    /// What is learnt of the cost of an order
    #[arg(long, default_value = "scaled", help_heading = "Training")]
    pub(crate) cost: CostName,
}

/// Arguments of `pfss train pomo`.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct PomoArgs {
    #[command(flatten)]
    pub(crate) course: CourseArgs,
    #[command(flatten)]
    pub(crate) drawn: DrawnArgs,
    /// What is learnt of the cost of an order
    #[arg(long, default_value = "scaled", help_heading = "Training")]
    pub(crate) cost: CostName,
}

/// Arguments of `pfss train self-labelling`.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct SelfLabellingArgs {
    #[command(flatten)]
    pub(crate) course: CourseArgs,
    #[command(flatten)]
    pub(crate) drawn: DrawnArgs,
}

/// Orders that are drawn of each instance.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct DrawnArgs {
    /// How many orders are drawn of each instance; their first jobs are spread over all that are likely
    #[arg(long, value_name = "K", default_value_t = 16, value_parser = clap::value_parser!(u16).range(2..=1024), help_heading = "Training")]
    pub(crate) samples: u16,
}

/// Arguments of `pfss train front`.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct FrontArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Distributions and sizes to learn from, each with how often it is taken (0: only measured on) and, where it is not --batch, how many instances a step takes; a distribution may have parameters, as in gamma+shape=1 or uniform+zeros=0.2
    #[arg(
        long,
        value_name = "DISTRIBUTION:NxM[:WEIGHT[:BATCH]],...",
        value_delimiter = ',',
        default_value = "gamma:20x5,gamma:20x10:2,gamma:30x5,gamma:40x10,gamma:40x20:2,gamma:60x20,uniform:20x5,uniform:20x10,uniform:30x10,uniform:40x10,uniform:40x20,uniform:60x20",
        help_heading = "Instances"
    )]
    pub(crate) mix: Vec<String>,
    /// Learn from the instances of these files instead, each size by itself
    #[arg(long = "instances", value_name = "FILE", num_args = 1.., help_heading = "Instances", conflicts_with_all = ["mix", "labelled"])]
    pub(crate) given: Vec<String>,
    /// Learn from these labelled instances instead (files of `pfss train label`)
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Instances", conflicts_with_all = ["mix", "labelled", "given"])]
    pub(crate) labels: Vec<PathBuf>,
    /// Imitation: how many instances of each size the expert orders [default: 4000]
    #[arg(long, value_name = "K", help_heading = "Instances")]
    pub(crate) labelled: Option<usize>,
    /// How many other instances of each size each epoch is measured on, beside the expert [default: 100; a tenth of given ones], or files of such instances, with labels or without
    #[arg(long, value_name = "K|FILE,...", value_delimiter = ',', help_heading = "Instances")]
    pub(crate) validation: Vec<String>,
    #[command(flatten)]
    pub(crate) expert: ExpertArgs,
    /// The width of the layers that see single machines
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096), help_heading = "Network")]
    pub(crate) hidden: u16,
    /// The width of what stands for a candidate; a model to start from grows where both widths are multiples of its own
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..=4096), help_heading = "Network")]
    pub(crate) width: u16,
    /// Epochs of imitation
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Training")]
    pub(crate) imitation_epochs: usize,
    /// Epochs of policy gradient after them
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Training")]
    pub(crate) gradient_epochs: usize,
    /// Steps of the optimiser in an epoch
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Training")]
    pub(crate) batches: usize,
    /// How many sizes of states a step mixes
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Training")]
    pub(crate) parts: usize,
    /// Imitation: at most so many candidates on machines in each part of a step [default: 200000]
    #[arg(long, value_name = "N", help_heading = "Training")]
    pub(crate) rows: Option<usize>,
    /// Policy gradient: of how many parts of --mix a step is made [default: 1]
    #[arg(long, value_name = "K", help_heading = "Training")]
    pub(crate) kinds: Option<usize>,
    /// Policy gradient: instances of each of them in a step [default: 48]
    #[arg(long = "batch", value_name = "K", help_heading = "Training")]
    pub(crate) instances: Option<usize>,
    /// Policy gradient: orders drawn for each instance [default: 16]
    #[arg(long, value_name = "K", help_heading = "Training")]
    pub(crate) samples: Option<usize>,
    /// Policy gradient: where orders are drawn [default: host]
    #[arg(long, help_heading = "Training")]
    pub(crate) rollouts: Option<RolloutsName>,
    /// Policy gradient: at most so many of the last jobs are ordered by search, as when the policy is used [default: 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=16), help_heading = "Training")]
    pub(crate) finish: Option<u8>,
    /// Imitation: the first learning rate [default: 0.001]
    #[arg(long, value_name = "RATE", help_heading = "Training")]
    pub(crate) imitation_rate: Option<f64>,
    /// Policy gradient: the first learning rate [default: 0.0003]
    #[arg(long, value_name = "RATE", help_heading = "Training")]
    pub(crate) gradient_rate: Option<f64>,
    /// The model is a running average of the weights, of which each step keeps this share [default: 0, the last weights]
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        hide_default_value = true,
        help_heading = "Training"
    )]
    pub(crate) average: f32,
    /// Policy gradient: end with the first epoch that ends later than this, the rate falling in step; without imitation
    #[arg(long, value_name = "TIME", value_parser = value::duration, help_heading = "Training")]
    pub(crate) time_limit: Option<std::time::Duration>,
}

/// What every training has.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(crate) struct CourseArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// How many instances to learn from; ac, pomo and self-labelling: fresh ones in each epoch
    #[arg(long = "count", value_name = "K", default_value_t = 12_800, help_heading = "Instances")]
    pub(crate) instances: usize,
    /// Learn from the instances of these files instead of drawing some
    #[arg(
        long = "instances",
        value_name = "FILE",
        num_args = 1..,
        help_heading = "Instances",
        conflicts_with_all = ["instances", "problem", "jobs", "machines", "distribution", "shape", "scale", "mean", "std", "low", "high", "alpha", "half_width", "noise", "zeros"]
    )]
    pub(crate) given: Vec<String>,
    /// How many other instances each epoch is measured on, beside the expert [default: 1000; a tenth of given ones], or files of such instances, with labels or without
    #[arg(long, value_name = "K|FILE,...", value_delimiter = ',', help_heading = "Instances")]
    pub(crate) validation: Vec<String>,
    #[command(flatten)]
    pub(crate) sample: SampleArgs,
    #[command(flatten)]
    pub(crate) expert: ExpertArgs,
    /// How often all instances are seen
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Training")]
    pub(crate) epochs: usize,
    /// Instances per step
    #[arg(long, value_name = "N", default_value_t = 128, help_heading = "Training")]
    pub(crate) batch: usize,
    /// The learning rate of the first epoch
    #[arg(long, value_name = "RATE", default_value_t = 1e-4, help_heading = "Training")]
    pub(crate) learning_rate: f64,
    /// What the learning rate is multiplied by after each epoch
    #[arg(long, value_name = "FACTOR", default_value_t = 0.96, help_heading = "Training")]
    pub(crate) decay: f64,
    /// Gradients are scaled down to this norm
    #[arg(long, value_name = "NORM", default_value_t = 1.0, help_heading = "Training")]
    pub(crate) gradient_clip: f32,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// Where a policy is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceName {
    /// The processor
    Cpu,
    /// The first NVIDIA GPU
    Cuda,
}

/// Where policy gradient draws its orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RolloutsName {
    /// On all cores of the processor
    Host,
    /// Refused: what earlier versions drew on the GPU is drawn on all cores too
    Device,
}

/// What is learnt of the cost of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostName {
    /// The cost divided by the one-machine bound (tours: by the typical length)
    Scaled,
    /// The cost itself, as in the paper
    Raw,
}
