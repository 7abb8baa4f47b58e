//! The tables of docs/results/policy.md.

use super::policy_contenders::{DECODINGS, GREEDY, RIVALS, SAMPLED, WITH_POLICY, rival};
use super::text::{Block, number, table, time};
use super::{PageError, Rows, Sources, policy_claims};

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    let rows = || sources.table("policy", name);
    Some(match name {
        "claim" => policy_claims::in_short(sources),
        "equal-time-claim" => {
            sources.table("policy", "equal-time").map(|rows| policy_claims::equal_time(&rows))
        }
        "guide-claim" => sources.table("policy", "guide").map(|rows| policy_claims::guides(&rows)),
        "trained" | "others" => rows().and_then(|rows| quality(&rows)),
        "finish" => rows().and_then(|rows| finish(&rows)),
        "decoding" => rows().and_then(|rows| decoding(&rows)),
        "taillard" => rows().and_then(|rows| groups(&rows, &["neh", "greedy", "best of 16"])),
        "vrf-large" => rows().and_then(|rows| groups(&rows, &["neh", "greedy"])),
        "equal-time" => rows().and_then(|rows| equal_time(&rows)),
        "guide" => rows().and_then(|rows| at_limit(&rows, "iterated-greedy")),
        "start" => rows().and_then(|rows| at_limit(&rows, "auto without policy")),
        _ => return None,
    })
}

/// Percent above `paper-neh`, and the time of a greedy order beside that of `neh`.
fn quality(rows: &Rows<'_>) -> Result<String, PageError> {
    let sampled = rows.contenders().contains(&SAMPLED);
    let mut lines = Vec::new();
    for set in rows.sets() {
        let base = rows.of(set, "paper-neh");
        let gap = |name: &str| number(rows.of(set, name).above(&base), 2);
        let mut line = vec![set.to_string(), base.count().to_string(), gap("neh"), gap(GREEDY)];
        if sampled {
            line.push(gap(SAMPLED));
        }
        line.extend(["neh", GREEDY].map(|name| time(rows.of(set, name).seconds())));
        lines.push(line);
    }
    let mut head = vec!["instances", "count", "neh", "greedy"];
    if sampled {
        head.push("best of 16");
    }
    head.extend(["time of neh", "of greedy"]);
    table(&head, 1, lines)
}

fn finish(rows: &Rows<'_>) -> Result<String, PageError> {
    let contender = |jobs: &str| format!("{GREEDY} finish {jobs}");
    let line = |set: &str| {
        let base = rows.of(set, "paper-neh");
        let mut line = vec![set.to_string(), rows.of(set, &contender("0")).count().to_string()];
        for jobs in ["0", "12"] {
            let own = rows.of(set, &contender(jobs));
            line.extend([number(own.above(&base), 2), time(own.seconds())]);
        }
        line
    };
    let head = ["instances", "count", "finish=0", "time", "finish=12", "time"];
    table(&head, 1, rows.sets().into_iter().map(line))
}

fn decoding(rows: &Rows<'_>) -> Result<String, PageError> {
    let names = ["greedy", "greedy+reverse", "sample:16", "beam:16"];
    let line = |set: &str| {
        let base = rows.of(set, "neh");
        let mut line = vec![set.to_string(), base.count().to_string()];
        for name in names {
            let own = rows.of(set, &format!("gamma-m5 {name}"));
            let cell =
                own.above(&base).map(|gap| format!("{} in {}", number(Some(gap), 2), time(own.seconds())));
            line.push(cell.unwrap_or_default());
        }
        line
    };
    let head = ["instances", "count", "greedy", "greedy, also mirrored", "best of 16", "beam of 16"];
    table(&head, 1, rows.sets().into_iter().map(line))
}

/// Deviations from the best known by group, and times.
fn groups(rows: &Rows<'_>, names: &[&str]) -> Result<String, PageError> {
    let line = |set: &str| {
        let mut line = vec![set.to_string(), rows.of(set, "neh").count().to_string()];
        line.extend(names.iter().map(|name| number(rows.of(set, name).deviation(), 2)));
        line.extend(["neh", "greedy"].map(|name| time(rows.of(set, name).seconds())));
        line
    };
    let head: Vec<&str> =
        ["group", "instances"].iter().chain(names).chain(&["time of neh", "of greedy"]).copied().collect();
    table(&head, 1, rows.sets().into_iter().map(line))
}

fn equal_time(rows: &Rows<'_>) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for set in rows.sets() {
        let base = rows.of(set, "neh");
        for decoding in DECODINGS {
            let own = rows.of(set, decoding);
            if own.is_empty() {
                continue;
            }
            let mut line = vec![set.into(), decoding.into(), time(own.median()), number(own.above(&base), 2)];
            let of = |name: &str| number(rows.of(set, &rival(decoding, name)).above(&base), 2);
            line.extend(RIVALS.into_iter().chain([WITH_POLICY]).map(of));
            lines.push(line);
        }
    }
    let head = ["instances", "policy", "time", "policy"].into_iter().chain(RIVALS).chain([WITH_POLICY]);
    let head: Vec<&str> = head.collect();
    table(&head, 2, lines)
}

/// Percent above one of the contenders, which have the same time.
fn at_limit(rows: &Rows<'_>, base: &str) -> Result<String, PageError> {
    let names: Vec<&str> = rows.contenders().into_iter().filter(|name| *name != base).collect();
    let line = |set: &str| {
        let reference = rows.of(set, base);
        let mut line = vec![set.to_string(), reference.count().to_string()];
        line.extend(names.iter().map(|name| number(rows.of(set, name).above(&reference), 2)));
        line
    };
    let head: Vec<&str> = ["instances", "count"].iter().chain(&names).copied().collect();
    table(&head, 1, rows.sets().into_iter().map(line))
}
