//! Which program ran on which machine.

/// What every row says about the program and the machine that made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The commit it was built from; empty when unknown.
    pub commit: String,
    /// The processor; empty when unknown.
    pub cpu: String,
}

impl Provenance {
    /// This version, a commit, and the processor of this machine.
    pub fn here(commit: impl Into<String>) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_string(), commit: commit.into(), cpu: cpu_model() }
    }
}

/// The processor's name as the operating system tells it; empty where it does not.
pub fn cpu_model() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model_name(&text).unwrap_or_default()
}

fn model_name(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_name_is_found() {
        let text = "processor\t: 0\nmodel name\t: Some  CPU @ 2 GHz\nflags\t: a b\n";
        assert_eq!(model_name(text).as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(model_name("nothing"), None);
    }
}
