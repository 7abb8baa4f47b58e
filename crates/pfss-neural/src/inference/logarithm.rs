//! The natural logarithm and the inverse hyperbolic sine, side by side and without a branch.

use pfss_core::simd::{Instructions, RealRegister};

use pfss_core::kernel;

/// `ln(x)` of positive numbers, to about 1e-7 of one or of the result.
#[inline(always)]
unsafe fn ln<V: RealRegister>(x: V) -> V {
    // ln(1 + f) = f - f^2 / 2 + f^3 P(f), where P is the polynomial through the Chebyshev points of the fractions.
    const P: [f32; 6] = [-0.140_308_92, 0.147_039, -0.166_027_19, 0.199_842_23, -0.250_007_03, 0.333_334_15];
    // SAFETY: the caller's feature.
    unsafe {
        let (fraction, exponent) = x.split();
        let f = fraction.sub(V::splat(1.0));
        let mut sum = V::splat(0.090_487_845);
        for coefficient in P {
            sum = sum.fma(f, V::splat(coefficient));
        }
        let square = f.mul(f);
        let rest = sum.mul(f).fma(square, square.mul(V::splat(-0.5)));
        exponent.fma(V::splat(std::f32::consts::LN_2), f.add(rest))
    }
}

/// `asinh(x)`, to about 1e-7 of one or of the result, for numbers up to 1e18.
#[inline(always)]
pub(crate) unsafe fn asinh<V: RealRegister>(x: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let minus = V::splat(0.0).sub(x);
        let size = x.max(minus);
        let value = ln(size.add(size.fma(size, V::splat(1.0)).sqrt()));
        // Never further from zero than `x`: that gives the sign, and very small numbers all their digits.
        x.min(value).max(V::splat(0.0).sub(value))
    }
}

/// Every number replaced by its `asinh`.
pub(crate) fn asinh_all(instructions: Instructions, values: &mut [f32]) {
    each(instructions, values);
}

kernel!(each, each_lane, fn(values: &mut [f32]));

#[inline(always)]
unsafe fn each_lane<V: RealRegister>(values: &mut [f32]) {
    let mut chunks = values.chunks_exact_mut(V::LANES);
    // SAFETY: the caller's feature; each chunk has as many numbers as a register.
    unsafe {
        for chunk in &mut chunks {
            asinh(V::load(chunk.as_ptr())).store(chunk.as_mut_ptr());
        }
        let rest = chunks.into_remainder();
        let mut padded = [0.0; 16];
        padded[..rest.len()].copy_from_slice(rest);
        let target = padded.as_mut_ptr();
        asinh(V::load(target)).store(target);
        rest.copy_from_slice(&padded[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_close_to_the_library_and_the_same_on_every_path() {
        let mut values: Vec<f32> = (-4000..=4000).map(|step| (step as f32 * 0.005).sinh()).collect();
        values.extend([0.0, -0.0, 1e-30, -1e-7, 3e-4, 1e10, -1e18]);
        let exact: Vec<f64> = values.iter().map(|&x| f64::from(x).asinh()).collect();
        let results = Instructions::available().into_iter().map(|instructions| {
            let mut results = values.clone();
            asinh_all(instructions, &mut results);
            results
        });
        let results: Vec<Vec<f32>> = results.collect();
        assert!(results.iter().all(|result| *result == results[0]));
        for ((result, exact), x) in results[0].iter().zip(exact).zip(&values) {
            let error = (f64::from(*result) - exact).abs();
            assert!(error < 3e-7 * exact.abs().max(1.0), "asinh({x}) = {result}, not {exact}");
        }
    }
}
