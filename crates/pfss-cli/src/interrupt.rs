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
        if io::stderr().is_terminal() {
            tell("\ninterrupted: finishing with the best result so far; press Ctrl-C again to abort");
        }
    })
    .context("cannot watch for Ctrl-C and SIGTERM")?;
    Ok(flag)
}
