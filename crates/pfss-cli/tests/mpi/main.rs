//! Three processes on this machine, over TCP as on a cluster. A build with feature `mpi` only.
#![cfg(feature = "mpi")]
#![allow(clippy::unwrap_used)]

mod deaths;
mod farms;
mod harness;
mod proofs;
mod signals;
