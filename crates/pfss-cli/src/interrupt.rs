//! Ctrl-C and SIGTERM: the first asks for the best result so far, the second aborts.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use pfss_core::CancelFlag;

use crate::console::tell;
use crate::exit::INTERRUPTED;

/// Whether there was an interrupt.
static SEEN: AtomicBool = AtomicBool::new(false);

/// Whether there was an interrupt.
#[cfg(feature = "mpi")]
pub(crate) fn is_seen() -> bool {
    SEEN.load(Ordering::SeqCst)
}

/// A flag that the first interrupt raises. The second one ends the program at once, whatever it is doing.
pub(crate) fn install() -> anyhow::Result<CancelFlag> {
    let flag = CancelFlag::new();
    let raised = flag.clone();
    ctrlc::set_handler(move || {
        if SEEN.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED.into());
        }
        raised.cancel();
        #[cfg(feature = "train")]
        late::watch();
        if io::stderr().is_terminal() {
            tell("\ninterrupted: finishing with the best result so far; press Ctrl-C again to abort");
        }
    })
    .context("cannot watch for Ctrl-C and SIGTERM")?;
    Ok(flag)
}

#[cfg(feature = "train")]
pub(crate) use late::{end_within, unbroken};

/// The end of what cannot be asked to stop: a step on a GPU, a network that looks at a thousand instances.
#[cfg(feature = "train")]
mod late {
    use std::sync::{Mutex, PoisonError};
    use std::time::Duration;

    use crate::console::Console;
    use crate::exit::INTERRUPTED;

    /// After an interrupt, the program ends by itself within this time, or in the middle of what it does.
    const PATIENCE: Duration = Duration::from_millis(800);

    /// What is told where it ends in the middle; nothing where it may take its time.
    static FAREWELL: Mutex<Option<(&str, Console)>> = Mutex::new(None);
    /// Held while files are written.
    static WRITING: Mutex<()> = Mutex::new(());

    /// From now on an interrupt ends the program soon, whatever it is doing, and `farewell` is told then. Only for commands
    /// whose files are whole at any moment.
    pub(crate) fn end_within(farewell: &'static str, console: Console) {
        *FAREWELL.lock().unwrap_or_else(PoisonError::into_inner) = Some((farewell, console));
    }

    /// Writes files: the end waits for it.
    pub(crate) fn unbroken<R>(write: impl FnOnce() -> R) -> R {
        let _held = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        write()
    }

    /// There was an interrupt.
    pub(super) fn watch() {
        let Some((farewell, console)) = *FAREWELL.lock().unwrap_or_else(PoisonError::into_inner) else {
            return;
        };
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE);
            let _held = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
            console.warn(farewell);
            std::process::exit(INTERRUPTED.into());
        });
    }
}
