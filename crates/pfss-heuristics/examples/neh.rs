//! One NEH construction on a Taillard instance or on real-valued data, for instruction counts and timing:
//! `neh NUMBER|real TIE [REPETITIONS]`. `scripts/count-instructions` runs it under callgrind.

#![allow(clippy::print_stdout, clippy::expect_used)]

use std::hint::black_box;
use std::time::Instant;

use pfss_core::generate::{gamma, taillard_benchmark};
use pfss_core::{Instance, JobId, Limits, Run, Seed, Time};
use pfss_heuristics::{JobOrder, TieRule, construct};

/// What is counted: the order of insertion, the kernel's tables, all insertions.
#[inline(never)]
fn counted_neh<T: Time>(instance: &Instance<T>, tie: TieRule, run: &Run<'_, T>) -> T {
    let jobs: Vec<JobId> = JobOrder::Usual.or_usual(tie).jobs(instance, &mut run.stream("neh-order"));
    let mut pricer = instance.pricer();
    construct(&mut pricer, instance, &jobs, 0, tie, run);
    pricer.cost()
}

fn measure<T: Time>(instance: &Instance<T>, tie: TieRule, repetitions: u32) {
    let run = Run::new(Seed::new(1), Limits::default());
    let start = Instant::now();
    let mut cost = T::ZERO;
    for _ in 0..repetitions {
        cost = counted_neh(black_box(instance), tie, &run);
    }
    let each = start.elapsed() / repetitions;
    println!(
        "{} {}x{} tie={} makespan {cost} in {each:?}",
        instance.name(),
        instance.num_jobs(),
        instance.num_machines(),
        tie.as_str()
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |index: usize, default: &str| arguments.get(index).map_or(default.to_string(), Clone::clone);
    let tie = TieRule::ALL.iter().copied().find(|tie| tie.as_str() == text(1, "first"));
    let tie = tie.expect("a tie rule: first, last, ff, kk1, dong");
    let repetitions: u32 = text(2, "1").parse().expect("a number of repetitions");
    match text(0, "51").as_str() {
        "real" => {
            measure(&gamma((1000, 5), 0.5, 2.0, Seed::new(1)).expect("legal parameters"), tie, repetitions)
        }
        number => {
            let number = number.parse().expect("the number of a Taillard instance, or `real`");
            measure(&taillard_benchmark(number).expect("1 to 120"), tie, repetitions);
        }
    }
}
