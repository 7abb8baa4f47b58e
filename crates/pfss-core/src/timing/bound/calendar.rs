//! The working time of a machine with breaks.

/// Translates between time and working time: the time without breaks.
#[derive(Clone, Debug, Default)]
pub(super) struct Calendar {
    /// For each break: the working time when it begins, and its length together with those before.
    breaks: Vec<(u32, u32)>,
    intervals: Vec<(u32, u32)>,
}

impl Calendar {
    pub(super) fn new(breaks: &[(u32, u32)]) -> Self {
        let mut rested = 0;
        let sums = breaks.iter().map(|&(from, to)| {
            let begin = from - rested;
            rested += to - from;
            (begin, rested)
        });
        Self { breaks: sums.collect(), intervals: breaks.to_vec() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.breaks.is_empty()
    }

    /// How much can be worked until `time`.
    pub(super) fn worked(&self, time: u32) -> u32 {
        let over = self.intervals.partition_point(|&(from, _)| from <= time);
        match over.checked_sub(1) {
            None => time,
            Some(last) => {
                let (begin, rested) = self.breaks[last];
                if time < self.intervals[last].1 { begin } else { time - rested }
            }
        }
    }

    /// The earliest time until which so much can be worked.
    pub(super) fn time(&self, worked: u32) -> u32 {
        let over = self.breaks.partition_point(|&(begin, _)| begin < worked);
        worked + over.checked_sub(1).map_or(0, |last| self.breaks[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_are_skipped() {
        let calendar = Calendar::new(&[(3, 5), (5, 6), (10, 20)]);
        let worked: Vec<u32> = (0..23).map(|time| calendar.worked(time)).collect();
        let mut expected = 0;
        for (time, &worked) in worked.iter().enumerate() {
            assert_eq!(worked, expected, "at {time}");
            expected += u32::from(!matches!(time, 3..6 | 10..20));
        }
        for amount in 0..9 {
            let time = worked.iter().position(|&worked| worked >= amount).unwrap() as u32;
            assert_eq!(calendar.time(amount), time, "after {amount}");
        }
    }
}
