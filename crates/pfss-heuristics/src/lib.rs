//! Heuristics for the permutation flow shop: constructive rules, local search, beam search, and the baselines of the
//! imitation-learning paper as its authors ran them.
//!
//! [`beam`] is a search that goes on pass by pass, with a guide made by hand or from outside; `pfss::Beam` is the solver made
//! of it. Every other algorithm is a [`Solver`](pfss_core::Solver) made from its configuration:
//!
//! ```
//! use pfss_core::{Limits, Run, Seed, Solver, generate::taillard_benchmark};
//! use pfss_heuristics::{Neh, NehConfig};
//! let instance = taillard_benchmark(1).unwrap();
//! let run = Run::new(Seed::new(1), Limits::default());
//! let outcome = Neh::new(NehConfig::default()).solve(&instance, &run).unwrap();
//! assert_eq!((outcome.cost, outcome.bound), (1297, 1278));
//! ```

pub mod beam;
mod cds;
pub mod iterated_greedy;
mod iterated_local_search;
mod local_search;
mod neh;
mod palmer;
mod paper_iterated_greedy;
mod paper_neh;
mod pinned_search;
pub mod planner;
mod random_search;

pub use cds::{Cds, CdsConfig, offer_johnson_orders};
pub use iterated_greedy::{IteratedGreedy, IteratedGreedyConfig};
pub use iterated_local_search::{IteratedLocalSearch, IteratedLocalSearchConfig};
pub use local_search::insertion_local_search;
pub use neh::{JobOrder, Neh, NehConfig, TieRule, construct};
pub use palmer::{Palmer, PalmerConfig, slope_order};
pub use paper_iterated_greedy::{PaperIteratedGreedy, PaperIteratedGreedyConfig};
pub use paper_neh::{PaperNeh, PaperNehConfig};
use pfss_core::open;
pub use pinned_search::PinnedSearch;
pub use random_search::{RandomSearch, RandomSearchConfig};
