//! Writing SVG: elements, escaped text, and how wide a text will be.

use std::borrow::Cow;

use crate::number::coordinate;

/// The look of every chart, scoped to its root so that charts can stand inside other pages.
const STYLE: &str = include_str!("chart.css");

/// The value of an attribute.
pub(crate) enum Value<'a> {
    Number(f64),
    Text(Cow<'a, str>),
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

/// An attribute: its name and value.
pub(crate) type Attribute<'a> = (&'a str, Value<'a>);

/// An SVG document that is being written; every text and attribute is escaped on the way in.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// Starts a document of this size with the shared style and background.
    pub(crate) fn new(width: f64, height: f64, description: &str) -> Self {
        let mut svg = Self { text: String::new() };
        let size = format!("0 0 {} {}", coordinate(width), coordinate(height));
        svg.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg".into()),
                ("class", "pfss-chart".into()),
                ("width", width.into()),
                ("height", height.into()),
                ("viewBox", size.into()),
                ("role", "img".into()),
                ("aria-label", description.into()),
            ],
        );
        svg.text.push_str("<style>\n");
        svg.text.push_str(STYLE);
        svg.text.push_str("</style>\n");
        svg.element(
            "rect",
            &[("class", "background".into()), ("width", width.into()), ("height", height.into())],
        );
        svg
    }

    /// More style for what only some charts have.
    pub(crate) fn style(&mut self, style: &str) {
        self.text.push_str("<style>\n");
        self.text.push_str(style);
        self.text.push_str("</style>\n");
    }

    /// An element without content.
    pub(crate) fn element(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.start(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with a tooltip.
    pub(crate) fn titled(&mut self, name: &str, attributes: &[Attribute<'_>], title: &str) {
        self.start(name, attributes);
        self.text.push_str("><title>");
        self.text.push_str(&escape(title));
        self.text.push_str("</title></");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    /// A text that belongs to the picture but is not drawn.
    pub(crate) fn description(&mut self, content: &str) {
        self.start("desc", &[]);
        self.text.push('>');
        self.text.push_str(&escape(content));
        self.text.push_str("</desc>\n");
    }

    /// A line of text.
    pub(crate) fn label(&mut self, x: f64, y: f64, class: &str, content: &str) {
        self.text_element(&[("x", x.into()), ("y", y.into()), ("class", class.into())], content);
    }

    /// A line of text with any attributes.
    pub(crate) fn text_element(&mut self, attributes: &[Attribute<'_>], content: &str) {
        self.start("text", attributes);
        self.text.push('>');
        self.text.push_str(&escape(content));
        self.text.push_str("</text>\n");
    }

    /// A straight line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.element(
            "line",
            &[
                ("x1", from.0.into()),
                ("y1", from.1.into()),
                ("x2", to.0.into()),
                ("y2", to.1.into()),
                ("class", class.into()),
            ],
        );
    }

    /// Opens an element that holds others.
    pub(crate) fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.start(name, attributes);
        self.text.push_str(">\n");
    }

    /// Closes an element opened by [`Svg::open`].
    pub(crate) fn close(&mut self, name: &str) {
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    /// Ends the document.
    pub(crate) fn finish(mut self) -> String {
        self.close("svg");
        self.text
    }

    fn start(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            self.text.push(' ');
            self.text.push_str(key);
            self.text.push_str("=\"");
            match value {
                Value::Number(number) => self.text.push_str(&coordinate(*number)),
                Value::Text(text) => self.text.push_str(&escape(text)),
            }
            self.text.push('"');
        }
    }
}

/// Text as XML and HTML show it: markup characters become entities, characters that XML forbids vanish.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| !matches!(c, '<' | '>' | '&' | '"' | '\'') && is_xml(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars().filter(|&c| is_xml(c)) {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

/// Whether XML 1.0 allows the character.
fn is_xml(c: char) -> bool {
    !matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

/// How wide a text is at a font size, on the safe side for usual sans-serif fonts.
pub(crate) fn text_width(text: &str, font_size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.36,
            'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.96,
            'A'..='Z' => 0.72,
            c if (c as u32) < 0x2000 => 0.62,
            _ => 1.05,
        })
        .sum();
    ems * font_size
}

/// The text, cut with an ellipsis where it is wider than `limit`.
pub(crate) fn fitted(text: &str, font_size: f64, limit: f64) -> Cow<'_, str> {
    if text_width(text, font_size) <= limit {
        return Cow::Borrowed(text);
    }
    let mut kept = String::new();
    let mut width = font_size;
    for c in text.chars() {
        width += text_width(c.encode_utf8(&mut [0; 4]), font_size);
        if width > limit {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_forbidden_characters_are_escaped() {
        assert_eq!(escape("plain ü 日"), "plain ü 日");
        assert_eq!(escape("</script>&\"'\u{0}"), "&lt;/script&gt;&amp;&quot;&#39;");
        let mut svg = Svg::new(10.0, 10.0, "\"><script>");
        svg.titled("rect", &[("fill", "a\"b".into())], "x<y");
        let text = svg.finish();
        assert!(!text.contains("<script>") && text.contains("fill=\"a&quot;b\"") && text.contains("x&lt;y"));
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(fitted("short", 12.0, 200.0), "short");
        let cut = fitted("a very long machine name", 12.0, 80.0);
        assert!(cut.ends_with('…') && text_width(&cut, 12.0) <= 84.0, "{cut}");
    }
}
