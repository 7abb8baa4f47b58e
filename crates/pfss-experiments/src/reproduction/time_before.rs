//! The time that a policy needed before its first instance.

use std::collections::HashMap;

use super::cell::{Before, Cell};
use super::model::Models;
use super::plan::Plan;
use super::runs::GroupRuns;

/// What expert and training took, for the methods that name an expert or a model with a record.
pub(super) fn add_time_before(plan: &Plan, runs: &[GroupRuns], models: &Models, cells: &mut [Cell]) {
    if !plan.methods.iter().any(|method| method.expert.is_some()) {
        return;
    }
    let seconds: HashMap<(String, String), (f64, Option<usize>)> = cells
        .iter()
        .filter_map(|cell| Some((cell, cell.numbers.as_ref()?)))
        .map(|(cell, numbers)| {
            ((cell.method.clone(), cell.group.clone()), (numbers.seconds, numbers.machine))
        })
        .collect();
    for cell in cells.iter_mut() {
        let group = runs.iter().find(|runs| runs.group.id == cell.group).map(|runs| &runs.group);
        let (Some(method), Some(group), Some(numbers)) =
            (plan.method(&cell.method), group, cell.numbers.as_mut())
        else {
            continue;
        };
        let expert = method.expert.as_ref().map(|expert| (expert.method.clone(), expert.group.clone()));
        let expert = match expert {
            // Times of two machines make no sum.
            Some(expert) => {
                let labels = seconds.get(&expert).filter(|(_, machine)| *machine == numbers.machine);
                labels.map(|(seconds, _)| *seconds)
            }
            None => Some(0.0),
        };
        let training = match method.model.as_str() {
            "" => Some(0.0),
            _ => models.training(&group.fill(&method.model)).ok().flatten().map(|record| record.seconds),
        };
        numbers.before = expert.zip(training).map(|(expert, training)| Before { expert, training });
    }
}
