//! What HiGHS' dual bound proves.

use pfss_core::Time;

/// How far above an integer a dual bound must lie to prove the next one.
const INTEGER_SLACK: f64 = 0.01;
/// What a dual bound may owe to rounding, relative to itself.
const RELATIVE_SLACK: f64 = 1e-7;

/// A lower bound on every makespan from a dual bound in the unit of the instance.
///
/// HiGHS computes in floating point: rows may be violated and 0-1 variables may be off by 1e-9 (times a
/// processing time, or times a big-M), so a bound can err by about 1e-9 of the sum of all times. The slack
/// granted here is larger by far. Integer bounds are rounded up after the slack is taken off, because every
/// makespan of integer times is an integer: 99.02 proves 100, 99.005 proves 99.
pub(super) fn proven<T: Time>(dual_bound: f64) -> T {
    if dual_bound.is_nan() || dual_bound <= 0.0 || dual_bound >= T::MAX.to_f64() {
        return T::ZERO;
    }
    let slack = dual_bound * RELATIVE_SLACK;
    if T::IS_INTEGER {
        T::from_f64_floor((dual_bound - slack.max(INTEGER_SLACK)).ceil().max(0.0))
    } else {
        T::from_f64_floor(dual_bound - slack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_round_up_after_the_slack() {
        assert_eq!(proven::<u32>(600.0), 600);
        assert_eq!(proven::<u32>(599.999_999), 600);
        assert_eq!(proven::<u32>(599.02), 600);
        assert_eq!(proven::<u32>(599.005), 599);
        assert_eq!(proven::<u32>(0.5), 1);
        // Beyond ten million units the relative slack eats the last integer: less is claimed, never more.
        assert_eq!(proven::<u32>(4e8), 400_000_000 - 40);
    }

    #[test]
    fn reals_lose_the_slack() {
        assert!(proven::<f64>(17.5) < 17.5);
        assert!(proven::<f64>(17.5) > 17.499_99);
    }

    #[test]
    fn no_bound_is_no_proof() {
        for nothing in [f64::NEG_INFINITY, f64::INFINITY, f64::NAN, -1.0, 0.0] {
            assert_eq!(proven::<u32>(nothing), 0);
            assert_eq!(proven::<f64>(nothing), 0.0);
        }
    }
}
