//! Named points, as every plot of lines takes them.

/// A line of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Where it goes through; any order, sorted from left to right when drawn.
    pub points: Vec<(f64, f64)>,
}
