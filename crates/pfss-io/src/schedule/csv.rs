//! A schedule as CSV: one row per operation.

use super::{Moment, ScheduleTable};

impl ScheduleTable {
    /// The columns job, machine, start and end; where there are set-ups `setup_start` too, and `leaves` where jobs have
    /// to stay on a machine.
    pub fn to_csv(&self) -> String {
        let has_setups = self.operations.iter().any(|operation| operation.setup_start.is_some());
        let has_stays = self.operations.iter().any(|operation| operation.leaves.is_some());
        let mut text = String::from("job,machine,start,end");
        for (name, is_there) in [("setup_start", has_setups), ("leaves", has_stays)] {
            if is_there {
                text.push(',');
                text.push_str(name);
            }
        }
        text.push('\n');
        for operation in &self.operations {
            let cell = |moment: &Option<Moment>| moment.as_ref().map(Moment::text).unwrap_or_default();
            let mut cells = vec![
                quoted(&operation.job),
                quoted(&operation.machine),
                operation.start.text(),
                operation.end.text(),
            ];
            if has_setups {
                cells.push(cell(&operation.setup_start));
            }
            if has_stays {
                cells.push(cell(&operation.leaves));
            }
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}

/// A name as a cell. Spreadsheets take what begins like a formula for one, so a quotation mark goes before it.
fn quoted(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return format!("\"'{}\"", text.replace('"', "\"\""));
    }
    match text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}
