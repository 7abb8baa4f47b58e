//! What one process does with the messages of a run.

use std::time::Duration;

use pfss::Keeper;
use pfss_core::tree::OpenNode;
use pfss_core::{Elite, Incumbents, Rng, SharedTree, Time};

use crate::board::Board;
use crate::copies::{Copies, Waiting};
use crate::gossip::Gossip;
use crate::holdings::{Holdings, least};
use crate::line::Line;
use crate::message::News;
use crate::rounds::{Report, Rounds};
use crate::thief::Thief;

/// How long a process waits for messages before it looks at its own tree: usually, and when it has nothing to do.
const USUALLY: Duration = Duration::from_millis(2);
const HUNGRY: Duration = Duration::from_micros(200);

/// No gift is larger.
const MOST_NODES: usize = 4096;

/// How long dives may take to pause.
const PATIENCE: Duration = Duration::from_millis(500);

/// The last word of a process on a run.
#[derive(Debug)]
pub(crate) struct Farewell {
    pub(crate) evaluations: u64,
    /// What it has left open, where that is kept.
    pub(crate) nodes: Option<Vec<String>>,
}

/// The state of one process in one run.
pub(crate) struct Desk {
    gossip: Gossip,
    holdings: Holdings,
    thief: Thief,
    rounds: Rounds,
    copies: Copies,
    /// The least bound of what is open while no tree is tended: before, the root at rank 0, and after, what is left.
    resting: Option<f64>,
    /// What was left open when the tree was given back.
    left: Option<Vec<String>>,
    has_tree: bool,
    pub(crate) farewells: Vec<Option<Farewell>>,
}

/// What a step works on.
pub(crate) struct Scene<'a, C> {
    pub(crate) line: Line<'a>,
    pub(crate) run: &'a dyn Incumbents<C>,
    pub(crate) board: &'a Board<C>,
    /// The tree, while one is tended.
    pub(crate) tree: Option<&'a dyn SharedTree>,
    /// Rank 0: where checkpoints are kept.
    pub(crate) keeper: Option<&'a Keeper>,
}

impl Desk {
    pub(crate) fn new<C: Time>(rank: usize, ranks: usize, rng: Rng) -> Self {
        Self {
            gossip: Gossip::new::<C>(),
            holdings: Holdings::new(),
            thief: Thief::new(rng),
            rounds: Rounds::new(),
            copies: Copies::default(),
            resting: (rank == 0).then_some(0.0),
            left: None,
            has_tree: false,
            farewells: std::iter::repeat_with(|| None).take(ranks).collect(),
        }
    }

    /// Waits for messages a little, treats those that came, and tells what there is to tell.
    pub(crate) fn step<C: Time>(&mut self, scene: &Scene<'_, C>) {
        let is_hungry = scene.tree.is_some_and(|tree| tree.is_hungry());
        let mut patience = if is_hungry { HUNGRY } else { USUALLY };
        while let Some((from, news)) = scene.line.receive(patience) {
            self.hear(from, news, scene);
            patience = Duration::ZERO;
        }
        if scene.line.has_lost() {
            scene.board.end();
        }
        self.gossip.tell(scene.run, scene.line);
        if let Some(tree) = scene.tree {
            self.has_tree = true;
            if is_hungry && let Some(victim) = self.thief.victim(scene.line.rank(), scene.line.ranks()) {
                scene.line.send(victim, News::Steal);
            }
            if let Some(keeper) = scene.keeper {
                self.copy(keeper, tree, scene);
            }
        }
        if scene.line.rank() == 0
            && self.has_tree
            && let Some(round) = self.rounds.next(is_hungry)
        {
            let own = self.report(scene);
            if let Some(report) = self.rounds.begin(round, own, scene.line) {
                conclude(report, own, scene);
            }
        }
    }

    /// Tells the neighbours of what the run found, without a pause.
    pub(crate) fn tell_now<C: Time>(&mut self, scene: &Scene<'_, C>) {
        self.gossip.tell_now(scene.run, scene.line);
    }

    /// A tree is given back; `keeps` says whether what is left open is wanted.
    pub(crate) fn give_back<C: Time>(&mut self, tree: &dyn SharedTree, keeps: bool, scene: &Scene<'_, C>) {
        self.resting = tree.least_open();
        if keeps && !scene.run.best_cost().meets(scene.run.bound()) {
            self.left = tree.copy_open(PATIENCE).map(|nodes| self.texts_of(&nodes));
        } else {
            self.left = Some(Vec::new());
        }
    }

    /// What was left open when the tree was given back, gifts on their way included.
    pub(crate) fn left_open(&mut self) -> Option<Vec<String>> {
        match self.has_tree {
            true => self.left.take(),
            false => Some(Vec::new()),
        }
    }

