//! Standard output, output files, and whether they can be written before the work starts.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};

/// What stands for the instance's name in a path.
pub(crate) const PLACEHOLDER: &str = "{name}";

/// Standard output cannot be written.
#[derive(Debug)]
pub(crate) struct StdoutError(pub(crate) io::Error);

impl fmt::Display for StdoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "standard output: cannot write: {}", self.0)
    }
}

impl std::error::Error for StdoutError {}

/// Writes text to standard output at once, so that the next program in a pipe sees each result as it comes.
pub(crate) fn print(text: &str) -> Result<(), StdoutError> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// Lets `write` write to standard output.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), StdoutError> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(StdoutError)
}

/// Whether the path is a terminal, a pipe or a device, which take data but have no content to replace.
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Fails when a file could not be written here, so that no work is done in vain. Commands ask [`crate::gate::FileGate`], which
/// asks here.
pub(crate) fn check_writable(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            bail!("{shown}: cannot write: this is a folder; name a file in it")
        }
        Ok(metadata) if metadata.is_file() && metadata.permissions().readonly() => {
            bail!("{shown}: cannot write: the file is read-only")
        }
        Ok(metadata) if !metadata.is_file() => return Ok(()),
        _ => {}
    }
    if path.file_name().is_none() {
        bail!("`{shown}`: cannot write: this names no file");
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        bail!("{shown}: cannot write: there is no folder {}", folder.display());
    }
    // Permissions and read-only file systems show only when one tries.
    tempfile::Builder::new()
        .prefix(".pfss-")
        .tempfile_in(folder)
        .with_context(|| format!("{shown}: cannot write into folder {}", folder.display()))?;
    Ok(())
}

/// A kind of picture, chosen by the file's ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    /// Scalable vector graphics.
    Svg,
    /// One self-contained page.
    Html,
}

impl Picture {
    /// The kind that the path's ending names; `-` (standard output) takes SVG.
    pub(crate) fn of(path: &Path) -> anyhow::Result<Self> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("html" | "htm") => Ok(Self::Html),
            None if path.as_os_str() == "-" => Ok(Self::Svg),
            _ => bail!("{}: a picture's name must end in .svg or .html", path.display()),
        }
    }
}

/// Writes text to a file in one step, or to standard output for `-`.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        print(text)?;
    } else {
        pfss_io::atomic::write(path, text.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_by_their_ending() {
        assert_eq!(Picture::of(Path::new("a.SVG")).unwrap(), Picture::Svg);
        assert_eq!(Picture::of(Path::new("a.html")).unwrap(), Picture::Html);
        assert!(Picture::of(Path::new("a.png")).is_err());
        assert!(Picture::of(Path::new("svg")).is_err());
    }

    #[test]
    fn targets_are_tested_without_leaving_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        check_writable(&path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(check_writable(folder.path()).unwrap_err().to_string().contains("this is a folder"));
        let error = check_writable(&folder.path().join("no").join("a.json")).unwrap_err();
        assert!(error.to_string().contains("there is no folder"), "{error}");
    }
}
