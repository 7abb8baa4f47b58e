//! Where the printed numbers do not fit: to each other, to the proven bounds, or to what is measured.

use super::distance::{Distance, ERRORS, ROUNDING, cost_distance, gap_distance, implied_gap};
use super::text;
use crate::reproduction::printed::{number, percent};
use crate::reproduction::{Plan, PrintedCell, Summary};

/// Printed gaps may differ so much (in points) from the ratio of the printed means, beyond what rounding does to it.
const GAP_TOLERANCE: f64 = 0.1;

/// Something about the printed table that cannot be right, or does not come out here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// In a sentence.
    pub sentence: String,
}

/// All of a plan, group by group; those that need numbers only where there are some of full scale.
pub fn doubts(plan: &Plan, summary: Option<&Summary>) -> Vec<Doubt> {
    let summary = summary.filter(|summary| !summary.origin.quick);
    let cells = plan
        .groups
        .iter()
        .flat_map(|group| plan.methods.iter().filter_map(|method| plan.printed.cell(&method.id, &group.id)));
    let about = |cell: &PrintedCell| {
        let measured = summary.map(|summary| {
            let cost = below_the_bound(summary, cell).or_else(|| different(plan, summary, cell));
            [cost, different_gap(plan, summary, cell)]
        });
        let found = [contradiction(plan, cell)].into_iter().chain(measured.into_iter().flatten()).flatten();
        let method = plan.method(&cell.method).map_or(cell.method.as_str(), |method| &method.label);
        let group = plan.group(&cell.group).map_or(cell.group.as_str(), |group| &group.label);
        found.map(|what| Doubt { sentence: format!("{method}, {group}: {what}.") }).collect::<Vec<_>>()
    };
    cells.flat_map(about).collect()
}

/// A printed gap that the printed makespans do not give.
fn contradiction(plan: &Plan, cell: &PrintedCell) -> Option<String> {
    let (implied, rounding) = implied_gap(plan, cell)?;
    let gap = percent(&cell.gap)?;
    ((implied - gap).abs() > GAP_TOLERANCE + rounding)
        .then(|| format!("the printed makespans give a gap of {implied:.1} %, printed is {gap:.1} %"))
}

/// A printed makespan that no order can have on average.
fn below_the_bound(summary: &Summary, cell: &PrintedCell) -> Option<String> {
    let (cost, bound) = (number(&cell.cost)?, summary.numbers("bound", &cell.group)?);
    let spread = bound.cost_error * std::f64::consts::SQRT_2;
    (cost + ROUNDING < bound.cost - ERRORS * spread).then(|| {
        let bound = text::cost(bound.cost);
        format!("{} is printed, below the mean lower bound of {bound} on such instances", cell.cost)
    })
}

/// A printed makespan of another mean than the measured one.
fn different(plan: &Plan, summary: &Summary, cell: &PrintedCell) -> Option<String> {
    let distance = cost_distance(plan, summary, cell).filter(|distance| !distance.is_chance())?;
    let here = text::cost(distance.measured);
    Some(format!("{} is printed, {here} is measured, {}", cell.cost, apart(&distance)))
}

/// A printed gap that does not come out. Both methods see the same instances, so gaps vary less than makespans and
/// show more.
fn different_gap(plan: &Plan, summary: &Summary, cell: &PrintedCell) -> Option<String> {
    let distance = gap_distance(plan, summary, cell).filter(|distance| !distance.is_chance())?;
    let (printed, here) = (distance.printed, text::percent(distance.measured));
    Some(format!("in print the gap is {printed:.1} %, measured {here}, {}", apart(&distance)))
}

fn apart(distance: &Distance) -> String {
    match distance.errors() {
        errors if errors.is_finite() => format!("{errors:.0} standard errors apart"),
        _ => "where nothing is left to chance".to_string(),
    }
}

/// What the last column says about a printed cell: the same rule for every row.
pub(super) fn verdict(plan: &Plan, summary: &Summary, cell: &PrintedCell) -> Option<String> {
    let (cost, gap) = (cost_distance(plan, summary, cell), gap_distance(plan, summary, cell));
    let is_model = plan.method(&cell.method).is_some_and(|method| !method.model.is_empty());
    let spread = format!("within the spread of {}", if is_model { "trainings" } else { "seeds" });
    let share = |cost: &Distance| format!("printed {:+.1} %", 100.0 * (cost.printed / cost.measured - 1.0));
    let points = |gap: &Distance| format!("printed {:+.1} points", gap.printed - gap.measured);
    let text = match (&cost, &gap) {
        (None, None) => return None,
        (Some(cost), _) if !cost.is_chance() => format!("{}: not chance", share(cost)),
        (Some(_), Some(gap)) if !gap.is_chance() => "makespan as printed, gap not".to_string(),
        (None, Some(gap)) if !gap.is_chance() => format!("{}: not chance", points(gap)),
        (Some(cost), _) if cost.is_spread_of_seeds() => format!("{}: {spread}", share(cost)),
        (_, Some(gap)) if gap.is_spread_of_seeds() => format!("{}: {spread}", points(gap)),
        _ => "as printed, within chance".to_string(),
    };
    let one_training =
        is_model && summary.numbers(&cell.method, &cell.group).is_some_and(|numbers| numbers.seeds == 1);
    Some(if one_training { format!("{text} (one training)") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::plan;

    #[test]
    fn the_normal_table_contradicts_itself() {
        let plan = plan("comparative-normal-m5").unwrap();
        let sentences: Vec<String> = doubts(&plan, None).into_iter().map(|doubt| doubt.sentence).collect();
        let expected =
            "Random search, 200 jobs: the printed makespans give a gap of 5.0 %, printed is 9.0 %.";
        assert!(sentences.iter().any(|sentence| sentence == expected), "{sentences:#?}");
        assert!(
            !sentences.iter().any(|sentence| sentence.contains("Random search, 20 jobs")),
            "{sentences:#?}"
        );
    }

    /// What the page says about the printed gaps: ratios of means they are, but for one cell of this table.
    #[test]
    fn the_gaps_of_the_gamma_table_are_ratios_of_its_means() {
        let plan = plan("comparative-gamma-m5").unwrap();
        let found: Vec<String> = doubts(&plan, None).into_iter().map(|doubt| doubt.sentence).collect();
        let only =
            "Iterated local search, 500 jobs: the printed makespans give a gap of 2.3 %, printed is 2.5 %.";
        assert_eq!(found, [only]);
    }
}
