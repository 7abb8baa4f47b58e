//! The legend above a plot: one swatch and name per series, in as many lines as they need.

use crate::colour::NUM_SERIES_COLOURS;
use crate::svg::{Svg, fitted, text_width};

/// How a swatch looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swatch {
    /// A stroke in the series' colour and dash pattern.
    Line,
    /// A filled box in the series' colour.
    Box,
}

const FONT_SIZE: f64 = 12.0;
const SWATCH: f64 = 22.0;
const LINE_HEIGHT: f64 = 20.0;
const MOST_TEXT: f64 = 260.0;

/// The class that gives a series its colour.
pub(crate) fn series_class(index: usize) -> String {
    format!("s{}", index % NUM_SERIES_COLOURS)
}

/// The dash pattern of a series: solid for the first colours, then one pattern per repetition.
pub(crate) fn series_dash(index: usize) -> &'static str {
    ["none", "7 3", "2 3", "9 3 2 3"][index / NUM_SERIES_COLOURS % 4]
}

/// A legend with the position of each entry.
pub(crate) struct Legend<'a> {
    swatch: Swatch,
    entries: Vec<(f64, f64, &'a str)>,
    /// An entry of no series: a dashed line in grey.
    dashed: Option<(f64, f64, &'a str)>,
    width: f64,
    /// Where the next entry goes.
    next: (f64, f64),
    /// The height of all lines.
    pub(crate) height: f64,
}

impl<'a> Legend<'a> {
    /// Places the names in lines of at most `width`. A single name that says nothing needs no legend.
    pub(crate) fn new(names: &[&'a str], swatch: Swatch, width: f64) -> Self {
        let mut legend =
            Self { swatch, entries: Vec::new(), dashed: None, width, next: (0.0, 0.0), height: 0.0 };
        for &name in names {
            let entry = legend.place(name);
            legend.entries.push(entry);
        }
        legend
    }

    /// Adds an entry for dashed lines of all colours.
    pub(crate) fn with_dashed(mut self, name: &'a str) -> Self {
        self.dashed = Some(self.place(name));
        self
    }

    /// The next place, with this name.
    fn place(&mut self, name: &'a str) -> (f64, f64, &'a str) {
        let needed = SWATCH + 7.0 + text_width(name, FONT_SIZE).min(MOST_TEXT) + 18.0;
        let (mut x, mut y) = self.next;
        if x > 0.0 && x + needed > self.width {
            (x, y) = (0.0, y + LINE_HEIGHT);
        }
        self.next = (x + needed, y);
        self.height = y + LINE_HEIGHT;
        (x, y, name)
    }

    /// Draws the legend with its upper left corner at this point.
    pub(crate) fn draw(&self, svg: &mut Svg, left: f64, top: f64) {
        for (index, &(x, y, name)) in self.entries.iter().enumerate() {
            let (x, middle) = (left + x, top + y + LINE_HEIGHT / 2.0);
            let class = series_class(index);
            match self.swatch {
                Swatch::Line => svg.element(
                    "line",
                    &[
                        ("x1", x.into()),
                        ("y1", middle.into()),
                        ("x2", (x + SWATCH).into()),
                        ("y2", middle.into()),
                        ("class", format!("step {class}").into()),
                        ("stroke-dasharray", series_dash(index).into()),
                    ],
                ),
                Swatch::Box => svg.element(
                    "rect",
                    &[
                        ("x", (x + 5.0).into()),
                        ("y", (middle - 6.0).into()),
                        ("width", 12.0.into()),
                        ("height", 12.0.into()),
                        ("class", format!("box {class}").into()),
                    ],
                ),
            }
            svg.label(x + SWATCH + 7.0, middle + 4.0, "name", &fitted(name, FONT_SIZE, MOST_TEXT));
        }
        if let Some((x, y, name)) = self.dashed {
            let (x, middle) = (left + x, top + y + LINE_HEIGHT / 2.0);
            svg.line((x, middle), (x + SWATCH, middle), "reference");
            svg.label(x + SWATCH + 7.0, middle + 4.0, "name", &fitted(name, FONT_SIZE, MOST_TEXT));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_wrap_and_never_overlap() {
        let names = ["iterated-greedy", "random-search", "palmer", "branch-and-bound"];
        let legend = Legend::new(&names, Swatch::Line, 320.0);
        assert!(legend.height > LINE_HEIGHT);
        for pair in legend.entries.windows(2) {
            assert!(pair[1].1 > pair[0].1 || pair[1].0 > pair[0].0 + SWATCH);
        }
    }

    #[test]
    fn repeated_colours_differ_by_their_dashes() {
        assert_eq!(series_class(0), series_class(8));
        assert_ne!(series_dash(0), series_dash(8));
    }
}
