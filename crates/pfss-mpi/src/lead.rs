//! Rank 0: solves an instance together with all others.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use pfss::{Keeper, PortableProblem, Settings, Solvable};
use pfss_core::{Outcome, Run, SolveError, Solver, Time};

use crate::assignment::Assignment;
use crate::colleague::Colleague;
use crate::desk::{Farewell, parsed};
use crate::exchange::Exchange;
use crate::line::{Early, Line};
use crate::message::Message;

/// How long others may take for their last word: usually, and after a signal, when all must be written within a second.
const PATIENCE: Duration = Duration::from_secs(5);
const SHORT_PATIENCE: Duration = Duration::from_millis(500);

/// All processes, as rank 0 sees them. When it is dropped, the others end.
pub struct Leader<'a> {
    exchange: &'a dyn Exchange,
    early: Early,
    runs: AtomicU64,
}

/// How an instance is solved by all processes.
pub struct Task<'a, P: Solvable> {
    /// The instance.
    pub instance: &'a P,
    /// The instance, for the others.
    pub portable: PortableProblem,
    /// The algorithm of this process.
    pub solver: Box<dyn Solver<P>>,
    /// Its settings, for the others.
    pub settings: &'a Settings,
    /// How many threads each process may use; all of its cores where nobody says.
    pub threads: Option<usize>,
    /// How many bytes the search of each process may hold.
    pub memory: Option<usize>,
    /// Where open nodes are kept.
    pub keeper: Option<&'a Keeper>,
}

/// What a run of all processes gave.
pub struct Answer<C> {
    /// The answer, as that of a solver.
    pub outcome: Result<Outcome<C>, SolveError>,
    /// The best order so far, also where a part of the search failed.
    pub best: Option<Outcome<C>>,
    /// Ranks that did not answer at the end: they died, or were stopped.
    pub lost: Vec<usize>,
}

impl<'a> Leader<'a> {
    /// This process leads; the others wait in [`work`](crate::work).
    pub fn new(exchange: &'a dyn Exchange) -> Self {
        Self { exchange, early: Early::default(), runs: AtomicU64::new(0) }
    }

    /// The processes.
    pub fn exchange(&self) -> &'a dyn Exchange {
        self.exchange
    }

    /// Solves an instance on all processes. A limit of evaluations, which must come out the same everywhere, is for one process.
    pub fn solve<P: Solvable>(&self, task: Task<'_, P>, run: Run<'_, P::Cost>) -> Answer<P::Cost> {
        if run.limits().is_reproducible() || self.exchange.ranks() == 1 {
            let run = match task.keeper {
                Some(keeper) => run.with_team(keeper),
                None => run,
            };
            let outcome = answer(&task, &run);
            if let Some(keeper) = task.keeper {
                keeper.conclude(&run);
            }
            return Answer { outcome, best: run.answer().ok(), lost: Vec::new() };
        }
        let number = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        self.assign(number, &task, &run);
        let line = Line::new(self.exchange, &self.early, number);
        let colleague = Colleague::new(line, run.cancel_flag().clone(), run.seed()).with_keeper(task.keeper);
        let run = run.with_team(&colleague);
        let is_done = AtomicBool::new(false);
        let outcome = thread::scope(|scope| {
            scope.spawn(|| colleague.serve(&run, &|| is_done.load(Ordering::Relaxed)));
            let outcome = answer(&task, &run);
            is_done.store(true, Ordering::Relaxed);
            outcome
        });
        let patience = if run.cancel_flag().is_cancelled() { SHORT_PATIENCE } else { PATIENCE };
        let farewells = colleague.dismiss(&run, patience);
        self.conclude(&task, &colleague, &run, outcome, farewells)
    }

    /// The processes that have died.
    pub fn lost(&self) -> Vec<usize> {
        self.exchange.lost()
    }

    /// Nothing more is to be done: the others end.
    pub fn quit(&self) {
        for rank in 1..self.exchange.ranks() {
            self.exchange.send(rank, Message::Quit.to_bytes());
        }
    }

    fn assign<P: Solvable>(&self, number: u64, task: &Task<'_, P>, run: &Run<'_, P::Cost>) {
        let limits = run.limits();
        let assignment = Assignment {
            run: number,
            problem: task.portable.clone(),
            algorithm: task.solver.name().to_string(),
            settings: task.settings.clone(),
            seed: run.seed().number(),
            time_s: limits.time.map(|time| time.as_secs_f64()),
            elapsed_s: run.elapsed().as_secs_f64(),
            target: limits.target.map(Time::to_bits),
            threads: task.threads,
            memory: task.memory,
            start: run.start().map(|start| start.as_slice().to_vec()),
            keeps_nodes: task.keeper.is_some(),
        };
        let bytes = Message::Solve(Box::new(assignment)).to_bytes();
        for rank in 1..self.exchange.ranks() {
            self.exchange.send(rank, bytes.clone());
        }
    }

    fn conclude<P: Solvable>(
        &self,
        task: &Task<'_, P>,
        colleague: &Colleague<'_, P::Cost>,
        run: &Run<'_, P::Cost>,
        outcome: Result<Outcome<P::Cost>, SolveError>,
        farewells: Vec<Option<Farewell>>,
    ) -> Answer<P::Cost> {
        let lost: Vec<usize> = (1..farewells.len()).filter(|&rank| farewells[rank].is_none()).collect();
        let mut nodes = colleague.left_open();
        for farewell in farewells.into_iter().flatten() {
            run.count(farewell.evaluations);
            nodes = match (nodes, farewell.nodes) {
                (Some(mut all), Some(more)) => {
                    all.extend(more);
                    Some(all)
                }
                _ => None,
            };
        }
        if !lost.is_empty() {
            self.exchange.note_loss();
        }
        if let Some(keeper) = task.keeper {
            match nodes {
                _ if run.is_optimal() => keeper.save(Vec::new(), run),
                Some(nodes) if lost.is_empty() && keeper.is_begun() => keeper.save(parsed(&nodes), run),
                // What lost ranks had is unknown: the last checkpoint has it.
                _ => {}
            }
        }
        let outcome = match (outcome, colleague.take_failure()) {
            (Err(error), _) => Err(error),
            (Ok(_), Some(message)) => Err(SolveError::Failed { message }),
            // With what the others found last.
            (Ok(_), None) => run.answer(),
        };
        Answer { outcome, best: run.answer().ok(), lost }
    }
}

impl Drop for Leader<'_> {
    fn drop(&mut self) {
        self.quit();
    }
}

fn answer<P: Solvable>(task: &Task<'_, P>, run: &Run<'_, P::Cost>) -> Result<Outcome<P::Cost>, SolveError> {
    task.solver.solve(task.instance, run)
}
