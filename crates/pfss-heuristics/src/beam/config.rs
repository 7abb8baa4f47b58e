//! The parameters of beam search, and what "auto" stands for.

use pfss_core::Time;

use super::{BeamSearch, Guide, Plan};

pfss_core::choice! {
    /// The guide, or a choice by the instance's shape.
    pub enum GuideChoice {
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
        guide: GuideChoice = GuideChoice::Auto;
        /// The policy's model: a file, or the name of one that comes with the program; by default `front`.
        model: String = String::new(), with guide = GuideChoice::Policy;
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

impl BeamConfig {
    /// The plan for one search that may hold `memory` bytes, with "auto" decided by the instance's shape.
    pub fn plan<T: Time>(&self, search: &BeamSearch<'_, T>, memory: usize) -> Plan {
        let instance = search.instance();
        // Aspiration pays where bounds prune well, which they do not on many machines. The penalty never cost
        // anything in tests, and saved much where few jobs meet many machines.
        let decide = |switch: Switch, by_shape: bool| match switch {
            Switch::Auto => by_shape,
            Switch::On => true,
            Switch::Off => false,
        };
        let guide = match self.guide {
            // A policy comes with the search, and needs no other guide.
            GuideChoice::Auto | GuideChoice::Walpha | GuideChoice::Policy => Guide::Walpha,
            GuideChoice::Bound => Guide::Bound,
            GuideChoice::Idle => Guide::Idle,
            GuideChoice::Alpha => Guide::Alpha,
            GuideChoice::Gap => Guide::Gap,
        };
        let memory = memory.min(self.memory << 20);
        // Half of it for the levels; the other half is for the history of their nodes.
        let max_width = self.max_width.min(memory / 2 / search.bytes_per_width()).max(1);
        Plan {
            guide,
            aspiration: decide(self.aspiration, instance.num_machines() < 30),
            penalise_one_sided: decide(self.one_sided_penalty, true),
            initial_width: self.initial_width.min(max_width),
            max_width,
            memory,
        }
    }
}
