//! Where the printed numbers do not fit: to each other, to the proven bounds, or to what is measured.

use super::text;
use crate::reproduction::printed::{number, percent};
use crate::reproduction::{Numbers, Plan, PrintedCell, Summary};

/// Printed gaps may differ so much (in points) from the ratio of the printed means, beyond what rounding does to it.
const GAP_TOLERANCE: f64 = 0.1;
/// Half a unit of the last printed decimal of a cost.
const ROUNDING: f64 = 0.05;
/// Differences of means beyond so many standard errors are no chance.
const ERRORS: f64 = 3.0;

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

/// The gap of the printed mean to the baseline's, and what rounding alone can do to it.
fn implied_gap(plan: &Plan, cell: &PrintedCell) -> Option<(f64, f64)> {
    if cell.method == plan.baseline {
        return None;
    }
    let (cost, base) = (number(&cell.cost)?, number(&plan.printed.cell(&plan.baseline, &cell.group)?.cost)?);
    Some((100.0 * (cost / base - 1.0), 100.0 * ROUNDING * (1.0 + cost / base) / base))
}

/// A printed makespan that no order can have on average.
fn below_the_bound(summary: &Summary, cell: &PrintedCell) -> Option<String> {
    let (cost, bound) = (number(&cell.cost)?, summary.numbers("bound", &cell.group)?);
    (cost + ROUNDING < bound.cost - ERRORS * spread(bound)).then(|| {
        let bound = text::cost(bound.cost);
        format!("{} is printed, below the mean lower bound of {bound} on such instances", cell.cost)
    })
}

/// A printed makespan of another mean than the measured one.
fn different(plan: &Plan, summary: &Summary, cell: &PrintedCell) -> Option<String> {
    let (cost, numbers) = (number(&cell.cost)?, summary.numbers(&cell.method, &cell.group)?);
    let errors = errors_apart(cost, numbers)?;
    (is_fixed(plan, &cell.method) && errors > ERRORS).then(|| {
        let here = text::cost(numbers.cost);
        format!("{} is printed, {here} is measured, {errors:.0} standard errors apart", cell.cost)
    })
}

/// A printed gap of a method without training that does not come out. Both methods see the same instances, so gaps
/// vary less than makespans and show more.
fn different_gap(plan: &Plan, summary: &Summary, cell: &PrintedCell) -> Option<String> {
    if cell.method == plan.baseline || !is_fixed(plan, &cell.method) {
        return None;
    }
    let gap = summary.numbers(&cell.method, &cell.group)?.gap?;
    let (printed, rounding) = match percent(&cell.gap) {
        Some(printed) => (printed, ROUNDING),
        None => implied_gap(plan, cell)?,
    };
    // The 95 % interval reaches 1.96 standard errors to each side; the paper's own gap has as much.
    let spread = (gap.high - gap.low) / (2.0 * 1.96) * std::f64::consts::SQRT_2;
    // The printed gaps are ratios of the printed means, the paper's code takes means of ratios: either will do.
    let distance = (printed - gap.mean_of_ratios).abs().min((printed - gap.ratio_of_means).abs());
    let errors = (distance - rounding).max(0.0) / spread;
    (spread > 0.0 && errors > ERRORS).then(|| {
        let here = text::percent(gap.mean_of_ratios);
        format!("in print the gap is {printed:.1} %, measured {here}, {errors:.0} standard errors apart")
    })
}

/// Whether a method has no training behind it, so that its numbers should come out again.
fn is_fixed(plan: &Plan, method: &str) -> bool {
    plan.method(method).is_some_and(|method| method.model.is_empty())
}

/// The standard error of the difference of two means over as many instances, the paper's and ours.
fn spread(numbers: &Numbers) -> f64 {
    numbers.cost_error * std::f64::consts::SQRT_2
}

/// By how many standard errors a printed mean is away from the measured one, rounding forgiven.
fn errors_apart(printed: f64, numbers: &Numbers) -> Option<f64> {
    let distance = ((printed - numbers.cost).abs() - ROUNDING).max(0.0);
    (spread(numbers) > 0.0).then(|| distance / spread(numbers))
}

/// What the last column says about a printed cell.
pub(super) fn verdict(
    plan: &Plan,
    summary: &Summary,
    cell: &PrintedCell,
    numbers: &Numbers,
) -> Option<String> {
    if let (None, Some(printed), false) =
        (number(&cell.cost), percent(&cell.gap), is_fixed(plan, &cell.method))
    {
        let points = printed - numbers.gap?.mean_of_ratios;
        return Some(format!("printed {points:+.1} points: another training"));
    }
    let printed = number(&cell.cost)?;
    let errors = errors_apart(printed, numbers)?;
    let share = 100.0 * (printed / numbers.cost - 1.0);
    Some(match (errors <= ERRORS, is_fixed(plan, &cell.method)) {
        (true, _) if different_gap(plan, summary, cell).is_some() => {
            "makespan as printed, gap not".to_string()
        }
        (true, _) => "as printed, within chance".to_string(),
        (false, true) => format!("printed {share:+.1} %: not chance"),
        (false, false) => format!("printed {share:+.1} %: another training"),
    })
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

    #[test]
    fn distances_forgive_rounding() {
        let numbers = Numbers {
            seeds: 1,
            cost: 100.0,
            cost_error: 0.1,
            gap: None,
            seconds: 1.0,
            before: None,
            proven: 0,
            mark: None,
        };
        assert_eq!(errors_apart(100.04, &numbers), Some(0.0));
        assert!((errors_apart(100.55, &numbers).unwrap() - 0.5 / (0.1 * 2f64.sqrt())).abs() < 1e-9);
        assert_eq!(errors_apart(101.0, &Numbers { cost_error: 0.0, ..numbers }), None);
    }
}
