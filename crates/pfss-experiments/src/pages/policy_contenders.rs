//! What the rows of docs/results/policy.md call the bidirectional policy and its rivals.

/// What `pfss eval` calls the greedy orders of the bidirectional policy, and the best of 16 drawn ones.
pub(super) const GREEDY: &str = "front greedy";
pub(super) const SAMPLED: &str = "front sample:16";

/// How the policy decodes in the comparison at equal time.
pub(super) const DECODINGS: [&str; 3] = ["greedy", "greedy + insertion", "best of 16 + insertion"];
/// Searches without a policy that are given the same time.
pub(super) const RIVALS: [&str; 4] = ["neh + insertion", "iterated-greedy", "beam", "auto without policy"];
/// The search that may use one.
pub(super) const WITH_POLICY: &str = "auto";

/// A rival's name beside a decoding.
pub(super) fn rival(decoding: &str, name: &str) -> String {
    format!("{decoding} / {name}")
}
