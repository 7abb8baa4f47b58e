//! The blocks of docs/results/benchmarks.md and the summary of them in the README.

use super::text::{Block, list, number, table, time};
use super::{PageError, Rows, Sources};

/// The block of this name.
pub(super) fn block(file: &str, name: &str, sources: &Sources) -> Block {
    let rows = || sources.table(file, name);
    Some(match (file, name) {
        ("benchmarks", "summary") => summary(sources),
        ("benchmarks", "taillard") => rows().and_then(|rows| taillard(&rows)),
        ("benchmarks", "taillard-claim") => sources.table(file, "taillard").map(|rows| least(&rows)),
        ("benchmarks" | "long", "vrf-large") | ("long", "taillard") => {
            rows().and_then(|rows| groups(&rows, "auto"))
        }
        ("benchmarks" | "long", "vrf-large-claim") => {
            sources.table(file, "vrf-large").map(|rows| below(&rows))
        }
        ("benchmarks", "anytime") => rows().and_then(|rows| anytime(&rows)),
        ("benchmarks", "large") => rows().and_then(|rows| large(&rows)),
        ("instructions", "neh" | "policy") => rows().and_then(|rows| instructions(&rows)),
        _ => return None,
    })
}

/// Both benchmarks in a line each.
fn summary(sources: &Sources) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for (name, label) in [("taillard", "Taillard"), ("vrf-large", "VRF large")] {
        let rows = sources.table("benchmarks", name)?;
        let of = |contender: &str| rows.filter(|row| row.contender == contender);
        let mut line = vec![label.to_string(), of("auto").count().to_string()];
        line.extend(["auto", "iterated-greedy", "neh"].map(|name| number(of(name).deviation(), 3)));
        line.push(of("auto").proven().to_string());
        lines.push(line);
    }
    let head = ["benchmark", "instances", "auto", "iterated-greedy", "neh", "proven optimal by auto"];
    table(&head, 1, lines)
}

fn taillard(rows: &Rows<'_>) -> Result<String, PageError> {
    let own = groups(rows, "auto")?;
    let mut lines = Vec::new();
    for (name, part) in with_all(rows) {
        let of = |contender: &str| number(part.filter(|row| row.contender == contender).deviation(), 3);
        lines.push(vec![name, of("auto"), of("iterated-greedy"), of("neh")]);
    }
    let rivals = table(&["group", "auto", "iterated-greedy", "neh"], 1, lines)?;
    Ok(format!("{own}\nARPD % of `auto`, of `iterated-greedy` in the same time, and of `neh`:\n\n{rivals}"))
}

/// The groups, then all of them together.
fn with_all<'a>(rows: &Rows<'a>) -> Vec<(String, Rows<'a>)> {
    let group = |set: &str| (set.to_string(), rows.filter(|row| row.set == set));
    let mut parts: Vec<(String, Rows<'a>)> = rows.sets().into_iter().map(group).collect();
    parts.push(("all".to_string(), rows.clone()));
    parts
}

/// A contender against the best-known makespans by group.
pub(super) fn groups(rows: &Rows<'_>, contender: &str) -> Result<String, PageError> {
    let own = rows.filter(|row| row.contender == contender);
    let head = [
        "group",
        "instances",
        "ARPD %",
        "gap to the proven bound %",
        "proven optimal",
        "at or below best known",
        "mean time",
    ];
    let line = |(name, part): (String, Rows<'_>)| {
        let reached = part.iter().filter(|row| row.cost.zip(row.best_known).is_some_and(|(a, b)| a <= b));
        vec![
            name,
            part.count().to_string(),
            number(part.deviation(), 3),
            number(part.gap(), 3),
            part.proven().to_string(),
            reached.count().to_string(),
            time(part.seconds()),
        ]
    };
    table(&head, 1, with_all(&own).into_iter().map(line))
}

/// In which groups `auto` has the least deviation.
fn least(rows: &Rows<'_>) -> String {
    let (mut ahead, mut level, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    for set in rows.sets() {
        let deviation = |name: &str| rows.of(set, name).deviation().unwrap_or(f64::INFINITY);
        let (own, rival) = (deviation("auto"), deviation("iterated-greedy").min(deviation("neh")));
        match own.total_cmp(&rival) {
            std::cmp::Ordering::Less => ahead.push(set),
            std::cmp::Ordering::Equal => level.push(set),
            std::cmp::Ordering::Greater => behind.push(set),
        }
    }
    format!(
        "`auto` is ahead of both on {}; level with the better of them on {}; behind on {}.\n",
        list(&ahead),
        list(&level),
        list(&behind)
    )
}

/// How many makespans are below the best-known ones, and where they are above.
fn below(rows: &Rows<'_>) -> String {
    let deviation = |row: &super::MeasuredRow| row.cost.zip(row.best_known).map(|(a, b)| a - b);
    let count = rows.iter().filter(|row| deviation(row).is_some_and(|d| d < 0.0)).count();
    let above = rows.filter(|row| deviation(row).is_some_and(|d| d > 0.0));
    format!(
        "{count} of {} makespans are below the best-known ones of our table ([orders](new-best-known.md)). Above them: {}.\n",
        rows.count(),
        list(&above.sets())
    )
}

fn anytime(rows: &Rows<'_>) -> Result<String, PageError> {
    let mut instances: Vec<&str> = Vec::new();
    for row in rows.iter() {
        if !instances.contains(&row.instance.as_str()) {
            instances.push(&row.instance);
        }
    }
    let mut lines = Vec::new();
    for name in instances {
        let own = rows.filter(|row| row.instance == name);
        let mut line = vec![name.to_string(), number(own.mean(|row| row.best_known), 0)];
        for limit in ["1 s", "10 s"] {
            let part = own.filter(|row| row.set == limit);
            line.extend([number(part.cost(), 1), number(part.deviation(), 2)]);
        }
        lines.push(line);
    }
    table(&["instance", "best known", "1 s", "% above", "10 s", "% above"], 1, lines)
}

fn large(rows: &Rows<'_>) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for set in rows.sets() {
        for contender in rows.contenders() {
            let own = rows.of(set, contender);
            lines.push(vec![set.into(), contender.into(), time(own.seconds()), number(own.gap(), 4)]);
        }
    }
    table(&["instance", "algorithm", "time", "gap to the proven bound %"], 2, lines)
}

fn instructions(rows: &Rows<'_>) -> Result<String, PageError> {
    let line = |row: &super::MeasuredRow| {
        let count = row.evaluations.map_or_else(String::new, |count| count.to_string());
        vec![row.set.clone(), row.contender.clone(), count]
    };
    table(&["instance", "variant", "instructions (AVX2)"], 2, rows.iter().map(line))
}
