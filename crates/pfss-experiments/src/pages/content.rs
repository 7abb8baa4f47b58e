//! What stands in a block.

use super::{
    PageError, Sources, baselines, benchmarks, exact, learning, models, orders, planning, policy, short,
    text, threads, tsp,
};

/// The text of the block `FILE NAME`.
pub(super) fn content(file: &str, name: &str, sources: &Sources) -> Result<String, PageError> {
    let unknown = || PageError::UnknownBlock(format!("{file} {name}"));
    if name == "origin" {
        return Ok(text::origin(file, &sources.measured(file)?.origin));
    }
    match file {
        "baselines" => baselines::block(name, sources),
        "benchmarks" | "instructions" | "long" => benchmarks::block(file, name, sources),
        "exact" => exact::block(name, sources),
        "learning" => learning::block(name, sources),
        "orders" => orders::block(name, sources),
        "planning" => planning::block(name, sources),
        "policy" => policy::block(name, sources),
        "short" => short::block(name, sources),
        "threads" | "two-threads" => threads::block(file, name, sources),
        "tsp" => tsp::block(name, sources),
        "models" if name == "shipped" => Some(models::table_of(sources)),
        _ => None,
    }
    .unwrap_or_else(|| Err(unknown()))
}
