//! The problems that a policy can be trained for, and what it sees of them.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use pfss_core::{Instance, JobId, PermutationProblem, Rng, Time, one_machine_bound};
use serde::{Deserialize, Serialize};

/// A problem that policies can be trained for: the name that models are stored with, and the one in sentences.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct ProblemKind {
    name: Cow<'static, str>,
    plural: Cow<'static, str>,
}

impl ProblemKind {
    /// Jobs through a line of machines, for a short makespan.
    pub const FLOW_SHOP: Self = Self::new("flow-shop", "flow shops");

    /// A problem with its name in files and its name in sentences, in the plural.
    pub const fn new(name: &'static str, plural: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), plural: Cow::Borrowed(plural) }
    }

    /// The name in files.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Default for ProblemKind {
    fn default() -> Self {
        Self::FLOW_SHOP
    }
}

/// Files know the first name only.
impl PartialEq for ProblemKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ProblemKind {}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plural)
    }
}

/// A problem that only the file knows has no other name in sentences.
impl From<String> for ProblemKind {
    fn from(name: String) -> Self {
        if name == Self::FLOW_SHOP.name {
            return Self::FLOW_SHOP;
        }
        Self { plural: Cow::Owned(name.clone()), name: Cow::Owned(name) }
    }
}

impl From<ProblemKind> for String {
    fn from(kind: ProblemKind) -> Self {
        kind.name.into_owned()
    }
}

/// What is done to processing times before the network sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputScale {
    /// Nothing, as in the paper: a network knows the scale that it was trained on.
    Raw,
    /// They are divided by the instance's mean, so that minutes and hours give the same order.
    Mean,
}

/// What a policy can look at: a row of numbers for each job.
pub trait PolicyInput {
    /// The problem.
    fn kind(&self) -> ProblemKind;

    /// How many jobs there are.
    fn len(&self) -> usize;

    /// Whether there is nothing to order.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers stand for each: the machines of a flow shop.
    fn width(&self) -> usize;

    /// The numbers, row after row.
    fn rows(&self, scale: InputScale) -> Vec<f32>;
}

impl<T: Time> PolicyInput for Instance<T> {
    fn kind(&self) -> ProblemKind {
        ProblemKind::FLOW_SHOP
    }

    fn len(&self) -> usize {
        self.num_jobs()
    }

    fn width(&self) -> usize {
        self.num_machines()
    }

    fn rows(&self, scale: InputScale) -> Vec<f32> {
        let mean = match scale {
            InputScale::Raw => 1.0,
            InputScale::Mean => self.mean_time(),
        };
        // Where all times are zero every order is the same.
        let mean = if mean > 0.0 { mean } else { 1.0 };
        self.times().iter().map(|time| (time.to_f64() / mean) as f32).collect()
    }
}

/// An instance that a policy can learn from and be measured on.
pub trait LearnableProblem:
    PolicyInput + PermutationProblem<Cost = f64> + Any + fmt::Debug + Send + Sync
{
    /// About what a good order costs, whatever the size: costs divided by it can be compared between instances.
    fn typical_cost(&self) -> f64;

    /// All numbers that make the instance, a row for each job: what a file of labelled instances holds.
    fn numbers(&self) -> &[f64];

    /// The name of the tensor with these numbers in such a file.
    fn tensor(&self) -> &'static str;

    /// Turns the rows of the instance and an order into others that mean the same, where the problem has such
    /// symmetries: so a network sees an instance in many forms.
    fn vary(&self, _rows: &mut [f32], _order: &mut [JobId], _rng: &mut Rng) {}
}

impl LearnableProblem for Instance<f64> {
    fn typical_cost(&self) -> f64 {
        one_machine_bound(self)
    }

    fn numbers(&self) -> &[f64] {
        self.times()
    }

    fn tensor(&self) -> &'static str {
        "times"
    }
}

/// An instance of any problem that policies are trained for.
#[derive(Clone, Debug)]
pub struct ProblemInstance(Arc<dyn LearnableProblem>);

impl ProblemInstance {
    /// The cost of an order, by the plain definition.
    pub fn cost(&self, order: &[JobId]) -> f64 {
        self.0.cost(order)
    }

    /// [`LearnableProblem::typical_cost`]; 1 where that is nothing to divide by.
    pub fn typical_cost(&self) -> f64 {
        let cost = self.0.typical_cost();
        if cost > 0.0 { cost } else { 1.0 }
    }

    /// The instance, where it is one of this type.
    pub fn get<P: LearnableProblem>(&self) -> Option<&P> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }

    /// What it can do as any problem can.
    pub fn problem(&self) -> &dyn LearnableProblem {
        &*self.0
    }
}

impl<P: LearnableProblem> From<P> for ProblemInstance {
    fn from(instance: P) -> Self {
        Self(Arc::new(instance))
    }
}

/// The same numbers of the same problem.
impl PartialEq for ProblemInstance {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.width() == other.width() && self.0.numbers() == other.0.numbers()
    }
}

impl PolicyInput for ProblemInstance {
    fn kind(&self) -> ProblemKind {
        self.0.kind()
    }

    fn len(&self) -> usize {
        PolicyInput::len(&*self.0)
    }

    fn width(&self) -> usize {
        self.0.width()
    }

    fn rows(&self, scale: InputScale) -> Vec<f32> {
        self.0.rows(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_divided_by_their_mean() {
        let shop = Instance::new("", 2, vec![1u32, 3, 2, 2]).unwrap();
        assert_eq!(shop.rows(InputScale::Mean), [0.5, 1.5, 1.0, 1.0]);
        assert_eq!((PolicyInput::len(&shop), shop.width()), (2, 2));
    }

    #[test]
    fn problems_are_known_by_their_names() {
        let read = |text: &str| serde_json::from_str::<ProblemKind>(text).unwrap();
        assert_eq!(read("\"flow-shop\"").to_string(), "flow shops");
        let knapsacks = ProblemKind::new("knapsack", "knapsacks");
        assert_eq!(
            (read("\"knapsack\""), read("\"knapsack\"").to_string()),
            (knapsacks.clone(), "knapsack".into())
        );
        assert_ne!(knapsacks, ProblemKind::FLOW_SHOP);
        assert_eq!(serde_json::to_string(&knapsacks).unwrap(), "\"knapsack\"");
    }

    #[test]
    fn instances_are_told_apart_and_found_again() {
        let shop = |last: f64| Instance::new("", 2, vec![1.0, 3.0, 2.0, last]).unwrap();
        let any = ProblemInstance::from(shop(2.0));
        assert_eq!(any, shop(2.0).with_name("other").into());
        assert_ne!(any, shop(3.0).into());
        assert_eq!(any.get::<Instance<f64>>(), Some(&shop(2.0)));
        assert_eq!(any.cost(&[0, 1]), 6.0);
    }
}
