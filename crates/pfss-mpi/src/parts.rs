//! Messages in parts that can be sent at once: MPI counts bytes with 32 bits.

/// The last byte of a part: whether more of its message follows.
const LAST: u8 = 0;
const MORE: u8 = 1;

/// The parts of a message, each of at most `most` bytes and one more. None is empty.
pub(crate) fn split(mut message: Vec<u8>, most: usize) -> Vec<Vec<u8>> {
    if message.len() <= most {
        message.push(LAST);
        return vec![message];
    }
    let mut parts: Vec<Vec<u8>> = message.chunks(most).map(|part| [part, &[MORE]].concat()).collect();
    if let Some(last) = parts.last_mut().and_then(|part| part.last_mut()) {
        *last = LAST;
    }
    parts
}

/// What has come of a sender's message.
#[derive(Clone, Default)]
pub(crate) struct Assembly(Vec<u8>);

impl Assembly {
    /// Adds the next part; gives the message where it was the last one.
    pub(crate) fn add(&mut self, mut part: Vec<u8>) -> Option<Vec<u8>> {
        let mark = part.pop()?;
        if self.0.is_empty() {
            self.0 = part;
        } else {
            self.0.extend(part);
        }
        (mark == LAST).then(|| std::mem::take(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages above 2 GiB had a negative length, and were dropped.
    #[test]
    fn large_messages_come_in_parts() {
        let mut assembly = Assembly::default();
        for length in [0, 1, 3, 4, 5, 8, 9] {
            let message: Vec<u8> = (0..length).collect();
            let parts = split(message.clone(), 4);
            assert_eq!(parts.len(), usize::from(length).div_ceil(4).max(1));
            assert!(parts.iter().all(|part| (1..=5).contains(&part.len())));
            let mut came: Vec<_> = parts.into_iter().map(|part| assembly.add(part)).collect();
            assert_eq!(came.pop(), Some(Some(message)));
            assert!(came.iter().all(Option::is_none));
        }
    }
}
