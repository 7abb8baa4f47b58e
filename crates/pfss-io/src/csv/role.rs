//! What a column holds, by what stands above it or by what the caller says.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What a column of a table of jobs holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The names of the jobs.
    Job,
    /// Times on a machine, whose name stands above.
    Machine,
    /// When jobs are released.
    Release,
    /// When jobs are due.
    Due,
    /// What a unit of time late, or of completion, costs.
    Weight,
    /// The families of the jobs.
    Family,
    /// Nothing that matters here.
    Ignore,
}

/// Words that head a column of this role, without blanks, `_` and `-`. One row for each role; words of other languages are
/// added to it.
const WORDS: [(Role, &[&str]); 5] = [
    (Role::Job, &["job", "jobs", "jobid", "jobname", "jobno", "jobnr", "jobnumber"]),
    (
        Role::Release,
        &[
            "release",
            "releasedate",
            "releasetime",
            "released",
            "ready",
            "readydate",
            "readytime",
            "earlieststart",
            "freigabe",
            "freigabedatum",
            "freigabetermin",
            "frühesterstart",
            "dateauplustôt",
            "fechadeliberación",
            "datadirilascio",
        ],
    ),
    (
        Role::Due,
        &[
            "due",
            "duedate",
            "duetime",
            "deadline",
            "deliverydate",
            "liefertermin",
            "lieferdatum",
            "fällig",
            "fälligkeit",
            "fälligam",
            "endtermin",
            "échéance",
            "datedelivraison",
            "fechadeentrega",
            "fechalímite",
            "scadenza",
            "datadiconsegna",
        ],
    ),
    (
        Role::Weight,
        &[
            "weight",
            "jobweight",
            "priority",
            "gewicht",
            "priorität",
            "poids",
            "priorité",
            "peso",
            "prioridad",
            "priorità",
        ],
    ),
    (
        Role::Family,
        &[
            "family",
            "jobfamily",
            "productfamily",
            "setupfamily",
            "setupgroup",
            "familie",
            "rüstfamilie",
            "rüstgruppe",
            "produktfamilie",
            "famille",
            "familia",
            "famiglia",
        ],
    ),
];

/// What the first cell of a header is called above a column of names, beside the words for jobs.
const CORNERS: [&str; 30] = [
    "name",
    "names",
    "id",
    "index",
    "machine",
    "machines",
    "no",
    "no.",
    "nr",
    "nr.",
    "#",
    "number",
    "order",
    "orders",
    "orderid",
    "orderno",
    "orderno.",
    "ordernr",
    "ordernumber",
    "auftrag",
    "aufträge",
    "auftragsnr",
    "auftragsnr.",
    "auftragsnummer",
    "nummer",
    "commande",
    "pedido",
    "orden",
    "ordine",
    "commessa",
];

/// How many words a heading of [`WORDS`] has at most.
const LONGEST: usize = 4;

impl Role {
    /// All roles.
    pub const ALL: [Self; 7] =
        [Self::Job, Self::Machine, Self::Due, Self::Release, Self::Weight, Self::Family, Self::Ignore];

    /// The name of the role, as callers say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Job => "job",
            Self::Machine => "machine",
            Self::Release => "release",
            Self::Due => "due",
            Self::Weight => "weight",
            Self::Family => "family",
            Self::Ignore => "ignore",
        }
    }

    /// What a heading says, in any case, with or without blanks, `_` and `-`: what it does not know is a machine.
    pub fn of(heading: &str) -> Self {
        let word = squeezed(heading);
        let row = WORDS.iter().find(|(_, words)| words.contains(&word.as_str()));
        row.map_or(Self::Machine, |(role, _)| *role)
    }

    /// What a heading may be about that holds a known word among others: `due (Monday)`.
    pub fn hinted_at(heading: &str) -> Option<Self> {
        let words: Vec<&str> =
            heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let runs = (1..=LONGEST).flat_map(|length| words.windows(length));
        runs.map(|run| Self::of(&run.concat())).find(|role| role.is_attribute())
    }

    /// Whether it is an attribute of jobs.
    pub fn is_attribute(self) -> bool {
        matches!(self, Self::Release | Self::Due | Self::Weight | Self::Family)
    }
}

/// Whether the first cell of a header stands above names.
pub(super) fn is_corner(cell: &str) -> bool {
    CORNERS.contains(&squeezed(cell).as_str()) || Role::of(cell) == Role::Job
}

/// A heading as it is compared.
pub(super) fn squeezed(heading: &str) -> String {
    heading.to_lowercase().chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-')).collect()
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a caller says about columns cannot be understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// It is no assignment.
    #[error("found `{found}`, expected HEADING=MEANING, such as \"Liefertermin=due\" or 1=job")]
    NoAssignment {
        /// What was said.
        found: String,
    },
    /// There is no such role.
    #[error("a column cannot be `{found}`; it can be {}", Role::ALL.map(Role::name).join(", "))]
    UnknownRole {
        /// What was said.
        found: String,
    },
}

impl FromStr for Role {
    type Err = ColumnError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let word = name.trim().to_lowercase();
        let role = Self::ALL.into_iter().find(|role| role.name() == word);
        role.ok_or_else(|| ColumnError::UnknownRole { found: name.to_string() })
    }
}

/// What a caller says about a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSetting {
    /// What stands above it, or its number, counted from 1.
    pub column: String,
    /// What it holds.
    pub role: Role,
}

impl FromStr for ColumnSetting {
    type Err = ColumnError;

    /// Reads `HEADING=MEANING`; the last `=` counts.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some((column, role)) = text.rsplit_once('=').filter(|(column, _)| !column.trim().is_empty())
        else {
            return Err(ColumnError::NoAssignment { found: text.to_string() });
        };
        Ok(Self { column: column.trim().to_string(), role: role.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_one_role_and_is_found() {
        for (role, words) in WORDS {
            for word in words {
                assert_eq!(squeezed(word), *word);
                assert_eq!(Role::of(word), role, "{word}");
                assert!(!CORNERS.contains(word), "{word}");
            }
        }
        assert!(CORNERS.iter().all(|word| squeezed(word) == *word && Role::of(word) == Role::Machine));
    }

    #[test]
    fn headings_that_only_contain_a_word_are_told() {
        for (heading, role) in [
            ("due (Monday)", Some(Role::Due)),
            ("planned release date", Some(Role::Release)),
            ("order priority", Some(Role::Weight)),
            ("set-up group no", Some(Role::Family)),
            ("saw", None),
            ("residue", None),
            ("weighting", None),
            ("job 2", None),
        ] {
            assert_eq!((Role::of(heading), Role::hinted_at(heading)), (Role::Machine, role), "{heading}");
        }
    }

    #[test]
    fn settings_are_read_or_refused() {
        let setting: ColumnSetting = "a=b = due".parse().unwrap();
        assert_eq!((setting.column.as_str(), setting.role), ("a=b", Role::Due));
        for (text, part) in
            [("due", "HEADING=MEANING"), ("=due", "HEADING=MEANING"), ("x=date", "a column cannot be `date`")]
        {
            let message = text.parse::<ColumnSetting>().unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
