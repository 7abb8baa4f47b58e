//! XML read piece by piece in bounded memory.
//!
//! A workbook may come from anyone, so nothing that it says about itself is believed: each tag and each text, the depth
//! of tags and the number of inflated bytes are bounded while they are read. Entities of a document are not expanded.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesEnd, BytesRef, BytesStart, Event};

use super::error::unreadable;
use crate::error::ReadError;

/// The most bytes that one tag or one text may have. A cell of Excel holds 32,767 characters.
const LONGEST: usize = 1 << 20;
/// The most tags within each other.
const DEEPEST: usize = 64;

/// What comes next in a document.
pub(super) enum Node<'a> {
    /// A tag opens; one that closes itself is followed by its [`Node::Close`].
    Open(Tag<'a>),
    /// A tag closes.
    Close(Closed<'a>),
    /// Text between tags.
    Text(Cow<'a, str>),
    /// Comments and the like.
    Other,
    /// The document ends.
    End,
}

/// A tag with its attributes.
pub(super) struct Tag<'a>(BytesStart<'a>);

impl Tag<'_> {
    /// The name without its namespace.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The attribute of this name, with or without a namespace.
    pub(super) fn attribute(&self, name: &str) -> Result<Option<Cow<'_, str>>, ReadError> {
        // The check for attributes that stand twice is quadratic.
        for attribute in self.0.attributes().with_checks(false) {
            let attribute = attribute.map_err(unreadable)?;
            if attribute.key.local_name().into_inner() == name {
                return attribute.normalized_value(XmlVersion::Implicit1_0).map(Some).map_err(unreadable);
            }
        }
        Ok(None)
    }

    /// Whether an attribute is set.
    pub(super) fn flag(&self, name: &str) -> Result<bool, ReadError> {
        Ok(self.attribute(name)?.is_some_and(|value| value == "1" || value == "true"))
    }
}

/// The end of a tag.
pub(super) struct Closed<'a>(BytesEnd<'a>);

impl Closed<'_> {
    /// The name without its namespace.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }
}

/// A document that is being read.
pub(super) struct Xml<'a, R> {
    reader: quick_xml::Reader<Limited<'a, R>>,
    buffer: Vec<u8>,
    depth: usize,
}

impl<'a, R: BufRead> Xml<'a, R> {
    /// Reads a document; `left` is how many bytes it may still have, and is counted down.
    pub(super) fn new(document: R, left: &'a mut u64) -> Self {
        let mut reader = quick_xml::Reader::from_reader(Limited { document, left, piece: LONGEST });
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), depth: 0 }
    }

    /// What comes next.
    pub(super) fn next(&mut self) -> Result<Node<'_>, ReadError> {
        self.buffer.clear();
        self.reader.get_mut().piece = LONGEST;
        let event = self.reader.read_event_into(&mut self.buffer).map_err(failed)?;
        Ok(match event {
            Event::Start(tag) | Event::Empty(tag) => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(unreadable(format!("its tags are more than {DEEPEST} deep")));
                }
                Node::Open(Tag(tag))
            }
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                Node::Close(Closed(tag))
            }
            Event::Text(text) => Node::Text(text.xml10_content()),
            Event::CData(text) => Node::Text(text.xml10_content()),
            Event::GeneralRef(entity) => Node::Text(character(&entity)?),
            Event::Eof if self.depth > 0 => return Err(unreadable("a part of it ends too early")),
            Event::Eof => Node::End,
            _ => Node::Other,
        })
    }
}

fn failed(error: quick_xml::Error) -> ReadError {
    match error {
        quick_xml::Error::Io(error) => unreadable(error),
        error => unreadable(error),
    }
}

/// What a reference such as `&amp;` or `&#10;` stands for.
fn character(entity: &BytesRef<'_>) -> Result<Cow<'static, str>, ReadError> {
    if let Some(character) = entity.resolve_char_ref().map_err(unreadable)? {
        return Ok(Cow::Owned(character.to_string()));
    }
    let unknown = || unreadable("it defines entities of its own, which no spreadsheet program does");
    resolve_predefined_entity(entity).map(Cow::Borrowed).ok_or_else(unknown)
}

/// A document cut off with an error where it has more bytes than it may.
struct Limited<'a, R> {
    document: R,
    left: &'a mut u64,
    /// How many bytes the tag or text that is being read may still have.
    piece: usize,
}

impl<R: BufRead> BufRead for Limited<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if *self.left == 0 {
            return Err(io::Error::other("it inflates to more than is accepted; save the table as CSV"));
        }
        if self.piece == 0 {
            return Err(io::Error::other("one of its cells is too long"));
        }
        let bytes = self.document.fill_buf()?;
        let most = usize::try_from(*self.left).unwrap_or(usize::MAX).min(self.piece);
        Ok(&bytes[..bytes.len().min(most)])
    }

    fn consume(&mut self, amount: usize) {
        self.piece = self.piece.saturating_sub(amount);
        *self.left = self.left.saturating_sub(amount as u64);
        self.document.consume(amount);
    }
}

impl<R: BufRead> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let amount = bytes.len().min(buffer.len());
        buffer[..amount].copy_from_slice(&bytes[..amount]);
        self.consume(amount);
        Ok(amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of a document, or why it is refused.
    fn texts(document: &str, mut left: u64) -> Result<String, String> {
        let mut xml = Xml::new(document.as_bytes(), &mut left);
        let mut texts = String::new();
        loop {
            match xml.next().map_err(|error| error.to_string())? {
                Node::Text(text) => texts.push_str(&text),
                Node::End => return Ok(texts),
                _ => {}
            }
        }
    }

    #[test]
    fn documents_are_bounded() {
        assert_eq!(texts("<a>x &amp; <b/><![CDATA[<y>]]>&#33;</a>", 1000).unwrap(), "x & <y>!");
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>";
        for (document, left, part) in [
            (bomb.to_string(), 1000, "entities of its own"),
            ("<a>".repeat(100), 1000, "64 deep"),
            (format!("<a b=\"{}\"/>", "x".repeat(LONGEST)), u64::MAX, "too long"),
            (format!("<a>{}</a>", "x".repeat(LONGEST)), u64::MAX, "too long"),
            ("<a>xxxxxxxxxxxx</a>".to_string(), 10, "inflates to more"),
            ("<a><b></b>".to_string(), 100, "ends too early"),
        ] {
            let message = texts(&document, left).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
