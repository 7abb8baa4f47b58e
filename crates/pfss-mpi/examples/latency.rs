//! How long a message takes between two ranks.
//!
//!     mpirun -n 2 target/release/examples/latency
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use pfss_mpi::{Exchange, on_ranks};

/// Messages there and back.
const COUNT: u32 = 2000;

fn main() {
    on_ranks(|exchange| {
        let begun = Instant::now();
        for _ in 0..COUNT {
            match exchange.rank() {
                0 => {
                    exchange.send(1, vec![0; 100]);
                    while exchange.receive(Duration::from_secs(1)).is_none() {}
                }
                1 => {
                    while exchange.receive(Duration::from_secs(1)).is_none() {}
                    exchange.send(0, vec![0; 100]);
                }
                _ => {}
            }
        }
        if exchange.rank() == 0 {
            let microseconds = begun.elapsed().as_secs_f64() * 1e6 / f64::from(2 * COUNT);
            println!("a message takes {microseconds:.0} microseconds");
        }
    });
}
