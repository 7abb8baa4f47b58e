//! Instances with an expert's orders: what a policy learns from and is measured on.

use std::collections::HashMap;

use pfss_core::{Instance, JobId, Permutation};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::problem::{PolicyInput, ProblemInstance, ProblemKind};

/// The key of a set's record in a file's metadata.
const RECORD: &str = "pfss.labels/1";

/// Why a set of labelled instances cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The bytes are not such a set.
    #[error("this is not a set of labelled instances of pfss: {reason}")]
    Foreign {
        /// What is missing or unreadable.
        reason: String,
    },
    /// The set holds nothing.
    #[error("the set holds no instance; at least one is needed")]
    Empty,
    /// Instances differ in size.
    #[error(
        "instance {index} has another problem, number of jobs or machines than the first one; a set holds one size"
    )]
    Size {
        /// The instance.
        index: usize,
    },
    /// A label is no order of the instance's jobs, or a time is none.
    #[error("instance {index} is damaged: {reason}")]
    Instance {
        /// The instance.
        index: usize,
        /// What is wrong.
        reason: String,
    },
}

/// An instance and an expert's order of its jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledInstance {
    /// The instance.
    pub instance: ProblemInstance,
    /// The expert's order.
    pub order: Permutation,
    /// What that order costs.
    pub cost: f64,
}

/// Labelled instances of one size, with a record of where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledSet {
    kind: ProblemKind,
    num_jobs: usize,
    num_machines: usize,
    items: Vec<LabelledInstance>,
    record: Map<String, Value>,
}

impl LabelledSet {
    /// A set of these instances and orders; `record` tells where they come from.
    ///
    /// # Errors
    /// [`DatasetError`] when there is none, or sizes differ.
    pub fn new(
        labels: Vec<(ProblemInstance, Permutation)>,
        record: Map<String, Value>,
    ) -> Result<Self, DatasetError> {
        let first = labels.first().ok_or(DatasetError::Empty)?;
        let shape = |instance: &ProblemInstance| (instance.kind(), instance.len(), instance.width());
        let first = shape(&first.0);
        let (kind, num_jobs, num_machines) = first.clone();
        let mut items = Vec::with_capacity(labels.len());
        for (index, (instance, order)) in labels.into_iter().enumerate() {
            if shape(&instance) != first {
                return Err(DatasetError::Size { index });
            }
            if order.len() != num_jobs {
                let reason = format!("its order has {} of {num_jobs} jobs", order.len());
                return Err(DatasetError::Instance { index, reason });
            }
            let cost = instance.cost(&order);
            items.push(LabelledInstance { instance, order, cost });
        }
        Ok(Self { kind, num_jobs, num_machines, items, record })
    }

    /// The problem.
    pub fn kind(&self) -> &ProblemKind {
        &self.kind
    }

    /// The number of jobs of every instance.
    pub fn num_jobs(&self) -> usize {
        self.num_jobs
    }

    /// The number of machines of every instance, or of what another problem has in their place.
    pub fn num_machines(&self) -> usize {
        self.num_machines
    }

    /// The instances.
    pub fn items(&self) -> &[LabelledInstance] {
        &self.items
    }

    /// Where they come from.
    pub fn record(&self) -> &Map<String, Value> {
        &self.record
    }

    /// The mean cost of the expert's orders.
    pub fn mean_cost(&self) -> f64 {
        self.items.iter().map(|item| item.cost).sum::<f64>() / self.items.len() as f64
    }

    /// A number that tells sets apart: a hash of all times and orders.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for item in &self.items {
            let numbers = item.instance.problem().numbers();
            numbers.iter().for_each(|number| hash.update(number.to_le_bytes()));
            item.order.iter().for_each(|job| hash.update(job.to_le_bytes()));
        }
        hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The set as a file's content (safetensors: `times`, or what another problem has in their place, and `orders`).
    ///
    /// # Errors
    /// [`DatasetError::Foreign`] when the format refuses; it has no reason to.
    pub fn to_bytes(&self) -> Result<Vec<u8>, DatasetError> {
        let foreign = |error: &dyn std::fmt::Display| DatasetError::Foreign { reason: error.to_string() };
        let numbers = self.items.iter().flat_map(|item| item.instance.problem().numbers());
        let times: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        let orders: Vec<u8> =
            self.items.iter().flat_map(|item| item.order.iter().flat_map(|job| job.to_le_bytes())).collect();
        let (count, n, m) = (self.items.len(), self.num_jobs, self.num_machines);
        let times = TensorView::new(Dtype::F64, vec![count, n, m], &times).map_err(|e| foreign(&e))?;
        let orders = TensorView::new(Dtype::U32, vec![count, n], &orders).map_err(|e| foreign(&e))?;
        let record = serde_json::to_string(&self.record).map_err(|e| foreign(&e))?;
        let metadata = HashMap::from([(RECORD.to_string(), record)]);
        let name = self
            .items
            .first()
            .map_or(StoredProblem::FLOW_SHOP.tensor, |item| item.instance.problem().tensor());
        serialize([(name, times), ("orders", orders)], Some(metadata)).map_err(|e| foreign(&e))
    }

    /// Reads a set of flow shops.
    ///
    /// # Errors
    /// [`DatasetError`] tells what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DatasetError> {
        Self::read(bytes, &[])
    }

    /// Reads a set of flow shops or of one of the other problems.
    ///
    /// # Errors
    /// [`DatasetError`] tells what is wrong with the bytes.
    pub fn read(bytes: &[u8], others: &[StoredProblem]) -> Result<Self, DatasetError> {
        let foreign = |error: &dyn std::fmt::Display| DatasetError::Foreign { reason: error.to_string() };
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| foreign(&e))?;
        let record = metadata
            .metadata()
            .as_ref()
            .and_then(|metadata| metadata.get(RECORD))
            .ok_or_else(|| foreign(&format!("its metadata has no `{RECORD}`")))?;
        let record: Map<String, Value> = serde_json::from_str(record).map_err(|e| foreign(&e))?;
        let file = SafeTensors::deserialize(bytes).map_err(|e| foreign(&e))?;
        let problem = others.iter().find(|problem| file.tensor(problem.tensor).is_ok());
        let problem = problem.unwrap_or(&StoredProblem::FLOW_SHOP);
        let times = file.tensor(problem.tensor).map_err(|e| foreign(&e))?;
        let orders = file.tensor("orders").map_err(|e| foreign(&e))?;
        let &[count, n, m] = times.shape() else { return Err(foreign(&"its times have a wrong shape")) };
        let is_fit =
            times.dtype() == Dtype::F64 && orders.dtype() == Dtype::U32 && orders.shape() == [count, n];
        if !is_fit || n == 0 || m == 0 {
            return Err(foreign(&"its times and orders do not fit together"));
        }
        // Without an instance the file says nothing about `n` and `m`, whose product may be more than there is.
        if count == 0 {
            return Err(DatasetError::Empty);
        }
        let times: Vec<f64> =
            times.data().as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        let orders: Vec<JobId> =
            orders.data().as_chunks::<4>().0.iter().map(|&bytes| JobId::from_le_bytes(bytes)).collect();
        let labels = times.chunks_exact(n * m).zip(orders.chunks_exact(n)).enumerate();
        let labels = labels.map(|(index, (times, order))| {
            let damaged = |reason: String| DatasetError::Instance { index, reason };
            let instance = (problem.read)(m, times).map_err(damaged)?;
            let order = Permutation::new(order.to_vec(), n).map_err(|error| damaged(error.to_string()))?;
            Ok((instance, order))
        });
        Self::new(labels.collect::<Result<_, DatasetError>>()?, record)
    }
}

