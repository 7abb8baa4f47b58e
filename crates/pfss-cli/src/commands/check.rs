//! `pfss check`: recomputes a makespan, and whatever else an order is judged by.

use anyhow::bail;
use pfss_core::timing::{self, Line, Objective, PlanError, Timetable};
use pfss_io::{Contradiction, Entry, GivenOrder, JobRecord, Lateness, Problem, TimeValue};
use serde_json::{Value, json};

use crate::args::CheckArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::order::OrderText;
use crate::{output, source};

/// Checks the order of each instance that the argument stands for.
pub(super) fn run(args: &CheckArgs, console: Console) -> anyhow::Result<Exit> {
    source::check_stdin([args.instance.as_str(), args.order.as_str()])?;
    let (entries, _) =
        source::read(&args.instance, &args.source, &args.plan, &mut FileGate::default(), console)?;
    let order = OrderText::load(&args.order, args.one_based)?;
    let claims = [("--makespan", args.makespan.is_some()), ("--value", args.value.is_some())];
    if let Some((option, _)) = claims.into_iter().find(|(_, is_given)| *is_given && entries.len() > 1) {
        bail!(
            "{}: holds {} instances, but {option} is for one; pick one with `#1`",
            args.instance,
            entries.len()
        );
    }
    let mut exit = Exit::Success;
    let several = entries.len() > 1;
    for mut entry in entries {
        let verdict = check(&mut entry, &order, args, console)?;
        if verdict.is_err() {
            exit = Exit::Negative;
        }
        let name = entry.instance.name();
        let text = if args.json {
            as_json(name, &verdict)
        } else if several {
            format!("{name}: {}", as_line(&verdict))
        } else {
            as_line(&verdict)
        };
        output::print(&format!("{text}\n"))?;
    }
    Ok(exit)
}

/// What an order is found to be.
struct Found {
    makespan: TimeValue,
    /// The values of the objectives, where jobs or machines carry more than times.
    values: Vec<(Objective, TimeValue)>,
    lateness: Lateness,
}

/// What the order is, or why it is wrong.
type Verdict = Result<Found, String>;

