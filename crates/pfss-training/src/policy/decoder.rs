//! The attention decoder (Eq. 2 to 5 of the paper) on a batch of instances of one size.

use std::rc::Rc;

use pfss_neural::Glimpse;

use super::network::Network;
use crate::engine::{Backend, DecoderKeys, Matrix, Pointed, Start, Var};

impl<B: Backend> Network<'_, B> {
    /// Keys, values and keys of the logits.
    fn job_maps(&self, jobs: &Var<B>) -> [Var<B>; 3] {
        let (maps, d) = (self.tensor("decoder.jobs.weight"), self.config.width);
        [0, 1, 2]
            .map(|which| self.tape.linear(jobs, &self.tape.rows_of(maps, which * d..(which + 1) * d), None))
    }

    /// The map of the first job, and that of the last one.
    fn step_maps(&self) -> [Var<B>; 2] {
        let (step, d) = (self.tensor("decoder.step_context.weight"), self.config.width);
        [0, 1].map(|which| self.tape.columns_of(step, which * d..(which + 1) * d))
    }

    /// The query's part before the first job.
    fn start(&self) -> Var<B> {
        let placeholders = self.tape.row_of(self.tensor("decoder.placeholders"));
        self.tape.linear(&placeholders, self.tensor("decoder.step_context.weight"), None)
    }

    fn graph(&self, jobs: &Var<B>, n: usize) -> Var<B> {
        self.map("decoder.graph_context", &self.tape.means(jobs, n))
    }

    /// How likely it is to place each instance's jobs in the order of their rows. All steps are computed at once, since
    /// the order is known.
    pub(super) fn teacher_forced(&self, jobs: &Var<B>, n: usize) -> Pointed<B> {
        let [keys, values, logit_keys] = self.job_maps(jobs);
        let [as_first, as_last] = self.step_maps();
        let count = jobs.value.rows / n.max(1);
        let firsts: Vec<u32> = (0..count).map(|instance| (instance * n) as u32).collect();
        let firsts = self.tape.gather(jobs, &Rc::new(self.backend().upload_indices(&firsts)), count);
        let first = self.tape.linear(&firsts, &as_first, None);
        let last = self.tape.linear(jobs, &as_last, None);
        let queries = self.tape.queries(&self.start(), &first, &last, &self.graph(jobs, n));
        let glimpse =
            self.tape.attend([&queries, &keys, &values], (n, self.config.heads), self.config.glimpse);
        let glimpse = self.map("decoder.output", &glimpse);
        self.tape.point(&glimpse, &logit_keys, n, self.config.clip)
    }

    /// Builds an order for each instance: the most likely job at each step, or one drawn with its probability, by the
    /// numbers between zero and one of `draws` (by instance and step).
    pub(super) fn roll_out(&self, jobs: &Var<B>, n: usize, draws: Option<&Matrix<B>>) -> B::Indices {
        let jobs = jobs.plain();
        let [keys, values, logit_keys] = self.job_maps(&jobs);
        let [as_first, as_last] = self.step_maps();
        // The product of a mapped glimpse and a key is that of the glimpse and the key mapped back.
        let mapped_back = self.backend().matrix(logit_keys.value.rows, self.config.width);
        let output = &self.tensor("decoder.output.weight").value;
        self.backend().product((&logit_keys.value, false), (output, false), Start::Nothing, &mapped_back);
        let keys = DecoderKeys {
            keys: keys.value,
            values: values.value,
            logit_keys: mapped_back,
            graph: self.graph(&jobs, n).value,
            start: self.start().value,
            as_first: self.tape.linear(&jobs, &as_first, None).value,
            as_last: self.tape.linear(&jobs, &as_last, None).value,
            jobs: n,
            heads: self.config.heads,
            clip: self.config.clip,
            sees_all: self.config.glimpse == Glimpse::All,
        };
        self.backend().roll_out(&keys, draws)
    }
}
