//! Open nodes in a form that can leave a search: for other processes, and for files.

use std::fmt;
use std::str::FromStr;

use super::node::End;
use crate::JobId;

/// A node of the bidirectional tree whose subtree is still to be searched.
///
/// As text it is one line: bound, share, then each placed job from the root on, `+` at the front and `-` at the back.
///
/// ```
/// use pfss_core::tree::OpenNode;
/// let node: OpenNode = "1278 0.25 +3 -0 +12".parse().unwrap();
/// assert_eq!((node.bound, node.placements.len()), (1278.0, 3));
/// assert_eq!(node.to_string(), "1278 0.25 +3 -0 +12");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OpenNode {
    /// The jobs that are placed and at which end, from the root on.
    pub placements: Vec<(JobId, End)>,
    /// No order below costs less.
    pub bound: f64,
    /// Its part of the whole tree.
    pub share: f64,
}

impl fmt::Display for OpenNode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rust writes a real in as many digits as tell it from all others.
        write!(out, "{} {}", self.bound, self.share)?;
        for (job, end) in &self.placements {
            let sign = if *end == End::Front { '+' } else { '-' };
            write!(out, " {sign}{job}")?;
        }
        Ok(())
    }
}

/// A text is no open node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no open node; expected a bound, a share and placed jobs, such as `1278 0.25 +3 -0`")]
pub struct OpenNodeError;

impl FromStr for OpenNode {
    type Err = OpenNodeError;

    fn from_str(text: &str) -> Result<Self, OpenNodeError> {
        let mut words = text.split_ascii_whitespace();
        let mut real = || {
            let value = words.next().and_then(|word| word.parse::<f64>().ok());
            value.filter(|value| value.is_finite() && *value >= 0.0).ok_or(OpenNodeError)
        };
        let (bound, share) = (real()?, real()?);
        let placement = |word: &str| {
            let end = match word.as_bytes().first() {
                Some(b'+') => End::Front,
                Some(b'-') => End::Back,
                _ => return Err(OpenNodeError),
            };
            let digits = &word[1..];
            let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            let job = digits.parse().ok().filter(|_| is_number);
            Ok((job.ok_or(OpenNodeError)?, end))
        };
        Ok(Self { placements: words.map(placement).collect::<Result<_, _>>()?, bound, share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_back_to_the_last_bit() {
        for (bound, share) in [(0.0, 1.0), (1278.0, 1.0 / 3.0), (0.1 + 0.2, 1e-300)] {
            let node = OpenNode { placements: vec![(7, End::Back), (0, End::Front)], bound, share };
            assert_eq!(node.to_string().parse(), Ok(node));
        }
        let root = OpenNode { placements: vec![], bound: 0.0, share: 1.0 };
        assert_eq!(root.to_string().parse(), Ok(root));
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in [
            "",
            "1",
            "x 1",
            "1 1 3",
            "1 1 +",
            "1 1 +-3",
            "-1 1",
            "1 NaN",
            "inf 1",
            "1 1 +99999999999",
            "1 1 é",
        ] {
            assert_eq!(wrong.parse::<OpenNode>(), Err(OpenNodeError), "{wrong}");
        }
    }
}
