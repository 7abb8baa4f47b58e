//! Two methods in words: the groups in which one is ahead, by the tests of the results.

use crate::reproduction::{Comparison, Order, Plan, Summary};

/// `shorter on 20 and 50 jobs, longer on 1000 jobs, undecided on 100 jobs`; of trainings `shorter in all 3 trainings on 20 jobs,
/// mixed on 50 jobs`. `None` where nothing was compared.
pub(super) fn compare(plan: &Plan, comparison: &Comparison) -> Option<String> {
    let trainings = comparison.groups.iter().filter_map(|group| group.trainings).min();
    let all = trainings.map(|count| format!(" in all {count} trainings")).unwrap_or_default();
    let undecided = if trainings.is_some() { "mixed" } else { "undecided" };
    let parts: Vec<String> = [
        (Order::Shorter, format!("shorter{all}")),
        (Order::Longer, format!("longer{all}")),
        (Order::Undecided, undecided.to_string()),
    ]
    .into_iter()
    .filter_map(|(order, words)| Some(format!("{words} {}", place(plan, &groups(comparison, order))?)))
    .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// `on 20 and 50 jobs`, or `on none of the sizes`; `None` where nothing was compared.
pub(super) fn where_is(plan: &Plan, comparison: &Comparison, order: Order) -> Option<String> {
    if comparison.groups.is_empty() {
        return None;
    }
    Some(place(plan, &groups(comparison, order)).unwrap_or_else(|| "nowhere".to_string()))
}

/// `shorter on 20 jobs, longer on 50 and 100 jobs`: the time of the first compared with that of the second, as measured.
pub(super) fn time(plan: &Plan, summary: &Summary, first: &str, second: &str) -> Option<String> {
    let (mut less, mut more) = (Vec::new(), Vec::new());
    for group in plan.shown_groups() {
        let (Some(a), Some(b)) = (summary.seconds(first, &group.id), summary.seconds(second, &group.id))
        else {
            continue;
        };
        if a < b { &mut less } else { &mut more }.push(group.id.as_str());
    }
    let parts: Vec<String> = [(less, "shorter"), (more, "longer")]
        .into_iter()
        .filter_map(|(groups, word)| Some(format!("{word} {}", place(plan, &groups)?)))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn groups(comparison: &Comparison, order: Order) -> Vec<&str> {
    let found = comparison.groups.iter().filter(|found| found.order == order);
    found.map(|found| found.group.as_str()).collect()
}

/// The labels of groups, with what they share said once: `on 20, 50 and 100 jobs`, `at deviation 1 and 2`.
fn place(plan: &Plan, groups: &[&str]) -> Option<String> {
    let labels: Vec<&str> =
        groups.iter().map(|id| plan.group(id).map_or(*id, |group| group.label.as_str())).collect();
    let first = labels.first()?;
    let preposition = if first.starts_with(|c: char| c.is_ascii_digit()) { "on" } else { "at" };
    let is_word = |text: &&str| text.chars().all(char::is_alphabetic);
    let ends: Option<Vec<(&str, &str)>> = labels.iter().map(|label| label.rsplit_once(' ')).collect();
    if let Some(ends) = ends
        && let Some((_, word)) = ends.first().filter(|(_, word)| is_word(word))
        && ends.iter().all(|(_, other)| other == word)
    {
        return Some(format!("{preposition} {} {word}", list(ends.iter().map(|(number, _)| *number))));
    }
    let starts: Option<Vec<(&str, &str)>> = labels.iter().map(|label| label.split_once(' ')).collect();
    if let Some(starts) = starts
        && let Some((word, _)) = starts.first().filter(|(word, _)| is_word(word))
        && starts.iter().all(|(other, _)| other == word)
    {
        return Some(format!("{preposition} {word} {}", list(starts.iter().map(|(_, number)| *number))));
    }
    Some(format!("{preposition} {}", list(labels.iter().copied())))
}

/// `a, b and c`.
fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    match items.collect::<Vec<_>>()[..] {
        [] => String::new(),
        [one] => one.to_string(),
        [ref most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::{GroupComparison, plan};

    fn comparison(orders: &[(&str, Order)]) -> Comparison {
        let group = |(group, order): &(&str, Order)| GroupComparison {
            group: (*group).to_string(),
            p_shorter: 0.5,
            p_longer: 0.5,
            order: *order,
            trainings: None,
        };
        Comparison { first: "a".into(), second: "b".into(), groups: orders.iter().map(group).collect() }
    }

    #[test]
    fn groups_are_named_by_what_the_tests_say() {
        use Order::{Longer, Shorter, Undecided};
        let plan = plan("comparative-gamma-m5").unwrap();
        let all = comparison(&[("20", Shorter), ("50", Shorter), ("100", Longer), ("200", Undecided)]);
        let text = compare(&plan, &all).unwrap();
        assert_eq!(text, "shorter on 20 and 50 jobs, longer on 100 jobs, undecided on 200 jobs");
        assert_eq!(where_is(&plan, &all, Longer).unwrap(), "on 100 jobs");
        let one = comparison(&[("20", Longer)]);
        assert_eq!(compare(&plan, &one).unwrap(), "longer on 20 jobs");
        assert_eq!(where_is(&plan, &one, Shorter).unwrap(), "nowhere");
        assert_eq!(compare(&plan, &comparison(&[])), None);
        let mut trained = comparison(&[("20", Shorter), ("50", Undecided)]);
        trained.groups.iter_mut().for_each(|group| group.trainings = Some(5));
        assert_eq!(
            compare(&plan, &trained).unwrap(),
            "shorter in all 5 trainings on 20 jobs, mixed on 50 jobs"
        );
        assert_eq!(where_is(&plan, &comparison(&[]), Shorter), None);
    }

    #[test]
    fn labels_share_words_not_numbers() {
        let taillard = plan("benchmarks-taillard").unwrap();
        assert_eq!(
            place(&taillard, &["50x5", "100x5", "100x20"]).unwrap(),
            "on 50 x 5, 100 x 5 and 100 x 20"
        );
        let differences = plan("job-differences").unwrap();
        assert_eq!(place(&differences, &["1", "3"]).unwrap(), "at deviation 1 and 3");
        let times = plan("time-cost").unwrap();
        assert_eq!(place(&times, &["vrf-60x5", "gamma-20"]).unwrap(), "at VRF 60 x 5 and gamma 20 x 5");
    }
}