fn check(
    entry: &mut Entry,
    order: &OrderText,
    args: &CheckArgs,
    console: Console,
) -> anyhow::Result<Verdict> {
    let given = match order.given(&entry.instance) {
        Ok(given) => given,
        // The order was read, and is wrong: that is an answer.
        Err(error) if matches!(*error.problem, Problem::Order(_) | Problem::UnknownJob { .. }) => {
            return Ok(Err(error.to_string()));
        }
        Err(error) => return Err(error.into()),
    };
    let instance = &entry.instance;
    if let Some(name) = given.instance.as_ref().filter(|name| *name != instance.name()) {
        console.warn(&format!("the order is said to be for `{name}`, the instance is `{}`", instance.name()));
    }
    let named: Vec<Objective> = match &given.objective {
        Some(names) => names.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    let of_instance = given.claims.of_instance(entry, &named);
    // A result says what it minimised; only an option says otherwise.
    if given.objective.is_some() && args.plan.objective.is_empty() {
        entry.attributes.objectives = named;
    }
    let verdict = match source::line_of(entry)? {
        Some(line) => check_plan(&line, entry.instance.is_integer(), &given, args),
        None => check_plain(entry, &given, args),
    };
    Ok(none_of(of_instance).and(verdict))
}

/// Checks an order of plain jobs against every makespan that is claimed, and what else is claimed of it.
fn check_plain(entry: &Entry, given: &GivenOrder, args: &CheckArgs) -> Verdict {
    let mut makespan = entry.instance.check(&given.order, None).map_err(|error| error.to_string())?;
    let value = args.value.filter(|_| args.makespan.is_none());
    for claim in [args.makespan, value, given.makespan].into_iter().flatten() {
        makespan = entry.instance.check(&given.order, Some(claim)).map_err(|error| error.to_string())?;
    }
    none_of(given.claims.of_value(makespan.to_f64()))?;
    Ok(Found { makespan, values: Vec::new(), lateness: Lateness::default() })
}

/// Checks an order against every value and makespan that is claimed, and what else is claimed of it.
fn check_plan(line: &Line, is_integer: bool, given: &GivenOrder, args: &CheckArgs) -> Verdict {
    let told = |error: PlanError| error.to_string();
    let claimed: Vec<f64> = args.value.into_iter().collect();
    timing::check_values(line, &given.order, &claimed).map_err(told)?;
    let names: Vec<&str> = line.objectives().map(Objective::name).collect();
    let is_same = given.objective.as_ref().is_none_or(|objective| *objective == names.join(","));
    let claimed = if is_same { given.values.as_slice() } else { &[] };
    let score = timing::check_values(line, &given.order, claimed).map_err(told)?;
    let table = Timetable::new(line, &given.order).map_err(|error| error.to_string())?;
    let makespan = line.to_units(table.makespan());
    for claim in [args.makespan, given.makespan].into_iter().flatten() {
        if (makespan - claim).abs() > 1e-9 * makespan.abs().max(1.0) {
            return Err(format!("the order has makespan {makespan}, not {claim}"));
        }
    }
    // A result that names neither an objective nor a value speaks of the makespan.
    let is_of_makespan = given.objective.is_none() && given.claims.value.is_none();
    let minimised = if is_of_makespan { makespan } else { line.value(score) };
    if is_same {
        none_of(given.claims.of_value(minimised))?;
    }
    none_of(given.claims.of_jobs(&JobRecord::all(line, &table, is_integer)).into_iter().collect())?;
    let units = |value| TimeValue::of_units(value, is_integer);
    let values = line.objectives().zip(line.values(score).into_iter().map(units)).collect();
    Ok(Found { makespan: units(makespan), values, lateness: Lateness::of(line, &table) })
}

/// Fails with a sentence for each contradiction.
fn none_of(found: Vec<Contradiction>) -> Result<(), String> {
    let sentences: Vec<String> = found.iter().map(Contradiction::to_string).collect();
    if sentences.is_empty() { Ok(()) } else { Err(sentences.join("; ")) }
}

fn as_line(verdict: &Verdict) -> String {
    match verdict {
        Ok(found) => {
            let mut values: Vec<String> =
                found.values.iter().map(|(objective, value)| format!("{objective} {value}")).collect();
            if found.values.iter().all(|(objective, _)| *objective != Objective::Makespan) {
                values.push(format!("makespan {}", found.makespan));
            }
            if found.lateness.num_due > 0 {
                let Lateness { num_late, num_due, .. } = found.lateness;
                values.push(format!("{num_late} of {num_due} jobs late"));
            }
            format!("ok: {}", values.join(", "))
        }
        Err(reason) => format!("wrong: {reason}"),
    }
}

fn as_json(instance: &str, verdict: &Verdict) -> String {
    let mut record = record(instance, verdict);
    // The same bytes in every build: another crate may ask for maps that keep the order of insertion.
    record.sort_all_objects();
    record.to_string()
}

fn record(instance: &str, verdict: &Verdict) -> Value {
    let found = match verdict {
        Ok(found) => found,
        Err(reason) => {
            return json!({"schema": "pfss.check/1", "instance": instance, "ok": false, "reason": reason});
        }
    };
    let mut record =
        json!({"schema": "pfss.check/1", "instance": instance, "ok": true, "makespan": found.makespan});
    if let (Some(members), Some((_, value))) = (record.as_object_mut(), found.values.first()) {
        let names: Vec<&str> = found.values.iter().map(|(objective, _)| objective.name()).collect();
        members.insert("objective".to_string(), Value::from(names.join(",")));
        members.insert("value".to_string(), json!(value));
        if found.values.len() > 1 {
            let values: Vec<TimeValue> = found.values.iter().map(|(_, value)| *value).collect();
            members.insert("values".to_string(), json!(values));
        }
        if found.lateness.num_due > 0 {
            members.insert("late_jobs".to_string(), Value::from(found.lateness.num_late));
        }
    }
    record
}
