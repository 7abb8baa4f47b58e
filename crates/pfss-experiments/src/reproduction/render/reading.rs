//! Text with places for numbers.

use super::{text, versus};
use crate::reproduction::{Order, Plan, Summary};

/// What stands where a number is not known.
const UNKNOWN: &str = "(not measured)";

/// Fills the places of a text:
///
/// * `{cell:METHOD:GROUP:FIELD}`: measured; the field is `cost`, `gap`, `time`, `each` (the time of one instance),
///   `total`, `proven`, or `seeds` (the gap of each training),
/// * `{paper:METHOD:GROUP:FIELD}`: printed; the field is `cost`, `gap`, `time` or `total`,
/// * `{mean:METHOD}`: the mean of its gaps over the groups, `{training:ID:FIELD}`: of a training, `parameters` (those of a critic
///   behind them) or `best` (its least gap on the validation instances),
/// * `{fit:METHOD}`: the exponent of its time, `{count:GROUP}`: how many instances a group has,
/// * `{compare:A:B}`: in which groups the orders of `A` are shorter than those of `B`, longer, or undecided;
///   `{ahead:A:B}`, `{behind:A:B}` and `{undecided:A:B}`: one of the three alone,
/// * `{time:A:B}`: in which groups `A` takes less time than `B`, and in which more.
///
/// So no number of a reading is typed by hand, and no claim about two methods. What is not known is said to be so.
pub fn fill(text: &str, plan: &Plan, summary: &Summary) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((place, behind)) = after.split_once('}') else {
            filled.push('{');
            rest = after;
            continue;
        };
        let parts: Vec<&str> = place.split(':').collect();
        filled.push_str(&value(&parts, plan, summary).unwrap_or_else(|| UNKNOWN.to_string()));
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

