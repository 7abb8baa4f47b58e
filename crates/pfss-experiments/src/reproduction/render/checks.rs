//! Where the printed numbers do not fit: to each other, to the proven bounds, or to what is measured.

use super::text;
use crate::reproduction::printed::{number, percent};
use crate::reproduction::{Numbers, Plan, Summary};

/// Printed gaps may differ so much (in points) from the ratio of the printed means: a mean of ratios is another
/// mean, and all three numbers are rounded.
const GAP_TOLERANCE: f64 = 0.35;
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

/// All of a plan; those that need numbers only where there are some of full scale.
pub fn doubts(plan: &Plan, summary: Option<&Summary>) -> Vec<Doubt> {
    let mut found = contradictions(plan);
    if let Some(summary) = summary.filter(|summary| !summary.origin.quick) {
        found.extend(below_the_bound(plan, summary));
        found.extend(different(plan, summary));
    }
    found.into_iter().map(|sentence| Doubt { sentence }).collect()
}

fn labels<'a>(plan: &'a Plan, method: &'a str, group: &'a str) -> (&'a str, &'a str) {
    (
        plan.method(method).map_or(method, |method| &method.label),
        plan.group(group).map_or(group, |group| &group.label),
    )
}

/// Printed gaps that the printed makespans do not give.
fn contradictions(plan: &Plan) -> Vec<String> {
    let cells = plan.printed.cells().iter().filter(|cell| cell.method != plan.baseline);
    cells
        .filter_map(|cell| {
            let baseline = number(&plan.printed.cell(&plan.baseline, &cell.group)?.cost)?;
            let (cost, gap) = (number(&cell.cost)?, percent(&cell.gap)?);
            let implied = 100.0 * (cost / baseline - 1.0);
            // What rounding alone can do to the ratio.
            let rounding = 100.0 * ROUNDING * (1.0 + cost / baseline) / baseline;
            ((implied - gap).abs() > GAP_TOLERANCE + rounding).then(|| {
                let (method, group) = labels(plan, &cell.method, &cell.group);
                format!("{method}, {group}: the printed makespans give a gap of {implied:.1} %, printed is {gap:.1} %.")
            })
        })
        .collect()
}

/// Printed makespans that no order can have on average.
fn below_the_bound(plan: &Plan, summary: &Summary) -> Vec<String> {
    let cells = plan.printed.cells().iter();
    cells
        .filter_map(|cell| {
            let cost = number(&cell.cost)?;
            let bound = summary.numbers("bound", &cell.group)?;
            (cost + ROUNDING < bound.cost - ERRORS * spread(bound)).then(|| {
                let (method, group) = labels(plan, &cell.method, &cell.group);
                let bound = text::cost(bound.cost);
                format!("{method}, {group}: {} is printed, below the mean lower bound of {bound} on such instances.", cell.cost)
            })
        })
        .collect()
}

/// Printed makespans of other means than the measured ones.
fn different(plan: &Plan, summary: &Summary) -> Vec<String> {
    let cells = plan.printed.cells().iter().filter(|cell| is_fixed(plan, &cell.method));
    cells
        .filter_map(|cell| {
            let (cost, numbers) = (number(&cell.cost)?, summary.numbers(&cell.method, &cell.group)?);
            let errors = errors_apart(cost, numbers)?;
            (errors > ERRORS).then(|| {
                let (method, group) = labels(plan, &cell.method, &cell.group);
                let here = text::cost(numbers.cost);
                format!("{method}, {group}: {} is printed, {here} is measured, {errors:.0} standard errors apart.", cell.cost)
            })
        })
        .collect()
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

/// What the last column says about a printed makespan.
pub(super) fn verdict(plan: &Plan, printed: &str, method: &str, numbers: &Numbers) -> Option<String> {
    let printed = number(printed)?;
    let errors = errors_apart(printed, numbers)?;
    let share = 100.0 * (printed / numbers.cost - 1.0);
    Some(match (errors <= ERRORS, is_fixed(plan, method)) {
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
