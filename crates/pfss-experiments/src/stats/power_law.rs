//! How a cost grows with a size.

use serde::{Deserialize, Serialize};

/// The power law that fits best on logarithmic axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerLaw {
    /// The exponent.
    pub exponent: f64,
    /// Its standard error; zero where two points leave no doubt.
    pub exponent_error: f64,
    /// The cost at size one.
    pub factor: f64,
    /// The share of the variance of the logarithms that it explains.
    pub r_squared: f64,
}

/// Least squares of `ln y` against `ln x`. Points that have no logarithm are left out; `None` when fewer than two
/// sizes are left.
pub fn power_law(points: &[(f64, f64)]) -> Option<PowerLaw> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let mean = |part: fn(&(f64, f64)) -> f64| logs.iter().map(part).sum::<f64>() / n;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |part: &dyn Fn(f64, f64) -> f64| -> f64 {
        logs.iter().map(|(x, y)| part(x - mean_x, y - mean_y)).sum()
    };
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if logs.len() < 2 || !(xx.is_finite() && xx > 0.0) {
        return None;
    }
    let exponent = xy / xx;
    let residual = (yy - exponent * xy).max(0.0);
    let freedom = n - 2.0;
    Some(PowerLaw {
        exponent,
        exponent_error: if freedom > 0.0 { (residual / freedom / xx).sqrt() } else { 0.0 },
        factor: (mean_y - exponent * mean_x).exp(),
        r_squared: if yy > 0.0 { 1.0 - residual / yy } else { 1.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_again() {
        let points: Vec<(f64, f64)> =
            [20.0, 50.0, 100.0, 1000.0].map(|n: f64| (n, 3e-6 * n.powi(2))).to_vec();
        let fit = power_law(&points).unwrap();
        assert!((fit.exponent - 2.0).abs() < 1e-12 && (fit.factor / 3e-6 - 1.0).abs() < 1e-9, "{fit:?}");
        assert!(fit.exponent_error < 1e-6 && fit.r_squared > 1.0 - 1e-12);
    }

    #[test]
    fn scatter_shows_in_the_error() {
        // By hand: ln x = 0, 1, 2 and ln y = 0, 2, 2 give slope 1, residuals -1/3, 2/3, -1/3, so s^2 = 2/3.
        let e = std::f64::consts::E;
        let fit = power_law(&[(1.0, 1.0), (e, e * e), (e * e, e * e)]).unwrap();
        assert!((fit.exponent - 1.0).abs() < 1e-12, "{fit:?}");
        assert!((fit.exponent_error - (1.0f64 / 3.0).sqrt()).abs() < 1e-12, "{fit:?}");
        assert!((fit.r_squared - 0.75).abs() < 1e-12, "{fit:?}");
    }

    #[test]
    fn too_few_sizes_give_nothing() {
        assert_eq!(power_law(&[]), None);
        assert_eq!(power_law(&[(5.0, 1.0), (5.0, 2.0)]), None);
        assert_eq!(power_law(&[(5.0, 1.0), (6.0, 0.0)]), None);
    }
}
