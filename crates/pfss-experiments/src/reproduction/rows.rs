//! The rows behind a summary, small enough to be kept.
//!
//! One CSV line per run. A field that is empty repeats the line above, and an instance that is empty is the next one of
//! its group. Instances are numbered from 1, in the order of the plan: drawn ones by their seed, those of a benchmark by
//! their names.

use std::collections::HashMap;
use std::str::FromStr;

use super::group::Group;
use super::measurement::Measurement;
use super::runs::{GroupRuns, MethodRuns, Outcome};
use crate::unknown_hash;

/// The digits of a cost that are kept: at most one part in a million is lost.
pub(super) const COST_DIGITS: usize = 7;
/// The digits of a time that are kept; clocks are not better.
pub(super) const TIME_DIGITS: usize = 3;

const HEADER: &str = "group,method,seed,commit,cpu,workers,instance,cost,seconds,proven";

/// A number with so many digits that count.
pub(super) fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// The rows of finished runs as CSV.
pub fn rows_csv(runs: &[GroupRuns]) -> String {
    let mut writer = Writer { text: format!("{HEADER}\n"), above: Vec::new() };
    for group in runs {
        let places: HashMap<&str, usize> =
            group.instances.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        for method in &group.methods {
            let Outcome::Rows(rows) = &method.outcome else { continue };
            let place = |row: &Measurement| places.get(row.instance.as_str()).copied().unwrap_or_default();
            let mut sorted: Vec<(usize, &Measurement)> = rows.iter().map(|row| (place(row), row)).collect();
            sorted.sort_by_key(|(at, row)| (row.seed, *at));
            for (at, row) in sorted {
                writer.push(&group.group.id, at + 1, row);
            }
        }
    }
    writer.text
}

struct Writer {
    text: String,
    /// The fields of the line above, with the number that the next instance would have.
    above: Vec<String>,
}

impl Writer {
    /// A row; two groups may share instances, and then a run of the other group stands for both.
    fn push(&mut self, group: &str, instance: usize, row: &Measurement) {
        let fields = [
            group.to_string(),
            row.method.clone(),
            row.seed.to_string(),
            quoted(&row.commit),
            quoted(&row.cpu),
            row.workers.to_string(),
            instance.to_string(),
            row.cost.to_string(),
            row.runtime_s.to_string(),
            if row.proven { "yes" } else { "no" }.to_string(),
        ];
        let written: Vec<&str> = fields
            .iter()
            .enumerate()
            .map(|(at, field)| if self.above.get(at) == Some(field) { "" } else { field.as_str() })
            .collect();
        self.text.push_str(&written.join(","));
        self.text.push('\n');
        self.above = fields.to_vec();
        self.above[6] = (instance + 1).to_string();
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) || text.is_empty() {
        format!("\"{}\"", if text.is_empty() { "-".to_string() } else { text.replace('"', "\"\"") })
    } else {
        text.to_string()
    }
}

/// Reads kept rows back, group by group in the order of `groups`; the instances are called by their numbers.
///
/// # Errors
/// A sentence that names the line.
pub fn read_rows(text: &str, groups: &[Group]) -> Result<Vec<GroupRuns>, String> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    if reader.headers().map_err(|error| error.to_string())?.iter().ne(HEADER.split(',')) {
        return Err(format!("the first line must be {HEADER}"));
    }
    let mut runs: Vec<GroupRuns> = groups
        .iter()
        .map(|group| GroupRuns {
            group: group.clone(),
            instances: Vec::new(),
            skipped: None,
            methods: Vec::new(),
        })
        .collect();
    let mut above: Vec<String> = Vec::new();
    for (at, record) in reader.records().enumerate() {
        let wrong = |what: &str| format!("line {}: {what}", at + 2);
        let record = record.map_err(|error| error.to_string())?;
        let full: Vec<String> = record
            .iter()
            .enumerate()
            .map(|(at, field)| match field {
                "" => above.get(at).cloned().unwrap_or_default(),
                field => field.to_string(),
            })
            .collect();
        let (instance, row) = measurement(&full).map_err(|reason| wrong(&reason))?;
        let group = runs
            .iter_mut()
            .find(|runs| runs.group.id == row.group)
            .ok_or_else(|| wrong(&format!("the plan has no group `{}`", row.group)))?;
        while group.instances.len() < instance {
            group.instances.push((group.instances.len() + 1).to_string());
        }
        if group.methods.last().is_none_or(|method| method.method != row.method) {
            group.methods.push(MethodRuns { method: row.method.clone(), outcome: Outcome::Rows(Vec::new()) });
        }
        if let Some(MethodRuns { outcome: Outcome::Rows(rows), .. }) = group.methods.last_mut() {
            rows.push(row);
        }
        above = full;
        if let Some(next) = above.get_mut(6) {
            *next = (instance + 1).to_string();
        }
    }
    Ok(runs)
}

