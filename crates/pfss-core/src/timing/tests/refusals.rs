//! What is refused, and with which words.

use crate::Instance;
use crate::timing::{Attributes, JobAttributes, Line, MachineAttributes, Objective, Setup};

fn message(attributes: &Attributes) -> String {
    let instance = Instance::from_job_rows("", &[[2u32, 1, 4], [1, 5, 2], [3, 3, 3]]).unwrap();
    let names = ["hood", "door", "seat"].map(str::to_string).to_vec();
    Line::new(&instance.with_job_names(names).unwrap(), attributes).unwrap_err().to_string()
}

fn jobs(change: impl Fn(&mut JobAttributes)) -> Attributes {
    let mut jobs = vec![JobAttributes::default(); 3];
    change(&mut jobs[1]);
    Attributes { jobs, ..Attributes::default() }
}

fn machines(change: impl Fn(&mut [MachineAttributes])) -> Attributes {
    let mut machines = vec![MachineAttributes::default(); 3];
    change(&mut machines);
    Attributes { machines, families: vec!["red".into(), "blue".into()], ..Attributes::default() }
}

#[test]
fn every_refusal_names_its_place() {
    let setup = |from, to, time| Setup { from, to, time };
    let plain = Attributes::default;
    let cases: Vec<(Attributes, &[&str])> = vec![
        (jobs(|job| job.weight = -1.0), &["door", "weight", "-1"]),
        (jobs(|job| job.release = -2.0), &["door", "release"]),
        (jobs(|job| job.release = f64::NAN), &["door", "release", "NaN"]),
        (jobs(|job| job.due = Some(f64::INFINITY)), &["door", "due"]),
        (jobs(|job| job.weight = 0.0001), &["door", "weight", "3 decimals"]),
        (jobs(|job| job.release = 1.0 / 3.0), &["door", "release", "6 decimals"]),
        (jobs(|job| job.release = 3e9), &["door", "release", "3000000000", "2147483647", "coarser"]),
        (jobs(|job| job.release = 2147483647.0), &["2147483669", "coarser"]),
        (jobs(|job| job.family = Some(4)), &["door", "family", "4"]),
        (Attributes { jobs: vec![JobAttributes::default()], ..plain() }, &["1 jobs", "3"]),
        (machines(|m| m[1].available_from = -1.0), &["M2", "available_from"]),
        (machines(|m| m[1].breaks = vec![(5.0, 5.0)]), &["M2", "[5, 5)", "empty"]),
        (machines(|m| m[1].breaks = vec![(7.0, 5.0)]), &["M2", "[7, 5)"]),
        (machines(|m| m[0].breaks = vec![(6.0, 9.0), (2.0, 7.0)]), &["M1", "[2, 7)", "[6, 9)", "overlap"]),
        (machines(|m| m[0].setups = vec![setup(None, 2, 1.0)]), &["M1", "set-up", "2 families"]),
        (machines(|m| m[0].setups = vec![setup(None, 1, -1.0)]), &["M1", "set-up", "-1"]),
        (machines(|m| m[0].setups = vec![setup(Some(0), 1, 1.0); 2]), &["M1", "red", "blue"]),
        (machines(|m| m[0].setups = vec![setup(None, 1, 1.0); 2]), &["M1", "beginning", "blue"]),
        (machines(|m| m[2].buffer = Some(1)), &["M3", "last", "buffer"]),
        (machines(|m| m[2].no_wait = true), &["M3", "last", "no_wait"]),
        (machines(|m| (m[1].no_wait, m[1].buffer) = (true, Some(2))), &["M2", "no_wait", "buffer"]),
        (
            machines(|m| (m[1].no_wait, m[2].breaks) = (true, vec![(1.0, 2.0)])),
            &["M3", "breaks", "no_wait", "M2"],
        ),
        (Attributes { first: vec![0, 3], ..plain() }, &["first", "3", "0 to 2"]),
        (Attributes { first: vec![0, 1, 0], ..plain() }, &["hood", "twice", "1 and 3"]),
        (Attributes { precedence: vec![(0, 9)], ..plain() }, &["precedence", "9"]),
        (
            Attributes { precedence: vec![(0, 1), (1, 2), (2, 0)], ..plain() },
            &["circle", "hood before door before seat before hood"],
        ),
        (Attributes { precedence: vec![(1, 1)], ..plain() }, &["door before door"]),
        (Attributes { first: vec![0], precedence: vec![(1, 0)], ..plain() }, &["first", "hood", "door"]),
        (Attributes { objectives: vec![Objective::TotalTardiness], ..plain() }, &["total-tardiness", "due"]),
        (Attributes { objectives: vec![Objective::Makespan; 2], ..plain() }, &["makespan", "twice"]),
    ];
    for (attributes, words) in cases {
        let message = message(&attributes);
        for word in words {
            assert!(message.contains(word), "`{word}` is missing in: {message}");
        }
    }
}

