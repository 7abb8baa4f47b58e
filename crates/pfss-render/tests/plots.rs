//! Small convergence and box plots as reviewed text.

#![expect(clippy::unwrap_used, reason = "a failing helper fails the test")]

use pfss_render::{
    BoxplotOptions, ConvergenceOptions, Course, ReferenceLine, RenderError, Sample, Series, TimeScale,
    boxplot_html, boxplot_svg, convergence_html, convergence_svg,
};

fn without_style(svg: &str) -> String {
    let (head, rest) = svg.split_once("<style>").unwrap();
    head.to_owned() + rest.split_once("</style>\n").unwrap().1
}

fn courses() -> Vec<Course> {
    let cost = Series { name: "a<b".to_owned(), points: vec![(0.0, 120.0), (0.5, 110.0), (2.0, 101.0)] };
    let neh = Series { name: "neh".to_owned(), points: vec![(0.1, 108.0)] };
    vec![Course { cost, bound: vec![(0.0, 95.0), (1.0, 99.0)] }, neh.into()]
}

fn samples() -> Vec<Sample> {
    let sample = |group: &str, algorithm: &str, values: &[f64]| Sample {
        group: group.to_owned(),
        algorithm: algorithm.to_owned(),
        values: values.to_vec(),
    };
    vec![
        sample("20x5", "neh", &[1.0, 2.0, 3.0, 4.0, 9.0]),
        sample("20x5", "beam", &[0.5, 0.7]),
        sample("</text>", "neh", &[2.5]),
    ]
}

#[test]
fn a_small_convergence_plot_is_drawn_as_reviewed() {
    let options = ConvergenceOptions {
        width: 480,
        height: 260,
        time_scale: TimeScale::Log,
        references: vec![ReferenceLine { label: "best known".to_owned(), value: 100.0 }],
        end_time: Some(10.0),
        ..ConvergenceOptions::default()
    };
    insta::assert_snapshot!(without_style(&convergence_svg(&courses(), &options).unwrap()));
}

#[test]
fn a_small_box_plot_is_drawn_as_reviewed() {
    let options = BoxplotOptions { width: 480, height: 260, ..BoxplotOptions::default() };
    insta::assert_snapshot!(without_style(&boxplot_svg(&samples(), &options).unwrap()));
}

#[test]
fn pages_hold_the_picture_and_load_nothing() {
    let pages = [
        convergence_html(&courses(), &ConvergenceOptions::default()).unwrap(),
        boxplot_html(&samples(), &BoxplotOptions::default()).unwrap(),
    ];
    for page in pages {
        assert!(page.starts_with("<!doctype html>") && page.contains("<svg"));
        assert!(page.contains("prefers-color-scheme:dark"));
        for outside in ["https:", " src=", " href=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

#[test]
fn box_plots_without_values_are_refused() {
    let options = BoxplotOptions::default();
    assert_eq!(boxplot_svg(&[], &options), Err(RenderError::NoData));
    let bad = Sample { group: "g".to_owned(), algorithm: "a".to_owned(), values: vec![1.0, f64::INFINITY] };
    assert_eq!(
        boxplot_svg(&[bad], &options),
        Err(RenderError::NotFinite { series: "a on g".to_owned(), index: 1 })
    );
}
