//! A schedule as an Excel workbook: the sheets schedule, order and summary.

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::{Moment, ScheduleTable};

/// The most rows of a sheet.
const MOST_ROWS: usize = 1_048_576;

/// How cells look.
struct Look {
    heading: Format,
    date: Format,
}

impl ScheduleTable {
    /// The content of an `.xlsx` file.
    ///
    /// # Errors
    /// When there are more operations than a sheet has rows, or a text is too long for a cell.
    pub fn to_workbook(&self) -> Result<Vec<u8>, XlsxError> {
        if self.operations.len() >= MOST_ROWS {
            return Err(XlsxError::RowColumnLimitError);
        }
        let look = Look {
            heading: Format::new().set_bold(),
            date: Format::new().set_num_format("yyyy-mm-dd hh:mm"),
        };
        let mut book = Workbook::new();
        self.write_schedule(book.add_worksheet().set_name("schedule")?, &look)?;
        self.write_order(book.add_worksheet().set_name("order")?, &look)?;
        self.write_summary(book.add_worksheet().set_name("summary")?, &look)?;
        book.save_to_buffer()
    }

    fn write_schedule(&self, sheet: &mut Worksheet, look: &Look) -> Result<(), XlsxError> {
        let columns = ["job", "machine", "start", "end", "setup_start", "leaves"];
        write_heading(sheet, &columns, look)?;
        for (row, operation) in (1..).zip(&self.operations) {
            sheet.write_string(row, 0, &operation.job)?;
            sheet.write_string(row, 1, &operation.machine)?;
            let moments = [
                Some(&operation.start),
                Some(&operation.end),
                operation.setup_start.as_ref(),
                operation.leaves.as_ref(),
            ];
            for (column, moment) in (2..).zip(moments) {
                write_moment(sheet, (row, column), moment, look)?;
            }
        }
        sheet.autofit();
        Ok(())
    }

    fn write_order(&self, sheet: &mut Worksheet, look: &Look) -> Result<(), XlsxError> {
        write_heading(sheet, &["position", "job", "completion", "due", "lateness", "late"], look)?;
        for (row, job) in (1..).zip(&self.jobs) {
            sheet.write_number(row, 0, row)?;
            sheet.write_string(row, 1, &job.name)?;
            write_moment(sheet, (row, 2), Some(&job.completion), look)?;
            write_moment(sheet, (row, 3), job.due.as_ref(), look)?;
            if let Some(lateness) = job.lateness {
                sheet.write_number(row, 4, lateness)?;
                sheet.write_string(row, 5, if lateness > 0.0 { "late" } else { "" })?;
            }
        }
        sheet.autofit();
        Ok(())
    }

    fn write_summary(&self, sheet: &mut Worksheet, look: &Look) -> Result<(), XlsxError> {
        write_heading(sheet, &["what", "value"], look)?;
        for (row, (name, value)) in (1..).zip(&self.summary) {
            sheet.write_string(row, 0, name)?;
            match value.as_f64() {
                Some(number) => sheet.write_number(row, 1, number)?,
                None => sheet.write_string(row, 1, value.as_str().unwrap_or_default())?,
            };
        }
        sheet.autofit();
        Ok(())
    }
}

fn write_heading(sheet: &mut Worksheet, columns: &[&str], look: &Look) -> Result<(), XlsxError> {
    for (column, name) in (0..).zip(columns) {
        sheet.write_string_with_format(0, column, *name, &look.heading)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    Ok(())
}

/// A date as Excel knows it, or a number of units.
fn write_moment(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    moment: Option<&Moment>,
    look: &Look,
) -> Result<(), XlsxError> {
    let Some(moment) = moment else { return Ok(()) };
    let date = moment.date.as_deref().map(ExcelDateTime::parse_from_str);
    match (date, &moment.date) {
        (Some(Ok(date)), _) => sheet.write_datetime_with_format(row, column, &date, &look.date)?,
        (_, Some(text)) => sheet.write_string(row, column, text)?,
        (_, None) => sheet.write_number(row, column, moment.units)?,
    };
    Ok(())
}
