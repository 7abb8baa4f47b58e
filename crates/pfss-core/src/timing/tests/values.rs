//! Scores and values.

use super::random::case;
use crate::timing::{
    Attributes, JobAttributes, Line, MachineAttributes, Objective, PlanError, Timetable, check, check_values,
};
use crate::{Instance, PermutationProblem};

fn due(due: f64) -> JobAttributes {
    JobAttributes { due: Some(due), ..JobAttributes::default() }
}

#[test]
fn decimals_are_exact() {
    let instance = Instance::from_job_rows("", &[[0.1, 0.2], [0.3, 1.25]]).unwrap();
    let jobs = vec![JobAttributes { weight: 0.5, ..due(0.4) }, JobAttributes { weight: 2.0, ..due(-1.0) }];
    let objectives = vec![Objective::TotalTardiness, Objective::Makespan];
    let line = Line::new(&instance, &Attributes { jobs, objectives, ..Attributes::default() }).unwrap();
    assert_eq!(line.ticks_per_unit(), 100.0);
    let score = line.cost(&[1, 0]);
    // Job 1 ends at 1.55, 2.55 late; job 0 ends at 1.75, 1.35 late.
    assert_eq!(line.values(score), [5.775, 1.75]);
    assert_eq!(check_values(&line, &[1, 0], &[5.775]), Ok(score));
    let wrong = PlanError::Value { objective: Objective::Makespan, actual: 1.75, claimed: 1.7 };
    assert_eq!(check_values(&line, &[1, 0], &[5.775, 1.7]), Err(wrong));
}

#[test]
fn early_jobs_have_negative_lateness() {
    let instance = Instance::from_job_rows("", &[[2u32, 2], [1, 1]]).unwrap();
    let attributes = Attributes {
        jobs: vec![due(10.0), due(9.0)],
        objectives: vec![Objective::MaxLateness],
        ..Attributes::default()
    };
    let line = Line::new(&instance, &attributes).unwrap();
    assert_eq!(line.value(line.cost(&[0, 1])), -4.0);
    assert_eq!(line.value(line.cost(&[1, 0])), -5.0);
    assert_eq!(Timetable::new(&line, &[0, 1]).unwrap().lateness(&line, 1), Some(-4));
    assert!(Some(line.cost(&[0, 1])) <= line.score_at_most(-4.0));
    assert!(Some(line.cost(&[0, 1])) > line.score_at_most(-4.5));
}

#[test]
fn fixed_jobs_and_precedence_are_checked() {
    let instance = Instance::from_job_rows("", &[[2u32], [1], [3]]).unwrap();
    let attributes = Attributes { first: vec![2], precedence: vec![(1, 0)], ..Attributes::default() };
    let line = Line::new(&instance, &attributes).unwrap();
    assert!(check(&line, &[2, 1, 0], None).is_ok());
    assert!(matches!(check(&line, &[2, 0, 1], None), Err(PlanError::Precedence { .. })));
    assert!(matches!(check(&line, &[1, 2, 0], None), Err(PlanError::First { position: 0, .. })));
    assert!(matches!(check(&line, &[2, 0, 0], None), Err(PlanError::Order(_))));
}

#[test]
fn targets_are_met_by_what_has_the_value() {
    for number in 0..500 {
        let case = case(number, 5, 3);
        let line = Line::new(&case.instance, &case.attributes).unwrap();
        let order: Vec<u32> = (0..line.num_jobs() as u32).collect();
        let score = line.cost(&order);
        assert!(Some(score) <= line.score_at_most(line.value(score)), "case {number}");
        assert!(Some(score) > line.score_at_most(line.value(score) - 0.5), "case {number}");
        let bound = line.score_at_least(line.value(score));
        assert!(bound <= score && line.value(bound) == line.value(score), "case {number}");
    }
}

/// The plain problem has the plain makespan.
#[test]
fn without_attributes_it_is_the_plain_flow_shop() {
    let instance = crate::generate::taillard_benchmark(1).unwrap();
    let line = Line::new(&instance, &Attributes::default()).unwrap();
    assert_eq!(line.plain_shop(), Some(&instance));
    let order: Vec<u32> = (0..20).rev().collect();
    assert_eq!(line.value(line.cost(&order)), f64::from(crate::makespan(&instance, &order)));
}

/// A job leaves the first machine when a place behind it is free; the second machine is slow, so one job waits in the buffer
/// and the next one on the machine.
#[test]
fn a_buffer_of_one_holds_one_job() {
    let instance = Instance::from_job_rows("", &[[1u32, 10]; 4]).unwrap();
    let mut machines = vec![MachineAttributes::default(); 2];
    machines[0].buffer = Some(1);
    let line = Line::new(&instance, &Attributes { machines, ..Attributes::default() }).unwrap();
    let timetable = Timetable::new(&line, &[0, 1, 2, 3]).unwrap();
    let starts: Vec<u32> = (0..4).map(|position| timetable.operation(position, 0).start).collect();
    let departures: Vec<u32> = (0..4).map(|position| timetable.operation(position, 0).departure).collect();
    assert_eq!(starts, [0, 1, 2, 11]);
    assert_eq!(departures, [1, 2, 11, 21]);
}
