//! Options under the names of the release before: they still work, with a hint.

use std::ffi::OsString;
use std::path::Path;

/// What became of an option.
enum Now {
    /// It has another name.
    Named(&'static str),
    /// It has another name where its value is a number; with files it is another option.
    Count(&'static str),
    /// It is what happens anyway; the text says how to get the opposite.
    Default(&'static str),
    /// Its value is a plain argument, unless it is a folder, which the option still names.
    Argument(&'static str),
}

/// An option of before, and the command that had it.
struct Old {
    command: &'static [&'static str],
    flag: &'static str,
    now: Now,
}

const fn named(command: &'static [&'static str], flag: &'static str, now: &'static str) -> Old {
    Old { command, flag, now: Now::Named(now) }
}

const OLD: &[Old] = &[
    named(&["bench"], "--jobs", "--threads"),
    named(&["reproduce"], "--jobs", "--threads"),
    named(&["reproduce"], "--seeds", "--seed"),
    named(&["generate"], "--format", "--to"),
    Old { command: &["train", "bc"], flag: "--instances", now: Now::Count("--count") },
    Old { command: &["train", "ac"], flag: "--instances", now: Now::Count("--count") },
    Old { command: &["train", "front"], flag: "--instances", now: Now::Count("--batch") },
    named(&["train", "bc"], "--normalization", "--normalisation"),
    named(&["train", "ac"], "--normalization", "--normalisation"),
    Old {
        command: &["plot", "convergence"],
        flag: "--log",
        now: Now::Default("is the default now; `--linear-time` is the opposite"),
    },
    Old {
        command: &["eval"],
        flag: "--data",
        now: Now::Argument("`--data` names a folder of benchmark files; instances need no option"),
    },
];

/// The arguments with today's names, and what to tell the user about it.
pub(crate) fn modern(arguments: impl Iterator<Item = OsString>) -> (Vec<OsString>, Vec<String>) {
    let arguments: Vec<OsString> = arguments.collect();
    let words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let command: Vec<&str> = words.filter(|word| !word.starts_with('-')).take(2).collect();
    let known: Vec<&Old> = OLD.iter().filter(|old| command.starts_with(old.command)).collect();
    let (mut modern, mut hints) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter().cloned();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            modern.push(argument);
            break;
        }
        let text = argument.to_str().unwrap_or_default();
        let (flag, value) = match text.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_string())),
            None => (text, None),
        };
        match known.iter().find(|old| old.flag == flag) {
            None => modern.push(argument),
            Some(Old { flag, now: Now::Named(now), .. }) => {
                hints.push(format!("`{flag}` is now `{now}`"));
                modern.push(value.map_or_else(|| now.to_string(), |value| format!("{now}={value}")).into());
            }
            Some(Old { flag, now: Now::Count(now), .. }) => {
                match value.map(OsString::from).or_else(|| rest.next()) {
                    Some(value) if value.to_str().is_some_and(|value| value.parse::<u64>().is_ok()) => {
                        hints.push(format!("`{flag}` is now `{now}`"));
                        modern.extend([OsString::from(*now), value]);
                    }
                    value => modern.extend([Some(OsString::from(*flag)), value].into_iter().flatten()),
                }
            }
            Some(Old { flag, now: Now::Default(how), .. }) => hints.push(format!("`{flag}` {how}")),
            Some(Old { flag, now: Now::Argument(how), .. }) => {
                match value.map(OsString::from).or_else(|| rest.next()) {
                    Some(value) if Path::new(&value).is_dir() => modern.extend([OsString::from(flag), value]),
                    Some(value) => {
                        hints.push(format!("`{flag} {0}` is now `{0}`: {how}", value.to_string_lossy()));
                        modern.push(value);
                    }
                    None => modern.push(argument),
                }
            }
        }
    }
    modern.extend(rest);
    (modern, hints)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments as they are read today, and the hints.
    fn read(line: &str) -> (String, Vec<String>) {
        let (modern, hints) = modern(line.split(' ').map(OsString::from));
        let words: Vec<&str> = modern.iter().filter_map(|word| word.to_str()).collect();
        (words.join(" "), hints)
    }

    #[test]
    fn old_names_become_new_ones_with_a_hint() {
        for (old, new, hint) in [
            (
                "pfss -q bench ta001 --jobs 2",
                "pfss -q bench ta001 --threads 2",
                "`--jobs` is now `--threads`",
            ),
            ("pfss reproduce tsp --seeds=1,2", "pfss reproduce tsp --seed=1,2", "`--seeds` is now `--seed`"),
            ("pfss train bc --instances 5", "pfss train bc --count 5", "`--instances` is now `--count`"),
            (
                "pfss train front --instances=5",
                "pfss train front --batch 5",
                "`--instances` is now `--batch`",
            ),
            (
                "pfss train front --instances 5",
                "pfss train front --batch 5",
                "`--instances` is now `--batch`",
            ),
        ] {
            assert_eq!(read(old), (new.to_string(), vec![hint.to_string()]));
        }
        let (line, hints) = read("pfss plot convergence a.csv --log -o b.svg");
        assert_eq!(line, "pfss plot convergence a.csv -o b.svg");
        assert!(hints[0].contains("--linear-time"), "{hints:?}");
    }

    #[test]
    fn names_that_mean_the_same_as_before_stay() {
        for line in [
            "pfss bench taillard --seeds 3 --instances ta00? --format csv",
            "pfss eval --jobs 20 --count 5 -j 2",
            "pfss train label --count 5 -o x",
            "pfss solve ta001 -- --jobs",
            "pfss bench x -- --jobs",
        ] {
            assert_eq!(read(line), (line.to_string(), Vec::new()));
        }
    }

    #[test]
    fn instances_of_eval_need_no_option_and_folders_do() {
        let (line, hints) = read("pfss eval --data jobs.csv --data=b.csv -s 1");
        assert_eq!(line, "pfss eval jobs.csv b.csv -s 1");
        assert_eq!(hints.len(), 2);
        assert_eq!(read("pfss eval x --data ."), ("pfss eval x --data .".to_string(), Vec::new()));
    }
}
