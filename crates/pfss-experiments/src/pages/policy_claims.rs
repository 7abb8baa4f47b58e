//! Sentences about the bidirectional policy that compare: all of them are counted from rows.

use std::cmp::Ordering;

use super::policy_contenders::{DECODINGS, GREEDY, RIVALS, rival};
use super::text::list;
use super::{PageError, Rows, Sources};

/// Against `neh` everywhere, and against searches in the same time.
pub(super) fn in_short(sources: &Sources) -> Result<String, PageError> {
    let table = |name: &str| sources.table("policy", name);
    let (trained, others) = (table("trained")?, table("others")?);
    let drawn = against_neh(&Rows::new(trained.iter().chain(others.iter())), GREEDY);
    let (taillard, vrf) = (table("taillard")?, table("vrf-large")?);
    let benchmarks: Vec<Duel<'_>> =
        [&taillard, &vrf].into_iter().flat_map(|rows| against_neh(rows, "greedy")).collect();
    let count = |duels: &[Duel<'_>]| duels.iter().filter(|duel| duel.order == Ordering::Less).count();
    let longer: Vec<&str> =
        drawn.iter().filter(|duel| duel.order == Ordering::Greater).map(|duel| duel.set).collect();
    let factors = || drawn.iter().chain(&benchmarks).map(|duel| duel.factor);
    let matches = matches(&table("equal-time")?);
    let beaten = matches.iter().filter(|one| one.best_rival == Ordering::Less).count();
    Ok(format!(
        "One greedy order of the bidirectional policy is shorter than that of `neh` on {} of {} sizes of drawn instances, on average (longer on {}),\n\
         and in {} of {} groups of Taillard's and the large VRF instances. It takes {:.0} to {:.0} times as long. In the time that the policy takes, the best of\n\
         four searches is shorter in {beaten} of {} comparisons.\n",
        count(&drawn),
        drawn.len(),
        list(&longer),
        count(&benchmarks),
        benchmarks.len(),
        factors().fold(f64::INFINITY, f64::min),
        factors().fold(0.0, f64::max),
        matches.len(),
    ))
}

/// A set on which the policy meets `neh`.
struct Duel<'a> {
    set: &'a str,
    /// `Less` where the policy is shorter.
    order: Ordering,
    /// How many times as long the policy takes.
    factor: f64,
}

fn against_neh<'a>(rows: &Rows<'a>, policy: &str) -> Vec<Duel<'a>> {
    let duel = |set: &'a str| {
        let (own, neh) = (rows.of(set, policy), rows.of(set, "neh"));
        Some(Duel { set, order: own.compare(&neh)?, factor: own.seconds()? / neh.seconds()? })
    };
    rows.sets().into_iter().filter_map(duel).collect()
}

/// A set and decoding, and how each rival does in the same time: `Less` where it is shorter.
struct Match<'a> {
    set: &'a str,
    decoding: &'static str,
    rivals: Vec<Ordering>,
    best_rival: Ordering,
}

fn matches<'a>(rows: &Rows<'a>) -> Vec<Match<'a>> {
    let mut found = Vec::new();
    for set in rows.sets() {
        for decoding in DECODINGS {
            let own = rows.of(set, decoding);
            let rivals: Vec<Ordering> =
                RIVALS.iter().filter_map(|name| rows.of(set, &rival(decoding, name)).compare(&own)).collect();
            if let Some(&best_rival) = rivals.iter().min() {
                found.push(Match { set, decoding, rivals, best_rival });
            }
        }
    }
    found
}

/// Who is shorter at equal time, and how often.
pub(super) fn equal_time(rows: &Rows<'_>) -> String {
    let found = matches(rows);
    let shorter = |(at, name): (usize, &&str)| {
        let count = found.iter().filter(|one| one.rivals.get(at) == Some(&Ordering::Less)).count();
        format!("`{name}` in {count}")
    };
    let shorter: Vec<String> = RIVALS.iter().enumerate().map(shorter).collect();
    let own: Vec<String> = found
        .iter()
        .filter(|one| one.best_rival == Ordering::Greater)
        .map(|one| format!("{} ({})", one.set, one.decoding))
        .collect();
    format!(
        "Of {} rows, shorter than the policy: {}. The policy is shorter than all four in {}: {}.\n",
        found.len(),
        list(&shorter),
        own.len(),
        list(&own)
    )
}

