//! The operations of the networks, each with its gradient.

use std::ops::Range;
use std::rc::Rc;

use pfss_neural::Glimpse;

use super::backend::{Affine, Attention, Graph, Passing, Start};
use super::{Backend, Matrix, Rest, Statistics, Tape, Var};

/// A normalisation of a network: its statistics, weight and bias.
pub(crate) struct Norm<B: Backend> {
    pub(crate) statistics: Statistics<B>,
    pub(crate) weight: Var<B>,
    pub(crate) bias: Var<B>,
}

/// What the decoder comes to, where the order is given.
pub(crate) struct Pointed<B: Backend> {
    /// By instance: the logarithm of how likely the order is.
    pub(crate) likely: Var<B>,
    /// By instance: the sum of the entropies of its steps.
    pub(crate) entropy: Matrix<B>,
    /// By instance, step and job.
    pub(crate) probabilities: Matrix<B>,
}

/// What the scorer of actions comes to.
pub(crate) struct Taken<B: Backend> {
    /// By state: the logarithm of how likely it is to take one of the actions that are taught.
    pub(crate) likely: Var<B>,
    /// By state and action.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) probabilities: Matrix<B>,
}

fn affine<B: Backend>(norm: &Norm<B>) -> Affine<B> {
    Affine { weight: norm.weight.value.clone(), bias: norm.bias.value.clone() }
}

impl<B: Backend> Tape<B> {
    fn backend(&self) -> Rc<B> {
        Rc::clone(&self.backend)
    }

    /// A new matrix that an operation writes.
    fn matrix(&self, rows: usize, columns: usize) -> Matrix<B> {
        self.backend.matrix(rows, columns)
    }

