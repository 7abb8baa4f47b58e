//! How the models were trained: each command once.

use std::fmt::Write;

use super::training_command::TrainingCommand;
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

/// A line of the table: trainings that share a command.
struct Line {
    /// The models; `M` stands for the number of machines where there are several.
    name: String,
    /// The numbers of machines that `M` stands for.
    machines: Vec<String>,
    /// The seeds of its trainings.
    seeds: Vec<String>,
    /// How many epochs were made and which were kept.
    epochs: Vec<String>,
    /// The command.
    command: String,
}

/// A table of all trainings of these plans' models, and which of them are not the same but for the seed.
pub(super) fn trainings<'a>(plans: impl Iterator<Item = (&'a Plan, &'a Summary)>) -> String {
    let mut lines: Vec<Line> = Vec::new();
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
            lines.extend(known.first().map_or(Vec::new(), |first| earlier(first)));
            lines.push(last(&model, &proposed, &known));
            unequal.extend(known.iter().filter_map(|one| inequality(one)));
            told.push(model);
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!("{HEAD}\n| model | seeds | epochs | command |\n| --- | --- | --- | --- |\n");
    for Line { name, seeds, epochs, command, machines } in merged(lines) {
        let machines =
            if machines.len() > 1 { format!(", M = {}", machines.join(", ")) } else { String::new() };
        let (seeds, epochs) = (seeds.join(", "), epochs.join("; "));
        let _ = writeln!(text, "| `{name}`{machines} | {seeds} | {epochs} | `{command}` |");
    }
    if !unequal.is_empty() {
        text.push_str("\nTrainings that are averaged although they differ in more than the seed:\n\n");
        for one in unequal {
            let _ = writeln!(text, "* {one}");
        }
    }
    text
}

/// The stages that a model started from.
fn earlier(model: &ModelSummary) -> Vec<Line> {
    let stages = model.stages.iter().take(model.stages.len().saturating_sub(1)).enumerate();
    let line = |(at, stage): (usize, &TrainingStage)| {
        let command = TrainingCommand::parse(&stage.command);
        Line {
            name: format!(
                "{} (stage {} of {})",
                command.output.as_deref().unwrap_or("?"),
                at + 1,
                model.model
            ),
            machines: Vec::new(),
            seeds: command.seed.clone().into_iter().collect(),
            epochs: vec![epochs(&[stage])],
            command: command.text(),
        }
    };
    stages.map(line).collect()
}

/// The last stage of a model and of its other seeds, whose settings the records say to be the same.
fn last(model: &str, proposed: &str, known: &[&ModelSummary]) -> Line {
    let stages: Vec<&TrainingStage> = known.iter().filter_map(|one| one.stages.last()).collect();
    let commands: Vec<TrainingCommand> =
        stages.iter().map(|stage| TrainingCommand::parse(&stage.command)).collect();
    let Some(command) = commands.iter().min_by_key(|command| command.text().len()) else {
        return Line {
            name: model.to_string(),
            machines: Vec::new(),
            seeds: Vec::new(),
            epochs: vec!["proposed, there is no record".into()],
            command: TrainingCommand::parse(proposed).text(),
        };
    };
    Line {
        name: model.to_string(),
        machines: command.machines().map(String::from).into_iter().collect(),
        seeds: commands.iter().filter_map(|command| command.seed.clone()).collect(),
        epochs: vec![epochs(&stages)],
        command: command.text(),
    }
}

/// How many epochs were made, and which one was kept of each training.
fn epochs(stages: &[&TrainingStage]) -> String {
    let made = |stage: &TrainingStage| match stage.planned {
        Some(planned) if stage.epochs < planned => format!("stopped after {} of {planned}", stage.epochs),
        _ => stage.epochs.to_string(),
    };
    let mut all: Vec<String> = stages.iter().map(|stage| made(stage)).collect();
    all.dedup();
    let kept: Vec<String> = stages.iter().map(|stage| stage.kept.to_string()).collect();
    format!("{}, kept {}", all.join(", "), kept.join(", "))
}

