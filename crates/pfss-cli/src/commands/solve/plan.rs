//! What is the same for all instances: the algorithm, its parameters, the seed, the limits.

use pfss::{Algorithm, FlowShopSolver, Settings, ShopTime};
use pfss_core::{Instance, Limits, Outcome, Seed, Time};
use pfss_io::ResultRecord;
use pfss_io::record::Origin;

use super::settings;
use crate::args::{LimitArgs, SolveArgs};
use crate::commands::info::cores;
use crate::commands::seed::draw_seed;
use crate::console::Console;
use crate::memory;

/// How every instance is solved.
pub(super) struct Plan {
    algorithm: &'static Algorithm,
    settings: Settings,
    config: Settings,
    limits: LimitArgs,
    pub(super) seed: Seed,
    pub(super) threads: usize,
    pub(super) memory: usize,
}

impl Plan {
    /// The plan that the arguments describe.
    pub(super) fn new(args: &SolveArgs, console: Console) -> anyhow::Result<Self> {
        let algorithm = pfss::algorithm(&args.algorithm)?;
        args.check_model(&algorithm.parameters())?;
        let settings = settings::read(algorithm, args.config.as_deref(), "--set", &args.assignments())?;
        let config = algorithm.config(&settings)?;
        let cores = cores();
        let threads = args.threads.map_or(cores, usize::from);
        if threads > cores {
            console
                .warn(&format!("{threads} threads share {cores} cores; more threads than cores do not help"));
        }
        let seed = Seed::new(args.seed.unwrap_or_else(draw_seed));
        let reproducible = args.limits.evaluations.is_some() || args.limits.stall.is_some();
        let unasked = if reproducible { || memory::REPRODUCIBLE } else { memory::default_budget };
        let memory = args.memory.unwrap_or_else(unasked);
        Ok(Self { algorithm, settings, config, limits: args.limits.clone(), seed, threads, memory })
    }

    /// The plan in one line.
    pub(super) fn describe(&self) -> String {
        format!(
            "{} {}, seed {}, {} threads, {} kernels",
            self.algorithm.name,
            self.config,
            self.seed.number(),
            self.threads,
            pfss_core::simd::Instructions::detect()
        )
    }

    /// The algorithm for times of this type.
    pub(super) fn solver<T: ShopTime>(&self) -> anyhow::Result<FlowShopSolver<T>> {
        Ok(T::build(self.algorithm, &self.settings)?)
    }

    /// The limits for this instance.
    pub(super) fn limits<T: Time>(&self, instance: &Instance<T>) -> Limits<T> {
        Limits {
            time: self.limits.time(instance.num_jobs(), instance.num_machines()),
            evaluations: self.limits.evaluations,
            stall: self.limits.stall,
            target: self.limits.target.map(T::from_f64_floor),
        }
    }

    /// Whether a target was given and the result is longer.
    pub(super) fn misses_target(&self, record: &ResultRecord) -> bool {
        self.limits.target.is_some_and(|target| record.makespan.to_f64() > target)
    }

    /// The record of a result.
    pub(super) fn record<T: Time>(&self, instance: &Instance<T>, outcome: &Outcome<T>) -> ResultRecord {
        let origin = Origin {
            algorithm: self.algorithm.name.to_string(),
            config: self.config.clone().into(),
            seed: self.seed.number(),
            threads: self.threads,
        };
        ResultRecord::new(instance, outcome, origin)
    }

    /// The record of a result that a running algorithm may still improve.
    pub(super) fn running<T: Time>(&self, instance: &Instance<T>, outcome: &Outcome<T>) -> ResultRecord {
        ResultRecord { stop_reason: "running".to_string(), ..self.record(instance, outcome) }
    }
}
