//! Pictures of a plan.

use serde::Deserialize;

/// A picture: a line per method over the groups, or a line per training over its epochs.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Figure {
    /// Its name; the file is `PLAN-ID.svg`.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What the vertical axis shows.
    #[serde(default)]
    pub y: Quantity,
    /// The name of the horizontal axis.
    pub x_label: String,
    /// The name of the vertical axis.
    pub y_label: String,
    /// Whether the horizontal axis runs by factors of ten.
    #[serde(default)]
    pub log_x: bool,
    /// Whether the vertical axis runs by factors of ten.
    #[serde(default)]
    pub log_y: bool,
    /// The methods with a line over the groups.
    #[serde(default)]
    pub methods: Vec<String>,
    /// The trainings with a line over the epochs.
    #[serde(default)]
    pub trainings: Vec<String>,
}

/// What a figure shows of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// The gap to the baseline in percent.
    #[default]
    Gap,
    /// Seconds per instance.
    Time,
    /// Seconds for all instances with expert and training.
    Total,
}
