//! Signs of life: who has died, where the messages themselves do not tell.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::exchange::partners;

/// How often processes tell that they are there.
const BEAT: Duration = Duration::from_secs(1);

/// How long a process may be silent before it is taken for dead.
const SILENCE: Duration = Duration::from_secs(60);

/// After such a pause of this process itself (it was stopped, or its machine slept) the others may not be blamed.
const PAUSE: Duration = Duration::from_secs(5);

/// When one process was last heard by another.
pub(crate) struct Pulse {
    partners: Range<usize>,
    heard: Vec<Instant>,
    beaten: Instant,
    looked: Instant,
}

impl Pulse {
    pub(crate) fn new(rank: usize, ranks: usize, now: Instant) -> Self {
        Self { partners: partners(rank, ranks), heard: vec![now; ranks], beaten: now, looked: now }
    }

    /// A message of `rank` has come.
    pub(crate) fn hear(&mut self, rank: usize, now: Instant) {
        if let Some(heard) = self.heard.get_mut(rank) {
            *heard = now;
        }
    }

    /// Whom to give a sign of life now.
    pub(crate) fn due(&mut self, now: Instant) -> Range<usize> {
        if now.duration_since(self.beaten) < BEAT {
            return 0..0;
        }
        self.beaten = now;
        self.partners.clone()
    }

    /// Who has been silent for too long, once all messages that have come are heard.
    pub(crate) fn silent(&mut self, now: Instant) -> Vec<usize> {
        if now.duration_since(self.looked) > PAUSE {
            self.heard.fill(now);
        }
        self.looked = now;
        let is_silent = |&rank: &usize| now.duration_since(self.heard[rank]) > SILENCE;
        self.partners.clone().filter(is_silent).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clock after so many seconds of looking twice a second, while `speaker` beats.
    fn after(pulse: &mut Pulse, mut now: Instant, seconds: u64, speaker: usize) -> Instant {
        for _ in 0..2 * seconds {
            now += Duration::from_millis(500);
            pulse.hear(speaker, now);
            pulse.silent(now);
        }
        now
    }

    #[test]
    fn who_is_silent_for_long_has_died() {
        let begun = Instant::now();
        let mut pulse = Pulse::new(0, 3, begun);
        let now = after(&mut pulse, begun, 59, 2);
        assert!(pulse.silent(now).is_empty());
        let now = after(&mut pulse, now, 2, 2);
        assert_eq!(pulse.silent(now), [1]);
        // All depend on rank 0 only.
        let mut pulse = Pulse::new(1, 3, begun);
        let now = after(&mut pulse, begun, 61, 2);
        assert_eq!(pulse.silent(now), [0]);
    }

    #[test]
    fn a_process_that_slept_itself_blames_nobody() {
        let begun = Instant::now();
        let mut pulse = Pulse::new(0, 2, begun);
        assert!(pulse.silent(begun + Duration::from_secs(3600)).is_empty());
    }

    #[test]
    fn signs_of_life_go_to_who_waits_for_them() {
        let begun = Instant::now();
        let mut pulse = Pulse::new(0, 3, begun);
        assert_eq!(pulse.due(begun), 0..0);
        assert_eq!(pulse.due(begun + BEAT), 1..3);
        assert_eq!(pulse.due(begun + BEAT), 0..0);
        assert_eq!(Pulse::new(2, 3, begun).due(begun + BEAT), 0..1);
    }
}
