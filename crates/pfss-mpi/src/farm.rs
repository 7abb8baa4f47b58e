//! Rank 0: hands instances to the others, one by one.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pfss::{HandError, Hands, Made, Piece};
use pfss_core::CancelFlag;

use crate::exchange::Exchange;
use crate::lead::Leader;
use crate::message::Message;

/// How long processes may take to say how many threads they have.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a thread waits before it looks whether all was interrupted.
const NAP: Duration = Duration::from_millis(20);

/// The threads of all other processes.
struct Farm<'a> {
    exchange: &'a dyn Exchange,
    cancel: &'a CancelFlag,
    /// The rank of each hand.
    ranks: Vec<usize>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    last: u64,
    made: HashMap<u64, Result<Made, String>>,
    /// Ranks that have a model, by its key.
    has_model: HashSet<(usize, String)>,
}

impl Leader<'_> {
    /// Runs `program`, for which the other processes solve instances on so many threads each, or on all that they have. Where one
    /// of them dies, `cancel` is raised, and [`Leader::lost`] says which.
    pub fn farm<R>(
        &self,
        threads: Option<usize>,
        cancel: &CancelFlag,
        program: impl FnOnce(&dyn Hands) -> R,
    ) -> R {
        let exchange = self.exchange();
        let ranks = hire(exchange, threads, cancel);
        let farm = Farm { exchange, cancel, ranks, state: Mutex::default(), changed: Condvar::new() };
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| farm.receive(&is_done));
            let result = program(&farm);
            is_done.store(true, Ordering::Relaxed);
            result
        })
    }
}

/// The rank of each thread that works for this process.
fn hire(exchange: &dyn Exchange, threads: Option<usize>, cancel: &CancelFlag) -> Vec<usize> {
    let mut hired = vec![0; exchange.ranks()];
    if let Some(threads) = threads {
        hired[1..].fill(threads);
    } else {
        tell_all(exchange, &Message::Hire);
        let begun = Instant::now();
        while hired.iter().skip(1).any(|&threads| threads == 0) && begun.elapsed() < PATIENCE {
            let Some((from, bytes)) = exchange.receive(NAP) else { continue };
            match Message::of_bytes(&bytes) {
                Some(Message::Hired(threads)) => hired[from] = threads,
                // A signal reached one of them, which says so only once.
                Some(Message::Cancel) => cancel.cancel(),
                _ => {}
            }
        }
    }
    // One of each rank first: few instances are for different machines.
    let most = hired.iter().copied().max().unwrap_or(0);
    let hired = &hired;
    let nth = |number: usize| (1..hired.len()).filter(move |&rank| hired[rank] > number);
    (0..most).flat_map(nth).collect()
}

fn tell_all(exchange: &dyn Exchange, message: &Message) {
    let bytes = message.to_bytes();
    for rank in 1..exchange.ranks() {
        exchange.send(rank, bytes.clone());
    }
}

impl Farm<'_> {
    /// Hands results to the threads that wait for them, until all is done.
    fn receive(&self, is_done: &AtomicBool) {
        let mut is_cancelled = false;
        while !is_done.load(Ordering::Relaxed) {
            if self.cancel.is_cancelled() && !is_cancelled {
                is_cancelled = true;
                tell_all(self.exchange, &Message::Cancel);
                self.changed.notify_all();
            }
            let Some((_, bytes)) = self.exchange.receive(NAP) else {
                if !self.exchange.lost().is_empty() {
                    self.exchange.note_loss();
                    self.cancel.cancel();
                }
                continue;
            };
            match Message::of_bytes(&bytes) {
                Some(Message::Made { number, result }) => {
                    self.lock().made.insert(number, result);
                    self.changed.notify_all();
                }
                // A signal reached one of them.
                Some(Message::Cancel) => self.cancel.cancel(),
                _ => {}
            }
        }
    }

    /// Why nothing more comes.
    fn reason(&self) -> String {
        match self.exchange.lost().first() {
            Some(rank) => format!("rank {rank} no longer answers"),
            None => "interrupted".to_string(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hands for Farm<'_> {
    fn count(&self) -> usize {
        self.ranks.len()
    }

    fn make(&self, hand: usize, piece: &Piece) -> Result<Made, HandError> {
        let rank = self.ranks[hand];
        let mut state = self.lock();
        if let Some(model) = piece.model()
            && let Some(content) = model.content()
            && state.has_model.insert((rank, model.key().to_string()))
        {
            // Messages arrive in their order: it is there before the piece.
            let message = Message::Model { key: model.key().to_string(), content: content.to_vec() };
            self.exchange.send(rank, message.to_bytes());
        }
        state.last += 1;
        let number = state.last;
        let message = Message::Make { number, piece: Box::new(piece.clone()) };
        self.exchange.send(rank, message.to_bytes());
        loop {
            if let Some(result) = state.made.remove(&number) {
                return result.map_err(HandError);
            }
            if self.cancel.is_cancelled() {
                return Err(HandError(self.reason()));
            }
            let waited = self.changed.wait_timeout(state, NAP);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
