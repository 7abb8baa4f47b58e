//! What an instruction set offers, what its registers can do, and what a kernel is.

use std::fmt::Debug;

/// The most lanes of a register: 512 bits of 16-bit numbers.
pub(crate) const MOST_LANES: usize = 32;

/// An instruction set. A value of the type proves that this processor has it.
pub trait InstructionSet: Copy + Debug + Send + Sync + 'static {
    /// The name for messages and for [`Instructions::named`](super::Instructions::named).
    const NAME: &'static str;

    /// 16-bit integers; two of them fill lanes with one load.
    type U16: WideningRegister<Set = Self, Item = u16, Spread = u32>;
    /// 32-bit integers.
    type U32: WideningRegister<Set = Self, Item = u32, Spread = u32>;
    /// Reals in double precision.
    type F64: LaneRegister<Set = Self, Item = f64, Spread = f64>;
    /// Reals in single precision.
    type F32: RealRegister<Set = Self>;

    /// The proof, where this processor has the instructions.
    fn detect() -> Option<Self>;

    /// Runs a kernel inside a function that enables the instructions.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
}

/// Work that is written once for every instruction set.
pub trait Kernel {
    /// What comes out.
    type Output;

    /// Does the work with the registers of `S`, whose instructions `set` proves to exist.
    ///
    /// Must be `#[inline(always)]`, as all that it calls: instructions are enabled for the function that it is inlined
    /// into, [`InstructionSet::run`]. Elsewhere the result is the same, but each operation is a call.
    fn run<S: InstructionSet>(self, set: S) -> Self::Output;
}

/// A vector register, or a plain array that stands for one.
///
/// # Safety
/// The functions of this trait and of those that extend it may use the instructions of [`Register::Set`]: a value of
/// that type must exist. Pointers need room for as many items as each function says; no alignment is asked for. In
/// memory a register is [`Register::LANES`] items, lane 0 first.
pub unsafe trait Register: Copy + Send + Sync + 'static {
    /// The instruction set that it belongs to.
    type Set: InstructionSet;
    /// What a lane holds.
    type Item: Copy + PartialOrd + Send + Sync + 'static;

    /// The number of lanes.
    const LANES: usize;

    /// Zero in every lane.
    ///
    /// # Safety
    /// As for [`Register`], here and below.
    unsafe fn zero() -> Self;

    /// Lane-wise sum; integers wrap around.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn add(self, other: Self) -> Self;

    /// Lane-wise maximum; the second operand where neither is larger.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn max(self, other: Self) -> Self;

    /// Lane-wise minimum; the second operand where neither is smaller.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn min(self, other: Self) -> Self;

    /// `self` where the mask has ones, `other` where it has zeros; each lane of the mask has one or the other.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn select(self, other: Self, mask: Self) -> Self;
}

/// A register whose lanes are apart from each other.
#[allow(clippy::missing_safety_doc, reason = "that of `Register` holds for all functions")]
pub trait LaneRegister: Register {
    /// An item in the form from which all lanes are filled with a single load.
    type Spread: Copy + Default + Send + Sync + 'static;

    /// The same item in every lane.
    unsafe fn splat(item: Self::Spread) -> Self;

    /// Reads [`Register::LANES`] items.
    unsafe fn load(source: *const Self::Item) -> Self;

    /// Writes [`Register::LANES`] items.
    unsafe fn store(self, target: *mut Self::Item);

    /// Bit `l` tells whether lane `l` is less than that of `other`.
    unsafe fn less(self, other: Self) -> u32;
}

/// A register of integers that are added up in 32 bits.
#[allow(clippy::missing_safety_doc, reason = "that of `Register` holds for all functions")]
pub trait WideningRegister: LaneRegister {
    /// Adds each lane to the sum of 32 bits that it has at `sums`.
    unsafe fn add_to(self, sums: *mut u32);

    /// Adds each lane times its factor at `factors` to the sum that it has at `sums`; all of them wrap around.
    unsafe fn add_product_to(self, factors: *const u32, sums: *mut u32);
}

/// How many items [`RealRegister::pick`] chooses from.
pub const WINDOW: usize = 64;

/// Taking a number's bits away from this turns its exponent around and nearly inverts its fraction.
pub(super) const RECIPROCAL: u32 = 0x7ef3_11c3;

/// The bits of the root of a half.
pub(super) const ROOT_HALF: u32 = 0x3f35_04f3;

/// A register of reals in single precision. All operations round as IEEE 754 says.
#[allow(clippy::missing_safety_doc, reason = "that of `Register` holds for all functions")]
pub trait RealRegister: LaneRegister<Item = f32, Spread = f32> {
    /// Lane-wise difference.
    unsafe fn sub(self, other: Self) -> Self;

    /// Lane-wise product.
    unsafe fn mul(self, other: Self) -> Self;

    /// Lane-wise quotient.
    unsafe fn div(self, other: Self) -> Self;

    /// `self * factor + summand`, rounded once.
    unsafe fn fma(self, factor: Self, summand: Self) -> Self;

    /// Lane-wise square root.
    unsafe fn sqrt(self) -> Self;

    /// Positive numbers as a fraction from the root of a half to that of two, and the power of two that goes with it.
    unsafe fn split(self) -> (Self, Self);

    /// The register at `place` of a row whose lanes are eight times the first number, eight times the second, and so
    /// on.
    unsafe fn halves(first: f32, second: f32, place: usize) -> Self;

    /// Two to the power of the whole number that sits in the last bits of each lane.
    unsafe fn power_of_two(self) -> Self;

    /// About `1 / self`, within an eighth of it, for positive numbers up to 1e35: a constant minus the bits. Of zero
    /// it is a large number, not infinity.
    unsafe fn reciprocal_guess(self) -> Self;

    /// Whether [`RealRegister::pick`] is cheaper than working on what it leaves out.
    const PICKS: bool;

    /// Which items to pick.
    type Places: Copy;

    /// Reads [`Register::LANES`] places, each below [`WINDOW`].
    unsafe fn places(source: *const u32) -> Self::Places;

    /// The items at these places of the [`WINDOW`] items at `window`.
    unsafe fn pick(window: *const f32, places: Self::Places) -> Self;
}

/// A register whose lanes are a row of neighbours, which move up and down.
#[allow(clippy::missing_safety_doc, reason = "that of `Register` holds for all functions")]
pub trait ShiftRegister: Register {
    /// How many items [`ShiftRegister::store_first`] may write: the first is lane 0, the others are arbitrary.
    const FIRST_WIDTH: usize;

    /// Whether a sum takes so many cycles that two independent chains of them side by side are faster than one.
    const SLOW_SUMS: bool;

    /// The item zero.
    const ZERO: Self::Item;

    /// An item whose bits are all ones, for masks.
    const ONES: Self::Item;

    /// Lane `k` takes lane `k + 1`; the last lane takes zero.
    unsafe fn down(self) -> Self;

    /// Lane `k` takes lane `k - 1`; lane 0 takes zero.
    unsafe fn up(self) -> Self;

    /// `self` where the mask has ones, zero where it has zeros.
    unsafe fn keep(self, mask: Self) -> Self;

    /// Stores lane 0 at `target`, with room for [`ShiftRegister::FIRST_WIDTH`] items.
    unsafe fn store_first(self, target: *mut Self::Item);
}