/// The second number was taken for the first: the worse order was told to be optimal.
#[test]
fn no_number_is_clamped() {
    let fine = 0.000_001;
    let dated = |due: f64| jobs(move |job| job.due = Some(due));
    let both = |early: f64, late: f64| {
        let mut attributes = dated(early);
        attributes.jobs[2].due = Some(late);
        attributes
    };
    let set_up = |time| {
        let mut attributes = machines(move |m| m[0].setups = vec![Setup { from: None, to: 0, time }]);
        attributes.jobs = jobs(|job| job.family = Some(0)).jobs;
        attributes
    };
    let cases: Vec<(Attributes, &[&str])> = vec![
        (jobs(|job| job.weight = 4294967296.0), &["door", "the weight is 4294967296", "is 4294967295"]),
        (jobs(|job| job.weight = 20000000.125), &["door", "20000000.125", "4294967.295", "3 decimals"]),
        (jobs(|job| job.weight = 1e300), &["door", "1e300", "4294967295;"]),
        (jobs(|job| job.release = 9007199254740993.0), &["door", "the release is 9007199254740992"]),
        (
            jobs(|job| (job.release, job.due) = (2147.5, Some(fine))),
            &["door", "release", "2147.5", "2147.483647"],
        ),
        (dated(4294967296.0), &["door", "the due date", "4294967296", "4294967295;"]),
        (dated(-1e30), &["door", "the due date is -1e30", "4294967295"]),
        (both(-3e9, 2e9), &["between -3000000000 and 2000000000", "4294967295"]),
        (machines(|m| m[1].available_from = 2147483648.0), &["M2", "available_from", "2147483647"]),
        (machines(|m| m[1].breaks = vec![(1.0, 1e10)]), &["M2", "the end of a break is 10000000000"]),
        (machines(|m| m[1].breaks = vec![(3e9, 1e10)]), &["M2", "the beginning of a break"]),
        (set_up(4e9), &["M1", "a set-up is 4000000000"]),
    ];
    for (attributes, words) in cases {
        let message = message(&attributes);
        for word in words {
            assert!(message.contains(word), "`{word}` is missing in: {message}");
        }
    }
    let instance = Instance::from_job_rows("", &[[0.5, 1.0], [2.0, 3e9]]).unwrap();
    let message = Line::new(&instance, &Attributes::default()).unwrap_err().to_string();
    assert!(message.contains("job 1 on machine M2: the time is 3000000000"), "{message}");
}

#[test]
fn the_largest_numbers_are_calculated_with_exactly() {
    let instance = Instance::from_job_rows("", &[[3u32], [1]]).unwrap();
    let largest = f64::from(u32::MAX);
    let mut attributes = Attributes {
        jobs: vec![JobAttributes::default(); 2],
        objectives: vec![Objective::TotalCompletion],
        ..Attributes::default()
    };
    (attributes.jobs[0].weight, attributes.jobs[1].weight) = (largest, largest - 1.0);
    let line = Line::new(&instance, &attributes).unwrap();
    let value = |order: &[u32]| line.value(crate::PermutationProblem::cost(&line, order));
    assert_eq!(value(&[0, 1]), 3.0 * largest + 4.0 * (largest - 1.0));
    assert_eq!(value(&[1, 0]), 4.0 * largest + 1.0 * (largest - 1.0));
}

/// Factors of objectives that cannot differ overflowed.
#[test]
fn what_cannot_differ_adds_nothing() {
    let instance = Instance::from_job_rows("", &[[0u32], [0]]).unwrap();
    let mut attributes = Attributes {
        jobs: vec![JobAttributes { weight: 2e9, due: Some(-2e9), ..JobAttributes::default() }; 2],
        objectives: vec![Objective::TotalCompletion, Objective::TotalTardiness],
        ..Attributes::default()
    };
    let value = |attributes: &Attributes| {
        let line = Line::new(&instance, attributes).unwrap();
        line.values(crate::PermutationProblem::cost(&line, &[0, 1]))
    };
    assert_eq!(value(&attributes), [0.0, 8e18]);
    attributes.jobs[0] = JobAttributes { due: Some(-1.0), ..JobAttributes::default() };
    attributes.jobs[1] = JobAttributes { weight: 4e9, due: Some(1e9), ..JobAttributes::default() };
    attributes.objectives = vec![Objective::TotalTardiness, Objective::LateJobs, Objective::MaxLateness];
    assert_eq!(value(&attributes), [1.0, 1.0, 1.0]);
}

#[test]
fn scores_that_do_not_fit_are_refused() {
    let mut attributes = jobs(|job| (job.weight, job.due) = (4e9, Some(1e9)));
    attributes.objectives =
        vec![Objective::TotalCompletion, Objective::TotalTardiness, Objective::MaxLateness];
    attributes.jobs[0].release = 1e9;
    assert!(message(&attributes).contains("63 bits"));
}

#[test]
fn a_due_date_before_the_release_is_legal() {
    let instance = Instance::from_job_rows("", &[[2u32], [1]]).unwrap();
    let mut attributes = Attributes { jobs: vec![JobAttributes::default(); 2], ..Attributes::default() };
    (attributes.jobs[0].release, attributes.jobs[0].due) = (9.0, Some(3.0));
    attributes.objectives = vec![Objective::TotalTardiness];
    assert!(Line::new(&instance, &attributes).is_ok());
}
