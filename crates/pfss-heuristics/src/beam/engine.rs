//! One pass of beam search over one storage type.

use std::sync::{Mutex, PoisonError, RwLock};
use std::thread;

use pfss_core::simd::Instructions;
use pfss_core::tree::Element;
use pfss_core::{Instance, JobId, Run, Time};

use super::crew::Crew;
use super::descent::Descent;
use super::guide::Guide;
use super::history::History;
use super::meter::Meter;
use super::outside::Outside;
use super::part::Part;
use super::pass::{PassResult, PassSettings};
use super::stage::Stage;
use super::weighing::Weighing;

/// The memory of a beam search, kept from pass to pass.
pub(super) struct Engine<'p, E: Element> {
    stage: RwLock<Stage<E>>,
    /// One for each thread.
    parts: Vec<Mutex<Part<'p, E>>>,
    history: History,
    instructions: Instructions,
}

impl<'p, E: Element> Engine<'p, E> {
    pub(super) fn new<T: Time>(instance: &Instance<T>, instructions: Instructions) -> Self {
        let stage = RwLock::new(Stage::new(instance));
        let mut engine = Self { stage, parts: Vec::new(), history: History::default(), instructions };
        engine.set_threads(1);
        engine
    }

    /// Works on so many threads from now on.
    pub(super) fn set_threads(&mut self, threads: usize) {
        let stage = self.stage.get_mut().unwrap_or_else(PoisonError::into_inner);
        stage.set_threads(threads);
        self.parts.truncate(threads);
        for number in self.parts.len()..threads {
            let part = Part::new(number, stage.tree.num_machines(), self.instructions);
            self.parts.push(Mutex::new(part));
        }
    }

    /// Follows guides from outside from now on, one on each thread.
    pub(super) fn set_guides(&mut self, guides: Vec<Box<dyn Guide + 'p>>) {
        self.set_threads(guides.len().max(1));
        for (part, guide) in self.parts.iter_mut().zip(guides) {
            part.get_mut().unwrap_or_else(PoisonError::into_inner).outside = Some(Outside::new(guide));
        }
    }

    pub(super) fn pass<T: Time>(
        &mut self,
        settings: &PassSettings<T>,
        weighing: &Weighing,
        run: &Run<'_, T>,
    ) -> PassResult<T> {
        let is_guided = self.parts[0].get_mut().unwrap_or_else(PoisonError::into_inner).outside.is_some();
        let stage = self.stage.get_mut().unwrap_or_else(PoisonError::into_inner);
        let meter = Meter::new(run, stage.tree.num_machines(), is_guided);
        let must_end = || run.must_end();
        let crew = Crew::new(&self.stage, &self.parts, &must_end);
        let mut descent = Descent::new(settings, weighing, &crew, &mut self.history, meter, is_guided);
        let found = thread::scope(|scope| {
            let (threads, _closing) = crew.gather(scope, descent.threads_wanted(self.parts.len()));
            descent.go(threads)
        });
        let children = descent.count();
        let to_time = |(order, cost): (Vec<JobId>, E)| (order, cost.to_time());
        match found {
            Some((leaves, exhaustive)) => {
                let mut leaves: Vec<(Vec<JobId>, T)> = leaves.into_iter().map(to_time).collect();
                let best = leaves.first().cloned();
                leaves.truncate(settings.leaves);
                PassResult { best, leaves, completed: true, exhaustive, children }
            }
            None => {
                PassResult { best: None, leaves: Vec::new(), completed: false, exhaustive: false, children }
            }
        }
    }
}
