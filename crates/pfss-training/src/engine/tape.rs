//! What has been computed, so that gradients can be taken back through it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::{Backend, Matrix};

/// A matrix in a computation.
pub(crate) struct Var<B: Backend> {
    pub(crate) value: Matrix<B>,
    /// Where its gradient is kept; none where nothing asks for it.
    pub(super) slot: Option<usize>,
}

impl<B: Backend> Clone for Var<B> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), slot: self.slot }
    }
}

impl<B: Backend> Var<B> {
    /// The same numbers, whose gradient nobody wants.
    pub(crate) fn plain(&self) -> Self {
        Self { value: self.value.clone(), slot: None }
    }
}

/// A step of a computation taken back.
type Back<B> = Box<dyn FnOnce(&mut Gradients<B>)>;

/// A computation on a device.
pub(crate) struct Tape<B: Backend> {
    pub(super) backend: Rc<B>,
    steps: RefCell<Vec<Back<B>>>,
    /// Of the parameters, the gradients that are added to.
    given: RefCell<Vec<(usize, Matrix<B>)>>,
    slots: Cell<usize>,
    is_recording: bool,
}

/// The gradients of a computation so far.
pub(super) struct Gradients<B: Backend> {
    slots: Vec<Option<Matrix<B>>>,
    backend: Rc<B>,
}

impl<B: Backend> Gradients<B> {
    /// The gradient of a result, which nothing needs any more.
    pub(super) fn take(&mut self, slot: Option<usize>) -> Option<Matrix<B>> {
        self.slots[slot?].take()
    }

    /// Where the gradient of an operand goes, and whether it is added to what is there.
    pub(super) fn of(&mut self, operand: &Var<B>) -> Option<(Matrix<B>, bool)> {
        let slot = &mut self.slots[operand.slot?];
        if let Some(old) = slot {
            return Some((old.clone(), true));
        }
        let new = self.backend.matrix(operand.value.rows, operand.value.columns);
        *slot = Some(new.clone());
        Some((new, false))
    }

    /// Adds a matrix, which is not used again, to the gradient of an operand.
    pub(super) fn give(&mut self, operand: &Var<B>, gradient: Matrix<B>) {
        let Some(slot) = operand.slot else { return };
        match &self.slots[slot] {
            Some(old) => self.backend.scale(&gradient, 1.0, old, true),
            None => self.slots[slot] = Some(gradient),
        }
    }
}

impl<B: Backend> Tape<B> {
    /// A computation whose gradients will be asked for.
    pub(crate) fn new(backend: &Rc<B>) -> Self {
        Self::with(backend, true)
    }

    /// A computation without gradients.
    pub(crate) fn plain(backend: &Rc<B>) -> Self {
        Self::with(backend, false)
    }

    fn with(backend: &Rc<B>, is_recording: bool) -> Self {
        Self {
            backend: Rc::clone(backend),
            steps: RefCell::default(),
            given: RefCell::default(),
            slots: Cell::new(0),
            is_recording,
        }
    }

    /// What computes.
    pub(crate) fn device(&self) -> &B {
        &self.backend
    }

    /// A matrix whose gradient nobody wants.
    pub(crate) fn constant(&self, value: Matrix<B>) -> Var<B> {
        Var { value, slot: None }
    }

    /// A matrix whose gradient is added to `gradient`.
    pub(crate) fn parameter(&self, value: Matrix<B>, gradient: &Matrix<B>) -> Var<B> {
        let var = self.result(value, true);
        if let Some(slot) = var.slot {
            self.given.borrow_mut().push((slot, gradient.clone()));
        }
        var
    }

    /// A view of a parameter, whose gradient is the same view of the parameter's.
    pub(super) fn part_of(&self, parameter: &Var<B>, view: impl Fn(&Matrix<B>) -> Matrix<B>) -> Var<B> {
        let given = self.given.borrow().iter().find(|(slot, _)| Some(*slot) == parameter.slot).cloned();
        match given {
            Some((_, gradient)) => self.parameter(view(&parameter.value), &view(&gradient)),
            None => self.constant(view(&parameter.value)),
        }
    }

    /// What an operation comes to.
    pub(super) fn result(&self, value: Matrix<B>, has_gradient: bool) -> Var<B> {
        let slot = (self.is_recording && has_gradient).then(|| {
            let slot = self.slots.get();
            self.slots.set(slot + 1);
            slot
        });
        Var { value, slot }
    }

    /// How an operation is taken back, where that is asked for.
    pub(super) fn record(&self, out: &Var<B>, back: impl FnOnce(&mut Gradients<B>, Matrix<B>) + 'static) {
        if out.slot.is_some() {
            let slot = out.slot;
            self.steps.borrow_mut().push(Box::new(move |gradients: &mut Gradients<B>| {
                // Without a gradient the result played no part.
                if let Some(of_out) = gradients.take(slot) {
                    back(gradients, of_out);
                }
            }));
        }
    }

    /// Takes the gradients of some results back to all parameters.
    pub(crate) fn back(self, results: Vec<(Var<B>, Matrix<B>)>) {
        let mut gradients =
            Gradients { slots: vec![None; self.slots.get()], backend: Rc::clone(&self.backend) };
        for (slot, gradient) in self.given.take() {
            gradients.slots[slot] = Some(gradient);
        }
        for (result, gradient) in results {
            gradients.give(&result, gradient);
        }
        for step in self.steps.take().into_iter().rev() {
            step(&mut gradients);
        }
    }
}
