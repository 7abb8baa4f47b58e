//! All ranks but 0: do what rank 0 asks for, until there is nothing more to do.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pfss::{Made, Piece, ShopTime};
use pfss_core::{CancelFlag, Instance, Permutation, Run, Seed, SolveError};
use pfss_io::AnyInstance;

use crate::assignment::Assignment;
use crate::colleague::Colleague;
use crate::exchange::Exchange;
use crate::line::{Early, Line};
use crate::message::Message;

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
}

/// Works for rank 0 until it has nothing more to do.
pub fn work(exchange: &dyn Exchange, workplace: &Workplace) {
    let early = Early::default();
    // Ends the pieces under way.
    let mut cancel = CancelFlag::new();
    let mut has_asked = false;
    thread::scope(|scope| {
        loop {
            if workplace.interrupted.is_cancelled() && !has_asked {
                has_asked = true;
                exchange.send(0, Message::Cancel.to_bytes());
            }
            let Some((from, bytes)) = exchange.receive(PATIENCE) else { continue };
            match Message::of_bytes(&bytes) {
                Some(Message::Solve(assignment)) => solve(&assignment, exchange, &early, workplace),
                Some(Message::Run(run, news)) => early.keep(from, run, news),
                Some(Message::Hire) => exchange.send(0, Message::Hired(workplace.threads).to_bytes()),
                Some(Message::Make { number, piece }) => {
                    let cancel = cancel.clone();
                    scope.spawn(move || {
                        let result = make(&piece, &cancel);
                        exchange.send(0, Message::Made { number, result }.to_bytes());
                    });
                }
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
fn make(piece: &Piece, cancel: &CancelFlag) -> Result<Made, String> {
    let make = || piece.make(cancel).map_err(|error| error.to_string());
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| Err(reason(&*panic)))
}

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a process panicked".to_string())
}

fn solve(assignment: &Assignment, exchange: &dyn Exchange, early: &Early, workplace: &Workplace) {
    let line = Line::new(exchange, early, assignment.run);
    match assignment.shop.instance() {
        Ok(AnyInstance::Integer(instance)) => solve_typed(assignment, &instance, line, workplace),
        Ok(AnyInstance::Real(instance)) => solve_typed(assignment, &instance, line, workplace),
        // Rank 0 solved it before: it cannot come to this.
        Err(_) => {}
    }
}

fn solve_typed<T: ShopTime>(
    assignment: &Assignment,
    instance: &Instance<T>,
    line: Line<'_>,
    workplace: &Workplace,
) {
    let cancel = CancelFlag::new();
    // Each rank draws from streams of its own.
    let seed = Seed::new(assignment.seed).child("rank").nth(line.rank() as u64);
    let colleague = Colleague::<T>::new(line, cancel.clone(), seed).keeping_nodes(assignment.keeps_nodes);
    let mut run = Run::new(seed, assignment.limits())
        .started_at(assignment.clock())
        .with_cancel(cancel)
        .with_threads(assignment.threads.unwrap_or(workplace.threads))
        .with_memory(assignment.memory.unwrap_or(workplace.memory))
        .with_team(&colleague);
    let start = assignment.start.clone().map(|start| Permutation::new(start, instance.num_jobs()));
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
fn search<T: ShopTime>(
    assignment: &Assignment,
    instance: &Instance<T>,
    run: &Run<'_, T>,
) -> Result<(), String> {
    let search = || -> Result<(), String> {
        let algorithm = pfss::algorithm(&assignment.algorithm).map_err(|error| error.to_string())?;
        let solver = T::build(algorithm, &assignment.settings).map_err(|error| error.to_string())?;
        match solver.solve(instance, run) {
            Ok(_) | Err(SolveError::NoOrder) => Ok(()),
            Err(SolveError::Failed { message }) => Err(message),
            Err(error) => Err(error.to_string()),
        }
    };
    catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|panic| Err(reason(&*panic)))
}
