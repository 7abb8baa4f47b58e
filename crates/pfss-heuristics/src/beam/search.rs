//! Beam search over one instance, pass by pass.

use pfss_core::simd::Instructions;
use pfss_core::tree::{Element, ElementKind, Nodes};
use pfss_core::{Instance, Run, Time, makespan};

use super::engine::Engine;
use super::guide::Guide;
use super::outside::Outside;
use super::pass::{PassResult, PassSettings};

enum Storage {
    Narrow(Engine<u16>),
    Wide(Engine<u32>),
    Real(Engine<f64>),
}

/// A beam search over one instance. Its memory is kept from pass to pass.
pub struct BeamSearch<'p, T> {
    instance: &'p Instance<T>,
    storage: Storage,
    outside: Option<Outside<'p>>,
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
        Self { instance, storage, outside: None }
    }

    /// The same search with a guide from outside, whatever hand-made one the passes name.
    #[must_use]
    pub fn guided_by(self, guide: Box<dyn Guide + 'p>) -> Self {
        Self { outside: Some(Outside::new(guide)), ..self }
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
        let outside = self.outside.as_mut();
        let mut result = match &mut self.storage {
            Storage::Narrow(engine) => engine.pass(settings, outside, run),
            Storage::Wide(engine) => engine.pass(settings, outside, run),
            Storage::Real(engine) => engine.pass(settings, outside, run),
        };
        if let Some((order, cost)) = &mut result.best {
            let plain = makespan(self.instance, order);
            debug_assert!(plain.agrees(*cost), "{plain} {cost}");
            *cost = plain;
        }
        result
    }
}
