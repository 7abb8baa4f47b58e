//! A few numbers side by side.

/// Rows are padded to a multiple of this, which every register divides.
pub(crate) const PAD: usize = 32;

/// A vector register, or a plain array that stands for one. All operations round as IEEE 754 says.
///
/// # Safety
/// The functions of an implementation may use the instructions of one CPU feature; they must only be called where
/// that feature was detected. They are always inlined into a function that enables it.
pub(crate) trait Lanes: Copy {
    const LANES: usize;

    unsafe fn splat(value: f32) -> Self;
    unsafe fn load(source: *const f32) -> Self;
    unsafe fn store(self, target: *mut f32);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    /// `self * factor + summand`, rounded once.
    unsafe fn fma(self, factor: Self, summand: Self) -> Self;
    unsafe fn div(self, other: Self) -> Self;
    unsafe fn sqrt(self) -> Self;
    /// Positive numbers as a fraction from the root of a half to that of two, and the power of two that goes with it.
    unsafe fn split(self) -> (Self, Self);
    /// The register at `place` of a row whose lanes are eight times the first number, eight times the second, and so
    /// on.
    unsafe fn halves(first: f32, second: f32, place: usize) -> Self;
    /// Two to the power of the whole number that sits in the last bits of each lane.
    unsafe fn power_of_two(self) -> Self;
    /// About `1 / self` for numbers from 1 to 1e35, within an eighth of it: [`RECIPROCAL`] minus the bits.
    unsafe fn reciprocal_guess(self) -> Self;
}

/// Taking a number's bits away from this turns its exponent around and nearly inverts its fraction.
pub(crate) const RECIPROCAL: u32 = 0x7ef3_11c3;

/// The bits of the root of a half.
pub(crate) const ROOT_HALF: u32 = 0x3f35_04f3;

/// Eight numbers in an array.
#[derive(Clone, Copy)]
pub(crate) struct Plain(pub(crate) [f32; 8]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Self, with: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| with(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Plain {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    unsafe fn load(source: *const f32) -> Self {
        // SAFETY: the caller gives as many readable numbers.
        Self(unsafe { source.cast::<[f32; 8]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut f32) {
        // SAFETY: the caller gives room for as many.
        unsafe { target.cast::<[f32; 8]>().write(self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    // As the instruction does it: the second operand where neither is larger.
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    unsafe fn fma(self, factor: Self, summand: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].mul_add(factor.0[lane], summand.0[lane])))
    }

    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    unsafe fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    unsafe fn split(self) -> (Self, Self) {
        let exponent = |x: f32| x.to_bits().wrapping_sub(ROOT_HALF) as i32 >> 23;
        let fraction = |x: f32| f32::from_bits(x.to_bits().wrapping_sub((exponent(x) << 23) as u32));
        (Self(self.0.map(fraction)), Self(self.0.map(|x| exponent(x) as f32)))
    }

    #[inline(always)]
    unsafe fn halves(first: f32, second: f32, place: usize) -> Self {
        Self([if place.is_multiple_of(16) { first } else { second }; 8])
    }

    #[inline(always)]
    unsafe fn power_of_two(self) -> Self {
        Self(self.0.map(|value| f32::from_bits((value.to_bits() << 23).wrapping_add(1.0f32.to_bits()))))
    }

    #[inline(always)]
    unsafe fn reciprocal_guess(self) -> Self {
        Self(self.0.map(|value| f32::from_bits(RECIPROCAL.wrapping_sub(value.to_bits()))))
    }
}

/// `exp(x)` to about seven digits, without a branch: `2^n` times a polynomial of the rest.
#[inline(always)]
pub(crate) unsafe fn exp<V: Lanes>(x: V) -> V {
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
#[inline(always)]
pub(crate) unsafe fn sigmoid<V: Lanes>(x: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let one = V::splat(1.0);
        reciprocal(one.add(exp(V::splat(0.0).sub(x))))
    }
}

/// `1 / x` for numbers from 1 to 1e35, to the last place or so: a guess and two steps that cube its error. A division
/// waits longer than all of them together.
#[inline(always)]
unsafe fn reciprocal<V: Lanes>(x: V) -> V {
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
#[inline(always)]
pub(crate) unsafe fn tanh<V: Lanes>(x: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let one = V::splat(1.0);
        V::splat(-2.0).fma(reciprocal(one.add(exp(x.add(x)))), one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_sigmoid_are_close_to_the_library() {
        for step in -2000..=2000 {
            let x = step as f32 * 0.04;
            // SAFETY: plain arrays need no instructions of their own.
            let (Plain(e), Plain(s), Plain(t)) =
                unsafe { (exp(Plain::splat(x)), sigmoid(Plain::splat(x)), tanh(Plain::splat(x))) };
            let (exact, logistic) = (f64::from(x).exp(), 1.0 / (1.0 + (-f64::from(x)).exp()));
            assert!((f64::from(e[0]) / exact - 1.0).abs() < 3e-7, "exp({x}) = {}", e[0]);
            assert!((f64::from(s[7]) - logistic).abs() < 2e-7, "sigmoid({x}) = {}", s[7]);
            assert!((f64::from(t[3]) - f64::from(x).tanh()).abs() < 3e-7, "tanh({x}) = {}", t[3]);
        }
    }
}
