//! The processor: every operation on rows or instances in parallel, in pieces that depend on sizes alone.

#![allow(
    clippy::extra_unused_type_parameters,
    reason = "kernels are made for the registers of each instruction set, also where the compiler chooses these itself"
)]

mod attention;
mod decoder;
mod graph;
mod memory;
mod norm;
mod optimiser;
mod pieces;
mod pool;
mod product;
mod recurrent;
mod rows;

pub(crate) use memory::Cpu;

use super::backend::{Affine, Attention, Graph, Passing, Start};
use super::{Backend, DecoderKeys, Matrix, Rest, Statistics, Step};
use crate::TrainingError;

impl Backend for Cpu {
    type Indices = Vec<u32>;

    fn matrix(&self, rows: usize, columns: usize) -> Matrix<Self> {
        self.rows(rows, columns)
    }

    fn upload(&self, values: &[f32], columns: usize) -> Matrix<Self> {
        let matrix = self.matrix(values.len() / columns.max(1), columns);
        matrix.write().copy_from_slice(values);
        matrix
    }

    fn upload_indices(&self, rows: &[u32]) -> Vec<u32> {
        rows.to_vec()
    }

    fn download(&self, matrix: &Matrix<Self>) -> Result<Vec<f32>, TrainingError> {
        let values = matrix.read();
        Ok((0..matrix.rows)
            .flat_map(|row| &values[row * matrix.stride..row * matrix.stride + matrix.columns])
            .copied()
            .collect())
    }

    fn download_indices(&self, rows: &Vec<u32>) -> Result<Vec<u32>, TrainingError> {
        Ok(rows.clone())
    }

    fn fill(&self, out: &Matrix<Self>, value: f32) {
        out.write().fill(value);
    }

    fn scale(&self, from: &Matrix<Self>, factor: f32, out: &Matrix<Self>, add: bool) {
        rows::scale(&from.read(), factor, &mut out.write(), add);
    }

    fn approach(&self, to: &Matrix<Self>, share: f32, out: &Matrix<Self>) {
        out.write().iter_mut().zip(to.read().iter()).for_each(|(out, to)| *out += share * (to - *out));
    }

    fn product(
        &self,
        a: (&Matrix<Self>, bool),
        b: (&Matrix<Self>, bool),
        start: Start<'_, Self>,
        out: &Matrix<Self>,
    ) {
        product::product(self.instructions, a, b, start, out);
    }

    fn products(
        &self,
        count: usize,
        a: (&Matrix<Self>, bool),
        b: (&Matrix<Self>, bool),
        out: &Matrix<Self>,
        add: bool,
    ) {
        product::products(self.instructions, count, a, b, out, add);
    }

    fn column_sums(&self, matrix: &Matrix<Self>, out: &Matrix<Self>, add: bool) {
        rows::column_sums(self.instructions, &matrix.read(), matrix.columns, &mut out.write(), add);
    }

    fn group_sums(&self, matrix: &Matrix<Self>, count: usize, factor: f32, out: &Matrix<Self>, add: bool) {
        rows::group_sums(&matrix.read(), matrix.columns, count, factor, &mut out.write(), add);
    }

    fn repeat(&self, matrix: &Matrix<Self>, count: usize, factor: f32, out: &Matrix<Self>, add: bool) {
        rows::repeat(&matrix.read(), matrix.columns, count, factor, &mut out.write(), add);
    }

    fn gather(&self, matrix: &Matrix<Self>, rows: &Vec<u32>, out: &Matrix<Self>) {
        rows::gather(&matrix.read(), matrix.columns, rows, &mut out.write());
    }

    fn scatter(&self, matrix: &Matrix<Self>, rows: &Vec<u32>, out: &Matrix<Self>, add: bool) {
        rows::scatter(&matrix.read(), matrix.columns, rows, &mut out.write(), add);
    }

    fn relu(&self, x: &Matrix<Self>, out: &Matrix<Self>) {
        rows::relu(&x.read(), &mut out.write());
    }

    fn relu_gradient(&self, y: &Matrix<Self>, of_y: &Matrix<Self>, out: &Matrix<Self>, add: bool) {
        rows::relu_gradient(&y.read(), &of_y.read(), &mut out.write(), add);
    }

    fn gate(
        &self,
        graph: &Graph<Self>,
        edges: &Matrix<Self>,
        sent: &Matrix<Self>,
        own: &Matrix<Self>,
        gates: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        graph::gate(self.instructions, graph, edges, sent, own, gates, out);
    }

    fn gate_gradient(
        &self,
        graph: &Graph<Self>,
        gates: &Matrix<Self>,
        sent: &Matrix<Self>,
        of_out: &Matrix<Self>,
        of_edges: (&Matrix<Self>, bool),
        of_sent: (&Matrix<Self>, bool),
    ) {
        graph::gate_gradient(self.instructions, graph, gates, sent, of_out, of_edges, of_sent);
    }

    fn meet(
        &self,
        graph: &Graph<Self>,
        own: &Matrix<Self>,
        other: &Matrix<Self>,
        bias: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        graph::meet(self.instructions, graph, own, other, bias, out);
    }

    fn met(&self, graph: &Graph<Self>, of_edges: &Matrix<Self>, out: &Matrix<Self>, add: bool) {
        graph::met(self.instructions, graph, of_edges, out, add);
    }

    fn column_statistics(&self, matrix: &Matrix<Self>, mean: &Matrix<Self>, variance: &Matrix<Self>) {
        norm::column_statistics(self.instructions, matrix, mean, variance);
    }

