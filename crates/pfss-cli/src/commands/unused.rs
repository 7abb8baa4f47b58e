//! Options without a use: refused, not ignored.

use anyhow::bail;

use crate::args::ProblemName;

/// Fails for the first of the options that was given; `why` tells why it has no use and what would be accepted.
pub(super) fn refuse(options: &[(&str, bool)], why: &str) -> anyhow::Result<()> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => bail!("{option} is not used here: {why}"),
        None => Ok(()),
    }
}

/// Whether an algorithm searches until a limit ends it; the others end by themselves.
pub(super) fn searches(problem: ProblemName, name: &str) -> anyhow::Result<bool> {
    Ok(match problem {
        ProblemName::FlowShop => pfss::algorithm(name)?.searches(),
        // The others prove the best tour, or build one, and end.
        #[cfg(feature = "tsp")]
        ProblemName::Tsp => pfss_tsp::tsp_algorithm(name)?.name == "iterated-local-search",
    })
}

/// Why a number of evaluations has no use, and for which algorithms it has.
pub(super) fn ends_by_itself(problem: ProblemName, names: &str) -> String {
    let searching: Vec<&str> = match problem {
        ProblemName::FlowShop => {
            let all = pfss::algorithms().iter();
            all.filter(|algorithm| algorithm.searches()).map(|algorithm| algorithm.name).collect()
        }
        #[cfg(feature = "tsp")]
        ProblemName::Tsp => vec!["iterated-local-search"],
    };
    format!("{names} ends by itself; it limits {}", searching.join(", "))
}
