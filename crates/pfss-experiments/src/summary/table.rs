//! Summaries as tables.

use pfss_render::{Alignment, Cell, RenderError, Table, format_number};

use super::{NewBestKnown, Summary};

impl Summary {
    /// Deviations per size and algorithm, then the means over all instances and over the size groups. The
    /// least deviation of a size stands out where there is more than one algorithm.
    ///
    /// # Errors
    /// None in practice: every row has one cell per column.
    pub fn table(&self) -> Result<Table, RenderError> {
        let mut table = Table::new([
            ("group", Alignment::Left),
            ("algorithm", Alignment::Left),
            ("instances", Alignment::Right),
            ("runs", Alignment::Right),
            ("ARPD %", Alignment::Right),
            ("primal integral %", Alignment::Right),
            ("optimal", Alignment::Right),
            ("at best known", Alignment::Right),
            ("makespan", Alignment::Right),
            ("gap %", Alignment::Right),
            ("time s", Alignment::Right),
        ]);
        for entry in &self.groups {
            let rivals = self.groups.iter().filter(|other| other.group == entry.group);
            let best = self.overall.len() > 1 && is_least(entry.arpd, rivals.map(|other| other.arpd));
            table.push_row([
                entry.group.clone().into(),
                entry.algorithm.clone().into(),
                entry.instances.to_string().into(),
                entry.runs.to_string().into(),
                percent(entry.arpd, best),
                percent(entry.primal_integral, false),
                entry.optimal.to_string().into(),
                entry.at_best_known.to_string().into(),
                format!("{:.1}", entry.makespan).into(),
                percent(Some(entry.gap), false),
                format!("{:.3}", entry.runtime_s).into(),
            ])?;
        }
        self.push_means(&mut table)?;
        Ok(table)
    }

    fn push_means(&self, table: &mut Table) -> Result<(), RenderError> {
        table.push_rule();
        for over_groups in [false, true] {
            let arpd = |entry: &super::OverallSummary| match over_groups {
                false => entry.arpd_over_instances,
                true => entry.arpd_over_groups,
            };
            for entry in &self.overall {
                let best = self.overall.len() > 1 && is_least(arpd(entry), self.overall.iter().map(arpd));
                let (name, integral) = match over_groups {
                    false => ("mean over instances", entry.primal_integral_over_instances),
                    true => ("mean over groups", entry.primal_integral_over_groups),
                };
                table.push_row([
                    name.into(),
                    entry.algorithm.clone().into(),
                    entry.instances.to_string().into(),
                    entry.runs.to_string().into(),
                    percent(arpd(entry), best),
                    percent(integral, false),
                    entry.optimal.to_string().into(),
                    entry.at_best_known.to_string().into(),
                    if over_groups { "".into() } else { format!("{:.1}", entry.makespan).into() },
                    if over_groups { "".into() } else { percent(Some(entry.gap), false) },
                    if over_groups { "".into() } else { format!("{:.3}", entry.runtime_s).into() },
                ])?;
            }
        }
        Ok(())
    }

    /// Each pair of algorithms: on how many instances the first is better, equal, worse, and whether chance
    /// explains it.
    ///
    /// # Errors
    /// None in practice: every row has one cell per column.
    pub fn comparison_table(&self) -> Result<Table, RenderError> {
        let mut table = Table::new([
            ("first", Alignment::Left),
            ("second", Alignment::Left),
            ("first better", Alignment::Right),
            ("equal", Alignment::Right),
            ("second better", Alignment::Right),
            ("p (Wilcoxon)", Alignment::Right),
            ("p (Holm)", Alignment::Right),
        ]);
        for pair in &self.comparisons {
            table.push_row([
                pair.first.clone(),
                pair.second.clone(),
                pair.wins.to_string(),
                pair.ties.to_string(),
                pair.losses.to_string(),
                probability(pair.p_value),
                probability(pair.p_value_holm),
            ])?;
        }
        Ok(table)
    }
}

/// The new best-known makespans as text, each with its order on a line of its own.
pub fn write_new_best_known(found: &[NewBestKnown]) -> String {
    let mut text = String::new();
    for new in found {
        let (makespan, known) = (format_number(new.makespan), format_number(new.best_known));
        let NewBestKnown { instance, algorithm, seed, order, .. } = new;
        text.push_str(&format!("{instance}: {makespan}, best known {known} ({algorithm}, seed {seed})\n"));
        text.push_str(&format!("  {order}\n"));
    }
    text
}

fn is_least(value: Option<f64>, all: impl Iterator<Item = Option<f64>>) -> bool {
    value.is_some_and(|value| all.flatten().all(|other| value <= other))
}

fn percent(value: Option<f64>, strong: bool) -> Cell {
    match value {
        Some(value) => Cell { text: format!("{value:.3}"), strong },
        None => "-".into(),
    }
}

fn probability(value: f64) -> String {
    if value < 0.0001 { "< 0.0001".to_string() } else { format!("{value:.4}") }
}
