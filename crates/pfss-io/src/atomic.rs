//! Files that are never seen half written.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

/// A file could not be written; what was there before is untouched.
#[derive(Debug, Error)]
#[error("{}: cannot write: {source}", path.display())]
pub struct WriteFileError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Writes a file in one step: readers see the old content or the new one, nothing in between, and so does who looks after
/// a power cut.
///
/// The content goes to a temporary file in the same folder, is brought to the disk, and takes the place of `path`; the
/// folder is brought to the disk after it. That takes a millisecond on a solid-state disk and some ten on a turning one:
/// who writes while something is computed does so from a thread of its own. A link is followed, an existing file keeps its
/// permissions, and what is no plain file (`/dev/stdout`, a pipe) is written directly.
///
/// # Errors
/// [`WriteFileError`] names the path.
pub fn write(path: &Path, content: &[u8]) -> Result<(), WriteFileError> {
    replace(path, content, &System).map_err(|source| WriteFileError { path: path.to_path_buf(), source })
}

/// What a file goes through on its way, one after the other.
trait Disk {
    /// Waits until the content is on the disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Puts a file in the place of another.
    fn rename(&self, file: NamedTempFile, target: &Path) -> io::Result<()>;
    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

struct System;

impl Disk for System {
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, file: NamedTempFile, target: &Path) -> io::Result<()> {
        file.persist(target).map(drop).map_err(|error| error.error)
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // The file is in its place. Folders that may be written but not read, and those of some networks, are
            // brought to the disk in the system's own time.
            Err(error) if matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) => Ok(()),
            synced => synced,
        }
    }

    /// Elsewhere folders cannot be opened; the system keeps a journal of names.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

fn replace(path: &Path, content: &[u8], disk: &impl Disk) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return fs::OpenOptions::new().write(true).open(&target)?.write_all(content);
    }
    if existing.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pfss-");
    if let Some(permissions) = default_permissions() {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    if let Some(metadata) = existing {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    // A file that is renamed before its content is on the disk may be empty after a power cut, and the old one gone.
    disk.sync(file.as_file())?;
    disk.rename(file, &target)?;
    disk.sync_folder(folder)
}

/// What a new file gets before the user's mask is applied; temporary files are otherwise private.
#[cfg(unix)]
fn default_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Notes what happens, and what the file held when it took its place.
    #[derive(Default)]
    struct Notes(std::cell::RefCell<Vec<String>>);

    impl Disk for Notes {
        fn sync(&self, file: &File) -> io::Result<()> {
            self.0.borrow_mut().push(format!("{} bytes", file.metadata()?.len()));
            System.sync(file)
        }

        fn rename(&self, file: NamedTempFile, target: &Path) -> io::Result<()> {
            self.0.borrow_mut().push(format!("to {}", target.file_name().unwrap().display()));
            System.rename(file, target)
        }

        fn sync_folder(&self, folder: &Path) -> io::Result<()> {
            self.0.borrow_mut().push(format!("folder of {}", names(folder).join(" ")));
            System.sync_folder(folder)
        }
    }

    /// A file was renamed while its content was still on the way to the disk.
    #[test]
    fn the_content_is_on_the_disk_before_the_name_and_the_name_before_the_return() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Notes::default();
        replace(&folder.path().join("a.json"), b"one", &notes).unwrap();
        assert_eq!(*notes.0.borrow(), ["3 bytes", "to a.json", "folder of a.json"]);
    }

    #[test]
    fn replaces_the_content_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn errors_name_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("a.json");
        let error = write(&path, b"one").unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}: cannot write", path.display())), "{error}");
        let error = write(folder.path(), b"one").unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn keeps_permissions_and_follows_links() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, b"one").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o600, 0o600);
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
