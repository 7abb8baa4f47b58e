//! How the kernels of the networks are called.

/// A function that calls `$body`, which is generic over its registers, with those of the given instructions.
macro_rules! kernel {
    ($name:ident, $body:ident, fn($($argument:ident: $type:ty),* $(,)?)) => {
        fn $name(instructions: pfss_core::simd::Instructions, $($argument: $type),*) {
            struct Arguments<T>(T);

            impl pfss_core::simd::Kernel for Arguments<($($type,)*)> {
                type Output = ();

                #[inline(always)]
                fn run<S: pfss_core::simd::InstructionSet>(self, _: S) {
                    let ($($argument,)*) = self.0;
                    // SAFETY: there is a value of `S`, so that the processor has the instructions.
                    unsafe { $body::<S::F32>($($argument),*) }
                }
            }

            instructions.run(Arguments(($($argument,)*)));
        }
    };
}
pub(crate) use kernel;
