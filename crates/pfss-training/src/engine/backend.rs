//! What a device can do.

use std::rc::Rc;

use pfss_neural::Aggregation;

use super::matrix::{Matrix, Storage};
use crate::TrainingError;

/// The neighbours of all jobs of a batch of instances of one size.
pub(crate) struct Graph<B: Backend> {
    /// Of each edge, the row of the neighbour.
    pub(crate) neighbours: Rc<B::Indices>,
    /// Neighbours of each job.
    pub(crate) degree: usize,
    /// Jobs of each instance.
    pub(crate) jobs: usize,
    pub(crate) aggregation: Aggregation,
}

/// The statistics that a normalisation uses.
#[derive(Clone)]
pub(crate) enum Statistics<B: Backend> {
    /// A mean and a variance of each column.
    Columns { mean: Matrix<B>, variance: Matrix<B> },
    /// Those of each row.
    Rows,
}

/// A normalisation: what it does after centring and scaling.
#[derive(Clone)]
pub(crate) struct Affine<B: Backend> {
    pub(crate) weight: Matrix<B>,
    pub(crate) bias: Matrix<B>,
}

/// What attention looks at: rows of queries, keys and values of instances of one size.
pub(crate) struct Attention<B: Backend> {
    pub(crate) queries: Matrix<B>,
    pub(crate) keys: Matrix<B>,
    pub(crate) values: Matrix<B>,
    /// Rows of each instance.
    pub(crate) jobs: usize,
    pub(crate) heads: usize,
    /// Whether row `t` looks at rows from `t` on only: those before it are placed.
    pub(crate) is_open_only: bool,
}

/// What the decoder needs to know of encoded instances to build their orders.
pub(crate) struct DecoderKeys<B: Backend> {
    pub(crate) keys: Matrix<B>,
    pub(crate) values: Matrix<B>,
    /// With the map of the glimpse in them.
    pub(crate) logit_keys: Matrix<B>,
    /// By instance: the graph's part of every query.
    pub(crate) graph: Matrix<B>,
    /// The part of the first step.
    pub(crate) start: Matrix<B>,
    pub(crate) as_first: Matrix<B>,
    pub(crate) as_last: Matrix<B>,
    pub(crate) jobs: usize,
    pub(crate) heads: usize,
    pub(crate) clip: f32,
    /// Whether the glimpse sees jobs that are placed too.
    pub(crate) sees_all: bool,
}

/// What follows the mean and the largest numbers of a group of rows.
#[derive(Clone, Debug)]
pub(crate) enum Rest {
    /// The same numbers for all.
    Numbers([f32; 4]),
    /// The mean of the other group of a pair.
    Other,
}

impl Rest {
    /// How many numbers it has, beside rows of so many.
    pub(super) fn len(&self, columns: usize) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Other => columns,
        }
    }
}

/// Where a long short-term memory is: at the row of this number in each instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passing {
    pub(crate) job: usize,
    /// Rows of each instance.
    pub(crate) jobs: usize,
}

/// What a product is added to.
pub(crate) enum Start<'a, B: Backend> {
    Nothing,
    /// The same row everywhere.
    Row(&'a Matrix<B>),
    /// What is there.
    Out,
}

impl<B: Backend> Start<'_, B> {
    /// What is there, or nothing.
    pub(super) fn adds(add: bool) -> Self {
        if add { Self::Out } else { Self::Nothing }
    }
}

/// A step of Adam.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Counted from one.
    pub(crate) number: usize,
    pub(crate) rate: f64,
    /// The gradient is scaled down to this norm, as the paper's code does it.
    pub(crate) clip: f32,
}

/// How much of the moments a step keeps, and what keeps a division from zero: the usual settings.
pub(super) const KEPT: [f32; 2] = [0.9, 0.999];
pub(super) const EPSILON: f32 = 1e-8;

impl Step {
    /// The learning rate over what is missing of the first moment, and the root of one over what is missing of the
    /// second.
    pub(super) fn factors(self) -> (f32, f32) {
        let number = i32::try_from(self.number).unwrap_or(i32::MAX);
        let missing = [0.9f64, 0.999].map(|kept: f64| 1.0 - kept.powi(number));
        ((self.rate / missing[0]) as f32, (1.0 / missing[1]).sqrt() as f32)
    }

    /// What a gradient of this norm is multiplied by.
    pub(super) fn share(self, norm: f32) -> f32 {
        (self.clip / (norm + 1e-6)).min(1.0)
    }
}

/// A device and what it can do. A device that fails remembers it, and says so when numbers are asked of it.
///
/// `out` is overwritten, or added to where `add` says so.
pub(crate) trait Backend: Storage {
    /// Numbers of rows on the device.
    type Indices;

    /// A matrix of any content.
    fn matrix(&self, rows: usize, columns: usize) -> Matrix<Self>;

