//! `pfss serve`: the page that a planner opens.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use pfss_server::{Bounds, Server, ServerConfig};

use crate::args::ServeArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::machine::cores;
use crate::{interrupt, machine, output};

/// A token that is shorter can be guessed.
const SHORTEST_TOKEN: usize = 16;

/// Serves until it is interrupted.
pub(super) fn run(args: &ServeArgs, console: Console) -> anyhow::Result<Exit> {
    let token = args.token_file.as_deref().map(read_token).transpose()?;
    if !args.listen.ip().is_loopback() && token.is_none() && !args.no_auth {
        bail!(
            "{} can be reached from other machines: give a token with `--token-file FILE`, or allow everybody with `--no-auth`",
            args.listen
        );
    }
    let store = match &args.store {
        Some(store) => store.clone(),
        None => data_folder().context("there is no data folder of the user; name one with `--store DIR`")?,
    };
    let cores = cores();
    let config = ServerConfig {
        listen: args.listen,
        store: store.clone(),
        workers: args.workers.map_or(cores.div_ceil(2), usize::from),
        max_time: args.max_time,
        token,
        origins: args.origin.clone(),
        cores,
        memory: args.memory.unwrap_or_else(machine::default_budget),
        bounds: Bounds::default(),
    };
    let workers = config.workers;
    let end = interrupt::install()?;
    let server = Server::new(config)?;
    let url = format!("http://{}/", server.address());
    output::print(&format!("{url}\n"))?;
    console.note(&format!("{workers} jobs at a time, kept in {}", store.display()));
    if args.open && !open(&url) {
        console.warn(&format!("no browser could be started; open {url}"));
    }
    server.run(&end)?;
    Ok(Exit::Success)
}

fn read_token(path: &Path) -> anyhow::Result<String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{shown}: cannot read the token"))?;
    let token = text.trim();
    let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic());
    if token.len() < SHORTEST_TOKEN || !is_plain {
        bail!("{shown}: a token has at least {SHORTEST_TOKEN} letters, digits or signs in one line");
    }
    Ok(token.to_string())
}

/// Where programs keep what belongs to the user.
fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let base = if cfg!(target_os = "windows") {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("pfss"))
}

/// Starts the browser; whether there is one.
fn open(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.is_ok()
}