/// Lines that differ in the number of machines alone, put together; stages that several models share, once.
fn merged(lines: Vec<Line>) -> Vec<Line> {
    let general = |line: &Line| match line.machines.first() {
        Some(machines) => (
            line.name.replace(&format!("-m{machines}"), "-mM"),
            line.command.replace(&format!(" -m {machines}"), " -m M"),
        ),
        None => (line.name.clone(), line.command.clone()),
    };
    let mut merged: Vec<Line> = Vec::new();
    for line in lines {
        let (name, command) = general(&line);
        let shared = merged.iter_mut().find(|other| {
            let is_stage = line.name.contains(" (stage ") && other.command == line.command;
            (is_stage && other.epochs == line.epochs && other.seeds == line.seeds)
                || (!line.machines.is_empty()
                    && line.seeds == other.seeds
                    && general(other) == (name.clone(), command.clone()))
        });
        match shared {
            Some(_) if line.machines.is_empty() => {}
            Some(other) => {
                other.machines.extend(line.machines);
                other.epochs.extend(line.epochs);
            }
            None => merged.push(line),
        }
    }
    for line in merged.iter_mut().filter(|line| line.machines.len() > 1) {
        (line.name, line.command) = general(line);
        for (epochs, machines) in line.epochs.iter_mut().zip(&line.machines) {
            *epochs = format!("M = {machines}: {epochs}");
        }
    }
    merged
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

const HEAD: &str = "\
To train a model again, add a seed, a device and a folder to its command: `-s SEED --device cuda -o models/NAME`. The seeds of a line are trainings that differ in nothing
else; seeds 2 and 3 are in the folders `NAME-seed2` and `NAME-seed3`. The epoch that was kept, one number per seed, is the one with the least gap on the validation
instances. Where a training was stopped by hand, give the same command and stop it (Ctrl-C) after that epoch: the learning rate of an epoch may depend on how many
are planned. A model of several stages starts from the stages above it. `scripts/models NAME` brings a model back from the history of the project.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::plan;

    fn stage(command: &str, planned: usize, epochs: usize) -> TrainingStage {
        TrainingStage { command: command.into(), planned: Some(planned), epochs, kept: epochs.min(3) }
    }

    fn model(name: &str, beside: Option<&str>, stages: Vec<TrainingStage>) -> ModelSummary {
        let differences =
            if beside.is_some() { vec!["config.epochs is 7, not 9".into()] } else { Vec::new() };
        ModelSummary { model: name.into(), stages, beside: beside.map(String::from), differences }
    }

    #[test]
    fn each_command_is_there_once_with_all_stages() {
        let plan = plan("comparative-gamma-m5").unwrap();
        let first = stage("pfss train bc -s 4 -o models/a", 9, 9);
        let names = plan.models();
        let (one, two) = (names[0].0.as_str(), names[1].0.as_str());
        let models = vec![
            model(one, None, vec![first.clone(), stage("pfss train ac -s 1 --decay 1 -o models/x", 5, 4)]),
            model(&format!("{one}-seed2"), Some(one), vec![stage("pfss train ac -s 2 --decay 1", 7, 7)]),
            model(two, None, vec![first, stage("pfss train ac -s 1 --decay 2 -o models/y", 5, 5)]),
        ];
        let summary = Summary { models, ..Summary::default() };
        let text = trainings([(&plan, &summary), (&plan, &summary)].into_iter());
        let stage = format!("| `a (stage 1 of {one})` | 4 | 9, kept 3 | `pfss train bc --input-scale raw` |");
        assert!(text.contains(&stage), "{text}");
        assert_eq!(text.matches("pfss train bc --input-scale raw`").count(), 1, "{text}");
        let row = format!(
            "| `{one}` | 1, 2 | stopped after 4 of 5, 7, kept 3, 3 | `pfss train ac --decay 1 --input-scale raw` |"
        );
        assert!(text.contains(&row), "{text}");
        assert_eq!(text.matches("`pfss train ac --decay 2 --input-scale raw`").count(), 1, "{text}");
        let unequal = format!("* `{one}-seed2` beside `{one}`: config.epochs is 7, not 9.");
        assert!(text.contains(&unequal), "{text}");
        assert!(text.contains("proposed, there is no record"), "{text}");
        assert!(super::names(&plan, &summary).unwrap().contains(&format!("`{one}` (2 trainings)")));
    }

    #[test]
    fn commands_for_several_numbers_of_machines_are_one_line() {
        let line = |machines: &str, kept: &str| Line {
            name: format!("gamma-m{machines}-x"),
            machines: vec![machines.into()],
            seeds: vec!["1".into()],
            epochs: vec![format!("9, kept {kept}")],
            command: format!("pfss train bc -m {machines}"),
        };
        let merged = merged(vec![line("5", "3"), line("20", "4")]);
        assert_eq!(merged.len(), 1);
        assert_eq!(
            (merged[0].name.as_str(), merged[0].command.as_str()),
            ("gamma-mM-x", "pfss train bc -m M")
        );
        assert_eq!(merged[0].epochs, ["M = 5: 9, kept 3", "M = 20: 9, kept 4"]);
    }
}
