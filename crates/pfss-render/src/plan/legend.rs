//! What the signs of a chart mean.

use crate::svg::{Svg, text_width};

/// A sign and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Setup,
    Break,
    Closed,
    Blocked,
    Due,
    Late,
}

impl Sign {
    fn name(self) -> &'static str {
        match self {
            Self::Setup => "set-up",
            Self::Break => "break",
            Self::Closed => "not yet available",
            Self::Blocked => "done, but cannot leave the machine",
            Self::Due => "due date",
            Self::Late => "late (! on the bar)",
        }
    }
}

/// Draws the signs in one line.
pub(super) fn draw(svg: &mut Svg, signs: &[Sign], left: f64, y: f64) {
    let mut x = left;
    for sign in signs {
        match sign {
            Sign::Setup => swatch(svg, x, y, "setup"),
            Sign::Break => swatch(svg, x, y, "break"),
            Sign::Closed => swatch(svg, x, y, "closed"),
            Sign::Blocked => swatch(svg, x, y, "blocked"),
            Sign::Due => diamond(svg, x + 9.0, y - 4.0, "due", None),
            Sign::Late => {
                svg.line((x, y - 4.0), (x + 18.0, y - 4.0), "late-line");
                diamond(svg, x + 9.0, y - 4.0, "late", None);
            }
        }
        svg.label(x + 24.0, y, "note", sign.name());
        x += 24.0 + text_width(sign.name(), 12.0) + 20.0;
    }
}

fn swatch(svg: &mut Svg, x: f64, y: f64, class: &str) {
    let attributes = [
        ("class", class.into()),
        ("x", x.into()),
        ("y", (y - 10.0).into()),
        ("width", 18.0.into()),
        ("height", 12.0.into()),
    ];
    svg.element("rect", &attributes);
}

/// A diamond around a point.
pub(super) fn diamond(svg: &mut Svg, x: f64, y: f64, class: &str, title: Option<&str>) {
    let number = crate::number::coordinate;
    let path = format!("M{} {}l4.5 4.5l-4.5 4.5l-4.5 -4.5Z", number(x), number(y - 4.5));
    let attributes = [("class", class.into()), ("d", path.into())];
    match title {
        Some(title) => svg.titled("path", &attributes, title),
        None => svg.element("path", &attributes),
    }
}
