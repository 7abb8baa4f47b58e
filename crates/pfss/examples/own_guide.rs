//! A guide of one's own for beam search: `cargo run --release -p pfss --example own_guide`.

#![allow(clippy::print_stdout)]

use pfss::core::{Instance, Time};
use pfss::heuristics::beam::{Guide, OpenNode};
use pfss::{Algorithm, Beam, BeamConfig, Error, FlowShopSolver, Registry, Solve};

/// Prefers jobs that leave the machines waiting for as short as possible.
struct LeastWaiting {
    /// The times of each job.
    times: Vec<Vec<f64>>,
    mean: f64,
}

impl LeastWaiting {
    fn new<T: Time>(instance: &Instance<T>) -> Self {
        let times_of = |job| instance.job(job).iter().map(|time| time.to_f64()).collect();
        let times = (0..instance.num_jobs() as u32).map(times_of).collect();
        Self { times, mean: instance.mean_time() }
    }
}

/// How long machines wait when a job with these times, machine by machine, follows; `free` is when they are free.
fn waiting<'t>(free: impl Iterator<Item = &'t f64>, times: impl Iterator<Item = &'t f64>) -> f64 {
    let (mut arrival, mut waiting) = (0.0f64, 0.0);
    for (free, time) in free.zip(times) {
        waiting += (arrival - free).max(0.0);
        arrival = arrival.max(*free) + time;
    }
    waiting
}

impl Guide for LeastWaiting {
    fn look(&mut self, node: &OpenNode<'_>, log_probabilities: &mut Vec<[f32; 2]>) {
        log_probabilities.clear();
        for &job in node.jobs {
            let times = &self.times[job as usize];
            // At the back everything runs the other way: from the last machine to the first, from the end.
            let front = waiting(node.front.iter(), times.iter());
            let back = waiting(node.back.iter().rev(), times.iter().rev());
            log_probabilities.push([front, back].map(|waiting| (-waiting / self.mean) as f32));
        }
    }
}

/// Beam search with that guide; everything else of it can be set as usual.
fn build<T: Time>(config: BeamConfig) -> FlowShopSolver<T> {
    Box::new(Beam::new(config).guided_by(|instance| Box::new(LeastWaiting::new(instance))))
}

fn main() -> Result<(), Error> {
    let summary = "Beam search by the least waiting";
    let own = Algorithm::flow_shop("beam-least-waiting", summary, "this example", build, build);
    let registry = Registry::new().with(own);
    let instance = pfss::named("ta051")?;
    for name in ["beam-least-waiting", "beam"] {
        let solution =
            Solve::new(&instance).registry(&registry).algorithm(name).evaluations(1_000_000).run()?;
        println!("{name:>18}: {}, at least {}", solution.makespan(), solution.bound());
    }
    Ok(())
}
