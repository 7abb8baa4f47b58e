//! A program of another kind: constraints are applied in any order until nothing moves, and time passes unit by unit.
//!
//! Written from the description of the model, without a look at the oracle.

use rand::seq::SliceRandom;

use super::random::{Case, case};
use crate::timing::{Line, Objective, Timetable};
use crate::{JobId, PermutationProblem, Seed};

/// Start, completion and departure of every position on every machine, all as early as the constraints allow.
struct Simulation<'c> {
    case: &'c Case,
    order: &'c [JobId],
    start: Vec<Vec<u64>>,
    end: Vec<Vec<u64>>,
    leave: Vec<Vec<u64>>,
    moved: bool,
}

fn push(value: &mut u64, least: u64, moved: &mut bool) {
    if *value < least {
        *value = least;
        *moved = true;
    }
}

impl<'c> Simulation<'c> {
    fn new(case: &'c Case, order: &'c [JobId]) -> Self {
        let zeros = vec![vec![0; case.instance.num_machines()]; order.len()];
        let (start, end, leave) = (zeros.clone(), zeros.clone(), zeros);
        let mut simulation = Self { case, order, start, end, leave, moved: true };
        while simulation.moved {
            simulation.moved = false;
            for position in (0..order.len()).rev() {
                for machine in 0..simulation.case.instance.num_machines() {
                    simulation.constrain(position, machine);
                }
            }
        }
        simulation
    }

    fn setup(&self, position: usize, machine: usize) -> u64 {
        let attributes = &self.case.attributes;
        let family = |position: usize| attributes.jobs[self.order[position] as usize].family;
        let Some(to) = family(position) else { return 0 };
        let from = if position == 0 { None } else { family(position - 1) };
        if position > 0 && from.is_none() {
            return 0;
        }
        let setups = attributes.machines[machine].setups.iter();
        setups.filter(|setup| setup.from == from && setup.to == to).map(|setup| setup.time as u64).sum()
    }

    fn constrain(&mut self, position: usize, machine: usize) {
        let (job, attributes) = (self.order[position] as usize, &self.case.attributes);
        let of = &attributes.machines[machine];
        let time = u64::from(self.case.instance.time(job as JobId, machine));
        let is_last = machine + 1 == attributes.machines.len();
        let (p, i, moved) = (position, machine, &mut self.moved);

        // Not before it is released or completed on the machine before.
        let arrival = if i == 0 { attributes.jobs[job].release as u64 } else { self.end[p][i - 1] };
        push(&mut self.start[p][i], arrival, moved);
        // Nor before the machine is free and set up.
        let free = if p == 0 { of.available_from as u64 } else { self.leave[p - 1][i] };
        let setup = self.setup(p, i);
        let moved = &mut self.moved;
        push(&mut self.start[p][i], free + setup, moved);
        // It goes on at once.
        if !is_last && of.no_wait {
            let next = self.start[p][i + 1];
            push(&mut self.start[p][i], next.saturating_sub(time), moved);
        }
        let (start, end) = self.pass(self.start[p][i], time, machine);
        let moved = &mut self.moved;
        push(&mut self.start[p][i], start, moved);
        push(&mut self.end[p][i], end, moved);
        push(&mut self.leave[p][i], end, moved);
        match of.buffer {
            Some(0) => {
                let free = if p == 0 {
                    attributes.machines[i + 1].available_from as u64
                } else {
                    self.leave[p - 1][i + 1]
                };
                push(&mut self.leave[p][i], free, moved);
            }
            Some(places) if p >= places => {
                let left = self.start[p - places][i + 1];
                push(&mut self.leave[p][i], left, moved);
            }
            _ => {}
        }
    }

    /// When work of `time` units starts and ends that may start at `start`: the clock ticks, and a unit of work is done
    /// wherever there is no break.
    fn pass(&self, start: u64, time: u64, machine: usize) -> (u64, u64) {
        let of = &self.case.attributes.machines[machine];
        let stands = |now: u64| of.breaks.iter().any(|&(from, to)| from as u64 <= now && now < to as u64);
        if time == 0 {
            return (start, start);
        }
        let mut begin = start;
        loop {
            while stands(begin) {
                begin += 1;
            }
            let (mut now, mut left, mut rested) = (begin, time, false);
            while left > 0 {
                if stands(now) {
                    rested = true;
                } else {
                    left -= 1;
                }
                now += 1;
            }
            if of.resume || !rested {
                return (begin, now);
            }
            begin += 1;
        }
    }

    fn values(&self) -> Vec<f64> {
        let ends: Vec<f64> = self.end.iter().map(|row| row[row.len() - 1] as f64).collect();
        let jobs: Vec<_> = self.order.iter().map(|&job| &self.case.attributes.jobs[job as usize]).collect();
        let late =
            || jobs.iter().zip(&ends).filter_map(|(job, end)| job.due.map(|due| (job.weight, end - due)));
        let value = |objective: &Objective| match objective {
            Objective::Makespan => ends.iter().copied().fold(0.0, f64::max),
            Objective::TotalCompletion => jobs.iter().zip(&ends).map(|(job, end)| job.weight * end).sum(),
            Objective::TotalTardiness => late().map(|(weight, late)| weight * late.max(0.0)).sum(),
            Objective::MaxLateness => late().map(|(_, late)| late).fold(f64::NEG_INFINITY, f64::max),
            Objective::LateJobs => late().filter(|(_, late)| *late > 0.0).map(|(weight, _)| weight).sum(),
        };
        let objectives = &self.case.attributes.objectives;
        if objectives.is_empty() {
            vec![value(&Objective::Makespan)]
        } else {
            objectives.iter().map(value).collect()
        }
    }
}

#[test]
fn the_oracle_agrees_with_the_simulation() {
    for number in 0..20_000 {
        let case = case(number, 7, 4);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let mut order: Vec<JobId> = (0..line.num_jobs() as JobId).collect();
        order.shuffle(&mut Seed::new(number).stream("order"));
        let table = Timetable::new(&line, &order).unwrap();
        let simulation = Simulation::new(&case, &order);
        for operation in table.operations() {
            let (p, i) = (operation.position, operation.machine);
            let told = (operation.start, operation.end, operation.departure);
            let (start, end, leave) = (simulation.start[p][i], simulation.end[p][i], simulation.leave[p][i]);
            assert_eq!(
                told,
                (start as u32, end as u32, leave as u32),
                "case {number}, position {p}, machine {i}"
            );
        }
        assert!(table.makespan() <= line.horizon(), "case {number}");
        assert_eq!(line.values(line.cost(&order)), simulation.values(), "case {number}");
    }
}
