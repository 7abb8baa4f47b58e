//! Flow shops on many machines: processes share the best order, the bound and the open nodes of a proof.
//!
//! Rank 0 leads ([`Leader`]): it alone reads, prints and writes. All others wait in [`work`] for what it asks of them. They
//! reach each other by an [`Exchange`] of messages: over MPI, or among threads ([`ThreadExchange`]), which is
//! how everything here is tested, with messages as late as one likes.
//!
//! The solvers know nothing of this. Best orders and bounds come and go through their [`Run`](pfss_core::Run), and a
//! [`Team`](pfss_core::Team) behind it moves open nodes and the orders of islands.

mod assignment;
mod board;
mod colleague;
mod copies;
mod desk;
mod exchange;
mod farm;
mod gossip;
mod holdings;
mod lead;
mod line;
mod message;
#[cfg(feature = "mpi")]
mod mpi;
mod overlay;
#[cfg(any(feature = "mpi", test))]
mod parts;
#[cfg(any(feature = "mpi", test))]
mod pulse;
mod rounds;
mod thief;
mod threads;
mod work;

pub use exchange::Exchange;
pub use lead::{Answer, Leader, Task};
#[cfg(feature = "mpi")]
pub use mpi::{MpiExchange, is_launched, on_ranks};
pub use threads::ThreadExchange;
pub use work::{Workplace, work};
