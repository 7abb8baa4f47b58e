//! A network that learns: its weights, its optimiser and its running statistics.

use std::rc::Rc;

use pfss_core::Seed;

use crate::TrainingError;
use crate::checkpoint::Snapshot;
use crate::engine::{Backend, Matrix, Step, Tape};
use crate::learner::Pupil;
use crate::parameters::{Layout, Tensors, first_statistics, first_weights};

/// How much of a batch's statistics goes into the running ones.
const MOMENTUM: f32 = 0.1;

/// All rows have the length of the network's parameters.
pub(crate) struct Module<B: Backend> {
    backend: Rc<B>,
    parameters: Layout,
    statistics: Layout,
    pub(crate) weights: Matrix<B>,
    pub(crate) gradient: Matrix<B>,
    moments: [Matrix<B>; 2],
    /// Steps of the optimiser.
    steps: usize,
    /// The norm of the last step's gradient.
    norm: Matrix<B>,
    running: Matrix<B>,
    average: Option<Average<B>>,
}

/// The average of the weights of all steps, the later ones counting more.
struct Average<B: Backend> {
    /// The share of it that a step keeps.
    keep: f32,
    weights: Matrix<B>,
}

impl<B: Backend> Module<B> {
    /// A network of these tensors with its first weights.
    pub(crate) fn new(
        backend: &Rc<B>,
        tensors: &[(String, Vec<usize>)],
        running: &[(String, Vec<usize>)],
        seed: Seed,
    ) -> Self {
        let weights = first_weights(tensors, seed);
        let row = |values: &[f32]| backend.upload(values, values.len());
        let zeros = || row(&vec![0.0; weights.len()]);
        Self {
            parameters: Layout::new(tensors),
            statistics: Layout::new(running),
            weights: row(&weights),
            gradient: zeros(),
            moments: [zeros(), zeros()],
            steps: 0,
            norm: row(&[0.0]),
            running: row(&first_statistics(running)),
            average: None,
            backend: Rc::clone(backend),
        }
    }

    /// Also keeps an average of its weights, of which each step keeps this share; none at 0.
    pub(crate) fn with_average(mut self, keep: f32) -> Self {
        self.average = (keep > 0.0).then(|| Average { keep, weights: self.copy(&self.weights) });
        self
    }

    fn copy(&self, row: &Matrix<B>) -> Matrix<B> {
        let copy = self.backend.matrix(row.rows, row.columns);
        self.backend.scale(row, 1.0, &copy, false);
        copy
    }

    /// The weights of the last step and then the running statistics, on the host.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    pub(crate) fn current(&self) -> Result<Vec<f32>, TrainingError> {
        let mut row = self.backend.download(&self.weights)?;
        row.extend(self.backend.download(&self.running)?);
        Ok(row)
    }

    /// Begins the gradient of a step.
    pub(crate) fn begin(&self) {
        self.backend.fill(&self.gradient, 0.0);
    }

    /// Its tensors; what a computation's gradients come to is added to those of this step.
    pub(crate) fn tensors(&self, tape: &Tape<B>) -> Tensors<B> {
        self.parameters.parameters(tape, &self.weights, &self.gradient)
    }

    /// One step of Adam with the gradient that was added up, scaled down to the norm `clip`.
    pub(crate) fn learn(&mut self, rate: f64, clip: f32) {
        self.steps += 1;
        let step = Step { number: self.steps, rate, clip };
        let [first, second] = &self.moments;
        self.backend.adam(step, &self.gradient, [first, second], &self.weights, &self.norm);
        if let Some(average) = &self.average {
            // While steps are few, they keep less: the first weights soon play no part.
            let keep = average.keep.min((1.0 + self.steps as f32) / (10.0 + self.steps as f32));
            self.backend.approach(&self.weights, 1.0 - keep, &average.weights);
        }
    }

    /// The norm of the last step's gradient before it was scaled down.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    pub(crate) fn gradient_norm(&self) -> Result<Option<f32>, TrainingError> {
        Ok(self.backend.download(&self.norm)?.first().copied())
    }

    /// Brings the running statistics nearer to those of a batch.
    pub(crate) fn note(&self, noted: &[(String, Matrix<B>)]) {
        for (name, running) in self.statistics.split(&self.running) {
            if let Some((_, value)) = noted.iter().find(|(noted, _)| noted == name) {
                self.backend.approach(value, MOMENTUM, &running);
            }
        }
    }
}

impl<B: Backend> Pupil for Module<B> {
    fn trained(&self) -> Result<Vec<f32>, TrainingError> {
        let Some(average) = &self.average else { return self.current() };
        let mut row = self.backend.download(&average.weights)?;
        row.extend(self.backend.download(&self.running)?);
        Ok(row)
    }

    fn snapshot(&self) -> Result<Snapshot, TrainingError> {
        let get = |row: &Matrix<B>| self.backend.download(row);
        let average = self.average.as_ref().map(|average| get(&average.weights)).transpose()?;
        Ok(Snapshot {
            steps: self.steps,
            weights: get(&self.weights)?,
            moment_1: get(&self.moments[0])?,
            moment_2: get(&self.moments[1])?,
            running: get(&self.running)?,
            average: average.unwrap_or_default(),
        })
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let is_fit = [&snapshot.weights, &snapshot.moment_1, &snapshot.moment_2]
            .iter()
            .all(|row| row.len() == self.parameters.len())
            && snapshot.running.len() == self.statistics.len()
            && [0, self.parameters.len()].contains(&snapshot.average.len());
        if !is_fit {
            return false;
        }
        let row = |values: &[f32]| self.backend.upload(values, values.len());
        let is_new = snapshot.average.is_empty();
        let average = row(if is_new { &snapshot.weights } else { &snapshot.average });
        (self.weights, self.running, self.steps) =
            (row(&snapshot.weights), row(&snapshot.running), snapshot.steps);
        self.moments = [row(&snapshot.moment_1), row(&snapshot.moment_2)];
        if let Some(own) = &mut self.average {
            own.weights = average;
        }
        true
    }
}