/// How a file holds the instances of a problem.
#[derive(Clone, Copy, Debug)]
pub struct StoredProblem {
    /// The name of the tensor with all numbers: by instance, job, and place in the job's row.
    pub tensor: &'static str,
    /// The instance with rows of so many numbers, or what is wrong with it.
    pub read: fn(width: usize, numbers: &[f64]) -> Result<ProblemInstance, String>,
}

impl StoredProblem {
    const FLOW_SHOP: Self = Self {
        tensor: "times",
        read: |num_machines, times| match Instance::new("", num_machines, times.to_vec()) {
            Ok(instance) => Ok(instance.into()),
            Err(error) => Err(error.to_string()),
        },
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::makespan;

    fn set() -> LabelledSet {
        let instance = |shift: f64| -> ProblemInstance {
            Instance::new("", 2, vec![1.0 + shift, 2.0, 3.5, 4.0, 0.0, 1.0]).unwrap().into()
        };
        let order = |jobs: [JobId; 3]| Permutation::new(jobs.to_vec(), 3).unwrap();
        let record = Map::from_iter([("expert".to_string(), Value::from("neh"))]);
        LabelledSet::new(vec![(instance(0.0), order([0, 2, 1])), (instance(1.0), order([1, 0, 2]))], record)
            .unwrap()
    }

    #[test]
    fn a_set_survives_its_file() {
        let set = set();
        assert_eq!(LabelledSet::from_bytes(&set.to_bytes().unwrap()).unwrap(), set);
        assert_eq!((set.num_jobs(), set.num_machines(), set.items().len()), (3, 2, 2));
        let instance = set.items()[0].instance.get::<Instance<f64>>().unwrap();
        assert_eq!(set.items()[0].cost, makespan(instance, &[0, 2, 1]));
    }

    #[test]
    fn a_set_holds_one_size() {
        let shop = |m: usize| Instance::new("", m, vec![1.0; 6]).unwrap().into();
        let labels = vec![(shop(2), Permutation::identity(3)), (shop(3), Permutation::identity(2))];
        assert!(matches!(LabelledSet::new(labels, Map::new()), Err(DatasetError::Size { index: 1 })));
    }

    #[test]
    fn damage_is_found() {
        let bytes = set().to_bytes().unwrap();
        for length in (0..bytes.len()).step_by(7) {
            assert!(LabelledSet::from_bytes(&bytes[..length]).is_err());
        }
        // The last job of the last order becomes one that is there already.
        let mut wrong = bytes.clone();
        let last = wrong.len() - 4;
        wrong[last] = 0;
        assert!(matches!(LabelledSet::from_bytes(&wrong), Err(DatasetError::Instance { index: 1, .. })));
        assert!(matches!(LabelledSet::new(Vec::new(), Map::new()), Err(DatasetError::Empty)));
    }

    /// The product of the sizes was computed first, and a chunk of that length asked for.
    #[test]
    fn an_empty_set_of_huge_instances_is_an_error() {
        let record = HashMap::from([(RECORD.to_string(), "{}".to_string())]);
        let times = TensorView::new(Dtype::F64, vec![0, 1 << 32, 1 << 32], &[]).unwrap();
        let orders = TensorView::new(Dtype::U32, vec![0, 1 << 32], &[]).unwrap();
        let bytes = serialize([("times", times), ("orders", orders)], Some(record)).unwrap();
        assert!(matches!(LabelledSet::from_bytes(&bytes), Err(DatasetError::Empty)));
    }
}
