//! Charts and tables for people: pure functions from values to text.
//!
//! * [`gantt_svg`] and [`gantt_html`] draw a schedule, [`plan_svg`] and [`plan_html`] one with set-ups, breaks, due dates,
//! * [`convergence_svg`] and [`convergence_html`] draw best cost and bound against time,
//! * [`lines_svg`] draws lines over two axes,
//! * [`boxplot_svg`] and [`boxplot_html`] draw deviations per group and algorithm,
//! * [`Table`] writes aligned text, Markdown, LaTeX and CSV.
//!
//! Nothing here reads or writes a file. The same input gives the same text on every machine, every name is
//! escaped, and each HTML text is one page that loads nothing from elsewhere.

mod axis;
mod boxplot;
mod colour;
mod convergence;
mod error;
mod frame;
mod gantt;
mod legend;
mod lines;
mod number;
mod page;
mod plan;
mod series;
mod svg;
mod table;

pub use boxplot::{BoxStatistics, BoxplotOptions, Sample, boxplot_html, boxplot_svg};
pub use colour::{Colour, job_colour};
pub use convergence::{
    ConvergenceOptions, Course, ReferenceLine, TimeScale, convergence_html, convergence_svg,
};
pub use error::RenderError;
pub use gantt::{
    GANTT_BODY, GANTT_SCRIPT, GanttOptions, gantt_data, gantt_html, gantt_html_script, gantt_svg,
};
pub use lines::{LineOptions, lines_svg};
pub use number::format_number;
pub use plan::{PlanChart, PlanClock, plan_data, plan_html, plan_svg};
pub use series::Series;
pub use table::{Alignment, Cell, Table};