fn value(parts: &[&str], plan: &Plan, summary: &Summary) -> Option<String> {
    match *parts {
        ["count", group] => Some(summary.group(group)?.instances.to_string()),
        ["compare", first, second] => versus::compare(plan, summary.comparison(first, second)?),
        ["ahead", first, second] => {
            versus::where_is(plan, summary.comparison(first, second)?, Order::Shorter)
        }
        ["behind", first, second] => {
            versus::where_is(plan, summary.comparison(first, second)?, Order::Longer)
        }
        ["undecided", first, second] => {
            versus::where_is(plan, summary.comparison(first, second)?, Order::Undecided)
        }
        ["mean", method] => {
            let gaps: Option<Vec<f64>> = plan
                .shown_groups()
                .filter(|group| summary.group(&group.id).is_some_and(|found| found.skipped.is_none()))
                .map(|group| Some(summary.numbers(method, &group.id)?.gap?.mean_of_ratios))
                .collect();
            let gaps = gaps.filter(|gaps| !gaps.is_empty())?;
            Some(text::percent(gaps.iter().sum::<f64>() / gaps.len() as f64))
        }
        ["training", id, field] => {
            let found = summary.trainings.iter().find(|training| training.id == id)?;
            let record = found.record.as_ref()?;
            match field {
                "parameters" => {
                    let critic = record.critic_parameters.map(|count| format!(" + {count}"));
                    Some(format!("{}{}", record.parameters, critic.unwrap_or_default()))
                }
                "best" => record.best().map(|(_, gap)| text::percent(gap)),
                _ => None,
            }
        }
        ["time", first, second] => versus::time(plan, summary, first, second),
        ["fit", method] => {
            let fit = summary.fits.iter().find(|fit| fit.method == method)?;
            Some(format!("{:.2}", fit.law.exponent))
        }
        ["paper", method, group, field] => {
            let cell = plan.printed.cell(method, group)?;
            let printed = match field {
                "cost" => &cell.cost,
                "gap" => &cell.gap,
                "time" => &cell.time,
                "total" => &cell.total,
                _ => return None,
            };
            (!printed.is_empty()).then(|| text::printed(printed))
        }
        ["cell", method, group, field] => {
            let numbers = summary.numbers(method, group)?;
            match field {
                "cost" => Some(text::cost(numbers.cost)),
                "gap" => numbers.gap.map(|gap| text::percent(gap.mean_of_ratios)),
                "time" => summary.seconds(method, group).map(text::time),
                "each" => {
                    let instances = summary.group(group)?.instances as f64;
                    summary.seconds(method, group).map(|seconds| text::time(seconds / instances))
                }
                "total" => summary.total(method, group).map(text::time),
                "proven" => Some(numbers.proven.to_string()),
                "seeds" => {
                    let gaps: Option<Vec<String>> =
                        numbers.by_seed.iter().map(|one| one.gap.map(text::percent)).collect();
                    gaps.filter(|gaps| !gaps.is_empty()).map(|gaps| gaps.join(", "))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The places of a text that name nothing of the plan.
#[cfg(test)]
fn strays(text: &str, plan: &Plan) -> Vec<String> {
    let places = text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(place, _)| place);
    let is_known = |place: &&str| match *place.split(':').collect::<Vec<_>>() {
        ["count", group] => plan.group(group).is_some(),
        ["fit", method] => plan.growth && plan.method(method).is_some(),
        ["mean", method] => !plan.baseline.is_empty() && plan.method(method).is_some(),
        ["training", id, field] => {
            plan.trainings.iter().any(|training| training.id == id) && ["parameters", "best"].contains(&field)
        }
        ["compare" | "ahead" | "behind" | "undecided" | "time", first, second] => {
            first != second && plan.method(first).is_some() && plan.method(second).is_some()
        }
        ["cell", method, group, field] => {
            let method = plan
                .method(method)
                .filter(|method| plan.group(group).is_some_and(|group| plan.takes_part(method, group)));
            method.is_some() && ["cost", "gap", "time", "each", "total", "proven", "seeds"].contains(&field)
        }
        ["paper", method, group, field] => plan.printed.cell(method, group).is_some_and(|cell| {
            [("cost", &cell.cost), ("gap", &cell.gap), ("time", &cell.time), ("total", &cell.total)]
                .iter()
                .any(|(name, text)| *name == field && !text.is_empty())
        }),
        _ => false,
    };
    places.filter(|place| !is_known(place)).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::{claims, plan, plans};

    #[test]
    fn claims_name_what_there_is_and_hold_no_measured_number() {
        for claim in claims().unwrap() {
            let plan = plan(&claim.plan).unwrap();
            assert_eq!(strays(&claim.measured, &plan), Vec::<String>::new(), "{}", claim.claim);
            let plain: String = claim
                .measured
                .split('{')
                .map(|part| part.split_once('}').map_or(part, |(_, behind)| behind))
                .collect();
            assert!(!plain.contains('%') && !plain.contains('.'), "{}: {plain}", claim.claim);
        }
    }

    #[test]
    fn readings_name_what_there_is_and_hold_no_measured_number_and_no_typed_claim() {
        for plan in plans().unwrap() {
            let texts = &plan.reading;
            assert_eq!(strays(texts, &plan), Vec::<String>::new(), "{}", plan.name);
            let mut plain = String::new();
            for part in texts.split('{') {
                plain.push_str(part.split_once('}').map_or(part, |(_, behind)| behind));
            }
            let characters: Vec<char> = plain.chars().collect();
            let is_decimal = |window: &[char]| {
                window[0].is_ascii_digit() && window[1] == '.' && window[2].is_ascii_digit()
            };
            assert!(!characters.windows(3).any(is_decimal), "{}: {plain}", plan.name);
            assert!(!plain.contains('%'), "{}: {plain}", plan.name);
            // Which of two methods is ahead is for the results to say: such words come from places.
            let claims = [
                "ahead",
                "behind",
                "shorter",
                "longer",
                "faster",
                "slower",
                "better",
                "worse",
                "best",
                "worst",
                "never",
                "always",
                "reproduces",
                "pays",
                "beats",
                "wins",
            ];
            let words = plain.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
            let typed: Vec<String> = words.filter(|word| claims.contains(&word.as_str())).collect();
            assert_eq!(typed, Vec::<String>::new(), "{}: {plain}", plan.name);
        }
    }
}
