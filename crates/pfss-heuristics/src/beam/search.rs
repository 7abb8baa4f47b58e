//! Beam search over one instance, pass by pass.

use std::cmp::Ordering;

use pfss_core::simd::Instructions;
use pfss_core::tree::{Element, ElementKind, Nodes};
use pfss_core::{Instance, Run, Time, makespan};

use super::engine::Engine;
use super::guide::Guide;
use super::hand_made::HandMade;
use super::pass::{PassResult, PassSettings};
use super::weighing::Weighing;

enum Storage<'p> {
    Narrow(Engine<'p, u16>),
    Wide(Engine<'p, u32>),
    Real(Engine<'p, f64>),
}

/// The same for each storage.
macro_rules! with_engine {
    ($storage:expr, $engine:ident => $result:expr) => {
        match $storage {
            Storage::Narrow($engine) => $result,
            Storage::Wide($engine) => $result,
            Storage::Real($engine) => $result,
        }
    };
}

/// More threads than any machine has use for.
const MAX_THREADS: usize = 1 << 12;

/// A beam search over one instance. Its memory is kept from pass to pass.
pub struct BeamSearch<'p, T> {
    instance: &'p Instance<T>,
    storage: Storage<'p>,
    is_guided: bool,
    /// That of the guide `fitted`.
    weighing: Weighing,
}

impl<'p, T: Time> BeamSearch<'p, T> {
    /// A search that uses the widest vector instructions of this processor.
    pub fn new(instance: &'p Instance<T>) -> Self {
        Self::with(instance, Instructions::detect(), ElementKind::of(instance))
    }

    /// A search with given vector instructions and storage; a storage that is too narrow is widened.
    /// Results are the same.
    pub fn with(instance: &'p Instance<T>, instructions: Instructions, kind: ElementKind) -> Self {
        let storage = match (kind, ElementKind::of(instance)) {
            (ElementKind::U16, ElementKind::U16) => Storage::Narrow(Engine::new(instance, instructions)),
            (ElementKind::F64, _) | (_, ElementKind::F64) => {
                Storage::Real(Engine::new(instance, instructions))
            }
            _ => Storage::Wide(Engine::new(instance, instructions)),
        };
        Self { instance, storage, is_guided: false, weighing: Weighing::WALPHA }
    }

    /// The same search on so many threads (at least one): wide levels are shared among them. Results are the same on any
    /// number of threads. A guide from outside says for itself how many there are.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        if !self.is_guided {
            with_engine!(&mut self.storage, engine => engine.set_threads(threads.clamp(1, MAX_THREADS)));
        }
        self
    }

    /// The same search with this weighing for the guide `fitted`, which is `walpha` without one.
    #[must_use]
    pub fn weighed_by(self, weighing: Weighing) -> Self {
        Self { weighing, ..self }
    }

    /// The same search on one thread with a guide from outside, whatever hand-made one the passes name.
    #[must_use]
    pub fn guided_by(self, guide: Box<dyn Guide + 'p>) -> Self {
        self.guided_by_each(vec![guide])
    }

    /// The same search with guides from outside, one for each thread that it may use. All must say the same of a node:
    /// which of them is asked depends on the threads' speed. Without any nothing changes.
    #[must_use]
    pub fn guided_by_each(mut self, mut guides: Vec<Box<dyn Guide + 'p>>) -> Self {
        if !guides.is_empty() {
            guides.truncate(MAX_THREADS);
            with_engine!(&mut self.storage, engine => engine.set_guides(guides));
            self.is_guided = true;
        }
        self
    }

    /// The instance.
    pub fn instance(&self) -> &'p Instance<T> {
        self.instance
    }

    /// How many bytes the levels of a beam need per unit of width.
    pub fn bytes_per_width(&self) -> usize {
        fn bytes<E: Element>(n: usize, m: usize) -> usize {
            // Two levels with weights, scores and trails, twice as many candidate keys, and ends; lists that grow may have
            // twice the room that they need.
            2 * (2 * (Nodes::<E>::bytes_per_node(n, m) + 16) + 16 + 1)
        }
        let (n, m) = (self.instance.num_jobs(), self.instance.num_machines());
        match self.storage {
            Storage::Narrow(_) => bytes::<u16>(n, m),
            Storage::Wide(_) => bytes::<u32>(n, m),
            Storage::Real(_) => bytes::<f64>(n, m),
        }
    }

    /// Goes through the tree once. Stops early when `run` must end. Offers nothing to `run` by itself.
    pub fn pass(&mut self, settings: &PassSettings<T>, run: &Run<'_, T>) -> PassResult<T> {
        let is_fitted = settings.guide == HandMade::Fitted;
        let weighing = if is_fitted { self.weighing } else { Weighing::WALPHA };
        let mut result = with_engine!(&mut self.storage, engine => engine.pass(settings, &weighing, run));
        for (order, cost) in result.best.iter_mut().chain(&mut result.leaves) {
            let plain = makespan(self.instance, order);
            debug_assert!(plain.agrees(*cost), "{plain} {cost}");
            *cost = plain;
        }
        // Sums of reals differ in their last bits.
        result.leaves.sort_by(|one, other| one.1.partial_cmp(&other.1).unwrap_or(Ordering::Equal));
        result
    }
}