fn measurement(fields: &[String]) -> Result<(usize, Measurement), String> {
    let [group, method, seed, commit, cpu, workers, instance, cost, seconds, proven] = fields else {
        return Err("not a row".to_string());
    };
    let known = |text: &String| if text == "-" { String::new() } else { text.clone() };
    let number: usize = value("instance", instance, "a whole number, 1 or more", |number| *number > 0)?;
    let row = Measurement {
        group: group.clone(),
        instance: instance.to_string(),
        method: method.clone(),
        config: String::new(),
        limit: String::new(),
        seed: value("seed", seed, "a whole number, 0 or more", |_| true)?,
        cost: value("cost", cost, "a finite number", |cost: &f64| cost.is_finite())?,
        bound: 0.0,
        proven: value("proven", proven, "yes or no", |word: &String| matches!(word.as_str(), "yes" | "no"))?
            == "yes",
        runtime_s: value("seconds", seconds, "a number of seconds, 0 or more", |seconds: &f64| {
            seconds.is_finite() && *seconds >= 0.0
        })?,
        evaluations: 0,
        version: String::new(),
        commit: known(commit),
        cpu: known(cpu),
        workers: value("workers", workers, "a whole number, 0 or more", |_| true)?,
        instance_hash: unknown_hash(),
    };
    Ok((number, row))
}

/// The value of a field, where it is one that is accepted.
fn value<T: FromStr>(
    column: &str,
    text: &str,
    expected: &str,
    is_accepted: impl Fn(&T) -> bool,
) -> Result<T, String> {
    let value = text.parse().ok().filter(is_accepted);
    value.ok_or_else(|| format!("`{column}` is `{text}`, expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(method: &str, instance: usize, seed: u64, cost: f64) -> Measurement {
        Measurement {
            group: "g".into(),
            instance: format!("drawn #{instance}"),
            method: method.into(),
            config: "{}".into(),
            limit: String::new(),
            seed,
            cost,
            bound: 0.0,
            proven: instance == 2,
            runtime_s: 1.25e-6,
            evaluations: 7,
            version: "1".into(),
            commit: String::new(),
            cpu: "A, B".into(),
            workers: 15,
            instance_hash: unknown_hash(),
        }
    }

    #[test]
    fn rows_are_short_and_come_back() {
        let group: Group = toml::from_str("id = \"g\"\nlabel = \"g\"").unwrap();
        let rows = vec![row("a", 1, 2, 5.5), row("a", 1, 1, 4.25), row("a", 2, 2, 5.5), row("a", 2, 1, 4.0)];
        let runs = vec![GroupRuns {
            group: group.clone(),
            instances: vec!["drawn #1".into(), "drawn #2".into()],
            skipped: None,
            methods: vec![MethodRuns { method: "a".into(), outcome: Outcome::Rows(rows) }],
        }];
        let text = rows_csv(&runs);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "g,a,1,\"-\",\"A, B\",15,1,4.25,0.00000125,no");
        assert_eq!(lines[2], ",,,,,,,4,,yes");
        assert_eq!(lines[3], ",,2,,,,1,5.5,,no");
        let back = read_rows(&text, std::slice::from_ref(&group)).unwrap();
        assert_eq!(back[0].instances, ["1", "2"]);
        let Outcome::Rows(read) = &back[0].methods[0].outcome else { unreachable!() };
        let costs: Vec<(u64, f64, bool)> = read.iter().map(|row| (row.seed, row.cost, row.proven)).collect();
        assert_eq!(costs, [(1, 4.25, false), (1, 4.0, true), (2, 5.5, false), (2, 5.5, true)]);
        assert!(read.iter().all(|row| row.cpu == "A, B" && row.workers == 15 && row.commit.is_empty()));
        assert!(read_rows("a,b\n", &[]).err().unwrap().contains("the first line"));
        let stray = text.replace("\ng,", "\nh,");
        assert!(
            read_rows(&stray, std::slice::from_ref(&group))
                .err()
                .unwrap()
                .contains("line 2: the plan has no")
        );
        for number in ["x", "nan", "inf"] {
            let error = read_rows(&text.replace("4.25", number), std::slice::from_ref(&group)).err().unwrap();
            assert_eq!(error, format!("line 2: `cost` is `{number}`, expected a finite number"));
        }
    }

    /// A group of few instances may be the beginning of a larger one: its runs then are those of the other group.
    #[test]
    fn groups_that_share_runs_keep_their_rows() {
        let groups: Vec<Group> =
            ["g", "h"].map(|id| toml::from_str(&format!("id = \"{id}\"\nlabel = \"{id}\"")).unwrap()).into();
        let of_group = |group: &Group, count: usize| GroupRuns {
            group: group.clone(),
            instances: (1..=count).map(|instance| format!("drawn #{instance}")).collect(),
            skipped: None,
            methods: vec![MethodRuns {
                method: "a".into(),
                outcome: Outcome::Rows((1..=count).map(|instance| row("a", instance, 1, 4.0)).collect()),
            }],
        };
        let text = rows_csv(&[of_group(&groups[0], 3), of_group(&groups[1], 2)]);
        let back = read_rows(&text, &groups).unwrap();
        let counts: Vec<usize> = back.iter().map(|runs| runs.instances.len()).collect();
        assert_eq!(counts, [3, 2]);
        for runs in &back {
            assert!(
                matches!(&runs.methods[0].outcome, Outcome::Rows(rows) if rows.len() == runs.instances.len())
            );
        }
    }

    #[test]
    fn digits_that_do_not_count_go() {
        assert_eq!(rounded(1_234_567.89, COST_DIGITS), 1_234_568.0);
        assert_eq!(rounded(29.187_654_321, COST_DIGITS), 29.187_65);
        assert_eq!(rounded(0.000_123_456, TIME_DIGITS), 0.000_123);
        assert_eq!(rounded(0.0, TIME_DIGITS), 0.0);
    }
}
