//! Taillard's instance generator.

use super::size::{GenerateError, reserve};
use crate::Instance;

/// The modulus of Taillard's generator, 2^31 - 1.
const MODULUS: i64 = 2_147_483_647;

/// The seeds that Taillard's generator takes.
#[expect(clippy::cast_possible_truncation, reason = "below the modulus, which has 31 bits")]
pub(super) const SEEDS: std::ops::RangeInclusive<u32> = 1..=(MODULUS - 1) as u32;

/// An instance with times from 1 to 99 by Taillard's generator (Taillard 1993, "Benchmarks for basic
/// scheduling problems"), bit for bit: machine by machine, job by job.
///
/// # Errors
/// [`GenerateError`] when the seed is not in `1..=2147483646`, or when there is no job or machine.
pub fn taillard(num_jobs: usize, num_machines: usize, seed: u32) -> Result<Instance<u32>, GenerateError> {
    if !SEEDS.contains(&seed) {
        return Err(GenerateError::Parameter {
            name: "seed",
            value: seed.to_string(),
            accepted: "a whole number from 1 to 2147483646 for Taillard's generator",
        });
    }
    let mut times = reserve(num_jobs, num_machines)?;
    times.resize(num_jobs * num_machines, 0);
    // Without jobs, any number of machines would be gone through for nothing.
    if times.is_empty() {
        return Ok(Instance::new("", num_machines, times)?);
    }
    let mut state = i64::from(seed);
    for machine in 0..num_machines {
        for job in 0..num_jobs {
            times[job * num_machines + machine] = next(&mut state);
        }
    }
    let name = format!("taillard_{num_jobs}x{num_machines}_{seed}");
    Ok(Instance::new(name, num_machines, times)?)
}

/// The next time, from 1 to 99: Lehmer's generator in Schrage's form.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the state lies in 1..MODULUS, so that the value lies in 1..=99"
)]
fn next(state: &mut i64) -> u32 {
    let high = *state / 127_773;
    *state = 16_807 * (*state % 127_773) - 2_836 * high;
    if *state < 0 {
        *state += MODULUS;
    }
    (1 + 99 * *state / MODULUS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_benchmark_instance_is_reproduced() {
        // The published file of ta001 starts its rows with these times.
        let instance = taillard(20, 5, 873_654_221).unwrap();
        let row = |machine, len: u32| (0..len).map(|job| instance.time(job, machine)).collect::<Vec<_>>();
        assert_eq!(row(0, 8), [54, 83, 15, 71, 77, 36, 53, 38]);
        assert_eq!(row(1, 3), [79, 3, 11]);
        assert_eq!(row(4, 3), [58, 56, 20]);
    }

    #[test]
    fn bad_seeds_and_sizes_are_typed_errors() {
        for seed in [0, 2_147_483_647, u32::MAX] {
            assert!(matches!(taillard(2, 2, seed), Err(GenerateError::Parameter { name: "seed", .. })));
        }
        assert!(taillard(2, 2, 2_147_483_646).is_ok());
        assert!(matches!(taillard(0, 2, 1), Err(GenerateError::Instance(_))));
        assert!(matches!(taillard(2, 0, 1), Err(GenerateError::Instance(_))));
        assert!(matches!(taillard(0, usize::MAX, 1), Err(GenerateError::Instance(_))));
        assert!(matches!(taillard(usize::MAX, 2, 1), Err(GenerateError::TooLarge { .. })));
        assert!(matches!(taillard(1 << 50, 1 << 10, 1), Err(GenerateError::TooLarge { .. })));
    }
}
