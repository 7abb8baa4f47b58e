//! Files of trainings: commands of `pfss train`, each with the seeds that it is given.

use serde::Deserialize;
use thiserror::Error;

/// Why a file is no plan of trainings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingPlanError {
    /// The text has another form.
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    /// A command has no meaning.
    #[error("training {number}: `{command}`: {reason}")]
    Command {
        /// Its place in the file, counted from one.
        number: usize,
        /// The command.
        command: String,
        /// What is wrong.
        reason: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    trainings: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The name where that of the output will not do.
    id: Option<String>,
    /// The command, as a shell takes it.
    train: String,
    /// The seeds; with the second one it is a training of its own.
    #[serde(default)]
    seeds: Vec<u64>,
}

/// A command of `pfss train`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedTraining {
    /// The name where that of the output will not do.
    pub id: Option<String>,
    /// The words behind `pfss`.
    pub words: Vec<String>,
}

impl PlannedTraining {
    /// Where it writes.
    pub fn output(&self) -> Option<&str> {
        output(&self.words).map(|at| self.words[at].as_str())
    }

    /// The command, as a shell takes it.
    pub fn command(&self) -> String {
        let words = std::iter::once("pfss").chain(self.words.iter().map(String::as_str));
        // Only what a shell can take was read.
        shlex::try_join(words).unwrap_or_default()
    }
}

/// Where the value of `-o` stands.
fn output(words: &[String]) -> Option<usize> {
    let option = words.iter().position(|word| word == "-o" || word == "--output")?;
    (option + 1 < words.len()).then_some(option + 1)
}

/// The trainings of a file. Of several seeds the first one writes to the output of the command, seed 2 to `OUTPUT-seed2`;
/// what starts from a training starts from that of its own seed, where there is one.
///
/// # Errors
/// [`TrainingPlanError`] names the training.
pub fn read_training_plan(text: &str) -> Result<Vec<PlannedTraining>, TrainingPlanError> {
    let file: File = toml::from_str(text)?;
    let mut trainings = Vec::new();
    for (index, entry) in file.trainings.into_iter().enumerate() {
        let wrong =
            |reason| TrainingPlanError::Command { number: index + 1, command: entry.train.clone(), reason };
        let words = shlex::split(&entry.train).ok_or_else(|| wrong("a quotation mark has no other end"))?;
        let Some(("pfss", words)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
            return Err(wrong("a command begins with `pfss train`"));
        };
        let (id, words) = (entry.id.clone(), words.to_vec());
        let Some((&first, others)) = entry.seeds.split_first() else {
            trainings.push(PlannedTraining { id, words });
            continue;
        };
        if words.iter().any(|word| word.starts_with("-s") || word.starts_with("--seed")) {
            return Err(wrong("`seeds` and -s both give a seed"));
        }
        let Some(place) = output(&words) else { return Err(wrong("`seeds` need a folder behind -o")) };
        trainings.push(PlannedTraining { id: id.clone(), words: seeded(words.clone(), first) });
        for &seed in others {
            let mut words = words.clone();
            words[place] = of_seed(&words[place], seed);
            if let Some(start) = words.iter().position(|word| word == "--start").map(|option| option + 1)
                && let Some(from) = words.get(start).map(|from| of_seed(from, seed))
                && trainings.iter().any(|other: &PlannedTraining| other.output() == Some(&from))
            {
                words[start] = from;
            }
            let id = id.as_ref().map(|id| of_seed(id, seed));
            trainings.push(PlannedTraining { id, words: seeded(words, seed) });
        }
    }
    Ok(trainings)
}

fn of_seed(name: &str, seed: u64) -> String {
    format!("{name}-seed{seed}")
}

fn seeded(mut words: Vec<String>, seed: u64) -> Vec<String> {
    words.extend(["-s".to_string(), seed.to_string()]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seed_is_a_training_that_starts_from_its_own() {
        let text = "[[trainings]]\ntrain = \"pfss train bc -o 'a b'\"\nseeds = [7, 2]\n\
            [[trainings]]\nid = \"two\"\ntrain = \"pfss train ac --start 'a b' -o c\"\nseeds = [1, 2, 3]\n\
            [[trainings]]\ntrain = \"pfss train ac -s 9 --start c -o d\"\n";
        let commands: Vec<String> =
            read_training_plan(text).unwrap().iter().map(PlannedTraining::command).collect();
        assert_eq!(
            commands,
            [
                "pfss train bc -o 'a b' -s 7",
                "pfss train bc -o 'a b-seed2' -s 2",
                "pfss train ac --start 'a b' -o c -s 1",
                "pfss train ac --start 'a b-seed2' -o c-seed2 -s 2",
                "pfss train ac --start 'a b' -o c-seed3 -s 3",
                "pfss train ac -s 9 --start c -o d",
            ]
        );
        assert_eq!(read_training_plan(text).unwrap()[3].id.as_deref(), Some("two-seed2"));
    }

    #[test]
    fn files_that_are_no_plans_are_refused() {
        for (text, expected) in [
            ("[[training]]", "unknown field `training`"),
            ("[[trainings]]\ntrain = \"rm -r runs\"", "training 1: `rm -r runs`: a command begins with"),
            ("[[trainings]]\ntrain = \"pfss train ac -o 'a\"", "quotation mark"),
            ("[[trainings]]\ntrain = \"pfss train ac -s 1 -o a\"\nseeds = [1]", "both give a seed"),
            ("[[trainings]]\ntrain = \"pfss train ac\"\nseeds = [1]", "need a folder"),
        ] {
            let error = read_training_plan(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
