//! From a table of times to a plan, in three calls: `cargo run --release -p pfss --example quick_start`.

#![allow(clippy::print_stdout)]

use std::time::Duration;

use pfss::{Error, Instance, Solve};

fn main() -> Result<(), Error> {
    // Five orders of a workshop, each on four machines one after the other, in minutes.
    let times = [[25u32, 40, 10, 30], [55, 15, 20, 45], [10, 60, 35, 20], [40, 20, 50, 15], [30, 30, 30, 30]];
    let names = ["bracket", "shaft", "gear", "cover", "plate"].map(String::from).to_vec();
    let instance = Instance::from_job_rows("workshop", &times)?.with_job_names(names)?;

    let solution = pfss::solve(&instance, Duration::from_secs(5))?;
    println!("{} minutes: {}", solution.makespan(), solution.job_labels().join(", "));
    println!("no order is shorter than {} minutes", solution.bound());
    for operation in solution.operations()?.iter().filter(|operation| operation.machine == 0) {
        println!("  {:>3} {}", operation.start, instance.job_label(operation.job));
    }

    // A benchmark, with more say in how it is solved. Evaluations, unlike seconds, are the same everywhere.
    let benchmark = pfss::named("ta051")?;
    let solution = Solve::new(&benchmark)
        .algorithm("iterated-greedy")
        .seed(7)
        .evaluations(2_000_000)
        .on_improvement(|new| println!("ta051: {} after {} evaluations", new.cost, new.evaluations))
        .run()?;
    let gap = 100.0 * solution.gap().unwrap_or(f64::NAN);
    println!("ta051: {}, at most {gap:.2} % above the shortest", solution.makespan());
    Ok(())
}
