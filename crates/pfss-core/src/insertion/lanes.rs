//! A few numbers side by side: the vector operations that the wavefront kernels need.

/// A vector register (or a plain array that stands for one).
///
/// # Safety
/// All functions of an implementation may use the instructions of one CPU feature; they must only be called
/// where that feature was detected. They are always inlined into a function that enables it.
pub(super) trait Lanes: Copy + Send + Sync + 'static {
    /// What a lane holds.
    type Item: Copy + PartialOrd + Send + Sync + 'static;

    /// The number of lanes.
    const COUNT: usize;

    /// How many items [`Lanes::store_first`] may write: the first is lane 0, the others are arbitrary.
    const FIRST_WIDTH: usize;

    /// Whether a sum takes so many cycles that two independent wavefronts side by side are faster than one.
    const SLOW_SUMS: bool;

    /// Zero in every lane.
    unsafe fn zero() -> Self;

    /// Lane-wise sum; saturating for 16-bit integers.
    unsafe fn add(self, other: Self) -> Self;

    /// Lane-wise maximum.
    unsafe fn max(self, other: Self) -> Self;

    /// Lane `k` takes lane `k + 1`; the last lane takes zero.
    unsafe fn down(self) -> Self;

    /// Lane `k` takes lane `k - 1`; lane 0 takes zero.
    unsafe fn up(self) -> Self;

    /// `self` where the mask has ones, zero where it has zeros.
    unsafe fn keep(self, mask: Self) -> Self;

    /// `self` where the mask has ones, `other` where it has zeros.
    unsafe fn select(self, other: Self, mask: Self) -> Self;

    /// Stores lane 0 at `target`, with room for [`Lanes::FIRST_WIDTH`] items.
    unsafe fn store_first(self, target: *mut Self::Item);

    /// An item whose bits are all ones, for masks.
    fn ones() -> Self::Item;

    /// The item zero.
    fn zero_item() -> Self::Item;
}

/// A plain array in place of a register: the portable path, which compilers vectorise as they can.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Array<T, const N: usize>([T; N]);

macro_rules! portable {
    ($item:ty, $count:literal, $zero:expr, $ones:expr, |$a:ident, $b:ident| $add:expr, |$v:ident, $mask:ident| $keep:expr, |$mask2:ident| $is_set:expr) => {
        impl Lanes for Array<$item, $count> {
            type Item = $item;
            const COUNT: usize = $count;
            const FIRST_WIDTH: usize = 1;
            const SLOW_SUMS: bool = false;

            #[inline(always)]
            unsafe fn zero() -> Self {
                Self([$zero; $count])
            }

            #[inline(always)]
            unsafe fn add(mut self, other: Self) -> Self {
                for (x, y) in self.0.iter_mut().zip(other.0) {
                    let ($a, $b) = (*x, y);
                    *x = $add;
                }
                self
            }

            #[inline(always)]
            unsafe fn max(mut self, other: Self) -> Self {
                for (x, y) in self.0.iter_mut().zip(other.0) {
                    *x = if *x > y { *x } else { y };
                }
                self
            }

            #[inline(always)]
            unsafe fn down(mut self) -> Self {
                self.0.copy_within(1.., 0);
                self.0[$count - 1] = $zero;
                self
            }

            #[inline(always)]
            unsafe fn up(mut self) -> Self {
                self.0.copy_within(..$count - 1, 1);
                self.0[0] = $zero;
                self
            }

            #[inline(always)]
            unsafe fn keep(mut self, mask: Self) -> Self {
                for (x, y) in self.0.iter_mut().zip(mask.0) {
                    let ($v, $mask) = (*x, y);
                    *x = $keep;
                }
                self
            }

            #[inline(always)]
            unsafe fn select(mut self, other: Self, mask: Self) -> Self {
                for ((x, y), $mask2) in self.0.iter_mut().zip(other.0).zip(mask.0) {
                    if !$is_set {
                        *x = y;
                    }
                }
                self
            }

            #[inline(always)]
            unsafe fn store_first(self, target: *mut $item) {
                // SAFETY: the caller gives room for one item.
                unsafe { *target = self.0[0] }
            }

            fn ones() -> $item {
                $ones
            }

            fn zero_item() -> $item {
                $zero
            }
        }
    };
}

portable!(u16, 8, 0, u16::MAX, |a, b| a.saturating_add(b), |v, mask| v & mask, |mask| mask != 0);
portable!(u32, 4, 0, u32::MAX, |a, b| a.wrapping_add(b), |v, mask| v & mask, |mask| mask != 0);
portable!(
    f64,
    2,
    0.0,
    f64::from_bits(u64::MAX),
    |a, b| a + b,
    |v, mask| f64::from_bits(v.to_bits() & mask.to_bits()),
    |mask| mask.to_bits() != 0
);
