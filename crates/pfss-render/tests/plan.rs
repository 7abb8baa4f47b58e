//! What charts of plans promise: set-ups, breaks, blocked machines, due dates and late jobs are there, and told in words.

#![expect(clippy::unwrap_used, reason = "a failing helper fails the test")]

use pfss_core::Instance;
use pfss_core::timing::{Attributes, JobAttributes, Line, MachineAttributes, Objective, Setup, Timetable};
use pfss_render::{PlanChart, PlanClock, RenderError, plan_html, plan_svg};

/// Three jobs on two machines with everything that a chart shows.
fn line(buffer: Option<usize>) -> Line {
    let instance = Instance::from_job_rows("paint <1>", &[[4u32, 6], [2, 5], [3, 3]]).unwrap();
    let names = ["hood", "door & sill", "roof"].map(String::from).to_vec();
    let instance = instance.with_job_names(names).unwrap();
    let instance = instance.with_machine_names(vec!["spray".into(), "oven".into()]).unwrap();
    let job = |due, family| JobAttributes { due, family: Some(family), ..JobAttributes::default() };
    let setups = vec![Setup { from: None, to: 0, time: 1.0 }, Setup { from: Some(0), to: 1, time: 3.0 }];
    let attributes = Attributes {
        jobs: vec![job(Some(20.0), 0), job(Some(14.0), 1), job(None, 1)],
        machines: vec![
            MachineAttributes { setups, buffer, ..MachineAttributes::default() },
            MachineAttributes {
                available_from: 3.0,
                breaks: vec![(8.0, 10.0)],
                ..MachineAttributes::default()
            },
        ],
        families: vec!["red".into(), "blue".into()],
        objectives: vec![Objective::TotalTardiness],
        ..Attributes::default()
    };
    Line::new(&instance, &attributes).unwrap()
}

/// The picture without the shared style, which would hide changes among its many lines.
fn without_style(svg: &str) -> String {
    let (head, rest) = svg.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>\n").unwrap();
    let (between, rest) = rest.split_once("<style>").unwrap();
    head.to_owned() + between + rest.split_once("</style>\n").unwrap().1
}

#[test]
fn a_small_plan_is_drawn_as_reviewed() {
    let line = line(Some(0));
    let table = Timetable::new(&line, &[0, 1, 2]).unwrap();
    let options = PlanChart { width: 640, ..PlanChart::default() };
    insta::assert_snapshot!(without_style(&plan_svg(&line, &table, None, &options).unwrap()));
}

#[test]
fn what_happens_is_told_in_words() {
    let line = line(Some(0));
    let table = Timetable::new(&line, &[0, 1, 2]).unwrap();
    let text = plan_svg(&line, &table, None, &PlanChart::default()).unwrap();
    for part in [
        "set-up for hood: 0 to 1",
        "break 8 to 10",
        "available from 3",
        "waits on the machine until",
        "late by",
        "in time",
        ">! door &amp; sill<",
        "↓ no buffer",
        "paint &lt;1&gt;",
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    let page = plan_html(&line, &table, None, &PlanChart::default()).unwrap();
    assert!(page.contains("\"setups\":[[[0,1]") && page.contains("\"due\":[20,14,null]"), "{page}");
    assert!(!page.contains("paint <1>"));
}

#[test]
fn with_a_clock_times_are_dates() {
    let line = line(None);
    let table = Timetable::new(&line, &[0, 1, 2]).unwrap();
    let clock = PlanClock {
        seconds_per_unit: 3600.0,
        start_of_day: 6.0 * 3600.0,
        date: Box::new(|units| {
            format!("2026-11-{:02}T{:02}:00", 16 + (units as u32 + 6) / 24, (units as u32 + 6) % 24)
        }),
    };
    let text = plan_svg(&line, &table, Some(&clock), &PlanChart::default()).unwrap();
    assert!(text.contains("break 2026-11-16 14:00 to 2026-11-16 16:00"), "{text}");
    assert!(text.contains(">2026-11-17<") && text.contains("done 2026-11-17"), "{text}");
    let page = plan_html(&line, &table, Some(&clock), &PlanChart::default()).unwrap();
    assert!(page.contains("\"clock\":{\"start\":\"2026-11-16T06:00\",\"unit\":3600}"), "{page}");
}

#[test]
fn large_plans_are_merged_and_too_many_rows_refused() {
    let times = vec![1u32; 40_000];
    let instance = Instance::new("", 2, times).unwrap();
    let attributes = Attributes { objectives: vec![Objective::TotalCompletion], ..Attributes::default() };
    let line = Line::new(&instance, &attributes).unwrap();
    let order: Vec<u32> = (0..20_000).collect();
    let table = Timetable::new(&line, &order).unwrap();
    assert!(plan_svg(&line, &table, None, &PlanChart::default()).unwrap().len() < 3_000_000);
    let wide = Instance::new("", 1001, vec![1u32; 1001]).unwrap();
    let line = Line::new(&wide, &attributes).unwrap();
    let table = Timetable::new(&line, &[0]).unwrap();
    let options = PlanChart::default();
    assert!(matches!(plan_svg(&line, &table, None, &options), Err(RenderError::TooManyMachines { .. })));
    assert!(matches!(plan_html(&line, &table, None, &options), Err(RenderError::TooManyMachines { .. })));
}
