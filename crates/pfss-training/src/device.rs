//! Where a policy is trained.

/// Where a policy is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The processor, on the threads of the current rayon pool.
    Cpu,
    /// The first NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda,
}
