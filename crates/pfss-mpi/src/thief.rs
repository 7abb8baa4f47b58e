//! When to ask for open nodes, and whom: anybody, at random.

use std::time::{Duration, Instant};

use pfss_core::Rng;
use rand::RngExt;

/// After an empty answer the next question waits so long, twice as long after each further one, up to a limit.
const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(10);

/// The questions of one process: one at a time.
#[derive(Debug)]
pub(crate) struct Thief {
    rng: Rng,
    is_waiting: bool,
    pause: Duration,
    next: Instant,
}

impl Thief {
    pub(crate) fn new(rng: Rng) -> Self {
        Self { rng, is_waiting: false, pause: FIRST_PAUSE, next: Instant::now() }
    }

    /// Whom to ask now, if anybody.
    pub(crate) fn victim(&mut self, rank: usize, ranks: usize) -> Option<usize> {
        if self.is_waiting || ranks < 2 || Instant::now() < self.next {
            return None;
        }
        self.is_waiting = true;
        Some((rank + self.rng.random_range(1..ranks)) % ranks)
    }

    /// The answer came.
    pub(crate) fn answered(&mut self, is_empty: bool) {
        self.is_waiting = false;
        if is_empty {
            self.next = Instant::now() + self.pause;
            self.pause = (2 * self.pause).min(LONGEST_PAUSE);
        } else {
            self.pause = FIRST_PAUSE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Seed;

    #[test]
    fn it_asks_everybody_else_one_at_a_time() {
        let mut thief = Thief::new(Seed::new(1).rng());
        assert_eq!(thief.victim(0, 1), None);
        let mut asked = [0; 4];
        for _ in 0..100 {
            asked[thief.victim(2, 4).unwrap()] += 1;
            assert_eq!(thief.victim(2, 4), None);
            thief.answered(false);
        }
        assert!(asked[2] == 0 && asked[0] > 10 && asked[1] > 10 && asked[3] > 10, "{asked:?}");
        thief.victim(2, 4);
        thief.answered(true);
        assert_eq!(thief.victim(2, 4), None);
    }
}