    fn upload(&self, values: &[f32], columns: usize) -> Matrix<Self>;

    fn upload_indices(&self, rows: &[u32]) -> Self::Indices;

    /// # Errors
    /// [`TrainingError::Device`] when the device failed, now or before.
    fn download(&self, matrix: &Matrix<Self>) -> Result<Vec<f32>, TrainingError>;

    /// # Errors
    /// [`TrainingError::Device`] when the device failed, now or before.
    fn download_indices(&self, rows: &Self::Indices) -> Result<Vec<u32>, TrainingError>;

    fn fill(&self, out: &Matrix<Self>, value: f32);

    /// `factor` times a matrix.
    fn scale(&self, from: &Matrix<Self>, factor: f32, out: &Matrix<Self>, add: bool);

    /// Brings a matrix nearer to another one, by this share of the way.
    fn approach(&self, to: &Matrix<Self>, share: f32, out: &Matrix<Self>);

    /// The product of two matrices, either of them transposed where its flag says so, added to what `start` says.
    fn product(
        &self,
        a: (&Matrix<Self>, bool),
        b: (&Matrix<Self>, bool),
        start: Start<'_, Self>,
        out: &Matrix<Self>,
    );

    /// The products of `count` pairs of blocks of rows.
    fn products(
        &self,
        count: usize,
        a: (&Matrix<Self>, bool),
        b: (&Matrix<Self>, bool),
        out: &Matrix<Self>,
        add: bool,
    );

    /// The sum of all rows.
    fn column_sums(&self, matrix: &Matrix<Self>, out: &Matrix<Self>, add: bool);

    /// The sum of each `count` rows, times `factor`.
    fn group_sums(&self, matrix: &Matrix<Self>, count: usize, factor: f32, out: &Matrix<Self>, add: bool);

    /// Each row `count` times, times `factor`.
    fn repeat(&self, matrix: &Matrix<Self>, count: usize, factor: f32, out: &Matrix<Self>, add: bool);

    /// Rows by their numbers.
    fn gather(&self, matrix: &Matrix<Self>, rows: &Self::Indices, out: &Matrix<Self>);

    /// Rows to where [`Backend::gather`] took them from; no number comes twice.
    fn scatter(&self, matrix: &Matrix<Self>, rows: &Self::Indices, out: &Matrix<Self>, add: bool);

    /// `max(x, 0)`.
    fn relu(&self, x: &Matrix<Self>, out: &Matrix<Self>);

    fn relu_gradient(&self, y: &Matrix<Self>, of_y: &Matrix<Self>, out: &Matrix<Self>, add: bool);

    /// `own` plus the neighbours' `sent`, gated by the edges and put together (the inner part of Eq. 1). Leaves the
    /// gates in `gates`.
    fn gate(
        &self,
        graph: &Graph<Self>,
        edges: &Matrix<Self>,
        sent: &Matrix<Self>,
        own: &Matrix<Self>,
        gates: &Matrix<Self>,
        out: &Matrix<Self>,
    );

    /// From the gradient of the result those of the edges and of what was sent.
    fn gate_gradient(
        &self,
        graph: &Graph<Self>,
        gates: &Matrix<Self>,
        sent: &Matrix<Self>,
        of_out: &Matrix<Self>,
        of_edges: (&Matrix<Self>, bool),
        of_sent: (&Matrix<Self>, bool),
    );

    /// Of each edge: `own` of its job, plus `other` of the neighbour, plus `bias`.
    fn meet(
        &self,
        graph: &Graph<Self>,
        own: &Matrix<Self>,
        other: &Matrix<Self>,
        bias: &Matrix<Self>,
        out: &Matrix<Self>,
    );

    /// The sums over all edges at which a job is the neighbour.
    fn met(&self, graph: &Graph<Self>, of_edges: &Matrix<Self>, out: &Matrix<Self>, add: bool);

    /// Mean and variance of each column.
    fn column_statistics(&self, matrix: &Matrix<Self>, mean: &Matrix<Self>, variance: &Matrix<Self>);

    /// Normalises, cuts off what is below zero where `relu` says so, and adds `beside` where there is one.
    fn normalise(
        &self,
        x: &Matrix<Self>,
        norm: Option<(&Statistics<Self>, &Affine<Self>)>,
        relu: bool,
        beside: Option<&Matrix<Self>>,
        out: &Matrix<Self>,
    );

    /// The gradients of a normalisation; those of weight and bias are added up.
    fn normalise_gradient(
        &self,
        x: &Matrix<Self>,
        norm: Option<(&Statistics<Self>, &Affine<Self>, &Affine<Self>)>,
        relu: bool,
        of_out: &Matrix<Self>,
        of_x: (&Matrix<Self>, bool),
    );

    /// Attention of all heads (Eq. 3). Leaves what each row looked at in `weights`, a row for each head of each row.
    fn attend(&self, attention: &Attention<Self>, weights: &Matrix<Self>, out: &Matrix<Self>);

