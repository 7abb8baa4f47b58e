//! The commands that make the models, each once.

use std::fmt::Write;

use crate::reproduction::{ModelSummary, Plan, Summary, TrainingStage};

/// The names of a plan's models, those of other seeds behind them; `None` where it has none.
pub(super) fn names(plan: &Plan, summary: &Summary) -> Option<String> {
    let named: Vec<String> = plan
        .models()
        .into_iter()
        .map(|(model, _)| {
            let seeds = summary.models.iter().filter(|known| known.beside.as_ref() == Some(&model)).count();
            match seeds {
                0 => format!("`{model}`"),
                more => format!("`{model}` ({} trainings)", more + 1),
            }
        })
        .collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// The commands of all models of these plans, and which trainings are not the same but for the seed.
pub(super) fn commands<'a>(plans: impl Iterator<Item = (&'a Plan, &'a Summary)>) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut told: Vec<String> = Vec::new();
    let mut unequal: Vec<String> = Vec::new();
    for (plan, summary) in plans {
        for (model, proposed) in plan.models() {
            if told.contains(&model) {
                continue;
            }
            let of_model =
                |known: &&ModelSummary| known.model == model || known.beside.as_ref() == Some(&model);
            let known: Vec<&ModelSummary> = summary.models.iter().filter(of_model).collect();
            if known.is_empty() {
                lines.push(format!("# {model}: proposed, there is no record"));
                lines.push(proposed);
            }
            for one in known {
                lines.push(format!("# {}", one.model));
                for (at, stage) in one.stages.iter().enumerate() {
                    let is_last = at + 1 == one.stages.len();
                    let line = line(stage, is_last.then_some(&one.model));
                    // Models that start from the same one share its stages.
                    if is_last || !lines.contains(&line) {
                        lines.push(line);
                    }
                }
                unequal.extend(inequality(one));
            }
            told.push(model);
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!("\n```text\n{}\n```\n", lines.join("\n"));
    if !unequal.is_empty() {
        text.push_str("\nTrainings that are averaged although they are not the same but for the seed:\n\n");
        for one in unequal {
            let _ = writeln!(text, "* {one}");
        }
    }
    text
}

/// A command and what came of it.
fn line(stage: &TrainingStage, model: Option<&String>) -> String {
    let made = match stage.planned {
        Some(planned) if stage.epochs < planned => {
            format!("stopped after epoch {} of {planned}", stage.epochs)
        }
        _ => format!("{} epochs", stage.epochs),
    };
    let kept = format!("epoch {} kept", stage.kept);
    // A folder that was renamed afterwards.
    let renamed = model
        .filter(|model| !stage.command.split_whitespace().any(|word| word == format!("models/{model}")))
        .map(|model| format!(", now models/{model}"));
    format!("{}  # {made}, {kept}{}", stage.command, renamed.unwrap_or_default())
}

/// Why a training is not that of its row's first seed with another seed.
fn inequality(model: &ModelSummary) -> Option<String> {
    let first = model.beside.as_ref()?;
    let mut reasons = model.differences.clone();
    let stage = model.stages.last()?;
    if stage.planned.is_some_and(|planned| stage.epochs < planned) {
        reasons.push(format!("stopped after epoch {}", stage.epochs));
    }
    (!reasons.is_empty()).then(|| format!("`{}` beside `{first}`: {}.", model.model, reasons.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::plan;

    fn stage(command: &str, planned: usize, epochs: usize) -> TrainingStage {
        TrainingStage { command: command.into(), planned: Some(planned), epochs, kept: epochs.min(3) }
    }

    #[test]
    fn each_model_has_its_commands_once_with_all_stages() {
        let plan = plan("comparative-gamma-m5").unwrap();
        let first = stage("pfss train bc -o models/a", 9, 9);
        let model = |name: &str, beside: Option<&str>, stages: Vec<TrainingStage>| ModelSummary {
            model: name.into(),
            stages,
            beside: beside.map(String::from),
            differences: if beside.is_some() { vec!["config.epochs is 7, not 9".into()] } else { Vec::new() },
        };
        let names = plan.models();
        let (one, two) = (names[0].0.as_str(), names[1].0.as_str());
        let models = vec![
            model(one, None, vec![first.clone(), stage("pfss train ac -o models/x", 5, 4)]),
            model(&format!("{one}-seed2"), Some(one), vec![stage("pfss train ac -s 2", 7, 7)]),
            model(two, None, vec![first, stage("pfss train front -o models/y", 5, 5)]),
        ];
        let summary = Summary { models, ..Summary::default() };
        let text = commands([(&plan, &summary), (&plan, &summary)].into_iter());
        assert_eq!(text.matches("pfss train bc -o models/a  # 9 epochs, epoch 3 kept").count(), 1, "{text}");
        let renamed = format!(
            "pfss train ac -o models/x  # stopped after epoch 4 of 5, epoch 3 kept, now models/{one}"
        );
        assert!(text.contains(&renamed), "{text}");
        assert_eq!(text.matches("pfss train front -o models/y").count(), 1, "{text}");
        let unequal = format!("* `{one}-seed2` beside `{one}`: config.epochs is 7, not 9.");
        assert!(text.contains(&unequal), "{text}");
        assert!(text.contains("proposed, there is no record"), "{text}");
        assert!(super::names(&plan, &summary).unwrap().contains(&format!("`{one}` (2 trainings)")));
    }
}
