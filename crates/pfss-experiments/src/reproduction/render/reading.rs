//! Text with places for numbers.

use super::text;
use crate::reproduction::{Plan, Summary};

/// What stands where a number is not known.
const UNKNOWN: &str = "(not measured)";

/// Fills the places of a text:
///
/// * `{cell:METHOD:GROUP:FIELD}`: measured; the field is `cost`, `gap`, `time`, `each` (the time of one instance),
///   `total` or `proven`,
/// * `{paper:METHOD:GROUP:FIELD}`: printed; the field is `cost`, `gap`, `time` or `total`,
/// * `{fit:METHOD}`: the exponent of its time, `{count:GROUP}`: how many instances a group has.
///
/// So no number of a reading is typed by hand. What is not known is said to be so.
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
                "time" => Some(text::time(numbers.seconds)),
                "each" => Some(text::time(numbers.seconds / summary.group(group)?.instances as f64)),
                "total" => numbers.total().map(text::time),
                "proven" => Some(numbers.proven.to_string()),
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
        ["cell", method, group, field] => {
            let method = plan
                .method(method)
                .filter(|method| plan.group(group).is_some_and(|group| plan.takes_part(method, group)));
            method.is_some() && ["cost", "gap", "time", "each", "total", "proven"].contains(&field)
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
    use crate::reproduction::plans;

    #[test]
    fn readings_name_what_there_is_and_hold_no_measured_number() {
        for plan in plans().unwrap() {
            let texts = format!("{}\n{}", plan.reading, plan.conclusion);
            assert_eq!(strays(&texts, &plan), Vec::<String>::new(), "{}", plan.name);
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
        }
    }
}
