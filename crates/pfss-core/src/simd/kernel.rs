//! How kernels are called.

/// A function that calls `$body`, which is generic over its registers, with those of the given instructions.
#[macro_export]
macro_rules! kernel {
    ($name:ident, $body:ident, fn($($argument:ident: $type:ty),* $(,)?)) => {
        fn $name(instructions: $crate::simd::Instructions, $($argument: $type),*) {
            struct Arguments<T>(T);

            impl $crate::simd::Kernel for Arguments<($($type,)*)> {
                type Output = ();

                #[inline(always)]
                fn run<S: $crate::simd::InstructionSet>(self, _: S) {
                    let ($($argument,)*) = self.0;
                    // SAFETY: there is a value of `S`, so that the processor has the instructions.
                    unsafe { $body::<S::F32>($($argument),*) }
                }
            }

            instructions.run(Arguments(($($argument,)*)));
        }
    };
}
