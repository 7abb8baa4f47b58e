//! The parameters of beam search, and what "auto" stands for.

use pfss_core::Time;
use pfss_heuristics::beam::{BeamSearch, HandMade, Plan};

pfss_core::choice! {
    /// A guide by its name, or a choice by the instance's shape.
    pub enum GuideName {
        /// By the shape of the instance.
        Auto = "auto",
        /// The lower bound.
        Bound = "bound",
        /// The idle time of both ends.
        Idle = "idle",
        /// From idle time at the root to the bound at the leaves.
        Alpha = "alpha",
        /// The bound, weighted by the share of idle time near the root.
        Walpha = "walpha",
        /// The bound and the share of idle time, weighted by the gap to the best known order.
        Gap = "gap",
        /// As `walpha`, with weights by machine, end and depth that were fitted to drawn instances of a similar shape.
        Fitted = "fitted",
        /// A trained policy: how likely it would have come this way.
        Policy = "policy",
    }
}

pfss_core::choice! {
    /// On, off, or by the instance's shape.
    pub enum Switch {
        /// By the shape of the instance.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
}

pfss_core::config! {
    /// Parameters of the iterative bidirectional beam search.
    pub struct BeamConfig {
        /// What makes a node promising.
        guide: GuideName = GuideName::Auto;
        /// The policy's model: a file, or the name of one that comes with the program; by default `front`.
        model: String = String::new(), with guide = GuideName::Policy;
        /// A table of weighings by `pfss train guide`; by default the one that comes with the program.
        weighings: String = String::new(), with guide = GuideName::Fitted;
        /// Whether passes prune below the best known cost and retreat when they fail.
        aspiration: Switch = Switch::Auto;
        /// Whether nodes with nothing placed at one end are put last.
        one_sided_penalty: Switch = Switch::Auto;
        /// The width of the first pass; each round doubles it.
        initial_width: usize = 1, in 1..=1 << 24;
        /// The search ends after a pass of this width.
        max_width: usize = 1 << 24, in 1..=1 << 24;
        /// The memory that a beam may use, in MiB, within that of the whole run; it bounds the width too.
        memory: usize = 1 << 20, in 1..=1 << 20;
    }
}

impl GuideName {
    /// The guide made by hand of this name; `None` where another one decides.
    fn hand_made(self) -> Option<HandMade> {
        match self {
            Self::Auto | Self::Policy => None,
            Self::Bound => Some(HandMade::Bound),
            Self::Idle => Some(HandMade::Idle),
            Self::Alpha => Some(HandMade::Alpha),
            Self::Walpha => Some(HandMade::Walpha),
            Self::Gap => Some(HandMade::Gap),
            Self::Fitted => Some(HandMade::Fitted),
        }
    }
}

impl Switch {
    fn or(self, by_shape: bool) -> bool {
        match self {
            Self::Auto => by_shape,
            Self::On => true,
            Self::Off => false,
        }
    }
}

impl BeamConfig {
    /// The plan for one search that may hold `memory` bytes, with "auto" decided by the instance's shape.
    pub(super) fn plan<T: Time>(&self, search: &BeamSearch<'_, T>, memory: usize) -> Plan {
        let by_shape = Plan::new(search, memory.min(self.memory << 20));
        let max_width = self.max_width.min(by_shape.max_width);
        Plan {
            guide: self.guide.hand_made().unwrap_or(by_shape.guide),
            aspiration: self.aspiration.or(by_shape.aspiration),
            penalise_one_sided: self.one_sided_penalty.or(by_shape.penalise_one_sided),
            initial_width: self.initial_width.min(max_width),
            max_width,
            ..by_shape
        }
    }
}
