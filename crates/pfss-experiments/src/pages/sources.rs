//! The files that the blocks are made from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pfss_io::xz;

use super::{MeasuredRow, Origin, PageError, Rows};

/// The rows of one file.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Where and when they were measured.
    pub origin: Origin,
    /// All of them, in the order of the file.
    pub rows: Vec<MeasuredRow>,
}

/// All files of rows, and the root of the project for what else is read.
#[derive(Clone, Debug)]
pub struct Sources {
    files: BTreeMap<String, Measured>,
    root: PathBuf,
}

/// The files below `experiments/measured`.
const FILES: [&str; 12] = [
    "baselines",
    "benchmarks",
    "exact",
    "instructions",
    "learning",
    "long",
    "planning",
    "policy",
    "short",
    "threads",
    "tsp",
    "two-threads",
];

impl Sources {
    /// Reads the files of a project.
    ///
    /// # Errors
    /// [`PageError`] names the file that is missing or malformed.
    pub fn read(root: &Path) -> Result<Self, PageError> {
        let read = |name: &&str| {
            let path = root.join(format!("experiments/measured/{name}.csv"));
            Ok((name.to_string(), Measured::parse(&path, &read_text(&path)?)?))
        };
        Ok(Self {
            files: FILES.iter().map(read).collect::<Result<_, PageError>>()?,
            root: root.to_path_buf(),
        })
    }

    /// The file of this name.
    ///
    /// # Errors
    /// [`PageError::UnknownBlock`] when there is none.
    pub fn measured(&self, file: &str) -> Result<&Measured, PageError> {
        self.files.get(file).ok_or_else(|| PageError::UnknownBlock(file.to_string()))
    }

    /// All files, by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Measured)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// The rows of a table, at least one.
    ///
    /// # Errors
    /// [`PageError::NoRows`] when there are none.
    pub fn table(&self, file: &str, table: &str) -> Result<Rows<'_>, PageError> {
        let rows = Rows::new(self.measured(file)?.rows.iter().filter(|row| row.table == table));
        if rows.is_empty() {
            return Err(PageError::NoRows { file: file.to_string(), table: table.to_string() });
        }
        Ok(rows)
    }

    /// A text file of the project that is compressed.
    pub(super) fn compressed(&self, path: &str) -> Result<String, PageError> {
        let path = self.root.join(path);
        let bytes = std::fs::read(&path).map_err(|source| PageError::Io { path: path.clone(), source })?;
        let malformed = |reason: String| PageError::Malformed { path: path.clone(), reason };
        let text = xz::decompress(&bytes).map_err(|error| malformed(error.to_string()))?;
        String::from_utf8(text).map_err(|error| malformed(error.to_string()))
    }

    /// A text file of the project.
    pub(super) fn text(&self, path: &str) -> Result<String, PageError> {
        read_text(&self.root.join(path))
    }
}

impl Measured {
    /// Reads rows with their head.
    ///
    /// # Errors
    /// [`PageError::Malformed`] when a line is no row.
    pub fn parse(path: &Path, text: &str) -> Result<Self, PageError> {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let malformed = |reason: String| PageError::Malformed { path: path.to_path_buf(), reason };
        let rows: Result<Vec<MeasuredRow>, csv::Error> = reader.deserialize().collect();
        let rows = rows.map_err(|error| malformed(error.to_string()))?;
        if let Some(row) = rows.iter().find(|row| !row.is_finite()) {
            return Err(malformed(format!("a number is not finite: {row:?}")));
        }
        Ok(Self { origin: Origin::parse(text), rows })
    }
}

/// The text of a file.
pub(super) fn read_text(path: &Path) -> Result<String, PageError> {
    std::fs::read_to_string(path).map_err(|source| PageError::Io { path: path.to_path_buf(), source })
}