    /// The gradients of queries, keys and values, in this order.
    fn attend_gradient(
        &self,
        attention: &Attention<Self>,
        weights: &Matrix<Self>,
        of_out: &Matrix<Self>,
        of: [(&Matrix<Self>, bool); 3],
    );

    /// The queries of all steps where jobs are placed in the order of their rows (Eq. 2): `start` at the first one,
    /// later `first` of the instance and `last` of the job before; always `graph` of the instance.
    fn queries(
        &self,
        start: &Matrix<Self>,
        first: &Matrix<Self>,
        last: &Matrix<Self>,
        graph: &Matrix<Self>,
        out: &Matrix<Self>,
    );

    /// The gradients of `start` (added), `first`, `last` and `graph`.
    fn queries_gradient(
        &self,
        of_out: &Matrix<Self>,
        of_start: &Matrix<Self>,
        of: [(&Matrix<Self>, bool); 3],
    );

    /// From products of glimpses and keys (a row for each step) the probabilities of the open jobs, those from the step's
    /// own number on (Eq. 4 and 5). Leaves `tanh` of the scaled products in place of these. `likely` gets the
    /// logarithm of each instance's order, `entropy` the sum of the entropies of its steps.
    fn point(
        &self,
        products: &Matrix<Self>,
        scale: f32,
        clip: f32,
        probabilities: &Matrix<Self>,
        likely: &Matrix<Self>,
        entropy: &Matrix<Self>,
    );

    /// The gradient of the products, from that of `likely`.
    fn point_gradient(
        &self,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        scale: f32,
        clip: f32,
        of_likely: &Matrix<Self>,
        out: &Matrix<Self>,
    );

    /// Passes a long short-term memory on by a step: the gates of this step, which `bias` is added to, are replaced by
    /// what they come to; its cells and its hidden rows are written, these also to `passed`, to the next step.
    fn pass(
        &self,
        at: Passing,
        gates: &Matrix<Self>,
        bias: &Matrix<Self>,
        cells: &Matrix<Self>,
        hidden: &Matrix<Self>,
        passed: &Matrix<Self>,
    );

    /// Takes a step back: from the gradients of the hidden rows (their own and, from the next step, the passed one) and
    /// of the cell those of the gates, in their place, and that of the cell before.
    fn pass_gradient(
        &self,
        at: Passing,
        gates: &Matrix<Self>,
        cells: &Matrix<Self>,
        of_hidden: &Matrix<Self>,
        of_passed: Option<&Matrix<Self>>,
        of_cell: &Matrix<Self>,
    );

    /// Of each `count` rows the mean, the largest numbers, and then `rest`.
    fn pool(&self, x: &Matrix<Self>, count: usize, rest: &Rest, out: &Matrix<Self>);

    fn pool_gradient(
        &self,
        x: &Matrix<Self>,
        count: usize,
        rest: &Rest,
        of_out: &Matrix<Self>,
        of_x: (&Matrix<Self>, bool),
    );

    /// From logits, a row for each state, the probabilities of its actions, whose logits stay within the clip, and how
    /// likely it is that one of those `taught` is taken. Leaves `tanh` of the logits in units of the clip in `tanhs`.
    fn take(
        &self,
        logits: &Matrix<Self>,
        taught: &Matrix<Self>,
        clip: f32,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        likely: &Matrix<Self>,
    );

    /// The gradient of the logits, from that of `likely`.
    fn take_gradient(
        &self,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        taught: &Matrix<Self>,
        of_likely: &Matrix<Self>,
        out: &Matrix<Self>,
    );

    /// Builds an order for each instance: at each step the most likely job, or the first at which the sum of the
    /// probabilities passes the number of `draws` (by instance and step).
    fn roll_out(&self, keys: &DecoderKeys<Self>, draws: Option<&Matrix<Self>>) -> Self::Indices;

    /// `sums[at] += a . b`.
    fn add_dot(&self, a: &Matrix<Self>, b: &Matrix<Self>, sums: &Matrix<Self>, at: usize);

    /// What a critic's values teach beside the costs: `share` times twice the errors, `share` times what the costs are
    /// above the values, and the sum of the squares of the errors times `share`, added to `sums[at]`.
    fn criticise(
        &self,
        values: &Matrix<Self>,
        costs: &Matrix<Self>,
        of_values: &Matrix<Self>,
        advantages: &Matrix<Self>,
        sums: (&Matrix<Self>, usize),
    );

    /// A step of Adam, and the norm of the gradient before it is scaled down, to `norm`.
    fn adam(
        &self,
        step: Step,
        gradient: &Matrix<Self>,
        moments: [&Matrix<Self>; 2],
        weights: &Matrix<Self>,
        norm: &Matrix<Self>,
    );
}
