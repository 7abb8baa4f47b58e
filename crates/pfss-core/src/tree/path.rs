//! Which vector instructions are used.

/// The vector instructions of the tree's kernels. Every path gives the same results, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Path {
    /// Plain arrays, for every processor.
    Portable,
    /// 256-bit registers (AVX2).
    Avx2,
    /// 512-bit registers (AVX-512 F and BW).
    Avx512,
}

impl Path {
    /// The widest path that this processor has.
    pub fn detect() -> Self {
        Self::available().last().copied().unwrap_or(Self::Portable)
    }

    /// Every path that this processor has, narrowest first.
    pub fn available() -> &'static [Self] {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
            if avx2 && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                return &[Self::Portable, Self::Avx2, Self::Avx512];
            }
            if avx2 {
                return &[Self::Portable, Self::Avx2];
            }
        }
        &[Self::Portable]
    }

    /// This path where the processor has it, otherwise the widest that it has.
    #[must_use]
    pub fn or_detected(self) -> Self {
        if Self::available().contains(&self) { self } else { Self::detect() }
    }
}
