//! Trainings of actor and critic.

use pfss_core::{Instance, JobId};
use pfss_neural::{EncoderKind, ProblemInstance};

use super::{ENCODERS, begin, finish, flow_shop, fresh, imitation, labelled, small, small_critic};
use crate::policy::actor_critic::costs_of;
use crate::policy::{CostScale, Fresh, Method, PolicyLessons, PolicyTraining, PolicyTrainingConfig};
use crate::{Device, TrainingError};

#[test]
fn an_interrupted_actor_and_critic_end_with_the_same_weights() {
    let (lessons, validation) = (PolicyLessons::Fresh(fresh(6, 3, 24)), labelled(10, 6, 3, 2));
    for encoder in ENCODERS {
        let config = small_critic(encoder);
        let whole = finish(begin(config.clone(), &lessons), &validation);
        assert!(whole.history().iter().all(|epoch| epoch.critic_loss.is_some()));
        for stop in [0, 1, 3, 4] {
            let mut training = begin(config.clone(), &lessons);
            for _ in 0..stop {
                if training.batch() == training.batches() {
                    training.finish_epoch(std::slice::from_ref(&validation)).unwrap();
                }
                training.step().unwrap();
            }
            let bytes = training.checkpoint().unwrap();
            let resumed = PolicyTraining::resume(config.clone(), &lessons, Device::Cpu, &bytes).unwrap();
            let resumed = finish(resumed, &validation);
            assert_eq!(resumed.weights().unwrap(), whole.weights().unwrap());
            let costs = |training: &PolicyTraining| -> Vec<(f64, f64)> {
                training.history().iter().map(|epoch| (epoch.loss, epoch.cost)).collect()
            };
            assert_eq!(costs(&resumed), costs(&whole));
        }
        // A checkpoint of imitation is none of actor and critic.
        let bytes = begin(small(3), &imitation(16, 6, 3, 1)).checkpoint().unwrap();
        let error = PolicyTraining::resume(config, &lessons, Device::Cpu, &bytes).err().unwrap();
        assert!(matches!(error, TrainingError::Different { .. }));
    }
}

/// The scale is the instance's own, so that raw costs of a stretched instance grow with it and scaled ones do not.
#[test]
fn raw_costs_are_makespans_and_scaled_ones_have_no_unit() {
    let shop = flow_shop(&labelled(1, 6, 3, 1).items()[0].instance).clone();
    let times: Vec<f64> = (0..6).flat_map(|job| shop.job(job).iter().map(|time| time * 40.0)).collect();
    let (small, large): (ProblemInstance, ProblemInstance) =
        (shop.into(), Instance::new("", 3, times).unwrap().into());
    let order: Vec<JobId> = (0..6).rev().collect();
    let orders = [&order[..], &order[..]].concat();
    let instances = [small.clone(), large];
    let raw = costs_of(&instances, &orders, 6, CostScale::Raw);
    let scaled = costs_of(&instances, &orders, 6, CostScale::Scaled);
    assert_eq!(raw[0], small.cost(&order) as f32);
    assert!((raw[1] - 40.0 * raw[0]).abs() < 1e-3);
    assert_eq!(scaled[0], (small.cost(&order) / small.typical_cost()) as f32);
    assert!((scaled[1] - scaled[0]).abs() < 1e-5);
    assert!(raw[1] > 2.0 * scaled[1], "{raw:?} {scaled:?}");
}

#[test]
fn a_record_without_a_scale_of_costs_is_of_scaled_ones() {
    let config = PolicyTrainingConfig { cost: CostScale::Raw, ..small_critic(EncoderKind::Lstm) };
    let mut record = serde_json::to_value(&config).unwrap();
    assert_eq!(record["cost"], "raw");
    assert_eq!(serde_json::from_value::<PolicyTrainingConfig>(record.clone()).unwrap(), config);
    record.as_object_mut().unwrap().remove("cost");
    assert_eq!(serde_json::from_value::<PolicyTrainingConfig>(record).unwrap().cost, CostScale::Scaled);
}

/// Both learn to build shorter orders than they drew at first, and go on after an interrupt as if there was none.
#[test]
fn policies_learn_from_many_orders_of_their_own() {
    let (lessons, validation) = (PolicyLessons::Fresh(fresh(6, 3, 64)), labelled(40, 6, 3, 2));
    for method in [Method::SharedBaseline, Method::SelfLabelling] {
        let config = PolicyTrainingConfig {
            method,
            samples: 8,
            epochs: 12,
            learning_rate: 2e-3,
            ..small_critic(EncoderKind::Ggcn)
        };
        let whole = finish(begin(config.clone(), &lessons), &validation);
        let costs: Vec<f64> = whole.history().iter().map(|epoch| epoch.cost).collect();
        assert!(costs[11] < 0.98 * costs[0], "{method:?}: {costs:?}");
        assert!(whole.history().iter().all(|epoch| epoch.critic_loss.is_none()));
        let mut training = begin(config.clone(), &lessons);
        training.step().unwrap();
        let bytes = training.checkpoint().unwrap();
        let resumed = PolicyTraining::resume(config.clone(), &lessons, Device::Cpu, &bytes).unwrap();
        assert_eq!(finish(resumed, &validation).weights().unwrap(), whole.weights().unwrap());
        let alone = PolicyTrainingConfig { samples: 1, ..config };
        let error = PolicyTraining::new(alone, &lessons, Device::Cpu).err().unwrap();
        assert!(matches!(error, TrainingError::Setting { name: "the number of drawn orders", .. }));
    }
}

#[test]
fn a_method_wants_its_own_lessons() {
    let (set, fresh) = (imitation(4, 5, 3, 1), fresh(5, 3, 8));
    let lessons = PolicyLessons::Fresh(fresh.clone());
    let cloning = PolicyTraining::new(small(1), &lessons, Device::Cpu).err().unwrap();
    assert!(matches!(cloning, TrainingError::Setting { name: "the method", .. }));
    let critic = small_critic(EncoderKind::Ggcn);
    assert!(PolicyTraining::new(critic.clone(), &set, Device::Cpu).is_err());
    let none = Fresh { instances: 0, ..fresh };
    assert!(PolicyTraining::new(critic, &PolicyLessons::Fresh(none), Device::Cpu).is_err());
}

#[test]
fn an_actor_can_start_from_what_was_imitated() {
    let imitated = finish(begin(small(3), &imitation(40, 6, 3, 1)), &labelled(10, 6, 3, 2));
    let weights = imitated.weights().unwrap();
    let config =
        PolicyTrainingConfig { start: Some("imitated".to_string()), ..small_critic(EncoderKind::Ggcn) };
    let lessons = PolicyLessons::Fresh(fresh(6, 3, 24));
    let training = begin(config.clone(), &lessons);
    let training = training.with_start(&weights).unwrap();
    assert_eq!(training.weights().unwrap(), weights);
    let bytes = training.checkpoint().unwrap();
    let resumed = PolicyTraining::resume(config.clone(), &lessons, Device::Cpu, &bytes).unwrap();
    assert_eq!(resumed.weights().unwrap(), weights);
    let elsewhere = PolicyTrainingConfig { start: None, ..config };
    let error = PolicyTraining::resume(elsewhere, &lessons, Device::Cpu, &bytes).err().unwrap();
    assert!(matches!(error, TrainingError::Different { .. }));
    let other = begin(small_critic(EncoderKind::Lstm), &lessons);
    assert!(matches!(other.with_start(&weights), Err(TrainingError::Start { .. })));
}
