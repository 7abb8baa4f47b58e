//! `pfss algorithms`: what there is to choose from.

use pfss::accepted;
use pfss_core::Parameter;
use pfss_render::{Alignment, Table};
use serde_json::Value;

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
    json: Value,
}

impl Listed {
    fn of<B>(algorithm: &pfss::AlgorithmFor<B>) -> anyhow::Result<Self> {
        Ok(Self {
            name: algorithm.name,
            summary: algorithm.summary,
            reference: algorithm.reference,
            parameters: algorithm.parameters(),
            defaults: algorithm.config(&pfss::Settings::new())?.into(),
            json: algorithm.describe()?,
        })
    }

    /// The algorithm of this name, or all, for instances that carry more than times.
    fn find_planning(name: Option<&str>) -> anyhow::Result<Vec<Self>> {
        match name {
            Some(name) => Ok(vec![Self::of(pfss::planner::algorithm(name)?)?]),
            None => pfss::planner::algorithms().iter().map(Self::of).collect(),
        }
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
    let found = match args.planning {
        true => Listed::find_planning(args.name.as_deref())?,
        false => Listed::find(args.problem, args.name.as_deref())?,
    };
    let text = match (&args.name, args.json) {
        (None, true) => {
            let all = found.iter().map(|listed| listed.json.clone()).collect::<Vec<Value>>();
            format!("{:#}\n", Value::from(all))
        }
        (None, false) => list(&found)?,
        (Some(_), is_json) => {
            let one = |listed: &Listed| match is_json {
                true => Ok(format!("{:#}\n", listed.json)),
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

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}
