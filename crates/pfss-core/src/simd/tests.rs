//! Every instruction set against plain arrays, operation by operation.

use super::*;

/// Numbers of all sizes, more than any register holds.
const COUNT: usize = 64;

/// The bits of what all operations on lanes make of two rows of numbers.
struct Lanes<'a, V: LaneRegister> {
    rows: [&'a [V::Item]; 2],
    mask: &'a [V::Item],
    spread: V::Spread,
}

impl<V: LaneRegister> Lanes<'_, V> {
    /// # Safety
    /// A value of `V::Set` exists.
    unsafe fn apply(&self) -> (Vec<V::Item>, Vec<bool>) {
        let (mut items, mut less) = (Vec::new(), Vec::new());
        assert!(self.rows.iter().chain([&self.mask]).all(|row| row.len() == COUNT));
        for operation in 0..6 {
            for at in (0..COUNT).step_by(V::LANES) {
                // SAFETY: the caller's promise; lanes divide the rows, and `result` has room for a register.
                unsafe {
                    let [x, y] = self.rows.map(|row| V::load(row[at..].as_ptr()));
                    let result = match operation {
                        0 => x.add(y),
                        1 => x.max(y),
                        2 => x.min(y),
                        3 => x.select(y, V::load(self.mask[at..].as_ptr())),
                        4 => V::splat(self.spread),
                        _ => V::zero(),
                    };
                    let mut stored = vec![self.rows[0][0]; V::LANES];
                    result.store(stored.as_mut_ptr());
                    items.extend(stored);
                    less.extend((0..V::LANES).map(|lane| x.less(y) >> lane & 1 == 1));
                }
            }
        }
        (items, less)
    }
}

/// All element kinds of an instruction set, as bits.
struct Everything;

fn rows<T>(number: impl Fn(u64) -> T) -> [Vec<T>; 2] {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        number(state)
    };
    [(); 2].map(|()| (0..COUNT).map(|_| next()).collect())
}

fn mask<T: Copy>(zeros: T, ones: T) -> Vec<T> {
    (0..COUNT).map(|index| if index % 3 == 0 { ones } else { zeros }).collect()
}

impl Kernel for Everything {
    type Output = Vec<u64>;

    fn run<S: InstructionSet>(self, _: S) -> Vec<u64> {
        let mut bits: Vec<u64> = Vec::new();
        let mut add = |items: Vec<u64>, less: Vec<bool>| {
            bits.extend(items);
            bits.extend(less.into_iter().map(u64::from));
        };
        let narrow = rows(|state| (state >> 48) as u16);
        let wide = rows(|state| (state >> 32) as u32);
        let real = rows(|state| (state >> 20) as f64 / 3.0 - 1e12);
        let single = rows(|state| (state >> 40) as f32 / 7.0);
        let masks = (mask(0u16, u16::MAX), mask(0u32, u32::MAX));
        let real_masks = (mask(0.0, f64::from_bits(u64::MAX)), mask(0.0, f32::from_bits(u32::MAX)));
        // SAFETY: there is a value of `S`.
        unsafe {
            let rows = narrow.each_ref().map(Vec::as_slice);
            let lanes = Lanes::<S::U16> { rows, mask: &masks.0, spread: 0x1234_1234 };
            let (items, less) = lanes.apply();
            add(items.into_iter().map(u64::from).collect(), less);
            let rows = wide.each_ref().map(Vec::as_slice);
            let lanes = Lanes::<S::U32> { rows, mask: &masks.1, spread: 0x1234_5678 };
            let (items, less) = lanes.apply();
            add(items.into_iter().map(u64::from).collect(), less);
            let rows = real.each_ref().map(Vec::as_slice);
            let lanes = Lanes::<S::F64> { rows, mask: &real_masks.0, spread: 0.1 };
            let (items, less) = lanes.apply();
            add(items.into_iter().map(f64::to_bits).collect(), less);
            let rows = single.each_ref().map(Vec::as_slice);
            let lanes = Lanes::<S::F32> { rows, mask: &real_masks.1, spread: 0.1 };
            let (items, less) = lanes.apply();
            add(items.into_iter().map(|item| item.to_bits().into()).collect(), less);
            let singles = real_operations::<S::F32>(single.each_ref().map(Vec::as_slice));
            add(singles.into_iter().map(|item| item.to_bits().into()).collect(), Vec::new());
        }
        bits
    }
}

/// # Safety
/// A value of `V::Set` exists.
unsafe fn real_operations<V: RealRegister>(rows: [&[f32]; 2]) -> Vec<f32> {
    let mut results = Vec::new();
    let places: Vec<u32> = (0..COUNT as u32).map(|index| index * 37 % WINDOW as u32).collect();
    for operation in 0..10 {
        for at in (0..COUNT).step_by(V::LANES) {
            // SAFETY: the caller's promise; lanes divide the rows, which are as long as a window.
            unsafe {
                let [x, y] = rows.map(|row| V::load(row[at..].as_ptr()));
                let result = match operation {
                    0 => x.sub(y),
                    1 => x.mul(y),
                    2 => x.div(y),
                    3 => x.fma(y, x),
                    4 => x.sqrt(),
                    5 => x.split().0,
                    6 => x.split().1,
                    7 => V::halves(1.5, 2.5, at),
                    8 => x.reciprocal_guess(),
                    _ => V::pick(rows[0].as_ptr(), V::places(places[at..].as_ptr())),
                };
                let mut stored = vec![0.0; V::LANES];
                result.store(stored.as_mut_ptr());
                results.extend(stored);
            }
        }
    }
    results
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let expected = Instructions::Portable.run(Everything);
    assert!(expected.len() > 20 * COUNT);
    for instructions in Instructions::available() {
        assert_eq!(instructions.run(Everything), expected, "{instructions}");
    }
}
