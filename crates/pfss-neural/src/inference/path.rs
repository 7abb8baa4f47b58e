//! Which vector instructions are used.

/// The vector instructions of inference. Every path gives the same results, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Plain arrays, for every processor. Slow on processors without fused multiply-adds.
    Portable,
    /// 256-bit registers (AVX2 and FMA).
    Avx2,
    /// 512-bit registers (AVX-512 F).
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
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if avx2 && is_x86_feature_detected!("avx512f") {
                return &[Self::Portable, Self::Avx2, Self::Avx512];
            }
            if avx2 {
                return &[Self::Portable, Self::Avx2];
            }
        }
        &[Self::Portable]
    }
}

/// Calls a kernel with the registers of a path that was detected.
macro_rules! on_path {
    ($path:expr, $kernel:ident ( $($argument:expr),* $(,)? )) => {
        match $path {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Path::available` yields only paths whose instructions the processor has.
            Path::Avx512 => unsafe { $kernel::avx512($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Path::Avx2 => unsafe { $kernel::avx2($($argument),*) },
            _ => $kernel::portable($($argument),*),
        }
    };
}
pub(crate) use on_path;

/// Makes a kernel, generic over its registers, for every path.
macro_rules! kernel {
    ($name:ident, $body:ident, fn($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?) => {
        mod $name {
            use super::*;

            #[allow(clippy::too_many_arguments)]
            pub(super) fn portable($($argument: $type),*) $(-> $result)? {
                // SAFETY: plain arrays need no instructions of their own.
                unsafe { $body::<Plain>($($argument),*) }
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            #[allow(clippy::too_many_arguments)]
            pub(super) fn avx2($($argument: $type),*) $(-> $result)? {
                // SAFETY: the features are enabled.
                unsafe { $body::<$crate::inference::x86::F32x8>($($argument),*) }
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx2,fma")]
            #[allow(clippy::too_many_arguments)]
            pub(super) fn avx512($($argument: $type),*) $(-> $result)? {
                // SAFETY: the features are enabled.
                unsafe { $body::<$crate::inference::x86::F32x16>($($argument),*) }
            }
        }
    };
}
pub(crate) use kernel;
