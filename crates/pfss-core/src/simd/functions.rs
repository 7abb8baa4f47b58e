//! Exponential, logistic function and hyperbolic tangent, side by side and without a branch.

use super::RealRegister;

/// `exp(x)` to about seven digits, without a branch: `2^n` times a polynomial of the rest.
///
/// # Safety
/// The instructions of the register must exist.
#[inline(always)]
pub unsafe fn exp<V: RealRegister>(x: V) -> V {
    // Added to a number, it leaves the nearest whole number in the last bits.
    const ROUND: f32 = 12_582_912.0;
    // SAFETY: the caller's feature.
    unsafe {
        // No more than a reciprocal can be guessed of.
        let x = x.max(V::splat(-87.0)).min(V::splat(80.0));
        let rounded = x.fma(V::splat(std::f32::consts::LOG2_E), V::splat(ROUND));
        let whole = rounded.sub(V::splat(ROUND));
        // The logarithm of two in two parts, the first exact in few bits.
        let rest = whole.fma(V::splat(-0.693_359_4), x);
        let rest = whole.fma(V::splat(2.121_944_4e-4), rest);
        let mut sum = V::splat(1.987_569_1e-4);
        for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5e-1, 1.0, 1.0] {
            sum = sum.fma(rest, V::splat(coefficient));
        }
        sum.mul(rounded.power_of_two())
    }
}

/// `1 / (1 + exp(-x))`.
///
/// # Safety
/// The instructions of the register must exist.
#[inline(always)]
pub unsafe fn sigmoid<V: RealRegister>(x: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let one = V::splat(1.0);
        reciprocal(one.add(exp(V::splat(0.0).sub(x))))
    }
}

/// `1 / x` for numbers from 1 to 1e35, to the last place or so: a guess and two steps that cube its error. A division
/// waits longer than all of them together.
#[inline(always)]
unsafe fn reciprocal<V: RealRegister>(x: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let one = V::splat(1.0);
        let minus = V::splat(0.0).sub(x);
        let mut guess = x.reciprocal_guess();
        for _ in 0..2 {
            let error = minus.fma(guess, one);
            guess = guess.fma(error.fma(error, error), guess);
        }
        guess
    }
}

/// The hyperbolic tangent, to a few units of the last place of one.
///
/// # Safety
/// The instructions of the register must exist.
#[inline(always)]
pub unsafe fn tanh<V: RealRegister>(x: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let one = V::splat(1.0);
        V::splat(-2.0).fma(reciprocal(one.add(exp(x.add(x)))), one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::LaneRegister;
    use crate::simd::portable::Array;

    type Plain = Array<f32, 8>;

    #[test]
    fn exp_and_sigmoid_are_close_to_the_library() {
        for step in -2000..=2000 {
            let x = step as f32 * 0.04;
            // SAFETY: plain arrays need no instructions of their own.
            let (Array(e), Array(s), Array(t)) =
                unsafe { (exp(Plain::splat(x)), sigmoid(Plain::splat(x)), tanh(Plain::splat(x))) };
            let (exact, logistic) = (f64::from(x).exp(), 1.0 / (1.0 + (-f64::from(x)).exp()));
            assert!((f64::from(e[0]) / exact - 1.0).abs() < 3e-7, "exp({x}) = {}", e[0]);
            assert!((f64::from(s[7]) - logistic).abs() < 2e-7, "sigmoid({x}) = {}", s[7]);
            assert!((f64::from(t[3]) - f64::from(x).tanh()).abs() < 3e-7, "tanh({x}) = {}", t[3]);
        }
    }
}