    /// A linear map of each row; the rows of `weight` are outputs.
    pub(crate) fn linear(&self, x: &Var<B>, weight: &Var<B>, bias: Option<&Var<B>>) -> Var<B> {
        let out = self.matrix(x.value.rows, weight.value.rows);
        let start = bias.map_or(Start::Nothing, |bias| Start::Row(&bias.value));
        self.backend.product((&x.value, false), (&weight.value, true), start, &out);
        let out = self.result(out, true);
        let (backend, x, weight, bias) = (self.backend(), x.clone(), weight.clone(), bias.cloned());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_x, add)) = gradients.of(&x) {
                backend.product((&of_out, false), (&weight.value, false), Start::adds(add), &of_x);
            }
            if let Some((of_weight, add)) = gradients.of(&weight) {
                backend.product((&of_out, true), (&x.value, false), Start::adds(add), &of_weight);
            }
            if let Some((of_bias, add)) = bias.as_ref().and_then(|bias| gradients.of(bias)) {
                backend.column_sums(&of_out, &of_bias, add);
            }
        });
        out
    }

    /// A number of each row times a row, plus a row.
    pub(crate) fn outer(&self, numbers: &Matrix<B>, weight: &Var<B>, bias: &Var<B>) -> Var<B> {
        let out = self.matrix(numbers.rows, weight.value.columns);
        self.backend.product((numbers, false), (&weight.value, false), Start::Row(&bias.value), &out);
        let out = self.result(out, true);
        let (backend, numbers) = (self.backend(), numbers.clone());
        let (weight, bias) = (weight.clone(), bias.clone());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_weight, add)) = gradients.of(&weight) {
                backend.product((&numbers, true), (&of_out, false), Start::adds(add), &of_weight);
            }
            if let Some((of_bias, add)) = gradients.of(&bias) {
                backend.column_sums(&of_out, &of_bias, add);
            }
        });
        out
    }

    /// `own` plus what the neighbours sent, gated by the edges and put together (the inner part of Eq. 1).
    pub(crate) fn gate(&self, graph: &Rc<Graph<B>>, edges: &Var<B>, sent: &Var<B>, own: &Var<B>) -> Var<B> {
        let (rows, columns) = (own.value.rows, own.value.columns);
        let (gates, out) = (self.matrix(edges.value.rows, columns), self.matrix(rows, columns));
        self.backend.gate(graph, &edges.value, &sent.value, &own.value, &gates, &out);
        let out = self.result(out, true);
        let (backend, graph) = (self.backend(), Rc::clone(graph));
        let (edges, sent, own) = (edges.clone(), sent.clone(), own.clone());
        self.record(&out, move |gradients, of_out| {
            if let (Some(of_edges), Some(of_sent)) = (gradients.of(&edges), gradients.of(&sent)) {
                backend.gate_gradient(
                    &graph,
                    &gates,
                    &sent.value,
                    &of_out,
                    (&of_edges.0, of_edges.1),
                    (&of_sent.0, of_sent.1),
                );
            }
            gradients.give(&own, of_out);
        });
        out
    }

    /// Of each edge: its own linear map, plus `own` of its job and `other` of the neighbour.
    pub(crate) fn meet(
        &self,
        graph: &Rc<Graph<B>>,
        edges: &Var<B>,
        (weight, bias): (&Var<B>, &Var<B>),
        own: &Var<B>,
        other: &Var<B>,
    ) -> Var<B> {
        let out = self.matrix(edges.value.rows, own.value.columns);
        self.backend.meet(graph, &own.value, &other.value, &bias.value, &out);
        self.backend.product((&edges.value, false), (&weight.value, true), Start::Out, &out);
        let out = self.result(out, true);
        let (backend, graph) = (self.backend(), Rc::clone(graph));
        let (edges, weight, bias) = (edges.clone(), weight.clone(), bias.clone());
        let (own, other) = (own.clone(), other.clone());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_edges, add)) = gradients.of(&edges) {
                backend.product((&of_out, false), (&weight.value, false), Start::adds(add), &of_edges);
            }
            if let Some((of_weight, add)) = gradients.of(&weight) {
                backend.product((&of_out, true), (&edges.value, false), Start::adds(add), &of_weight);
            }
            if let Some((of_bias, add)) = gradients.of(&bias) {
                backend.column_sums(&of_out, &of_bias, add);
            }
            if let Some((of_own, add)) = gradients.of(&own) {
                backend.group_sums(&of_out, graph.degree, 1.0, &of_own, add);
            }
            if let Some((of_other, add)) = gradients.of(&other) {
                backend.met(&graph, &of_out, &of_other, add);
            }
        });
        out
    }

    /// Normalises where there is a norm, cuts off what is below zero where `relu` says so, and adds `beside`.
    pub(crate) fn normalise(
        &self,
        x: &Var<B>,
        norm: Option<Norm<B>>,
        relu: bool,
        beside: Option<&Var<B>>,
    ) -> Var<B> {
        let out = self.matrix(x.value.rows, x.value.columns);
        let kept = norm.as_ref().map(affine);
        let used = norm.as_ref().zip(kept.as_ref()).map(|(norm, affine)| (&norm.statistics, affine));
        self.backend.normalise(&x.value, used, relu, beside.map(|beside| &beside.value), &out);
        let out = self.result(out, true);
        let (backend, x, beside) = (self.backend(), x.clone(), beside.cloned());
        self.record(&out, move |gradients, of_out| {
            let of_affine = norm.as_ref().and_then(|norm| {
                Some(Affine { weight: gradients.of(&norm.weight)?.0, bias: gradients.of(&norm.bias)?.0 })
            });
            let used = match (&norm, &kept, &of_affine) {
                (Some(norm), Some(kept), Some(of)) => Some((&norm.statistics, kept, of)),
                _ => None,
            };
            if let Some((of_x, add)) = gradients.of(&x) {
                backend.normalise_gradient(&x.value, used, relu, &of_out, (&of_x, add));
            }
            if let Some(beside) = &beside {
                gradients.give(beside, of_out);
            }
        });
        out
    }

    /// Some rows of a parameter.
    pub(crate) fn rows_of(&self, parameter: &Var<B>, rows: Range<usize>) -> Var<B> {
        self.part_of(parameter, |matrix| matrix.some_rows(rows.clone()))
    }

    /// Some columns of a parameter.
    pub(crate) fn columns_of(&self, parameter: &Var<B>, columns: Range<usize>) -> Var<B> {
        self.part_of(parameter, |matrix| matrix.some_columns(columns.clone()))
    }

    /// All of a parameter in one row.
    pub(crate) fn row_of(&self, parameter: &Var<B>) -> Var<B> {
        self.part_of(parameter, |matrix| matrix.part(0, 1, matrix.len()))
    }

    /// `max(x, 0)`.
    pub(crate) fn relu(&self, x: &Var<B>) -> Var<B> {
        let out = self.matrix(x.value.rows, x.value.columns);
        self.backend.relu(&x.value, &out);
        let out = self.result(out, true);
        let (backend, x, y) = (self.backend(), x.clone(), out.value.clone());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_x, add)) = gradients.of(&x) {
                backend.relu_gradient(&y, &of_out, &of_x, add);
            }
        });
        out
    }

    /// `x + y`.
    pub(crate) fn sum(&self, x: &Var<B>, y: &Var<B>) -> Var<B> {
        let out = self.matrix(x.value.rows, x.value.columns);
        self.backend.scale(&x.value, 1.0, &out, false);
        self.backend.scale(&y.value, 1.0, &out, true);
        let out = self.result(out, true);
        let (backend, x, y) = (self.backend(), x.clone(), y.clone());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_x, add)) = gradients.of(&x) {
                backend.scale(&of_out, 1.0, &of_x, add);
            }
            gradients.give(&y, of_out);
        });
        out
    }

    /// The mean of each `count` rows.
    pub(crate) fn means(&self, x: &Var<B>, count: usize) -> Var<B> {
        let out = self.matrix(x.value.rows / count.max(1), x.value.columns);
        let share = 1.0 / count as f32;
        self.backend.group_sums(&x.value, count, share, &out, false);
        let out = self.result(out, true);
        let (backend, x) = (self.backend(), x.clone());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_x, add)) = gradients.of(&x) {
                backend.repeat(&of_out, count, share, &of_x, add);
            }
        });
        out
    }

    /// Rows by their numbers, of which none comes twice.
    pub(crate) fn gather(&self, x: &Var<B>, rows: &Rc<B::Indices>, count: usize) -> Var<B> {
        let out = self.matrix(count, x.value.columns);
        self.backend.gather(&x.value, rows, &out);
        let out = self.result(out, true);
        let (backend, x, rows) = (self.backend(), x.clone(), Rc::clone(rows));
        self.record(&out, move |gradients, of_out| {
            if let Some((of_x, add)) = gradients.of(&x) {
                backend.scatter(&of_out, &rows, &of_x, add);
            }
        });
        out
    }

    /// Attention of several heads among the rows of each instance (Eq. 3).
    pub(crate) fn attend(
        &self,
        [queries, keys, values]: [&Var<B>; 3],
        (jobs, heads): (usize, usize),
        glimpse: Glimpse,
    ) -> Var<B> {
        let (rows, columns) = (queries.value.rows, queries.value.columns);
        let attention = Attention {
            queries: queries.value.clone(),
            keys: keys.value.clone(),
            values: values.value.clone(),
            jobs,
            heads,
            is_open_only: glimpse == Glimpse::Open,
        };
        let (weights, out) = (self.matrix(rows * heads, jobs), self.matrix(rows, columns));
        self.backend.attend(&attention, &weights, &out);
        let out = self.result(out, true);
        let backend = self.backend();
        let operands = [queries.clone(), keys.clone(), values.clone()];
        self.record(&out, move |gradients, of_out| {
            let [Some(queries), Some(keys), Some(values)] = operands.each_ref().map(|x| gradients.of(x))
            else {
                return;
            };
            let of = [&queries, &keys, &values].map(|(matrix, add)| (matrix, *add));
            backend.attend_gradient(&attention, &weights, &of_out, of);
        });
        out
    }

    /// A long short-term memory that passes over the rows of each instance; `sent` are their parts of the gates, which are
    /// used up.
    pub(crate) fn recur(&self, sent: Var<B>, weight: &Var<B>, bias: &Var<B>, jobs: usize) -> Var<B> {
        let (rows, d) = (sent.value.rows, sent.value.columns / 4);
        let (gates, cells) = (sent.value.clone(), self.matrix(rows, d));
        let (hidden, passed) = (self.matrix(rows, d), self.matrix(rows, d));
        let backend = self.backend();
        backend.fill(&passed, 0.0);
        for job in 0..jobs {
            if job > 0 {
                let [passed, gates] = [&passed, &gates].map(|matrix| matrix.every(job, jobs));
                backend.product((&passed, false), (&weight.value, true), Start::Out, &gates);
            }
            backend.pass(Passing { job, jobs }, &gates, &bias.value, &cells, &hidden, &passed);
        }
        let out = self.result(hidden, true);
        let (weight, bias) = (weight.clone(), bias.clone());
        self.record(&out, move |gradients, of_out| {
            let (of_cell, of_passed) = (backend.matrix(rows / jobs, d), backend.matrix(rows / jobs, d));
            backend.fill(&of_cell, 0.0);
            for job in (0..jobs).rev() {
                let passed = (job + 1 < jobs).then_some(&of_passed);
                backend.pass_gradient(Passing { job, jobs }, &gates, &cells, &of_out, passed, &of_cell);
                if job > 0 {
                    let gates = gates.every(job, jobs);
                    backend.product((&gates, false), (&weight.value, false), Start::Nothing, &of_passed);
                }
            }
            if let Some((of_weight, add)) = gradients.of(&weight) {
                backend.product((&gates, true), (&passed, false), Start::adds(add), &of_weight);
            }
            if let Some((of_bias, add)) = gradients.of(&bias) {
                backend.column_sums(&gates, &of_bias, add);
            }
            gradients.give(&sent, gates);
        });
        out
    }

    /// The queries of all steps where jobs are placed in the order of their rows (Eq. 2).
    pub(crate) fn queries(&self, start: &Var<B>, first: &Var<B>, last: &Var<B>, graph: &Var<B>) -> Var<B> {
        let out = self.matrix(last.value.rows, last.value.columns);
        self.backend.queries(&start.value, &first.value, &last.value, &graph.value, &out);
        let out = self.result(out, true);
        let backend = self.backend();
        let operands = [first.clone(), last.clone(), graph.clone()];
        let start = start.clone();
        self.record(&out, move |gradients, of_out| {
            let Some((of_start, add)) = gradients.of(&start) else { return };
            if !add {
                backend.fill(&of_start, 0.0);
            }
            let [Some(first), Some(last), Some(graph)] = operands.each_ref().map(|x| gradients.of(x)) else {
                return;
            };
            let of = [&first, &last, &graph].map(|(matrix, add)| (matrix, *add));
            backend.queries_gradient(&of_out, &of_start, of);
        });
        out
    }

    /// How likely it is to place the jobs in the order of their rows, from the glimpses of all steps (Eq. 4 and 5).
    pub(crate) fn point(&self, glimpses: &Var<B>, keys: &Var<B>, jobs: usize, clip: f32) -> Pointed<B> {
        let (rows, d) = (keys.value.rows, keys.value.columns);
        let count = rows / jobs.max(1);
        let scale = 1.0 / (d as f32).sqrt();
        let (tanhs, probabilities) = (self.matrix(rows, jobs), self.matrix(rows, jobs));
        let (likely, entropy) = (self.matrix(count, 1), self.matrix(count, 1));
        self.backend.products(count, (&glimpses.value, false), (&keys.value, true), &tanhs, false);
        self.backend.point(&tanhs, scale, clip, &probabilities, &likely, &entropy);
        let likely = self.result(likely, true);
        let (backend, glimpses, keys) = (self.backend(), glimpses.clone(), keys.clone());
        let chances = probabilities.clone();
        self.record(&likely, move |gradients, of_likely| {
            let slopes = backend.matrix(rows, jobs);
            backend.point_gradient(&tanhs, &chances, scale, clip, &of_likely, &slopes);
            if let Some((of_glimpses, add)) = gradients.of(&glimpses) {
                backend.products(count, (&slopes, false), (&keys.value, false), &of_glimpses, add);
            }
            if let Some((of_keys, add)) = gradients.of(&keys) {
                backend.products(count, (&slopes, true), (&glimpses.value, false), &of_keys, add);
            }
        });
        Pointed { likely, entropy, probabilities }
    }

    /// Of each `count` rows the mean, the largest numbers, and then `rest`.
    pub(crate) fn pool(&self, x: &Var<B>, count: usize, rest: Rest) -> Var<B> {
        let columns = x.value.columns;
        let out = self.matrix(x.value.rows / count.max(1), 2 * columns + rest.len(columns));
        self.backend.pool(&x.value, count, &rest, &out);
        let out = self.result(out, true);
        let (backend, x) = (self.backend(), x.clone());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_x, add)) = gradients.of(&x) {
                backend.pool_gradient(&x.value, count, &rest, &of_out, (&of_x, add));
            }
        });
        out
    }

    /// Each row of `x`, plus a row of `y` that it has in common with `count - 1` others.
    pub(crate) fn sum_by_group(&self, x: &Var<B>, y: &Var<B>, count: usize) -> Var<B> {
        let out = self.matrix(x.value.rows, x.value.columns);
        self.backend.scale(&x.value, 1.0, &out, false);
        self.backend.repeat(&y.value, count, 1.0, &out, true);
        let out = self.result(out, true);
        let (backend, x, y) = (self.backend(), x.clone(), y.clone());
        self.record(&out, move |gradients, of_out| {
            if let Some((of_y, add)) = gradients.of(&y) {
                backend.group_sums(&of_out, count, 1.0, &of_y, add);
            }
            gradients.give(&x, of_out);
        });
        out
    }

    /// How likely it is to take one of the actions that are taught (a row for each state), from the logits of all
    /// actions, one after the other.
    pub(crate) fn take(&self, logits: &Var<B>, taught: &Matrix<B>, clip: f32) -> Taken<B> {
        let (rows, columns) = (taught.rows, taught.columns);
        let (tanhs, probabilities) = (self.matrix(rows, columns), self.matrix(rows, columns));
        let likely = self.matrix(rows, 1);
        self.backend.take(&logits.value, taught, clip, &tanhs, &probabilities, &likely);
        let likely = self.result(likely, true);
        let (backend, logits, taught) = (self.backend(), logits.clone(), taught.clone());
        let chances = probabilities.clone();
        self.record(&likely, move |gradients, of_likely| {
            let slopes = backend.matrix(logits.value.rows, logits.value.columns);
            backend.take_gradient(&tanhs, &chances, &taught, &of_likely, &slopes);
            gradients.give(&logits, slopes);
        });
        Taken { likely, probabilities }
    }
}
