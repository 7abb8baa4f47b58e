//! A command of `pfss train` in a form in which equal trainings look equal.

/// A training's command, taken apart.
pub(super) struct TrainingCommand {
    /// `pfss train KIND`.
    head: String,
    /// Flags with their values, sorted; without those that say where and how fast to train.
    flags: Vec<String>,
    /// The seed.
    pub(super) seed: Option<String>,
    /// The name of the model, the last part of the output folder.
    pub(super) output: Option<String>,
}

/// Flags that have other names today: the kind of training, the name in records, the name today.
const RENAMED: [(&str, &str, &str); 5] = [
    ("front", "--instances", "--batch"),
    ("bc", "--instances", "--count"),
    ("ac", "--instances", "--count"),
    ("bc", "--normalization", "--normalisation"),
    ("ac", "--normalization", "--normalisation"),
];

/// Flags that do not change what is learnt, or have a column of their own.
const ELSEWHERE: [&str; 4] = ["-s", "-o", "-j", "--device"];

impl TrainingCommand {
    /// Takes a command apart. Every flag has one value; flags get the names that they have today.
    pub(super) fn parse(command: &str) -> Self {
        let words: Vec<&str> = command.split_whitespace().collect();
        let start = words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len());
        let (head, rest) = words.split_at(start);
        let value =
            |flag: &str| rest.chunks(2).find(|pair| pair[0] == flag).and_then(|pair| pair.get(1)).copied();
        let mut flags: Vec<String> = rest
            .chunks(2)
            .filter(|pair| !ELSEWHERE.contains(&pair[0]))
            .map(|pair| {
                let renamed = RENAMED.iter().find(|(kind, old, _)| head.contains(kind) && pair[0] == *old);
                let flag = renamed.map_or(pair[0], |(_, _, today)| *today);
                std::iter::once(flag).chain(pair[1..].iter().copied()).collect::<Vec<_>>().join(" ")
            })
            .collect();
        // What records say nothing of was the default when they were made.
        let is_course = ["bc", "ac"].iter().any(|kind| head.last() == Some(kind));
        if is_course && value("--input-scale").is_none() {
            flags.push("--input-scale raw".to_string());
        }
        flags.sort_by_key(|flag| flag.trim_start_matches('-').to_string());
        Self {
            head: head.join(" "),
            flags,
            seed: value("-s").map(String::from),
            output: value("-o").and_then(|folder| folder.rsplit('/').next()).map(String::from),
        }
    }

    /// The command without seed and output.
    pub(super) fn text(&self) -> String {
        let head = std::iter::once(self.head.as_str());
        head.chain(self.flags.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_flags_does_not_matter() {
        let one =
            TrainingCommand::parse("pfss train bc -s 1 --expert neh -m 5 --device cuda -j 4 -o models/a");
        let two =
            TrainingCommand::parse("pfss train bc -m 5 --expert neh -s 2 --device cuda -o models/a-seed2");
        assert_eq!(one.text(), two.text());
        assert_eq!(one.text(), "pfss train bc --expert neh --input-scale raw -m 5");
        assert_eq!((one.seed.as_deref(), two.output.as_deref()), (Some("1"), Some("a-seed2")));
        let renamed = |command: &str| TrainingCommand::parse(command).text();
        assert_eq!(renamed("pfss train ac --instances 7"), "pfss train ac --count 7 --input-scale raw");
        assert_eq!(renamed("pfss train front --instances 7"), "pfss train front --batch 7");
    }
}
