//! The fingerprints of instances in rows.

/// Stands for a fingerprint that nobody noted: files of earlier versions have no such column.
const UNKNOWN: &str = "unknown";

/// The fingerprint of an instance that nobody noted.
pub fn unknown_hash() -> String {
    UNKNOWN.to_string()
}

/// Whether a fingerprint was noted.
pub(crate) fn is_known(hash: &str) -> bool {
    hash != UNKNOWN
}

/// Whether this is a fingerprint, or says that there is none.
pub(crate) fn is_fingerprint(hash: &str) -> bool {
    !is_known(hash) || hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}
