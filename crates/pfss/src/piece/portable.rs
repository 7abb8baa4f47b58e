//! Instances in a form that travels.

use pfss_core::timing::{AttributeError, Attributes, Line};
use pfss_core::{Instance, InstanceError, Time};
use pfss_io::{AnyInstance, match_instance};
use serde::{Deserialize, Serialize};

/// A flow shop with times only, in a form that travels. Names of jobs and machines stay at home.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableShop {
    name: String,
    num_machines: usize,
    times: Times,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Times {
    Integer(Vec<u32>),
    Real(Vec<f64>),
}

impl PortableShop {
    /// The instance that was sent.
    ///
    /// # Errors
    /// [`InstanceError`] when it is none.
    pub fn instance(&self) -> Result<AnyInstance, InstanceError> {
        let (name, machines) = (self.name.as_str(), self.num_machines);
        Ok(match &self.times {
            Times::Integer(times) => AnyInstance::Integer(Instance::new(name, machines, times.clone())?),
            Times::Real(times) => AnyInstance::Real(Instance::new(name, machines, times.clone())?),
        })
    }

    /// The instance that was sent, with what its jobs and machines carry.
    ///
    /// # Errors
    /// A sentence that says why it is none.
    pub fn line(&self, attributes: &Attributes) -> Result<Line, String> {
        let any = self.instance().map_err(|error| error.to_string())?;
        let line = match_instance!(&any, instance => Line::new(instance, attributes));
        line.map_err(|error: AttributeError| error.to_string())
    }
}

impl<T: Time> From<&Instance<T>> for PortableShop {
    fn from(instance: &Instance<T>) -> Self {
        let (name, num_machines) = (instance.name().to_string(), instance.num_machines());
        let times = match T::IS_INTEGER {
            // Integer times are u32, which reals hold exactly.
            true => Times::Integer(instance.times().iter().map(|time| time.to_f64() as u32).collect()),
            false => Times::Real(instance.times().iter().map(|time| time.to_f64()).collect()),
        };
        Self { name, num_machines, times }
    }
}

impl From<&AnyInstance> for PortableShop {
    fn from(any: &AnyInstance) -> Self {
        match_instance!(any, instance => instance.into())
    }
}

/// What others are to solve, in a form that travels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PortableProblem {
    /// A flow shop with times only.
    Shop(PortableShop),
    /// A flow shop whose jobs and machines carry more.
    Line(PortableShop, Attributes),
    /// An instance of another problem, as the [`Craft`](super::Craft) of this name writes it.
    Other {
        /// The name of the problem.
        problem: String,
        /// The instance.
        text: String,
    },
}

impl<T: Time> From<&Instance<T>> for PortableProblem {
    fn from(instance: &Instance<T>) -> Self {
        Self::Shop(instance.into())
    }
}

impl PortableProblem {
    /// A flow shop with what its jobs and machines carry.
    pub fn line(instance: &AnyInstance, attributes: &Attributes) -> Self {
        Self::Line(instance.into(), attributes.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::PermutationProblem;
    use pfss_core::timing::{JobAttributes, MachineAttributes, Objective, Score, Setup};

    #[test]
    fn a_line_arrives_as_it_was_sent() {
        let shop = Instance::from_job_rows("mill", &[[4.5, 3.0], [2.0, 5.25], [3.0, 3.0]]).unwrap();
        let job = |due: f64, family| JobAttributes {
            due: Some(due),
            weight: 0.5,
            family: Some(family),
            ..JobAttributes::default()
        };
        let setups = vec![Setup { from: Some(0), to: 1, time: 0.75 }, Setup { from: None, to: 0, time: 2.0 }];
        let machine = MachineAttributes { setups, breaks: vec![(3.0, 4.0)], ..MachineAttributes::default() };
        let attributes = Attributes {
            jobs: vec![job(12.0, 0), job(7.0, 1), job(10.0, 0)],
            machines: vec![
                machine,
                MachineAttributes { available_from: 1.5, ..MachineAttributes::default() },
            ],
            families: vec!["oak".to_string(), "ash".to_string()],
            precedence: vec![(2, 0)],
            objectives: vec![Objective::TotalTardiness, Objective::Makespan],
            ..Attributes::default()
        };
        let line = Line::new(&shop, &attributes).unwrap();
        let sent = PortableProblem::line(&shop.into(), &attributes);
        let sent: PortableProblem = serde_json::from_str(&serde_json::to_string(&sent).unwrap()).unwrap();
        let PortableProblem::Line(shop, attributes) = sent else { panic!("it became another problem") };
        let arrived = shop.line(&attributes).unwrap();
        for order in [[1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let costs: [Score; 2] = [line.cost(&order), arrived.cost(&order)];
            assert_eq!(costs[0], costs[1]);
            assert_eq!(line.values(costs[0]), arrived.values(costs[1]));
        }
    }
}
