//! Iterated greedy for the planner's flow shop, iteration by iteration.

use pfss_core::timing::pricing::LinePricer;
use pfss_core::timing::{Line, Score};
use pfss_core::{JobId, Rng, Run};
use rand::RngExt;

use super::descent::Descent;
use super::insertion::put_back;
use super::temperature::temperature;

pfss_core::config! {
    /// Parameters of iterated greedy for the planner's flow shop.
    pub struct LineGreedyConfig {
        /// How many jobs are taken out; 0 stands for what suits the line.
        destruction_size: usize = 0, in 0..=1000;
        /// The temperature of the acceptance, in mean processing times; 0 stands for what suits the line.
        temperature: f64 = 0.0, in 0.0..=1000.0;
        /// Whether a descent by moves and swaps follows each reconstruction.
        local_search: bool = true;
    }
}

/// Jobs taken out and temperature where descents are cheap (tuned on ta051, ta062, ta073 and ta083 with blocking), and elsewhere
/// (tuned on ta041 with total completion).
const WITH_CHEAP_DESCENTS: (usize, f64) = (2, 0.05);
const USUAL: (usize, f64) = (5, 1.5);

/// The state of an iterated greedy search (Ruiz and Stuetzle 2007), so that it can be run in slices and handed better orders.
pub struct LineGreedy<'l> {
    config: LineGreedyConfig,
    pricer: LinePricer<'l>,
    descent: Descent<'l>,
    rng: Rng,
    temperature: f64,
    current: Vec<JobId>,
    current_score: Score,
    best: Vec<JobId>,
    best_score: Score,
}

impl<'l> LineGreedy<'l> {
    /// A search that starts from `order`, which keeps fixed jobs and precedence.
    pub fn new(
        line: &'l Line,
        config: LineGreedyConfig,
        rng: Rng,
        order: &[JobId],
        run: &Run<'_, Score>,
    ) -> Self {
        let descent = Descent::new(line);
        let mut config = config;
        let (size, share) = if descent.is_cheap() { WITH_CHEAP_DESCENTS } else { USUAL };
        if config.destruction_size == 0 {
            config.destruction_size = size;
        }
        if config.temperature == 0.0 {
            config.temperature = share;
        }
        let mut search = Self {
            temperature: temperature(line, config.temperature),
            config,
            pricer: LinePricer::new(line),
            descent,
            rng,
            current: Vec::new(),
            current_score: Score(u64::MAX),
            best: Vec::new(),
            best_score: Score(u64::MAX),
        };
        search.restart(order, run);
        search
    }

    /// Goes on from `order`, which is first improved to a local optimum.
    pub fn restart(&mut self, order: &[JobId], run: &Run<'_, Score>) {
        self.pricer.load(order);
        self.keep(run);
        self.descent.descend(&mut self.pricer, &mut self.rng, run);
        self.keep(run);
    }

    /// The best order of this search.
    pub fn best(&self) -> &[JobId] {
        &self.best
    }

    /// The score of the best order of this search.
    pub fn best_score(&self) -> Score {
        self.best_score
    }

    /// Sets the temperature to a multiple of the one that the parameters name.
    pub fn set_temperature(&mut self, multiple: f64) {
        self.temperature = multiple * temperature(self.pricer.line(), self.config.temperature);
    }

    /// Runs for about so many evaluations, or until the run must end.
    pub fn run_for(&mut self, evaluations: u64, run: &Run<'_, Score>) {
        // What others count at the same time ends a slice earlier, and nothing else.
        let until = run.evaluations().saturating_add(evaluations);
        while self.can_move() && run.evaluations() < until && !run.must_end() {
            self.iterate(run);
        }
    }

    /// Whether there is more than one order.
    pub fn can_move(&self) -> bool {
        self.pricer.line().num_jobs() > self.pricer.line().first().len() + 1
    }

    /// One iteration. When a limit of evaluations ends the run in the middle of it, the order is still completed; where nobody
    /// waits any longer, it is the one of before.
    pub fn iterate(&mut self, run: &Run<'_, Score>) {
        if !self.can_move() {
            return;
        }
        let fixed = self.pricer.line().first().len();
        let size = self.config.destruction_size.min(self.pricer.order().len() - fixed);
        let mut removed = Vec::with_capacity(size);
        let mut order = self.pricer.order().to_vec();
        for _ in 0..size {
            removed.push(order.remove(self.rng.random_range(fixed..order.len())));
        }
        self.pricer.load(&order);
        if self.config.local_search && self.descent.is_cheap() && !order.is_empty() {
            // Dubois-Lacoste, Pagnozzi and Stuetzle 2017: first the rest, then all.
            self.descent.descend(&mut self.pricer, &mut self.rng, run);
        }
        for job in removed {
            if run.is_called_off() {
                return self.pricer.load(&self.current);
            }
            put_back(&mut self.pricer, self.descent.windows(), job, run);
        }
        if self.config.local_search {
            self.descent.descend(&mut self.pricer, &mut self.rng, run);
        }
        let score = self.pricer.score();
        if score <= self.current_score || self.accepts(score) {
            self.keep(run);
        } else {
            self.pricer.load(&self.current);
        }
    }

    fn accepts(&mut self, score: Score) -> bool {
        let difference = score.0 as f64 - self.current_score.0 as f64;
        self.rng.random::<f64>() < (-difference / self.temperature).exp()
    }

    fn keep(&mut self, run: &Run<'_, Score>) {
        self.current_score = self.pricer.score();
        self.current.clear();
        self.current.extend_from_slice(self.pricer.order());
        if self.current_score < self.best_score {
            self.best_score = self.current_score;
            self.best.clone_from(&self.current);
            run.offer(&self.best, self.best_score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::timing::{Attributes, MachineAttributes, check};
    use pfss_core::{Instance, Limits, Seed};

    /// Taking out two of two free jobs leaves the fixed ones alone.
    #[test]
    fn all_jobs_that_are_not_fixed_may_be_taken_out() {
        let instance = Instance::new("", 2, vec![3u32, 1, 2, 5, 4, 2]).unwrap();
        let blocking = MachineAttributes { buffer: Some(0), ..MachineAttributes::default() };
        for precedence in [vec![], vec![(0, 2)]] {
            let machines = vec![blocking.clone(), MachineAttributes::default()];
            let attributes = Attributes { first: vec![0], precedence, machines, ..Attributes::default() };
            let line = Line::new(&instance, &attributes).unwrap();
            let limits = Limits { evaluations: Some(1000), ..Limits::default() };
            let run = Run::new(Seed::new(1), limits);
            let config = LineGreedyConfig::default();
            let mut search = LineGreedy::new(&line, config, Seed::new(2).rng(), &[0, 1, 2], &run);
            for _ in 0..10 {
                search.iterate(&run);
            }
            assert_eq!(check(&line, search.best(), Some(search.best_score())), Ok(search.best_score()));
        }
    }
}
