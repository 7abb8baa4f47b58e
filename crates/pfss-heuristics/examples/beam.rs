//! Runs beam search and prints each improvement:
//! `cargo run --release --example beam -- INSTANCE SECONDS [guide=gap] ...`, where the instance is a number of
//! Taillard's, `JOBSxMACHINESxSEED` for one like his, or a file of `machine time` pairs.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::time::Duration;

use pfss_core::{Improvement, Instance, Limits, Observer, Run, Seed, Solver, generate};
use pfss_heuristics::beam::{Beam, BeamConfig, GuideChoice, Switch};

struct Print;

impl Observer<u32> for Print {
    fn on_improvement(&self, new: &Improvement<'_, u32>) {
        println!(
            "{:9.3} s  {:>8}  {:>6.1} M children",
            new.runtime.as_secs_f64(),
            new.cost,
            new.evaluations as f64 / 1e6
        );
    }
}

fn read(path: &str) -> Result<Instance<u32>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let numbers: Vec<u32> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let [jobs, machines, pairs @ ..] = numbers.as_slice() else { return Err("no size".into()) };
    let times = pairs.chunks_exact(2).take((jobs * machines) as usize).map(|pair| pair[1]).collect();
    Ok(Instance::new(path, *machines as usize, times)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let what = args.next().ok_or("which instance?")?;
    let seconds: f64 = args.next().ok_or("how many seconds?")?.parse()?;
    let size: Vec<&str> = what.split('x').collect();
    let instance = match (what.parse::<usize>(), size.as_slice()) {
        (Ok(number), _) => generate::taillard_benchmark(number).ok_or("Taillard's instances are 1 to 120")?,
        (_, [jobs, machines, seed]) if jobs.parse::<usize>().is_ok() => {
            generate::taillard(jobs.parse()?, machines.parse()?, seed.parse()?)?
        }
        _ => read(&what)?,
    };
    let mut config = BeamConfig::default();
    let mut quiet = false;
    let mut limits = Limits { time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() };
    for option in args {
        let (key, value) = option.split_once('=').unwrap_or((&option, ""));
        let switch = || Switch::ALL.iter().copied().find(|s| s.as_str() == value).ok_or("auto, on or off?");
        match key {
            "guide" => {
                config.guide =
                    GuideChoice::ALL.iter().copied().find(|g| g.as_str() == value).ok_or("which guide?")?;
            }
            "aspiration" => config.aspiration = switch()?,
            "penalty" => config.one_sided_penalty = switch()?,
            "width" => config.initial_width = value.parse()?,
            "max" => config.max_width = value.parse()?,
            "evaluations" => limits.evaluations = Some(value.parse()?),
            "quiet" => quiet = true,
            _ => return Err(format!("unknown option {key}").into()),
        }
    }
    let run = Run::new(Seed::new(1), limits);
    let run = if quiet { run } else { run.with_observer(&Print) };
    let outcome = Beam::new(config).solve(&instance, &run)?;
    let rate = outcome.evaluations as f64 / outcome.runtime.as_secs_f64() / 1e6;
    println!(
        "{what} {} bound {} {:?} {:.2} s {rate:.1} M children/s",
        outcome.cost,
        outcome.bound,
        outcome.status,
        outcome.runtime.as_secs_f64()
    );
    Ok(())
}
