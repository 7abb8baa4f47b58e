//! The critical path as blocks: its stays on one machine.

use pfss_core::{MachineId, Schedule, Time};

/// A stretch of the critical path on one machine, without its operations of length zero.
///
/// A path crosses hundreds of bars in a large chart; its few blocks stay visible where outlines of single
/// bars would run together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) machine: MachineId,
    pub(super) start: f64,
    pub(super) end: f64,
}

/// The blocks of one critical path, in order of time.
pub(super) fn critical_blocks<T: Time>(schedule: &Schedule<T>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    if schedule.num_machines() == 0 {
        return blocks;
    }
    for operation in schedule.critical_path() {
        let (start, end) = (operation.start.to_f64(), operation.end.to_f64());
        if start >= end {
            continue;
        }
        match blocks.last_mut() {
            Some(block) if block.machine == operation.machine => block.end = end,
            _ => blocks.push(Block { machine: operation.machine, start, end }),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;

    #[test]
    fn blocks_cover_the_makespan_without_a_gap() {
        let instance = Instance::from_job_rows("", &[[3u32, 4, 0], [2, 1, 5], [0, 2, 2]]).unwrap();
        let schedule = Schedule::new(&instance, &[0, 1, 2]).unwrap();
        let blocks = critical_blocks(&schedule);
        assert_eq!(blocks[0].start, 0.0);
        assert_eq!(blocks.last().unwrap().end, f64::from(schedule.makespan()));
        for pair in blocks.windows(2) {
            assert_eq!(pair[0].end, pair[1].start);
            assert!(pair[0].machine < pair[1].machine);
        }
    }
}
