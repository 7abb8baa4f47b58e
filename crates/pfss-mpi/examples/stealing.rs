//! Where stealing stops scaling: ranks that search one tree, simulated.
//!
//!     cargo run --release -p pfss-mpi --example stealing [LATENCY_MS [GRAIN_MS]]
//!
//! All work is at rank 0 at first. A rank without work asks another one, drawn at random; a question and its answer take LATENCY_MS
//! each. Who is asked gives a random share of what it has, none where that is less than GRAIN_MS of work. After an empty answer a
//! rank waits, as `thief.rs` does. Efficiency is the work divided by ranks and time.
#![allow(clippy::print_stdout)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pfss_core::{Rng, Seed};
use rand::RngExt;

/// Seconds; the same as in `thief.rs`.
const FIRST_PAUSE: f64 = 2e-4;
const LONGEST_PAUSE: f64 = 1e-2;

/// Hours of work of one rank, and numbers of ranks.
const HOURS: [f64; 4] = [0.1, 1.0, 10.0, 100.0];
const RANKS: [usize; 7] = [1, 4, 16, 64, 256, 1024, 4096];

/// What happens, at a time in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A rank has done all that it had when this number was given.
    Done { rank: usize, stamp: u64 },
    /// A rank looks for work.
    Ask { rank: usize },
    /// The question arrives.
    Asked { rank: usize, thief: usize },
    /// The answer arrives: so many nanoseconds of work.
    Answer { rank: usize, work: u64 },
}

/// A rank: what it has to do, and since when.
#[derive(Clone, Copy, Default)]
struct Rank {
    work: u64,
    since: u64,
    stamp: u64,
    pause: f64,
}

struct Simulation {
    events: BinaryHeap<Reverse<(u64, Event)>>,
    ranks: Vec<Rank>,
    rng: Rng,
    latency: u64,
    grain: u64,
    /// Work that nobody has done.
    left: u64,
    messages: u64,
}

impl Simulation {
    fn at(&mut self, time: u64, event: Event) {
        self.events.push(Reverse((time, event)));
    }

    /// A rank has this much to do from now on.
    fn begin(&mut self, rank: usize, work: u64, now: u64) {
        let place = &mut self.ranks[rank];
        *place = Rank { work, since: now, stamp: place.stamp + 1, pause: FIRST_PAUSE };
        let stamp = place.stamp;
        self.at(now + work, Event::Done { rank, stamp });
    }

    fn happen(&mut self, event: Event, now: u64) {
        match event {
            Event::Done { rank, stamp } if stamp == self.ranks[rank].stamp => {
                self.left -= self.ranks[rank].work;
                self.ranks[rank].work = 0;
                self.at(now, Event::Ask { rank });
            }
            Event::Done { .. } => {}
            Event::Ask { rank } => {
                self.messages += 2;
                let other = (rank + self.rng.random_range(1..self.ranks.len())) % self.ranks.len();
                self.at(now + self.latency, Event::Asked { rank: other, thief: rank });
            }
            Event::Asked { rank, thief } => {
                let victim = self.ranks[rank];
                let has = victim.work.saturating_sub(now - victim.since);
                let given = if has > self.grain { (has as f64 * self.rng.random::<f64>()) as u64 } else { 0 };
                if given > 0 {
                    self.left -= victim.work - has;
                    self.begin(rank, has - given, now);
                }
                self.at(now + self.latency, Event::Answer { rank: thief, work: given });
            }
            Event::Answer { rank, work: 0 } => {
                let pause = self.ranks[rank].pause;
                self.ranks[rank].pause = (2.0 * pause).min(LONGEST_PAUSE);
                self.at(now + (1e9 * pause) as u64, Event::Ask { rank });
            }
            Event::Answer { rank, work } => self.begin(rank, work, now),
        }
    }
}

/// Efficiency and messages a second and rank.
fn simulate(ranks: usize, work: u64, latency: u64, grain: u64) -> (f64, f64) {
    let mut all = Simulation {
        events: BinaryHeap::new(),
        ranks: vec![Rank { pause: FIRST_PAUSE, ..Rank::default() }; ranks],
        rng: Seed::new(1).stream("stealing"),
        latency,
        grain,
        left: work,
        messages: 0,
    };
    all.begin(0, work, 0);
    if ranks > 1 {
        (1..ranks).for_each(|rank| all.at(0, Event::Ask { rank }));
    }
    let mut now = 0;
    while all.left > 0 {
        let Some(Reverse((time, event))) = all.events.pop() else { break };
        now = time;
        if ranks > 1 || matches!(event, Event::Done { .. }) {
            all.happen(event, now);
        }
    }
    let seconds = now as f64 / 1e9;
    (work as f64 / 1e9 / seconds / ranks as f64, all.messages as f64 / seconds / ranks as f64)
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<f64>().unwrap_or(0.5));
    let (latency, grain) = (numbers.next().unwrap_or(0.5), numbers.next().unwrap_or(1.0));
    println!("messages take {latency} ms, and work of less than {grain} ms is not divided");
    print!("{:>6}", "ranks");
    HOURS.iter().for_each(|hours| print!("{:>24}", format!("{hours} h of work")));
    println!();
    for ranks in RANKS {
        print!("{ranks:>6}");
        for hours in HOURS {
            let (efficiency, messages) =
                simulate(ranks, (hours * 3.6e12) as u64, (latency * 1e6) as u64, (grain * 1e6) as u64);
            print!("{:>24}", format!("{:.1} % ({messages:.1}/s)", 100.0 * efficiency));
        }
        println!();
    }
}
