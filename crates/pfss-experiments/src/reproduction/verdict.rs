//! What the paper claims, and what became of it.

use serde::Deserialize;

/// A claim of the paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// In a few words.
    pub claim: String,
    /// Where it stands.
    pub paper: String,
    /// The plan whose results judge it.
    pub plan: String,
    /// What was measured, with places for numbers of the plan.
    pub measured: String,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Verdict {
    /// It comes out here.
    #[serde(rename = "holds")]
    Holds,
    /// Some of it does.
    #[serde(rename = "holds in part")]
    HoldsInPart,
    /// Another thing comes out.
    #[serde(rename = "does not hold")]
    DoesNotHold,
    /// What was measured does not tell.
    #[serde(rename = "cannot be judged")]
    CannotBeJudged,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsInPart => "holds in part",
            Self::DoesNotHold => "does not hold",
            Self::CannotBeJudged => "cannot be judged",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    verdicts: Vec<Claim>,
}

/// The claims of the paper, the most important first.
///
/// # Errors
/// When the file that comes with the program is wrong.
pub fn claims() -> Result<Vec<Claim>, toml::de::Error> {
    toml::from_str(include_str!("../../plans/verdicts.toml")).map(|file: File| file.verdicts)
}
