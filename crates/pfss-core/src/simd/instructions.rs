//! The instruction sets that there are, and the choice of one.

use std::fmt::{self, Display};

use super::portable::Portable;
use super::register::{InstructionSet, Kernel};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// The vector instructions that a kernel uses. All of them give the same results, bit for bit.
///
/// A value proves that this processor has the instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// Plain arrays, for every processor.
    Portable,
    /// 256-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 512-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The widest that this processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let widest = Avx512::detect().map(Self::Avx512);
            if let Some(widest) = widest.or_else(|| Avx2::detect().map(Self::Avx2)) {
                return widest;
            }
        }
        Self::Portable
    }

    /// All that this processor has, narrowest first.
    pub fn available() -> Vec<Self> {
        [
            Some(Self::Portable),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Self::Avx512),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Those with this name, where the processor has them.
    pub fn named(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|instructions| instructions.name() == name)
    }

    /// Runs a kernel with the registers of these instructions.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Portable => Portable.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(set) => set.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(set) => set.run(kernel),
        }
    }

    /// These instructions, or narrower ones whose registers have 256 bits: for kernels that gain nothing from wider
    /// ones, or are not written for them.
    #[inline]
    #[must_use]
    pub fn up_to_256_bits(self) -> Self {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(set) => Self::Avx2(set.into()),
            narrower => narrower,
        }
    }

    /// The name: `portable`, `avx2`, `avx512`.
    pub fn name(self) -> &'static str {
        self.run(Name)
    }

    /// The number of bits of a register.
    pub fn register_bits(self) -> usize {
        self.run(RegisterBits)
    }
}

impl Display for Instructions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

struct Name;

impl Kernel for Name {
    type Output = &'static str;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> &'static str {
        S::NAME
    }
}

struct RegisterBits;

impl Kernel for RegisterBits {
    type Output = usize;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> usize {
        8 * size_of::<S::U32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_available_has_names_and_grows() {
        let available = Instructions::available();
        assert_eq!(available[0], Instructions::Portable);
        assert_eq!(available.last(), Some(&Instructions::detect()));
        assert!(available.is_sorted());
        assert!(available.is_sorted_by_key(|instructions| instructions.register_bits()));
        for &instructions in &available {
            assert_eq!(Instructions::named(&instructions.to_string()), Some(instructions));
            assert!(available.contains(&instructions.up_to_256_bits()));
            assert!(instructions.up_to_256_bits().register_bits() <= 256);
        }
        assert_eq!(Instructions::named("abacus"), None);
    }
}
