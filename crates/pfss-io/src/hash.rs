//! A fingerprint of an instance, so that records of different files can be compared.

use std::fmt::Write;

use pfss_core::{Instance, Time};
use sha2::{Digest, Sha256};

use crate::{AnyInstance, Entry, json, match_instance};

/// The SHA-256 of the instance's numbers, as 64 hexadecimal digits.
///
/// Hashed are the number of jobs and of machines as 64-bit integers, then all times job by job as 64-bit
/// reals, all little-endian. Names do not count, and neither does whether `3` was written as `3.0`.
pub fn instance_hash<T: Time>(instance: &Instance<T>) -> String {
    let mut hash = Sha256::new();
    hash.update((instance.num_jobs() as u64).to_le_bytes());
    hash.update((instance.num_machines() as u64).to_le_bytes());
    for &time in instance.times() {
        // Adding zero makes negative zero positive.
        hash.update((time.to_f64() + 0.0).to_le_bytes());
    }
    hexadecimal(&hash.finalize())
}

/// The fingerprint of an instance with what its jobs and machines carry: [`instance_hash`] where they carry times only, else
/// the SHA-256 of the line of JSON (`pfss.instance/2`) without names and metadata.
pub fn entry_hash(entry: &Entry) -> String {
    if entry.attributes.is_plain() {
        return match_instance!(&entry.instance, instance => instance_hash(instance));
    }
    let unnamed = match &entry.instance {
        AnyInstance::Integer(instance) => {
            Instance::new("", instance.num_machines(), instance.times().to_vec()).map(AnyInstance::from)
        }
        AnyInstance::Real(instance) => {
            Instance::new("", instance.num_machines(), instance.times().to_vec()).map(AnyInstance::from)
        }
    };
    let instance = unnamed.unwrap_or_else(|_| entry.instance.clone());
    let mut line = String::new();
    let plain = Entry { attributes: entry.attributes.clone(), ..instance.into() };
    json::write(&plain, &mut line);
    hexadecimal(&Sha256::digest(line.as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_depends_on_shape_and_times_only() {
        let hash = |instance: Instance<u32>| instance_hash(&instance);
        let reference = hash(Instance::new("a", 2, vec![1, 2, 3, 4]).unwrap());
        assert_eq!(reference.len(), 64);
        assert_eq!(hash(Instance::new("b", 2, vec![1, 2, 3, 4]).unwrap()), reference);
        assert_eq!(instance_hash(&Instance::new("", 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap()), reference);
        assert_ne!(hash(Instance::new("a", 1, vec![1, 2, 3, 4]).unwrap()), reference);
        assert_ne!(hash(Instance::new("a", 2, vec![1, 2, 4, 3]).unwrap()), reference);
    }
}
