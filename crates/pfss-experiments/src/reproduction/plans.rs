//! The plans that come with the program.

use super::plan::{Plan, PlanError};
use crate::{PlannedTraining, TrainingPlanError, read_training_plan};

/// The text of each plan and of the values that the paper prints, in the order of the paper.
macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            include_str!(concat!("../../plans/", $name, ".toml")),
            include_str!(concat!("../../plans/", $name, ".csv")),
        )),*]
    };
}

const PLANS: &[(&str, &str, &str)] = embedded![
    "comparative-gamma-m5",
    "literal-gamma",
    "benchmarks-taillard",
    "benchmarks-vrf",
    "time-complexity",
    "time-cost",
    "ablation",
    "job-differences",
    "exact-vs-neh",
    "comparative-normal-m5",
    "comparative-gamma-m10",
    "aggregation",
    "normalisation",
    "tsp",
];

/// The trainings of the models of all plans, and of what they start from.
///
/// # Errors
/// [`TrainingPlanError`] names a training that is wrong.
pub fn trainings() -> Result<Vec<PlannedTraining>, TrainingPlanError> {
    read_training_plan(include_str!("../../plans/trainings.toml"))
}

/// The names of all plans, in the order of the paper.
pub fn plan_names() -> Vec<&'static str> {
    PLANS.iter().map(|(name, ..)| *name).collect()
}

/// The plan of this name.
///
/// # Errors
/// [`PlanError::Unknown`] lists the names that exist.
pub fn plan(name: &str) -> Result<Plan, PlanError> {
    match PLANS.iter().find(|(known, ..)| *known == name) {
        Some((name, plan, printed)) => Plan::parse(name, plan, printed),
        None => Err(PlanError::Unknown { name: name.to_string(), known: plan_names().join(", ") }),
    }
}

/// All plans, in the order of the paper.
///
/// # Errors
/// [`PlanError`] names a plan that is wrong.
pub fn plans() -> Result<Vec<Plan>, PlanError> {
    PLANS.iter().map(|(name, plan, printed)| Plan::parse(name, plan, printed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_is_consistent() {
        for plan in plans().unwrap() {
            assert!(!plan.title.is_empty() && !plan.caption.is_empty(), "{}", plan.name);
            assert!(plan.groups.iter().all(|group| !group.label.is_empty()), "{}", plan.name);
        }
        assert!(plan("no-such-plan").unwrap_err().to_string().contains("exact-vs-neh"));
    }

    #[test]
    fn every_model_of_a_plan_has_its_training() {
        let trainings = trainings().unwrap();
        for plan in plans().unwrap() {
            for model in plan.models() {
                let output = format!("models/{model}");
                let found = trainings.iter().any(|training| training.output() == Some(&output));
                assert!(found, "{}: {model}", plan.name);
            }
        }
    }

    #[test]
    fn every_table_of_the_paper_is_whole() {
        let counts = [36, 12, 15, 15, 3, 18, 8, 0, 6, 36, 36, 9, 9, 9];
        for (plan, count) in plans().unwrap().iter().zip(counts) {
            assert_eq!(plan.printed.cells().len(), count, "{}", plan.name);
        }
    }
}
