//! All ranks but 0: do what rank 0 asks for, until there is nothing more to do.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pfss::{Craft, Made, Piece, PortableProblem, Solvable, Workshop};
use pfss_core::{CancelFlag, Permutation, Run, Seed, SolveError};
use pfss_io::AnyInstance;

use crate::assignment::Assignment;
use crate::colleague::Colleague;
use crate::exchange::Exchange;
use crate::line::{Early, Line};
use crate::message::{Message, News};

/// How long a process waits before it looks whether it was interrupted.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a process has.
pub struct Workplace {
    /// Threads where rank 0 does not say.
    pub threads: usize,
    /// Bytes that a search may hold where rank 0 does not say.
    pub memory: usize,
    /// Raised by a signal: all processes end.
    pub interrupted: CancelFlag,
    /// Problems beside the flow shop of which pieces may come.
    pub crafts: Vec<Craft>,
}

/// Works for rank 0 until it has nothing more to do, or has died.
pub fn work(exchange: &dyn Exchange, workplace: &Workplace) {
    let early = Early::default();
    let workshop = Workshop::new(&workplace.crafts);
    let workshop = &workshop;
    // Ends the pieces under way.
    let mut cancel = CancelFlag::new();
    let mut has_asked = false;
    thread::scope(|scope| {
        loop {
            if workplace.interrupted.is_cancelled() && !has_asked {
                has_asked = true;
                exchange.send(0, Message::Cancel.to_bytes());
            }
            let Some((from, bytes)) = exchange.receive(PATIENCE) else {
                if exchange.lost().is_empty() {
                    continue;
                }
                exchange.note_loss();
                cancel.cancel();
                return;
            };
            match Message::of_bytes(&bytes) {
                Some(Message::Solve(assignment)) => solve(&assignment, exchange, &early, workplace),
                Some(Message::Run(run, news)) => early.keep(from, run, news),
                Some(Message::Hire) => exchange.send(0, Message::Hired(workplace.threads).to_bytes()),
                Some(Message::Make { number, piece }) => {
                    let cancel = cancel.clone();
                    scope.spawn(move || {
                        let result = make(&piece, workshop, &cancel);
                        exchange.send(0, Message::Made { number, result }.to_bytes());
                    });
                }
                // Where it is none, the pieces that need it say so.
                Some(Message::Model { key, content }) => drop(workshop.keep_model(&key, &content)),
                Some(Message::Cancel) => std::mem::take(&mut cancel).cancel(),
                Some(Message::Quit) => {
                    cancel.cancel();
                    return;
                }
                _ => {}
            }
        }
    });
}

/// Makes a piece; a panic is told as a failure.
fn make(piece: &Piece, workshop: &Workshop, cancel: &CancelFlag) -> Result<Made, String> {
    let make = || workshop.make(piece, cancel).map_err(|error| error.to_string());
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| Err(reason(&*panic)))
}

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a process panicked".to_string())
}

/// Solves together with all others. What this process cannot do is told, so that nobody waits for it.
fn solve(assignment: &Assignment, exchange: &dyn Exchange, early: &Early, workplace: &Workplace) {
    let line = Line::new(exchange, early, assignment.run);
    let refused = match &assignment.problem {
        PortableProblem::Shop(shop) => match shop.instance() {
            Ok(AnyInstance::Integer(instance)) => return solve_typed(assignment, &instance, line, workplace),
            Ok(AnyInstance::Real(instance)) => return solve_typed(assignment, &instance, line, workplace),
            Err(error) => error.to_string(),
        },
        PortableProblem::Line(shop, attributes) => match shop.line(attributes) {
            Ok(instance) => return solve_typed(assignment, &instance, line, workplace),
            Err(reason) => reason,
        },
        PortableProblem::Other { problem, .. } => {
            format!("instances of `{problem}` are solved by one process")
        }
    };
    line.send(0, News::Failed(refused));
    line.send(0, News::Farewell { best: None, evaluations: 0, nodes: Some(Vec::new()) });
}

fn solve_typed<P: Solvable>(assignment: &Assignment, instance: &P, line: Line<'_>, workplace: &Workplace) {
    let cancel = CancelFlag::new();
    // Each rank draws from streams of its own.
    let seed = Seed::new(assignment.seed).child("rank").nth(line.rank() as u64);
    let colleague =
        Colleague::<P::Cost>::new(line, cancel.clone(), seed).keeping_nodes(assignment.keeps_nodes);
    let mut run = Run::new(seed, assignment.limits())
        .started_at(assignment.clock())
        .with_cancel(cancel)
        .with_threads(assignment.threads.unwrap_or(workplace.threads))
        .with_memory(assignment.memory.unwrap_or(workplace.memory))
        .with_team(&colleague);
    let start = assignment.start.clone().map(|start| Permutation::new(start, instance.len()));
    if let Some(Ok(start)) = start {
        run = run.with_start(start);
    }
    let is_done = AtomicBool::new(false);
    let watch = || {
        if workplace.interrupted.is_cancelled() && !run.cancel_flag().is_cancelled() {
            colleague.ask_to_stop();
            run.cancel_flag().cancel();
        }
        is_done.load(Ordering::Relaxed) && colleague.is_over()
    };
    thread::scope(|scope| {
        scope.spawn(|| colleague.serve(&run, &watch));
        if let Err(message) = search(assignment, instance, &run) {
            colleague.tell_failure(message);
        }
        is_done.store(true, Ordering::Relaxed);
    });
    colleague.say_farewell(&run);
}

/// Searches; a failure is told, not thrown, so that rank 0 hears of it.
fn search<P: Solvable>(assignment: &Assignment, instance: &P, run: &Run<'_, P::Cost>) -> Result<(), String> {
    let search = || -> Result<(), String> {
        let solver = instance
            .own_solver(&assignment.algorithm, &assignment.settings)
            .map_err(|error| error.to_string())?;
        match solver.solve(instance, run) {
            Ok(_) | Err(SolveError::NoOrder) => Ok(()),
            Err(SolveError::Failed { message }) => Err(message),
            Err(error) => Err(error.to_string()),
        }
    };
    catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|panic| Err(reason(&*panic)))
}