/// Which guide is best where.
pub(super) fn guides(rows: &Rows<'_>) -> String {
    const SEARCH: &str = "iterated-greedy";
    let guides: Vec<&str> = rows.contenders().into_iter().filter(|name| *name != SEARCH).collect();
    let best = |set: &str| {
        let costs = guides.iter().filter_map(|name| Some((*name, rows.of(set, name).cost()?)));
        costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(name, _)| name)
    };
    let sets = rows.sets();
    let mut sentences = Vec::new();
    for guide in &guides {
        let won: Vec<&str> = sets.iter().copied().filter(|set| best(set) == Some(*guide)).collect();
        if !won.is_empty() {
            sentences.push(format!("`{guide}` on {}", list(&won)));
        }
    }
    let is_ahead = |set: &&&str| {
        let guide = best(set).map(|name| rows.of(set, name));
        guide.and_then(|guide| rows.of(set, SEARCH).compare(&guide)) == Some(Ordering::Less)
    };
    format!(
        "The best guide is {}. `{SEARCH}` is shorter than the best guide on {} of {} sets.\n",
        sentences.join("; "),
        sets.iter().filter(is_ahead).count(),
        sets.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::MeasuredRow;

    fn row(set: &str, contender: &str, cost: f64) -> MeasuredRow {
        let seconds = if contender == "neh" { 1.0 } else { 240.0 };
        MeasuredRow { runtime_s: Some(seconds), ..MeasuredRow::run(set, contender, "", cost) }
    }

    /// The page once said that the policy is shorter everywhere, and up to a hundred times as slow.
    #[test]
    fn longer_orders_and_times_are_not_hidden() {
        let rows = [
            row("gamma 20x5", "neh", 10.0),
            row("gamma 20x5", GREEDY, 9.0),
            row("gamma 100x5", "neh", 10.0),
            row("gamma 100x5", GREEDY, 10.1),
        ];
        let duels = against_neh(&Rows::new(rows.iter()), GREEDY);
        let found: Vec<(&str, Ordering)> = duels.iter().map(|duel| (duel.set, duel.order)).collect();
        assert_eq!(found, [("gamma 20x5", Ordering::Less), ("gamma 100x5", Ordering::Greater)]);
        assert!(duels.iter().all(|duel| duel.factor == 240.0));
    }

    #[test]
    fn rivals_in_the_same_time_are_counted() {
        let mut rows = vec![row("g 20x5", "greedy", 10.0), row("g 20x5", "greedy + insertion", 8.0)];
        for (at, name) in RIVALS.iter().enumerate() {
            rows.push(row("g 20x5", &rival("greedy", name), 9.0 + at as f64));
            rows.push(row("g 20x5", &rival("greedy + insertion", name), 9.0));
        }
        let text = equal_time(&Rows::new(rows.iter()));
        let expected = "Of 2 rows, shorter than the policy: `neh + insertion` in 1, `iterated-greedy` in 0, `beam` in 0 and `auto without policy` in 0. \
                        The policy is shorter than all four in 1: g 20x5 (greedy + insertion).\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_best_guide_of_each_set_is_named() {
        let rows = [
            row("g 20x5", "bound", 3.0),
            row("g 20x5", "policy", 2.0),
            row("g 20x5", "iterated-greedy", 1.0),
            row("g 50x5", "bound", 1.0),
            row("g 50x5", "policy", 2.0),
            row("g 50x5", "iterated-greedy", 3.0),
        ];
        let text = guides(&Rows::new(rows.iter()));
        let expected = "The best guide is `bound` on g 50x5; `policy` on g 20x5. `iterated-greedy` is shorter than the best guide on 1 of 2 sets.\n";
        assert_eq!(text, expected);
    }
}
