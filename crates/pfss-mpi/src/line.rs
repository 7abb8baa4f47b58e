//! The messages of one run.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::exchange::Exchange;
use crate::message::{Message, News};

/// News that came before their run began here, by their sender and their run.
#[derive(Debug, Default)]
pub(crate) struct Early(Mutex<VecDeque<(usize, u64, News)>>);

impl Early {
    /// Keeps news of a run that has not begun here.
    pub(crate) fn keep(&self, from: usize, run: u64, news: News) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back((from, run, news));
    }

    /// The next news of this run; those of earlier ones are dropped.
    fn take(&self, run: u64) -> Option<(usize, News)> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|early| early.1 >= run);
        let at = kept.iter().position(|early| early.1 == run)?;
        kept.remove(at).map(|(from, _, news)| (from, news))
    }
}

/// Sends and receives what belongs to one run; what is left of earlier ones is dropped.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    exchange: &'a dyn Exchange,
    early: &'a Early,
    run: u64,
}

impl<'a> Line<'a> {
    pub(crate) fn new(exchange: &'a dyn Exchange, early: &'a Early, run: u64) -> Self {
        Self { exchange, early, run }
    }

    pub(crate) fn rank(&self) -> usize {
        self.exchange.rank()
    }

    pub(crate) fn ranks(&self) -> usize {
        self.exchange.ranks()
    }

    /// Whether a process that this one depends on has died.
    pub(crate) fn has_lost(&self) -> bool {
        !self.exchange.lost().is_empty()
    }

    pub(crate) fn send(&self, to: usize, news: News) {
        self.exchange.send(to, Message::Run(self.run, news).to_bytes());
    }

    /// Sends the same to several.
    pub(crate) fn tell(&self, all: impl IntoIterator<Item = usize>, news: News) {
        let bytes = Message::Run(self.run, news).to_bytes();
        for to in all {
            self.exchange.send(to, bytes.clone());
        }
    }

    /// Sends the same to all others.
    pub(crate) fn tell_all(&self, news: News) {
        let rank = self.rank();
        self.tell((0..self.ranks()).filter(|&other| other != rank), news);
    }

    /// The next message of this run; waits so long at most.
    pub(crate) fn receive(&self, patience: Duration) -> Option<(usize, News)> {
        if let Some(early) = self.early.take(self.run) {
            return Some(early);
        }
        let (from, bytes) = self.exchange.receive(patience)?;
        match Message::of_bytes(&bytes)? {
            Message::Run(run, news) if run == self.run => Some((from, news)),
            Message::Run(run, news) if run > self.run => {
                self.early.keep(from, run, news);
                None
            }
            _ => None,
        }
    }
}
