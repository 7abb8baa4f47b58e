//! Numbers inside of the tables, and what they stand for outside.

/// A number inside a kernel that stands for a number of type `T` outside.
pub(super) trait Inside<T>: Copy + PartialEq + PartialOrd + Send + Sync + 'static {
    fn outside(self) -> T;
    /// The nearest number of this type.
    fn inside(value: T) -> Self;
}

impl Inside<u32> for u16 {
    fn outside(self) -> u32 {
        u32::from(self)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the nearest number of this type, without a branch")]
    fn inside(value: u32) -> u16 {
        value.min(u32::from(u16::MAX)) as u16
    }
}

impl Inside<u32> for u32 {
    fn outside(self) -> u32 {
        self
    }

    fn inside(value: u32) -> u32 {
        value
    }
}

impl Inside<f64> for f64 {
    fn outside(self) -> f64 {
        self
    }

    fn inside(value: f64) -> f64 {
        value
    }
}
