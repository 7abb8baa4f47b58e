//! What Gantt charts promise: every operation once, escaped names, bounded size, stable text.

#![expect(clippy::unwrap_used, reason = "a failing helper fails the test")]

use pfss_core::{Instance, JobId, Schedule};
use pfss_render::{GanttOptions, RenderError, gantt_html, gantt_svg, job_colour};

fn instance(jobs: usize, machines: usize) -> Instance<u32> {
    let mut state = 1u64;
    let times = (0..jobs * machines).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as u32 % 10
    });
    Instance::new("demo", machines, times.collect()).unwrap()
}

fn in_order(instance: &Instance<u32>) -> Schedule<u32> {
    Schedule::new(instance, &(0..instance.num_jobs() as JobId).collect::<Vec<_>>()).unwrap()
}

/// The picture without the shared style, which would hide changes among its many lines.
fn without_style(svg: &str) -> String {
    let (head, rest) = svg.split_once("<style>").unwrap();
    head.to_owned() + rest.split_once("</style>\n").unwrap().1
}

#[test]
fn a_small_chart_is_drawn_as_reviewed() {
    let instance = Instance::from_job_rows("small", &[[3u32, 2], [1, 0], [4, 5]]).unwrap();
    let schedule = Schedule::new(&instance, &[2, 0, 1]).unwrap();
    let options = GanttOptions { width: 640, lower_bound: Some(10.0), ..GanttOptions::default() };
    insta::assert_snapshot!(without_style(&gantt_svg(&instance, &schedule, &options).unwrap()));
}

#[test]
fn every_operation_that_takes_time_has_one_bar() {
    for (jobs, machines) in [(1, 1), (5, 3), (20, 5), (50, 20)] {
        let instance = instance(jobs, machines);
        let text = gantt_svg(&instance, &in_order(&instance), &GanttOptions::default()).unwrap();
        let expected = instance.times().iter().filter(|&&time| time > 0).count();
        assert_eq!(text.matches("</title></rect>").count(), expected);
    }
}

#[test]
fn a_job_keeps_its_colour_in_every_order() {
    let instance = Instance::from_job_rows("", &[[3u32], [1], [4]]).unwrap();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let text = gantt_svg(&instance, &Schedule::new(&instance, &order).unwrap(), &GanttOptions::default())
            .unwrap();
        for job in 0..3 {
            let bar = text.lines().find(|line| line.contains(&format!("<title>job {job} on"))).unwrap();
            assert!(bar.contains(&job_colour(job).to_string()), "{bar}");
        }
    }
}

#[test]
fn names_cannot_become_markup() {
    let nasty = ["</script><script>alert(1)</script>", "a&b<c>\"'", "]]>\\\u{2028}\u{1}"];
    let instance =
        Instance::from_job_rows(nasty[0], &[[30.5, 40.0, 1.0], [2.0, 100.0, 5.0], [9.0, 9.0, 9.0]])
            .unwrap()
            .with_job_names(nasty.map(String::from).to_vec())
            .unwrap()
            .with_machine_names(nasty.map(String::from).to_vec())
            .unwrap();
    let schedule = Schedule::new(&instance, &[0, 1, 2]).unwrap();
    let options = GanttOptions::default();
    let svg = gantt_svg(&instance, &schedule, &options).unwrap();
    let html = gantt_html(&instance, &schedule, &options).unwrap();
    for text in [&svg, &html] {
        assert!(!text.contains("<script>alert") && !text.contains("<c>") && !text.contains('\u{1}'));
    }
    assert!(svg.contains("a&amp;b&lt;c&gt;&quot;&#39; on"));
    assert_eq!(html.matches("</script>").count(), 2, "the data and the program");
    assert!(html.contains(r#""a\u0026b\u003cc\u003e\"\u0027""#));
}

#[test]
fn pages_load_nothing() {
    let instance = instance(4, 3);
    let html = gantt_html(&instance, &in_order(&instance), &GanttOptions::default()).unwrap();
    for outside in ["http:", "https:", " src=", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn large_charts_stay_compact() {
    let large = instance(500, 20);
    let schedule = in_order(&large);
    let options = GanttOptions::default();
    assert!(gantt_svg(&large, &schedule, &options).unwrap().len() < 2_500_000);
    assert!(gantt_html(&large, &schedule, &options).unwrap().len() < 200_000);
    let huge = instance(20_000, 60);
    let schedule = in_order(&huge);
    assert!(gantt_svg(&huge, &schedule, &options).unwrap().len() < 6_000_000);
    assert!(matches!(
        gantt_html(&huge, &schedule, &options),
        Err(RenderError::TooManyOperations { found: 1_200_000, .. })
    ));
}

#[test]
fn charts_that_make_no_sense_are_refused() {
    let (small, large) = (instance(2, 2), instance(3, 2));
    let options = GanttOptions::default();
    let error = gantt_svg(&small, &in_order(&large), &options).unwrap_err();
    assert!(matches!(error, RenderError::Mismatch { .. }), "{error}");
    assert!(matches!(
        gantt_html(&instance(2, 3), &in_order(&small), &options),
        Err(RenderError::Mismatch { .. })
    ));
    let wide = instance(1, 1001);
    assert_eq!(
        gantt_svg(&wide, &in_order(&wide), &options),
        Err(RenderError::TooManyMachines { found: 1001, limit: 1000 })
    );
}

#[test]
fn degenerate_schedules_are_drawn() {
    let zero = Instance::from_job_rows("", &[[0.0f64, 0.0]]).unwrap();
    let tiny = Instance::from_job_rows("", &[[5e-324f64, 0.0]]).unwrap();
    let vast = Instance::from_job_rows("", &[[1e300f64, 3e300], [1e-300, 7.0]]).unwrap();
    for instance in [&zero, &tiny, &vast] {
        for order in [&[][..], &[0]] {
            let schedule = Schedule::new(instance, order).unwrap();
            for lower_bound in [None, Some(f64::NAN), Some(0.0), Some(1e308)] {
                let options = GanttOptions { lower_bound, width: 0, ..GanttOptions::default() };
                let text = gantt_svg(instance, &schedule, &options).unwrap();
                assert!(!text.contains("NaN") && !text.contains("\"inf"), "{text}");
                assert!(gantt_html(instance, &schedule, &options).is_ok());
            }
        }
    }
}

#[test]
fn options_switch_parts_off() {
    let instance = instance(5, 3);
    let schedule = in_order(&instance);
    let count = |options: &GanttOptions, part: &str| {
        without_style(&gantt_svg(&instance, &schedule, options).unwrap()).matches(part).count()
    };
    let full = GanttOptions::default();
    let bare = GanttOptions { show_labels: false, show_critical_path: false, ..GanttOptions::default() };
    assert!(count(&full, "\"inside\"") > 0 && count(&full, "\"critical\"") == 1);
    assert!(count(&bare, "\"inside\"") == 0 && count(&bare, "\"critical\"") == 0);
    assert_eq!(count(&full, "\"bound\""), 0);
}
