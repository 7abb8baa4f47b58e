//! What stands in a method of a plan without a use: refused, not ignored.

use pfss::{PolicyConfig, PolicyImprovement};

use super::method::{Limit, Method};
use super::plan::Problem;

impl Method {
    /// The first thing in it that would be ignored, or that its algorithm does not know.
    pub(super) fn unused(&self, problem: Problem) -> Option<String> {
        unused(self, problem)
    }
}

fn unused(method: &Method, problem: Problem) -> Option<String> {
    let id = &method.id;
    let is_policy = method.algorithm == "policy";
    if is_policy && method.model.is_empty() {
        return Some(format!("`{id}` is a policy and needs a `model`"));
    }
    let strays = [
        ("model", !is_policy && !method.model.is_empty()),
        ("limit", ends_by_itself(&method.algorithm) && method.limit != Limit::None),
    ];
    if let Some((key, _)) = strays.into_iter().find(|&(_, is_stray)| is_stray) {
        return Some(format!("`{id}`: `{key}` is not used by {}", method.algorithm));
    }
    settings(method, problem).err().map(|reason| format!("`{id}`: {reason}"))
}

/// Whether no limit can cut it short.
fn ends_by_itself(algorithm: &str) -> bool {
    matches!(algorithm, "policy" | "lower-bound")
}

fn settings(method: &Method, problem: Problem) -> Result<(), String> {
    let checked = match (method.algorithm.as_str(), problem) {
        ("lower-bound" | "paper-neh-plain", Problem::FlowShop) => {
            return match method.settings.keys().next() {
                Some(key) => Err(format!("{} has no setting `{key}`; it has none", method.algorithm)),
                None => Ok(()),
            };
        }
        ("policy", _) => return policy_settings(method, problem).map(|_| ()),
        (name, Problem::FlowShop) => match pfss::algorithm(name) {
            // Known, but not in this build: a plan is none the worse for it.
            Err(pfss::BuildError::NotBuilt { .. }) => return Ok(()),
            algorithm => algorithm.and_then(|algorithm| algorithm.config(&method.settings)),
        },
        #[cfg(not(feature = "tsp"))]
        (_, Problem::Tsp) => return Ok(()),
        #[cfg(feature = "tsp")]
        (name, Problem::Tsp) => {
            pfss_tsp::tsp_algorithm(name).and_then(|algorithm| algorithm.config(&method.settings))
        }
    };
    checked.map(|_| ()).map_err(|error| error.to_string())
}

/// The settings of a policy, all of which are used.
pub(super) fn policy_settings(method: &Method, problem: Problem) -> Result<PolicyConfig, String> {
    let complete = pfss::algorithm("policy").and_then(|policy| policy.config(&method.settings));
    let complete = complete.map_err(|error| error.to_string())?;
    let settings: PolicyConfig = complete.read().map_err(|error| error.to_string())?;
    let stray = [
        ("model", !settings.model.is_empty(), "it stands beside the settings, as `model` of the method"),
        ("improve", settings.improve != PolicyImprovement::None, "a plan measures what the policy builds"),
        ("reverse", settings.reverse && problem == Problem::Tsp, "tours have no machines to mirror"),
    ];
    match stray.into_iter().find(|&(_, is_set, _)| is_set) {
        Some((key, _, why)) => Err(format!("the setting `{key}` is not used: {why}")),
        None => Ok(settings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stray(lines: &str) -> Option<String> {
        let method: Method = toml::from_str(&format!("id = \"x\"\nlabel = \"x\"\n{lines}")).unwrap();
        unused(&method, Problem::FlowShop)
    }

    #[test]
    fn methods_keep_what_they_use() {
        for used in [
            "algorithm = \"neh\"\nsettings = { tie = \"first\" }",
            "algorithm = \"iterated-greedy\"\nlimit = { evaluations = 5 }",
            "algorithm = \"lower-bound\"",
            "algorithm = \"policy\"\nmodel = \"front\"\nsettings = { decoding = \"sample\", samples = 4, temperature = 0.5, finish = 3 }",
        ] {
            assert_eq!(stray(used), None, "{used}");
        }
    }

    #[test]
    fn what_a_method_does_not_use_is_refused() {
        for (lines, word) in [
            ("algorithm = \"neh\"\nmodel = \"front\"", "`model`"),
            ("algorithm = \"neh\"\nsettings = { ties = \"first\" }", "ties"),
            ("algorithm = \"lower-bound\"\nsettings = { tie = \"first\" }", "`tie`"),
            ("algorithm = \"lower-bound\"\nlimit = { time = 1.0 }", "`limit`"),
            ("algorithm = \"nhe\"", "nhe"),
            ("algorithm = \"policy\"", "`model`"),
            ("algorithm = \"policy\"\nmodel = \"front\"\nlimit = { time = 1.0 }", "`limit`"),
            (
                "algorithm = \"policy\"\nmodel = \"front\"\nsettings = { improve = \"insertion\" }",
                "`improve`",
            ),
            ("algorithm = \"policy\"\nmodel = \"front\"\nsettings = { temperature = 0.5 }", "`temperature`"),
            ("algorithm = \"policy\"\nmodel = \"front\"\nsettings = { decodings = \"beam\" }", "decodings"),
            ("algorithm = \"policy\"\nmodel = \"front\"\nsettings = { model = \"gamma-m5\" }", "`model`"),
        ] {
            let reason = stray(lines).unwrap_or_else(|| panic!("accepted: {lines}"));
            assert!(reason.starts_with("`x`") && reason.contains(word), "{lines}: {reason}");
        }
        let mirrored = "id = \"x\"\nlabel = \"x\"\nalgorithm = \"policy\"\nmodel = \"tsp-50\"\nsettings = { reverse = true }";
        let method: Method = toml::from_str(mirrored).unwrap();
        assert!(unused(&method, Problem::Tsp).is_some_and(|reason| reason.contains("`reverse`")));
        assert_eq!(unused(&method, Problem::FlowShop), None);
    }
}
