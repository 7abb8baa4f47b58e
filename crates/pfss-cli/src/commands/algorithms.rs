//! `pfss algorithms`: what there is to choose from.

use pfss_core::{Parameter, ParameterKind};
use pfss_render::{Alignment, Table, format_number};
use serde_json::{Value, json};

use crate::args::{AlgorithmsArgs, ProblemName};
use crate::console::Console;
use crate::exit::Exit;
use crate::output;

/// An algorithm for any problem, as it is told.
struct Listed {
    name: &'static str,
    summary: &'static str,
    reference: &'static str,
    parameters: Vec<Parameter>,
    defaults: Value,
}

impl Listed {
    fn of<B>(algorithm: &pfss::AlgorithmFor<B>) -> anyhow::Result<Self> {
        Ok(Self {
            name: algorithm.name,
            summary: algorithm.summary,
            reference: algorithm.reference,
            parameters: algorithm.parameters(),
            defaults: algorithm.config(&pfss::Settings::new())?.into(),
        })
    }

    /// The algorithm of this name, or all.
    fn find(problem: ProblemName, name: Option<&str>) -> anyhow::Result<Vec<Self>> {
        match (problem, name) {
            (ProblemName::FlowShop, Some(name)) => Ok(vec![Self::of(pfss::algorithm(name)?)?]),
            (ProblemName::FlowShop, None) => pfss::algorithms().iter().map(Self::of).collect(),
            #[cfg(feature = "tsp")]
            (ProblemName::Tsp, Some(name)) => Ok(vec![Self::of(pfss_tsp::tsp_algorithm(name)?)?]),
            #[cfg(feature = "tsp")]
            (ProblemName::Tsp, None) => pfss_tsp::tsp_algorithms().iter().map(Self::of).collect(),
        }
    }
}

/// Lists the algorithms, or describes one.
pub(super) fn run(args: &AlgorithmsArgs, console: Console) -> anyhow::Result<Exit> {
    let found = Listed::find(args.problem, args.name.as_deref())?;
    let text = match (&args.name, args.json) {
        (None, true) => {
            let all = found.iter().map(as_json).collect::<anyhow::Result<Vec<Value>>>()?;
            format!("{:#}\n", Value::from(all))
        }
        (None, false) => list(&found)?,
        (Some(_), is_json) => {
            let one = |listed: &Listed| match is_json {
                true => Ok(format!("{:#}\n", as_json(listed)?)),
                false => describe(listed, console),
            };
            found.iter().map(one).collect::<anyhow::Result<String>>()?
        }
    };
    output::print(&text)?;
    Ok(Exit::Success)
}

fn list(algorithms: &[Listed]) -> anyhow::Result<String> {
    let mut table = Table::new([("algorithm", Alignment::Left), ("what it does", Alignment::Left)]);
    for algorithm in algorithms {
        table.push_row([algorithm.name, algorithm.summary])?;
    }
    Ok(table.to_text() + "\n`pfss algorithms NAME` tells the parameters of one.\n")
}

fn describe(algorithm: &Listed, console: Console) -> anyhow::Result<String> {
    let mut text = format!("{}: {}\n", console.bold(algorithm.name), algorithm.summary);
    if !algorithm.reference.is_empty() {
        text.push_str(&format!("Reference: {}\n", algorithm.reference));
    }
    if algorithm.parameters.is_empty() {
        return Ok(text + "\nIt has no parameters.\n");
    }
    let columns = ["parameter", "default", "accepted", "what it does"];
    let mut table = Table::new(columns.map(|name| (name, Alignment::Left)));
    for parameter in &algorithm.parameters {
        let default = plain(&algorithm.defaults[&parameter.name]);
        table.push_row([&parameter.name, &default, &accepted(&parameter.kind), &parameter.help])?;
    }
    Ok(format!("{text}\n{}\nSet one with `--set PARAMETER=VALUE`.\n", table.to_text()))
}

fn as_json(algorithm: &Listed) -> anyhow::Result<Value> {
    let with_default = |parameter: &Parameter| -> anyhow::Result<Value> {
        let mut value = serde_json::to_value(parameter)?;
        value["default"] = algorithm.defaults[&parameter.name].clone();
        Ok(value)
    };
    let parameters = algorithm.parameters.iter().map(with_default).collect::<anyhow::Result<Vec<Value>>>()?;
    Ok(json!({
        "name": algorithm.name,
        "summary": algorithm.summary,
        "reference": algorithm.reference,
        "parameters": parameters,
    }))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// What a parameter accepts, in a few words.
pub(super) fn accepted(kind: &ParameterKind) -> String {
    match kind {
        ParameterKind::Integer { min, max } if *max >= u64::from(u32::MAX) => {
            format!("a whole number, at least {min}")
        }
        ParameterKind::Integer { min, max } => format!("a whole number, {min} to {max}"),
        ParameterKind::Real { min, max } => match (*min > f64::MIN, *max < f64::MAX) {
            (true, true) => format!("a number, {} to {}", format_number(*min), format_number(*max)),
            (true, false) => format!("a number, at least {}", format_number(*min)),
            (false, true) => format!("a number, at most {}", format_number(*max)),
            (false, false) => "a number".to_string(),
        },
        ParameterKind::Choice { values } => values.join(" | "),
        ParameterKind::Flag => "true | false".to_string(),
        _ => "text".to_string(),
    }
}
