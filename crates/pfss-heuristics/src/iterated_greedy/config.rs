//! The parameters of iterated greedy.

pfss_core::choice! {
    /// Which jobs are taken out.
    pub enum Destruction {
        /// Jobs at random places.
        Random = "random",
        /// Jobs that stand side by side.
        Block = "block",
    }
}

pfss_core::choice! {
    /// How jobs are put back.
    pub enum Reinsertion {
        /// One after the other, each at its best place.
        Jobs = "jobs",
        /// All together, in the order in which they were taken out, at the best place of the block.
        Block = "block",
    }
}

pfss_core::choice! {
    /// Which of several equally good places a job gets.
    pub enum Tie {
        /// Any of them, drawn at random.
        Random = "random",
        /// The first one.
        First = "first",
        /// The one with the least idle time (Fernandez-Viagas and Framinan 2014).
        Ff = "ff",
    }
}

pfss_core::choice! {
    /// When a sequence that is worse than the current one replaces it.
    pub enum Acceptance {
        /// With probability exp(-difference / temperature), at a constant temperature.
        Metropolis = "metropolis",
        /// Never.
        Better = "better",
    }
}

pfss_core::config! {
    /// Parameters of [`IteratedGreedy`](super::IteratedGreedy).
    pub struct IteratedGreedyConfig {
        /// How many jobs are taken out.
        destruction_size: usize = 1, in 1..=1000;
        /// Which jobs are taken out.
        destruction: Destruction = Destruction::Random;
        /// How jobs are put back.
        reinsertion: Reinsertion = Reinsertion::Jobs;
        /// Whether the sequence is improved before the jobs are put back.
        partial_local_search: bool = true;
        /// Which of several equally good places a job gets.
        tie: Tie = Tie::Ff;
        /// When a worse sequence is accepted.
        acceptance: Acceptance = Acceptance::Metropolis;
        /// The temperature of the acceptance, in tenths of a mean processing time; 0 stands for 0.7 up to
        /// 100 jobs and 0.5 beyond.
        temperature: f64 = 0.0, in 0.0..=100.0, with acceptance = Acceptance::Metropolis;
        /// How many positions from a change jobs are looked at again; 0 stands for everywhere up to 100 jobs
        /// and 30 beyond.
        reach: usize = 0, in 0..=1_000_000_000;
        /// Return to the best sequence after this many iterations without a new one; 0 for never.
        restart: u64 = 0, in 0..=1_000_000_000;
    }
}

impl IteratedGreedyConfig {
    /// How many positions from a change jobs are looked at again; `None` for everywhere.
    pub(super) fn reach(&self, num_jobs: usize) -> Option<usize> {
        match self.reach {
            0 if num_jobs <= 100 => None,
            0 => Some(30),
            given => Some(given).filter(|&reach| reach < num_jobs),
        }
    }

    /// The temperature in the unit of time: T * mean time / 10 (Ruiz and Stuetzle 2007).
    pub(super) fn temperature(&self, num_jobs: usize, mean_time: f64) -> f64 {
        let factor = match self.temperature {
            0.0 if num_jobs <= 100 => 0.7,
            0.0 => 0.5,
            given => given,
        };
        factor * mean_time / 10.0
    }
}
