//! A few numbers side by side: the vector operations that pricing needs.

/// A vector register, or a plain array that stands for one.
///
/// # Safety
/// The functions of an implementation may use the instructions of one CPU feature; they must only be called
/// where that feature was detected. They are always inlined into a function that enables it.
pub(super) trait Vector: Copy {
    /// What a lane holds.
    type Item: Copy;
    /// An item in the form from which all lanes are filled with a single load.
    type Spread: Copy;

    /// The number of lanes.
    const LANES: usize;

    /// The same item in every lane.
    unsafe fn splat(item: Self::Spread) -> Self;

    /// Reads [`Vector::LANES`] items.
    unsafe fn load(source: *const Self::Item) -> Self;

    /// Writes [`Vector::LANES`] items.
    unsafe fn store(self, target: *mut Self::Item);

    /// Lane-wise maximum.
    unsafe fn max(self, other: Self) -> Self;

    /// Lane-wise sum; integers wrap around.
    unsafe fn add(self, other: Self) -> Self;

    /// Bit `l` tells whether lane `l` is less than that of `other`.
    unsafe fn less(self, other: Self) -> u32;
}

/// How many items [`RealVector::pick`] chooses from.
pub(super) const WINDOW: usize = 64;

/// A vector of reals in single precision.
///
/// # Safety
/// As for [`Vector`].
pub(super) trait RealVector: Vector<Item = f32, Spread = f32> {
    /// Lane-wise difference.
    unsafe fn sub(self, other: Self) -> Self;

    /// Lane-wise product.
    unsafe fn mul(self, other: Self) -> Self;

    /// Lane-wise quotient.
    unsafe fn div(self, other: Self) -> Self;

    /// Whether [`RealVector::pick`] is cheaper than working on what it leaves out.
    const PICKS: bool;

    /// Which items to pick.
    type Places: Copy;

    /// Reads [`Vector::LANES`] places, each below [`WINDOW`].
    unsafe fn places(source: *const u32) -> Self::Places;

    /// The items at these places of the [`WINDOW`] items at `window`.
    unsafe fn pick(window: *const f32, places: Self::Places) -> Self;

    /// Lane-wise `magic` minus the bits of the lane, as bits: a first guess of a reciprocal.
    unsafe fn minus_bits(self, magic: u32) -> Self;
}

/// A plain array in place of a register: the portable path, which compilers vectorise as they can.
#[derive(Clone, Copy)]
pub(super) struct Array<T, const N: usize>([T; N]);

macro_rules! portable {
    ($item:ty, $count:literal, $spread:ty, |$a:ident, $b:ident| $add:expr) => {
        impl Vector for Array<$item, $count> {
            type Item = $item;
            type Spread = $spread;
            const LANES: usize = $count;

            #[inline(always)]
            unsafe fn splat(item: $spread) -> Self {
                Self([item as $item; $count])
            }

            #[inline(always)]
            unsafe fn load(source: *const $item) -> Self {
                // SAFETY: the caller gives LANES readable items.
                Self(unsafe { source.cast::<[$item; $count]>().read() })
            }

            #[inline(always)]
            unsafe fn store(self, target: *mut $item) {
                // SAFETY: the caller gives room for LANES items.
                unsafe { target.cast::<[$item; $count]>().write(self.0) }
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                self.zip(other, |x, y| if x > y { x } else { y })
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                self.zip(other, |$a, $b| $add)
            }

            #[inline(always)]
            unsafe fn less(self, other: Self) -> u32 {
                self.0
                    .iter()
                    .zip(&other.0)
                    .enumerate()
                    .fold(0, |bits, (lane, (x, y))| bits | (u32::from(x < y) << lane))
            }
        }
    };
}

portable!(u16, 8, u32, |a, b| a.wrapping_add(b));
portable!(u32, 4, u32, |a, b| a.wrapping_add(b));
portable!(f64, 2, f64, |a, b| a + b);
portable!(f32, 4, f32, |a, b| a + b);

impl<T: Copy, const N: usize> Array<T, N> {
    #[inline(always)]
    fn zip(mut self, other: Self, with: impl Fn(T, T) -> T) -> Self {
        for (x, y) in self.0.iter_mut().zip(other.0) {
            *x = with(*x, y);
        }
        self
    }
}

impl RealVector for Array<f32, 4> {
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }

    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y)
    }

    const PICKS: bool = false;
    type Places = [u32; 4];

    #[inline(always)]
    unsafe fn places(source: *const u32) -> [u32; 4] {
        // SAFETY: the caller gives LANES readable places.
        unsafe { source.cast::<[u32; 4]>().read() }
    }

    #[inline(always)]
    unsafe fn pick(window: *const f32, places: [u32; 4]) -> Self {
        // SAFETY: the caller gives places inside the window.
        Self(places.map(|place| unsafe { *window.add(place as usize) }))
    }

    #[inline(always)]
    unsafe fn minus_bits(self, magic: u32) -> Self {
        Self(self.0.map(|x| f32::from_bits(magic.wrapping_sub(x.to_bits()))))
    }
}