    fn hear<C: Time>(&mut self, from: usize, news: News, scene: &Scene<'_, C>) {
        let Scene { line, run, board, .. } = *scene;
        match news {
            News::Order { cost, order } => self.gossip.hear_order(from, cost, order, run, line),
            News::Bound(bound) => self.gossip.hear_bound(from, bound, run, line),
            News::Elite { island, cost, order } => {
                board.add_elite(Elite { island, cost: C::from_bits(cost), order });
            }
            News::Help(is_wanted) => {
                board.set_help(is_wanted);
            }
            News::Failed(message) => board.fail(message),
            News::Stop => board.end(),
            News::Farewell { best, evaluations, nodes } => {
                if let Some((cost, order)) = best {
                    run.offer(&order, C::from_bits(cost));
                }
                self.farewells[from] = Some(Farewell { evaluations, nodes });
            }
            News::Steal => self.be_robbed(from, scene),
            News::Gift { number: 0, .. } => self.thief.answered(true),
            News::Gift { number, copy, nodes } if self.copies.must_wait(copy) => {
                self.copies.keep(Waiting { from, number, nodes });
            }
            News::Gift { number, nodes, .. } => self.take_in(from, number, &nodes, scene),
            News::Received(number) => self.holdings.arrived(number),
            News::Count(round) => {
                let own = self.report(scene);
                self.rounds.begin(round, own, line);
            }
            News::Report { round, least, best, searched } => {
                if let Some(report) = self.rounds.hear(round, Report { least, best, searched }, line) {
                    let own = scene.tree.map_or(0.0, SharedTree::searched_here);
                    conclude(report, Report { searched: own, ..report }, scene);
                }
            }
            News::Copy(copy) => {
                let nodes = self.open_nodes(scene);
                let best = run.best().map(|(order, cost)| (cost.to_bits(), order));
                line.send(from, News::Copied { copy, best, nodes });
                self.copies.answered(copy);
            }
            News::Copied { copy, best, nodes } => {
                if let Some((cost, order)) = best {
                    run.offer(&order, C::from_bits(cost));
                }
                self.copies.add(copy, nodes);
            }
            News::Go(copy) => self.close_copy(copy, scene),
        }
    }

    /// Gives half of what waits to whoever asks.
    fn be_robbed<C: Time>(&mut self, thief: usize, scene: &Scene<'_, C>) {
        let nodes = match scene.tree {
            Some(tree) if !scene.run.must_end() => tree.take_half(MOST_NODES),
            _ => Vec::new(),
        };
        let copy = self.copies.number();
        if nodes.is_empty() {
            return scene.line.send(thief, News::Gift { number: 0, copy, nodes: Vec::new() });
        }
        let texts: Vec<String> = nodes.iter().map(OpenNode::to_string).collect();
        let number = self.holdings.give(least_of(&nodes), texts.clone());
        scene.line.send(thief, News::Gift { number, copy, nodes: texts });
    }

    fn take_in<C: Time>(&mut self, from: usize, number: u64, texts: &[String], scene: &Scene<'_, C>) {
        self.thief.answered(false);
        // Without a tree there is no receipt: the giver goes on to answer for them.
        let Some(tree) = scene.tree else { return };
        let nodes: Option<Vec<OpenNode>> = texts.iter().map(|text| text.parse().ok()).collect();
        let Some(nodes) = nodes else { return };
        self.holdings.came(least_of(&nodes));
        if tree.put_open(nodes).is_empty() {
            scene.line.send(from, News::Received(number));
        }
    }

    fn report<C: Time>(&mut self, scene: &Scene<'_, C>) -> Report {
        // First what is open, then the best cost: what was pruned in between is no better than that.
        let open = scene.tree.map_or(self.resting, SharedTree::least_open);
        let least = self.holdings.report(open);
        let searched = scene.tree.map_or(0.0, SharedTree::searched_here);
        Report { least, best: scene.run.best_cost().to_bits(), searched }
    }

    /// All that this process answers for; `None` when a thread does not pause in time.
    fn open_nodes<C: Time>(&self, scene: &Scene<'_, C>) -> Option<Vec<String>> {
        match scene.tree {
            Some(tree) => Some(self.texts_of(&tree.copy_open(PATIENCE)?)),
            None if self.has_tree => self.left.clone(),
            None => Some(Vec::new()),
        }
    }

    fn texts_of(&self, nodes: &[OpenNode]) -> Vec<String> {
        nodes.iter().map(OpenNode::to_string).chain(self.holdings.nodes_on_the_way().cloned()).collect()
    }

    /// Rank 0: begins a copy when one is due, and writes it when it is complete.
    fn copy<C: Time>(&mut self, keeper: &Keeper, tree: &dyn SharedTree, scene: &Scene<'_, C>) {
        if let Some(nodes) = self.copies.complete(scene.line) {
            match nodes {
                Some(nodes) => keeper.save(parsed(&nodes), scene.run),
                None => keeper.postpone(),
            }
            self.close_copy(self.copies.number(), scene);
        } else if keeper.is_due() && !self.copies.is_open() {
            match tree.copy_open(PATIENCE) {
                Some(nodes) => self.copies.begin(self.texts_of(&nodes), scene.line),
                None => keeper.postpone(),
            }
        }
    }

    fn close_copy<C: Time>(&mut self, copy: u64, scene: &Scene<'_, C>) {
        for Waiting { from, number, nodes } in self.copies.close(copy) {
            self.take_in(from, number, &nodes, scene);
        }
    }
}

/// Rank 0: what all reports of a round say.
fn conclude<C: Time>(all: Report, own: Report, scene: &Scene<'_, C>) {
    scene.board.set_searched_elsewhere((all.searched - own.searched).max(0.0));
    let best = C::from_bits(all.best);
    let bound = all.least.map_or(best, |least| C::from_f64_floor(least).minimum(best));
    if bound < C::MAX && bound > scene.run.bound() {
        scene.run.raise_bound(bound);
    }
}

fn least_of(nodes: &[OpenNode]) -> Option<f64> {
    least(nodes.iter().map(|node| Some(node.bound)))
}

/// The nodes of these texts, each once.
pub(crate) fn parsed(texts: &[String]) -> Vec<OpenNode> {
    let mut texts: Vec<&String> = texts.iter().collect();
    texts.sort_unstable();
    texts.dedup();
    texts.into_iter().filter_map(|text| text.parse().ok()).collect()
}
