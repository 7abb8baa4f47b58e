//! `pfss generate`: random instances.

use anyhow::bail;
use pfss_core::Seed;
use pfss_core::generate::{Distribution, Generated, taillard};
use pfss_io::{AnyInstance, Entry, Format, Metadata};
use rand::RngExt;

#[cfg(feature = "tsp")]
use super::generate_cities;
use super::seed::draw_seed;
use super::sink::Sink;
#[cfg(feature = "tsp")]
use crate::args::GeneratorName;
use crate::args::{DistributionArgs, DistributionName, GenerateArgs};
use crate::console::Console;
use crate::exit::Exit;

/// Draws the instances and writes them.
pub(super) fn run(args: &GenerateArgs, console: Console) -> anyhow::Result<Exit> {
    #[cfg(feature = "tsp")]
    if args.distribution == GeneratorName::Tsp {
        return generate_cities::run(args, console);
    }
    let (Some(name), Some(machines)) = (args.distribution.distribution(), args.machines) else {
        bail!("--machines is missing");
    };
    let distribution = distribution(args, name)?;
    distribution.validate()?;
    let count = if args.taillard_seed.is_empty() { args.count } else { args.taillard_seed.len() };
    if count == 0 {
        bail!("--count is 0, but at least one instance is needed");
    }
    let sink = Sink::new(args.output.as_deref(), args.to, Some(Format::Json), count)?;
    let seed = Seed::new(args.seed.unwrap_or_else(draw_seed));
    if args.seed.is_none() && args.taillard_seed.is_empty() {
        console.say(&format!("seed {}", seed.number()));
    }
    sink.write((0..count).map(|index| entry(args, machines, distribution, seed, index)))?;
    Ok(Exit::Success)
}

/// Instance `index`, with the seed that gives it again.
fn entry(
    args: &GenerateArgs,
    machines: usize,
    distribution: Distribution,
    seed: Seed,
    index: usize,
) -> anyhow::Result<Entry> {
    let jobs = args.jobs;
    let (instance, seed) = if distribution == Distribution::Taillard {
        let own = args.taillard_seed.get(index).copied().unwrap_or_else(|| taillard_seed(seed, index));
        let name = format!("taillard_{jobs}x{machines}_{}", index + 1);
        (AnyInstance::from(taillard(jobs, machines, own)?.with_name(name)), u64::from(own))
    } else {
        let instance = match distribution.nth(jobs, machines, seed, index as u64)? {
            Generated::Integer(instance) => AnyInstance::from(instance),
            Generated::Real(instance) => AnyInstance::from(instance),
        };
        (instance, seed.number())
    };
    Ok(Entry { instance, metadata: Metadata { seed: Some(seed), ..Metadata::default() } })
}

/// The seed for Taillard's generator of instance `index`, drawn as [`Distribution::nth`] does, which does not
/// tell it. A published seed given as `-s` is taken for the first instance as it is.
fn taillard_seed(seed: Seed, index: usize) -> u32 {
    const SEEDS: std::ops::RangeInclusive<u32> = 1..=2_147_483_646;
    let own = if index == 0 { seed } else { seed.nth(index as u64) };
    match u32::try_from(own.number()) {
        Ok(number) if SEEDS.contains(&number) => number,
        _ => own.stream("taillard").random_range(SEEDS),
    }
}

/// The distribution with its parameters; those of another distribution are refused, not ignored.
fn distribution(args: &GenerateArgs, name: DistributionName) -> anyhow::Result<Distribution> {
    if !args.taillard_seed.is_empty() && name != DistributionName::Taillard {
        bail!("--taillard-seed is a parameter of taillard, not of {}", name_of(name));
    }
    distribution_with(name, &args.parameters)
}

fn name_of(distribution: DistributionName) -> String {
    format!("{distribution:?}").to_lowercase()
}

/// The distribution of this name with these parameters; those of another distribution are refused, not ignored.
pub(super) fn distribution_with(
    name: DistributionName,
    args: &DistributionArgs,
) -> anyhow::Result<Distribution> {
    use DistributionName::{Gamma, Normal, Taillard, Uniform};
    let given = [
        ("--shape", Gamma, args.shape.is_some()),
        ("--scale", Gamma, args.scale.is_some()),
        ("--mean", Normal, args.mean.is_some()),
        ("--std", Normal, args.std.is_some()),
        ("--low", Uniform, args.low.is_some()),
        ("--high", Uniform, args.high.is_some()),
    ];
    let stray = given.into_iter().find(|&(_, owner, is_given)| is_given && owner != name);
    if let Some((option, owner, _)) = stray {
        bail!("{option} is a parameter of {}, not of {}", name_of(owner), name_of(name));
    }
    let default = match name {
        Uniform => Distribution::uniform(),
        Gamma => Distribution::gamma(),
        Normal => Distribution::normal(),
        Taillard => Distribution::Taillard,
    };
    Ok(match default {
        Distribution::Uniform { low, high } => {
            Distribution::Uniform { low: args.low.unwrap_or(low), high: args.high.unwrap_or(high) }
        }
        Distribution::Gamma { shape, scale } => {
            Distribution::Gamma { shape: args.shape.unwrap_or(shape), scale: args.scale.unwrap_or(scale) }
        }
        Distribution::Normal { mean, std } => {
            Distribution::Normal { mean: args.mean.unwrap_or(mean), std: args.std.unwrap_or(std) }
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taillard_seeds_are_those_of_the_library() {
        for seed in [Seed::new(873_654_221), Seed::new(0), Seed::new(u64::MAX)] {
            for index in 0..3 {
                let own = taillard(4, 3, taillard_seed(seed, index)).unwrap();
                let Generated::Integer(other) = Distribution::Taillard.nth(4, 3, seed, index as u64).unwrap()
                else {
                    panic!("expected whole times")
                };
                assert_eq!(own.times(), other.times());
            }
        }
    }
}
