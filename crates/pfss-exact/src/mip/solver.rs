//! The registered solver.

use pfss_core::{Instance, Outcome, Permutation, Run, SolveError, Solver, Time, makespan, open};

use super::config::{MipConfig, Model};
use super::formulation::Formulation;
use super::highs_call::{Failure, solve};
use super::positional::Positional;
use super::predecessor::Predecessor;
use super::watch::Watch;
use super::work::Work;

const NAME: &str = "mip";

/// The largest matrix that is passed to HiGHS. Beyond it, one linear program can take minutes, and during
/// one HiGHS does not listen.
const MAX_NONZEROS: usize = 250_000;

/// A mixed-integer model solved by HiGHS from the best order so far.
///
/// Nodes of the search tree count as evaluations. With a limit on evaluations one thread is used, so that the
/// result does not depend on the number of threads. HiGHS works in floating point: proofs hold within its
/// tolerances, and a real makespan is called optimal when its bound agrees within 1e-9.
pub struct Mip {
    config: MipConfig,
}

impl Mip {
    /// The solver with these parameters.
    pub fn new(config: MipConfig) -> Self {
        Self { config }
    }

    /// Refuses instances whose model is beyond HiGHS.
    ///
    /// # Errors
    /// [`SolveError::Unsupported`] tells the size of the model and what to use instead.
    pub fn check_size<T: Time>(&self, instance: &Instance<T>) -> Result<(), SolveError> {
        let (jobs, machines) = (instance.num_jobs(), instance.num_machines());
        let nonzeros = match self.config.model {
            Model::Positional => Positional::num_nonzeros(jobs, machines),
            Model::Predecessor => Predecessor::num_nonzeros(jobs, machines),
        };
        if nonzeros <= MAX_NONZEROS {
            return Ok(());
        }
        Err(unsupported(format!(
            "the {} model of {jobs} jobs on {machines} machines has {nonzeros} nonzeros, more than the \
             {MAX_NONZEROS} that are attempted; use branch-and-bound for a proof, or auto for a good order",
            self.config.model.as_str()
        )))
    }
}

fn unsupported(reason: String) -> SolveError {
    SolveError::Unsupported { algorithm: NAME.to_string(), reason }
}

fn failed(failure: Failure) -> SolveError {
    unsupported(match failure {
        Failure::Highs(status) => format!("HiGHS ended with status {status:?}; please report the instance"),
        Failure::Start(reason) => format!("HiGHS could not be started: {reason}"),
    })
}

impl<T: Time> Solver<Instance<T>> for Mip {
    fn name(&self) -> &str {
        NAME
    }

    fn solve(&self, problem: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        self.check_size(problem)?;
        open(NAME, problem, run)?;
        if run.best().is_none() {
            let order = Permutation::identity(problem.num_jobs());
            run.count(1);
            run.offer(&order, makespan(problem, &order));
        }
        let Some((start, cost)) = run.best() else { return Err(SolveError::NoOrder) };
        if !run.must_end() {
            let work = Work::new(problem, cost, run.bound());
            let formulation: Box<dyn Formulation> = match self.config.model {
                Model::Positional => Box::new(Positional::new(&work)),
                Model::Predecessor => Box::new(Predecessor::new(&work)),
            };
            let watch = Watch::new(problem, run, &work, formulation.as_ref());
            solve(&watch, &work.model_order(&start)).map_err(failed)?;
        }
        run.outcome()
    }
}
