//! Arguments of `pfss serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::value;

/// Arguments of `pfss serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 takes a free one. Addresses of other machines need --token-file or --no-auth
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The folder that jobs are kept in [default: the user's data folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// How many jobs run at a time [default: one per two cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Option<u16>,
    /// The longest time limit that a job may ask for
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = value::duration)]
    pub(crate) max_time: Duration,
    /// The most that all searches together may hold: 512M, 2G [default: a quarter of the memory, at most 4G]
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    pub(crate) memory: Option<usize>,
    /// A file with a token that every request must bring (`Authorization: Bearer TOKEN`)
    #[arg(long, value_name = "FILE", conflicts_with = "no_auth")]
    pub(crate) token_file: Option<PathBuf>,
    /// Listen on an address of other machines without a token
    #[arg(long)]
    pub(crate) no_auth: bool,
    /// Where the page is reached through a proxy, such as https://plan.example.com (repeatable)
    #[arg(long, value_name = "URL", value_parser = value::origin)]
    pub(crate) origin: Vec<String>,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
}
