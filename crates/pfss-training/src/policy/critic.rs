//! The critic of actor-critic learning: what an instance will cost.

use pfss_neural::{EncoderKind, NetworkConfig};

use super::config::{Method, PolicyTrainingConfig};
use super::network::{Batch, Network};
use crate::engine::{Backend, Var};

/// The critic of a network: a graph encoder of its own, whatever the actor's is.
pub(super) fn critic(network: &NetworkConfig) -> NetworkConfig {
    NetworkConfig { encoder: EncoderKind::Ggcn, ..network.clone() }
}

/// The names and shapes of the trainable tensors of a network's critic: the encoder's, and two maps of the mean embedding.
pub(super) fn critic_tensors(network: &NetworkConfig) -> Vec<(String, Vec<usize>)> {
    let d = network.width;
    let mut tensors = critic(network).encoder_tensors();
    tensors.extend([
        ("value.hidden.weight".to_string(), vec![d, d]),
        ("value.hidden.bias".to_string(), vec![d]),
        ("value.output.weight".to_string(), vec![1, d]),
        ("value.output.bias".to_string(), vec![1]),
    ]);
    tensors
}

impl PolicyTrainingConfig {
    /// The number of trainable parameters of the critic, where there is one.
    pub fn num_critic_parameters(&self) -> Option<usize> {
        let size = |(_, shape): &(String, Vec<usize>)| shape.iter().product::<usize>();
        match self.method {
            Method::BehaviourCloning | Method::SharedBaseline | Method::SelfLabelling => None,
            Method::ActorCritic => Some(critic_tensors(&self.network).iter().map(size).sum()),
        }
    }
}

impl<B: Backend> Network<'_, B> {
    /// By instance: two maps of the mean embedding.
    pub(super) fn value(&self, batch: &Batch<B>) -> Var<B> {
        let mean = self.tape.means(&self.encode(batch), batch.jobs);
        let hidden = self.tape.relu(&self.linear("value.hidden", &mean));
        self.linear("value.output", &hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size that the paper's critic comes to.
    #[test]
    fn a_critic_has_266_881_parameters_whatever_the_actor_is() {
        for encoder in [EncoderKind::Ggcn, EncoderKind::Lstm] {
            let network = NetworkConfig { encoder, ..NetworkConfig::new(5) };
            let cloning = PolicyTrainingConfig::new(network, 1);
            assert_eq!(cloning.num_critic_parameters(), None);
            let critic = PolicyTrainingConfig { method: Method::ActorCritic, ..cloning };
            assert_eq!(critic.num_critic_parameters(), Some(266_881));
        }
    }
}
