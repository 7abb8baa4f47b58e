use super::*;
use crate::journal::tests::row;

fn with(mut row: Row, change: impl FnOnce(&mut Row)) -> Row {
    change(&mut row);
    row
}

#[test]
fn means_are_taken_over_runs_then_instances_then_groups() {
    // 20x5: instance a has deviations 1 and 3, b only 6: (2 + 6) / 2 = 4. 50x20: instance c has 10.
    let rows = [
        row("a", "20x5", 1, 101.0),
        row("a", "20x5", 2, 103.0),
        with(row("b", "20x5", 1, 106.0), |row| row.status = "optimal".into()),
        with(row("c", "50x20", 1, 110.0), |row| row.primal_integral = Some(1.25)),
    ];
    let summary = Summary::new(&rows);
    assert_eq!(summary.limits, ["evaluations=10"]);
    let groups: Vec<_> =
        summary.groups.iter().map(|g| (g.group.as_str(), g.instances, g.runs, g.arpd, g.optimal)).collect();
    assert_eq!(groups, [("20x5", 2, 3, Some(4.0), 1), ("50x20", 1, 1, Some(10.0), 0)]);
    let overall = &summary.overall[0];
    assert_eq!(overall.arpd_over_instances, Some((2.0 + 6.0 + 10.0) / 3.0));
    assert_eq!(overall.arpd_over_groups, Some(7.0));
    assert_eq!(overall.primal_integral_over_instances, Some((7.25 + 7.25 + 1.25) / 3.0));
    assert_eq!(overall.primal_integral_over_groups, Some(4.25));
    assert!(summary.comparisons.is_empty() && summary.new_best_known.is_empty());
}

#[test]
fn groups_are_sorted_by_size_and_unknown_values_stay_unknown() {
    let unknown = |row: &mut Row| {
        row.best_known = None;
        row.rpd = None;
        row.primal_integral = None;
    };
    let rows = [with(row("a", "100x5", 1, 101.0), unknown), with(row("b", "20x5", 1, 103.0), unknown)];
    let summary = Summary::new(&rows);
    assert_eq!(summary.groups[0].group, "20x5");
    assert_eq!(summary.groups[0].arpd, None);
    assert_eq!(summary.overall[0].arpd_over_groups, None);
    assert!(summary.table().unwrap().to_text().contains(" - "));
}

#[test]
fn algorithms_of_one_name_are_told_apart_and_compared() {
    let other = |row: &mut Row| row.config = r#"{"x":2,"y":"z"}"#.into();
    let mut rows = Vec::new();
    for (at, difference) in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into_iter().enumerate() {
        let name = format!("i{at}");
        rows.push(row(&name, "20x5", 1, 110.0 + difference));
        rows.push(with(row(&name, "20x5", 1, 110.0), other));
    }
    let summary = Summary::new(&rows);
    assert_eq!(summary.overall[0].algorithm, "a:x=1");
    assert_eq!(summary.overall[1].algorithm, "a:x=2");
    let pair = &summary.comparisons[0];
    assert_eq!((pair.wins, pair.ties, pair.losses), (0, 1, 6));
    assert_eq!((pair.p_value, pair.p_value_holm), (2.0 / 64.0, 2.0 / 64.0));
    let markdown = summary.table().unwrap().to_markdown();
    assert!(markdown.contains("**10.000**"), "{markdown}");
    assert!(summary.comparison_table().unwrap().to_text().contains("a:x=2"));
}

/// The sum of two negative values once turned the sign of their difference.
#[test]
fn the_less_of_two_negative_values_is_the_better_one() {
    let other = |row: &mut Row| row.algorithm = "b".into();
    let rows = [row("i", "20x5", 1, -20.0), with(row("i", "20x5", 1, -10.0), other)];
    let pair = &Summary::new(&rows).comparisons[0];
    assert_eq!((pair.first.as_str(), pair.wins, pair.losses), ("a", 1, 0));
}

#[test]
fn the_best_new_value_of_each_instance_is_listed() {
    let new = |row: &mut Row| row.order = format!("0 {}", row.seed);
    let rows = [
        with(row("a", "2x5", 1, 99.0), new),
        with(row("a", "2x5", 2, 98.0), new),
        with(row("a", "2x5", 3, 98.0), new),
        row("a", "2x5", 4, 100.0),
    ];
    let summary = Summary::new(&rows);
    assert_eq!(summary.groups[0].at_best_known, 4);
    assert_eq!(summary.new_best_known.len(), 1);
    let text = write_new_best_known(&summary.new_best_known);
    assert_eq!(text, "a: 98, best known 100 (a, seed 2)\n  0 2\n");
    let json = summary.to_json().unwrap();
    assert!(
        json.starts_with(r#"{"schema":"pfss.bench/1","limits":["evaluations=10"],"groups":[{"#),
        "{json}"
    );
}
