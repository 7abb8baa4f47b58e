//! How the models were trained.

use pfss_render::{Alignment, RenderError, Table};

use super::training_command::TrainingCommand;
use crate::PlannedTraining;
use crate::reproduction::{ModelSummary, Plan, Summary, TrainingStage, trainings as planned};

/// A row for each training of these plans' models, stages before what starts from them; `None` where they have no models.
pub(super) fn trainings<'a>(
    plans: impl Iterator<Item = (&'a Plan, &'a Summary)>,
) -> Result<Option<Table>, RenderError> {
    let mut rows: Vec<[String; 6]> = Vec::new();
    for (plan, summary) in plans {
        for model in plan.models() {
            let of_model =
                |known: &&ModelSummary| known.model == model || known.beside.as_ref() == Some(&model);
            let known: Vec<&ModelSummary> = summary.models.iter().filter(of_model).collect();
            let made: Vec<[String; 6]> = match known.is_empty() {
                true => vec![proposed(&model)],
                false => known.into_iter().flat_map(records).collect(),
            };
            for row in made {
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
    }
    let mut table = Table::new([
        ("model", Alignment::Left),
        ("seed", Alignment::Right),
        ("epochs", Alignment::Right),
        ("kept", Alignment::Right),
        ("remark", Alignment::Left),
        ("command", Alignment::Left),
    ]);
    let is_empty = rows.is_empty();
    for row in rows {
        table.push_row(row)?;
    }
    Ok((!is_empty).then_some(table))
}

/// The stages of a model.
fn records(model: &ModelSummary) -> Vec<[String; 6]> {
    let last = model.stages.len().saturating_sub(1);
    let row = |(at, stage): (usize, &TrainingStage)| {
        let command = TrainingCommand::parse(&stage.command);
        let name = match (at == last, &command.output) {
            (false, Some(output)) => output.clone(),
            _ => model.model.clone(),
        };
        let mut remarks = Vec::new();
        if stage.planned.is_some_and(|planned| stage.epochs < planned) {
            remarks.push(format!("stopped before epoch {}", stage.planned.unwrap_or_default()));
        }
        if let Some(first) = model.beside.as_ref().filter(|_| at == last && !model.differences.is_empty()) {
            remarks.push(format!("beside {first}: {}", model.differences.join("; ")));
        }
        let seed = command.seed.clone().unwrap_or_default();
        [name, seed, stage.epochs.to_string(), stage.kept.to_string(), remarks.join("; "), command.text()]
    };
    model.stages.iter().enumerate().map(row).collect()
}

/// A model that has no record.
fn proposed(model: &str) -> [String; 6] {
    let output = format!("models/{model}");
    let command = planned().ok().and_then(|trainings| {
        trainings.iter().find(|one| one.output() == Some(&output)).map(PlannedTraining::command)
    });
    let text = command.map_or_else(String::new, |command| TrainingCommand::parse(&command).text());
    [model.to_string(), String::new(), String::new(), String::new(), "no record".to_string(), text]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::plan;

    #[test]
    fn each_training_is_there_once_with_all_stages() {
        let stage = |command: &str, planned: usize, epochs: usize| TrainingStage {
            command: command.into(),
            planned: Some(planned),
            epochs,
            kept: epochs.min(3),
        };
        let plan = plan("comparative-gamma-m5").unwrap();
        let first = stage("pfss train bc -s 4 -o models/a", 9, 9);
        let names = plan.models();
        let model = |name: &str, beside: Option<&str>, stages: &[TrainingStage]| ModelSummary {
            model: name.into(),
            stages: stages.to_vec(),
            beside: beside.map(String::from),
            differences: beside.map(|_| "config.epochs is 7, not 9".into()).into_iter().collect(),
        };
        let again = format!("{}-seed2", names[0]);
        let models = vec![
            model(&names[0], None, &[first.clone(), stage("pfss train ac -s 1 --decay 1 -o models/x", 5, 4)]),
            model(&again, Some(&names[0]), &[first, stage("pfss train ac -s 2 --decay 1", 7, 7)]),
        ];
        let summary = Summary { models, ..Summary::default() };
        let table = trainings([(&plan, &summary), (&plan, &summary)].into_iter()).unwrap().unwrap();
        let rows: Vec<Vec<&str>> =
            table.rows().iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect();
        let scaled = "pfss train ac --decay 1 --input-scale raw";
        assert_eq!(rows[0], ["a", "4", "9", "3", "", "pfss train bc --input-scale raw"]);
        assert_eq!(rows[1], [&names[0], "1", "4", "3", "stopped before epoch 5", scaled]);
        let beside = format!("beside {}: config.epochs is 7, not 9", names[0]);
        assert_eq!(rows[2], [&again, "2", "7", "3", &beside, scaled]);
        assert_eq!(rows.len(), 3 + names.len() - 1);
        assert!(rows[3..].iter().all(|row| row[4] == "no record" && row[5].starts_with("pfss train ")));
    }
}
