//! The page that a planner opens, and the HTTP API beneath it.
//!
//! One process, one SQLite file. The parts:
//!
//! * [`Server`] listens; [`ServerConfig`] sets it up.
//! * A request becomes a job in the store before it is answered with 202, and waits on a board. Workers take jobs from there
//!   and solve them on threads of their own, as `pfss solve` does.
//! * What a search finds goes to the store first and is told as an event only then, ten times a second at most. So a crash takes
//!   nothing back that a page has shown.
//! * The page is hand-written HTML, CSS and ES modules, part of the program; its chart is that of `pfss-render`.

mod api;
mod assets;
mod board;
mod changes;
mod conditional;
mod config;
mod connections;
mod description;
mod examples;
mod guard;
mod input;
mod job;
mod limits;
mod metrics;
mod options;
mod plan;
mod problem;
mod reading;
mod recorder;
mod respond;
mod schemas;
mod search;
mod server;
mod shared;
mod solving;
mod store;
mod subject;
mod task;
mod topic;
mod worker;

pub use config::{Bounds, ServerConfig};
pub use server::{ServeError, Server};
pub use store::StoreError;

/// Reads the body of a request for a job as a server of this configuration does, without one; fuzzers call it.
///
/// # Errors
/// The sentence that a client would get.
pub fn read_request(media_type: &str, query: &str, body: &[u8], config: &ServerConfig) -> Result<(), String> {
    api::read_request(media_type, query, body, config).map_err(|problem| problem.detail().to_string())
}

/// The example of the page that stands before the library is compiled, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