    fn normalise(
        &self,
        x: &Matrix<Self>,
        norm: Option<(&Statistics<Self>, &Affine<Self>)>,
        relu: bool,
        beside: Option<&Matrix<Self>>,
        out: &Matrix<Self>,
    ) {
        norm::normalise(self.instructions, x, norm, relu, beside, out);
    }

    fn normalise_gradient(
        &self,
        x: &Matrix<Self>,
        norm: Option<(&Statistics<Self>, &Affine<Self>, &Affine<Self>)>,
        relu: bool,
        of_out: &Matrix<Self>,
        of_x: (&Matrix<Self>, bool),
    ) {
        norm::normalise_gradient(self.instructions, x, norm, relu, of_out, of_x);
    }

    fn attend(&self, attention: &Attention<Self>, weights: &Matrix<Self>, out: &Matrix<Self>) {
        attention::attend(self.instructions, attention, weights, out);
    }

    fn attend_gradient(
        &self,
        attention: &Attention<Self>,
        weights: &Matrix<Self>,
        of_out: &Matrix<Self>,
        of: [(&Matrix<Self>, bool); 3],
    ) {
        attention::attend_gradient(self.instructions, attention, weights, of_out, of);
    }

    fn queries(
        &self,
        start: &Matrix<Self>,
        first: &Matrix<Self>,
        last: &Matrix<Self>,
        graph: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        decoder::queries(start, first, last, graph, out);
    }

    fn queries_gradient(
        &self,
        of_out: &Matrix<Self>,
        of_start: &Matrix<Self>,
        of: [(&Matrix<Self>, bool); 3],
    ) {
        decoder::queries_gradient(of_out, of_start, of);
    }

    fn point(
        &self,
        products: &Matrix<Self>,
        scale: f32,
        clip: f32,
        probabilities: &Matrix<Self>,
        likely: &Matrix<Self>,
        entropy: &Matrix<Self>,
    ) {
        decoder::point(self.instructions, products, (scale, clip), probabilities, likely, entropy);
    }

    fn point_gradient(
        &self,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        scale: f32,
        clip: f32,
        of_likely: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        decoder::point_gradient(tanhs, probabilities, scale * clip, of_likely, out);
    }

    fn pass(
        &self,
        at: Passing,
        gates: &Matrix<Self>,
        bias: &Matrix<Self>,
        cells: &Matrix<Self>,
        hidden: &Matrix<Self>,
        passed: &Matrix<Self>,
    ) {
        recurrent::pass(self.instructions, at, (gates, bias), cells, hidden, passed);
    }

    fn pass_gradient(
        &self,
        at: Passing,
        gates: &Matrix<Self>,
        cells: &Matrix<Self>,
        of_hidden: &Matrix<Self>,
        of_passed: Option<&Matrix<Self>>,
        of_cell: &Matrix<Self>,
    ) {
        recurrent::pass_gradient(self.instructions, at, gates, cells, of_hidden, of_passed, of_cell);
    }

    fn pool(&self, x: &Matrix<Self>, count: usize, rest: &Rest, out: &Matrix<Self>) {
        pool::pool(x, count, rest, out);
    }

    fn pool_gradient(
        &self,
        x: &Matrix<Self>,
        count: usize,
        rest: &Rest,
        of_out: &Matrix<Self>,
        of_x: (&Matrix<Self>, bool),
    ) {
        pool::pool_gradient(x, count, rest, of_out, of_x);
    }

    fn take(
        &self,
        logits: &Matrix<Self>,
        taught: &Matrix<Self>,
        clip: f32,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        likely: &Matrix<Self>,
    ) {
        pool::take(logits, taught, clip, tanhs, probabilities, likely);
    }

    fn take_gradient(
        &self,
        tanhs: &Matrix<Self>,
        probabilities: &Matrix<Self>,
        taught: &Matrix<Self>,
        of_likely: &Matrix<Self>,
        out: &Matrix<Self>,
    ) {
        pool::take_gradient(tanhs, probabilities, taught, of_likely, out);
    }

    fn roll_out(&self, keys: &DecoderKeys<Self>, draws: Option<&Matrix<Self>>) -> Vec<u32> {
        decoder::roll_out(keys, draws)
    }

    fn add_dot(&self, a: &Matrix<Self>, b: &Matrix<Self>, sums: &Matrix<Self>, at: usize) {
        let dot: f32 = a.read().iter().zip(b.read().iter()).map(|(a, b)| a * b).sum();
        sums.write()[at] += dot;
    }

    fn criticise(
        &self,
        values: &Matrix<Self>,
        costs: &Matrix<Self>,
        of_values: &Matrix<Self>,
        advantages: &Matrix<Self>,
        sums: (&Matrix<Self>, usize),
    ) {
        let share = 1.0 / values.len().max(1) as f32;
        let (mut of_values, mut advantages, mut sum) = (of_values.write(), advantages.write(), 0.0);
        for (index, (value, cost)) in values.read().iter().zip(costs.read().iter()).enumerate() {
            let error = value - cost;
            of_values[index] = 2.0 * share * error;
            advantages[index] = -share * error;
            sum += share * error * error;
        }
        sums.0.write()[sums.1] += sum;
    }

    fn adam(
        &self,
        step: Step,
        gradient: &Matrix<Self>,
        moments: [&Matrix<Self>; 2],
        weights: &Matrix<Self>,
        norm: &Matrix<Self>,
    ) {
        let [first, second] = moments;
        norm.write()[0] = optimiser::adam(
            self.instructions,
            step,
            &gradient.read(),
            [&mut first.write(), &mut second.write()],
            &mut weights.write(),
        );
    }
}
