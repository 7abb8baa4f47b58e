//! `pfss check`: recomputes a makespan.

use anyhow::bail;
use pfss_io::{AnyInstance, Problem, TimeValue};
use serde_json::json;

use crate::args::CheckArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::order::OrderText;
use crate::{output, source};

/// Checks the order of each instance that the argument stands for.
pub(super) fn run(args: &CheckArgs, console: Console) -> anyhow::Result<Exit> {
    source::check_stdin([args.instance.as_str(), args.order.as_str()])?;
    let (entries, _) = source::read(&args.instance, &args.source)?;
    let order = OrderText::load(&args.order, args.one_based)?;
    if args.makespan.is_some() && entries.len() > 1 {
        bail!(
            "{}: holds {} instances, but --makespan is for one; pick one with `#1`",
            args.instance,
            entries.len()
        );
    }
    let mut exit = Exit::Success;
    for entry in &entries {
        let instance = &entry.instance;
        let verdict = check(instance, &order, args.makespan, console)?;
        if verdict.is_err() {
            exit = Exit::Negative;
        }
        let text = if args.json {
            as_json(instance.name(), &verdict)
        } else if entries.len() > 1 {
            format!("{}: {}", instance.name(), as_line(&verdict))
        } else {
            as_line(&verdict)
        };
        output::print(&format!("{text}\n"))?;
    }
    Ok(exit)
}

/// The makespan, or why the order is wrong.
type Verdict = Result<TimeValue, String>;

fn check(
    instance: &AnyInstance,
    order: &OrderText,
    claimed: Option<f64>,
    console: Console,
) -> anyhow::Result<Verdict> {
    let given = match order.given(instance) {
        Ok(given) => given,
        // The order was read, and is wrong: that is an answer.
        Err(error) if matches!(*error.problem, Problem::Order(_) | Problem::UnknownJob { .. }) => {
            return Ok(Err(error.to_string()));
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(name) = given.instance.as_ref().filter(|name| *name != instance.name()) {
        console.warn(&format!("the order is said to be for `{name}`, the instance is `{}`", instance.name()));
    }
    for claim in [claimed, given.makespan] {
        if let Err(error) = instance.check(&given.order, claim) {
            return Ok(Err(error.to_string()));
        }
    }
    Ok(instance.check(&given.order, None).map_err(|error| error.to_string()))
}

fn as_line(verdict: &Verdict) -> String {
    match verdict {
        Ok(makespan) => format!("ok: makespan {makespan}"),
        Err(reason) => format!("wrong: {reason}"),
    }
}

fn as_json(instance: &str, verdict: &Verdict) -> String {
    let record = match verdict {
        Ok(makespan) => {
            json!({"schema": "pfss.check/1", "instance": instance, "ok": true, "makespan": makespan})
        }
        Err(reason) => json!({"schema": "pfss.check/1", "instance": instance, "ok": false, "reason": reason}),
    };
    record.to_string()
}
