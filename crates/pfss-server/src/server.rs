//! A server from its start to its end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use pfss_core::CancelFlag;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tower_http::compression::CompressionLayer;

use crate::board::Waiting;
use crate::config::ServerConfig;
use crate::problem::Problem;
use crate::search::search;
use crate::shared::Shared;
use crate::store::{Store, StoreError};
use crate::{api, assets, connections, description, guard, worker};

/// How long searches have to end when the server does.
const LAST_CALL: Duration = Duration::from_secs(3);
/// How often the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(25);
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 4096;
/// Files that are no connections: the store, its log, what the runtime needs, and connections that are just being closed.
const OTHER_FILES: usize = 64;
/// Threads for what waits for the disk or takes time.
const BLOCKING_THREADS: usize = 32;

/// Why a server cannot start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is taken.
    #[error("{address} is in use by another program; stop it, or take a free port with `--listen {}:0`", address.ip())]
    Taken {
        /// The address.
        address: SocketAddr,
    },
    /// Nobody may listen there.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(io::Error),
}

/// A server that listens, but does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Opens the store and the port.
    ///
    /// # Errors
    /// [`ServeError`] tells what is in the way, and what to do.
    pub fn new(mut config: ServerConfig) -> Result<Self, ServeError> {
        if let Some(files) = raise_file_limit() {
            config.bounds.connections =
                config.bounds.connections.min(files.saturating_sub(OTHER_FILES)).max(16);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(config.cores.clamp(1, 4))
            .max_blocking_threads(BLOCKING_THREADS)
            .thread_name("pfss-http")
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Threads)?;
        let listen = config.listen;
        let listener = runtime.block_on(async { bind(listen) }).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken { address: listen },
            _ => ServeError::Listen { address: listen, source },
        })?;
        let address = listener.local_addr().map_err(ServeError::Threads)?;
        let store = Store::open(&config.store)?;
        Ok(Self { runtime, listener, address, shared: Arc::new(Shared::new(config, store, search)) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests and solves jobs until `end` is raised.
    ///
    /// # Errors
    /// [`ServeError`] when threads cannot be started, or jobs of an earlier process cannot be read.
    pub fn run(self, end: &CancelFlag) -> Result<(), ServeError> {
        let Self { runtime, listener, shared, .. } = self;
        for row in shared.store.take_up()? {
            shared.board.push(Waiting { number: row.number, round: row.round, id: row.id });
        }
        let recorder = start_threads(&shared)?;
        let router = router(&shared);
        runtime.block_on(async {
            let accepting = tokio::spawn(connections::accept(listener, Arc::clone(&shared), router));
            while !end.is_cancelled() {
                tokio::time::sleep(LOOK).await;
            }
            // First the searches, whose best orders are told to those who still listen.
            shared.board.close();
            let deadline = Instant::now() + LAST_CALL;
            while !worker::are_done(&shared) && Instant::now() < deadline {
                tokio::time::sleep(LOOK).await;
            }
            shared.ending.send_replace(true);
            let _ = tokio::time::timeout(Duration::from_millis(500), accepting).await;
        });
        shared.recorder.close();
        if recorder.is_finished() || worker::are_done(&shared) {
            let _ = recorder.join();
        }
        runtime.shutdown_timeout(Duration::from_millis(500));
        Ok(())
    }
}

/// Listens, with room for many who connect at once.
fn bind(listen: SocketAddr) -> io::Result<TcpListener> {
    let socket = if listen.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restart must not wait until the old connections are forgotten.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(listen)?;
    socket.listen(BACKLOG)
}

/// All paths, behind all guards.
fn router(shared: &Arc<Shared>) -> axum::Router {
    api::router(Arc::clone(shared))
        .merge(description::router())
        .merge(assets::router())
        .fallback(|| async { Problem::unknown("there is nothing at this path; see /api/v1/openapi.json") })
        .method_not_allowed_fallback(|| async {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this path has other methods; see /api/v1/openapi.json",
            )
        })
        .layer(CompressionLayer::new())
        .layer(axum::middleware::from_fn_with_state(Arc::clone(shared), guard::guard))
}

/// Starts all threads but those that answer; what is given is the one that keeps news.
fn start_threads(shared: &Arc<Shared>) -> Result<JoinHandle<()>, ServeError> {
    let start = |name: &str, work: fn(&Arc<Shared>)| {
        let shared = Arc::clone(shared);
        let thread = std::thread::Builder::new().name(name.to_string());
        thread.spawn(move || work(&shared)).map_err(ServeError::Threads)
    };
    let recorder = start("pfss-recorder", |shared| shared.recorder.run(|tasks| shared.keep(tasks)))?;
    start("pfss-watchdog", worker::watch)?;
    for _ in 0..shared.config.workers.max(1) {
        worker::start(shared).map_err(ServeError::Threads)?;
    }
    Ok(recorder)
}

/// Connections are open files, of which a process may have few unless it asks for more. How many it may have now, where
/// there is a limit.
fn raise_file_limit() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
        getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok())
    }
    #[cfg(not(unix))]
    None
}
