//! `pfss generate`: random instances.

use anyhow::bail;
use pfss_core::Seed;
use pfss_core::generate::{Distribution, Generated, Planning, Recipe, taillard};
use pfss_core::timing::Attributes;
use pfss_io::{AnyInstance, Entry, Format, Metadata, match_instance};
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
use crate::gate::FileGate;

/// Draws the instances and writes them.
pub(super) fn run(args: &GenerateArgs, console: Console) -> anyhow::Result<Exit> {
    #[cfg(feature = "tsp")]
    if args.distribution == GeneratorName::Tsp {
        return generate_cities::run(args, console);
    }
    let (Some(name), Some(machines)) = (args.distribution.distribution(), args.machines) else {
        bail!("--machines is missing");
    };
    let recipe = recipe_of(args, name)?;
    let count = if args.taillard_seed.is_empty() { args.count } else { args.taillard_seed.len() };
    if count == 0 {
        bail!("--count is 0, but at least one instance is needed");
    }
    let sink =
        Sink::new(args.output.as_deref(), args.to, Some(Format::Json), count, &mut FileGate::default())?;
    let seed = Seed::new(args.seed.unwrap_or_else(draw_seed));
    if args.seed.is_none() && args.taillard_seed.is_empty() {
        console.say(&format!("seed {}", seed.number()));
    }
    sink.write((0..count).map(|index| entry(args, machines, recipe, seed, index)))?;
    Ok(Exit::Success)
}

/// Instance `index`, with the seed that gives it again.
fn entry(
    args: &GenerateArgs,
    machines: usize,
    recipe: Recipe,
    seed: Seed,
    index: usize,
) -> anyhow::Result<Entry> {
    let jobs = args.jobs;
    let (instance, seed) = if recipe.distribution == Distribution::Taillard {
        let own = args.taillard_seed.get(index).copied().unwrap_or_else(|| taillard_seed(seed, index));
        let name = format!("taillard_{jobs}x{machines}_{}", index + 1);
        (AnyInstance::from(taillard(jobs, machines, own)?.with_name(name)), u64::from(own))
    } else {
        let instance = match recipe.nth(jobs, machines, seed, index as u64)? {
            Generated::Integer(instance) => AnyInstance::from(instance),
            Generated::Real(instance) => AnyInstance::from(instance),
        };
        (instance, seed.number())
    };
    let planning = args.planning.planning();
    let attributes = match planning == Planning::default() {
        true => Attributes::default(),
        false => {
            // Instances of one seed have streams of their own.
            let own = Seed::new(seed).nth(index as u64);
            match_instance!(&instance, instance => planning.draw(instance, own))
        }
    };
    let metadata = Metadata { seed: Some(seed), ..Metadata::default() };
    Ok(Entry { metadata, attributes, ..instance.into() })
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

/// How to draw, with its parameters; those of another distribution are refused, not ignored.
fn recipe_of(args: &GenerateArgs, name: DistributionName) -> anyhow::Result<Recipe> {
    let distribution = name.distribution();
    if !args.taillard_seed.is_empty() && distribution != Distribution::Taillard {
        bail!("--taillard-seed is a parameter of taillard, not of {}", distribution.as_str());
    }
    recipe_with(name, &args.parameters)
}

/// The distribution of this name with these parameters; those of another distribution are refused, not ignored.
pub(super) fn recipe_with(name: DistributionName, args: &DistributionArgs) -> anyhow::Result<Recipe> {
    let mut distribution = name.distribution();
    for (parameter, flag, value) in args.values() {
        let Some(value) = value else { continue };
        if distribution.get(parameter).is_none() {
            let owners = Distribution::owners(parameter).join(", ");
            bail!("{flag} is a parameter of {owners}, not of {}", distribution.as_str());
        }
        distribution = distribution.with(parameter, value)?;
    }
    if args.zeros.is_some() && distribution == Distribution::Taillard {
        bail!("--zeros is no parameter of taillard, whose generator gives times from 1 to 99");
    }
    let recipe = Recipe { distribution, zeros: args.zeros.unwrap_or(0.0) };
    recipe.validate()?;
    Ok(recipe)
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
