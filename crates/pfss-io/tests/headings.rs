//! What stands above columns: known words, what the caller says, and names that look like such words.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_core::Instance;
use pfss_core::timing::JobAttributes;
use pfss_io::{
    AnyInstance, ColumnSetting, CsvOptions, Entry, Format, Note, ReadOptions, WriteError, read_bytes,
};
use proptest::prelude::*;

fn said(settings: &[&str]) -> CsvOptions {
    let columns = settings.iter().map(|text| text.parse::<ColumnSetting>().unwrap()).collect();
    CsvOptions { columns, ..CsvOptions::default() }
}

fn read(text: &str, settings: &[&str]) -> Result<Entry, String> {
    let read = Format::Csv.read(text, said(settings));
    read.map(|mut entries| entries.remove(0)).map_err(|error| error.to_string())
}

fn machines(entry: &Entry) -> Vec<String> {
    let instance = &entry.instance;
    (0..instance.num_machines()).map(|machine| instance.machine_label(machine)).collect()
}

#[test]
fn synonyms_are_attributes_in_any_spelling() {
    for (heading, expected) in [
        ("due date", JobAttributes { due: Some(7.0), ..JobAttributes::default() }),
        ("Due-Date", JobAttributes { due: Some(7.0), ..JobAttributes::default() }),
        ("DEADLINE", JobAttributes { due: Some(7.0), ..JobAttributes::default() }),
        ("Liefertermin", JobAttributes { due: Some(7.0), ..JobAttributes::default() }),
        ("ready", JobAttributes { release: 7.0, ..JobAttributes::default() }),
        ("release_date", JobAttributes { release: 7.0, ..JobAttributes::default() }),
        (" Priority ", JobAttributes { weight: 7.0, ..JobAttributes::default() }),
        ("setup group", JobAttributes { family: Some(0), ..JobAttributes::default() }),
        ("Set-up  Group", JobAttributes { family: Some(0), ..JobAttributes::default() }),
    ] {
        let entry = read(&format!("job,saw,{heading}\nA,3,7\n"), &[]).expect(heading);
        assert_eq!((machines(&entry), &entry.attributes.jobs), (vec!["saw".to_string()], &vec![expected]));
    }
}

#[test]
fn headings_that_only_contain_a_known_word_are_refused_with_a_hint() {
    let message = read("job,saw,due (Mon)\nA,3,7\n", &[]).unwrap_err();
    assert_eq!(
        message,
        "line 1, column 1: the heading `due (Mon)` may be that of due dates or of a machine; say which: --column \"due (Mon)=due\", --column \"due (Mon)=machine\", or --column \"due (Mon)=ignore\""
    );
    let of = |role: &str| read("job,saw,due (Mon)\nA,3,7\n", &[&format!("due (Mon)={role}")]).unwrap();
    assert_eq!(of("due").attributes.jobs[0].due, Some(7.0));
    assert_eq!(
        (machines(&of("machine")), of("ignore").instance.num_machines()),
        (vec!["saw".into(), "due (Mon)".into()], 1)
    );
    // Words of jobs stand in names of machines, too.
    assert_eq!(machines(&read("job,job shop saw,order desk\nA,3,7\n", &[]).unwrap()).len(), 2);
}

#[test]
fn the_caller_says_what_columns_hold() {
    let text = "pos,Teil,Liefertag,saw\n1,A,9,3\n2,B,,4\n";
    let entry = read(text, &["Teil=job", "liefer-tag = due", "1=ignore"]).unwrap();
    assert_eq!(entry.instance.job_names().unwrap(), ["A", "B"]);
    assert_eq!((machines(&entry), entry.attributes.jobs[0].due), (vec!["saw".to_string()], Some(9.0)));
    for (settings, message) in [
        (
            &["Teil=job", "Termin=due"][..],
            "--column: there is no column `Termin`; there are `pos`, `Teil`, `Liefertag`, `saw`, also numbered 1 to 4",
        ),
        (&["5=due"], "there is no column `5`"),
        (&["Teil=job", "2=ignore"], "--column says twice what `Teil` holds"),
        (
            &["Teil=job", "pos=job"],
            "the columns `pos` and `Teil` both hold the names of the jobs; keep one, or say what the other holds, such as --column \"Teil=ignore\"",
        ),
        (&["Teil=due", "Liefertag=due", "1=job"], "both hold due dates"),
    ] {
        let found = read(text, settings).unwrap_err();
        assert!(found.contains(message), "{found}");
    }
    // Without a header, columns have numbers.
    let bare = read("7,3,4\n5,2,1\n", &["1=due"]).unwrap();
    assert_eq!((bare.instance.num_machines(), bare.attributes.jobs[1].due), (2, Some(5.0)));
    assert!(read("7,3,4\n5,2,1\n", &["x=due"]).unwrap_err().contains("there is no header"));
    let both = read("saw,saw\n1,2\n", &["saw=due"]).unwrap_err();
    assert!(both.contains("2 columns are called `saw`; say which by its number"), "{both}");
    let turned = CsvOptions { transpose: true, ..said(&["1=due"]) };
    assert!(
        Format::Csv
            .read("a,b\n1,2\n", turned)
            .unwrap_err()
            .to_string()
            .starts_with("--column is not used here")
    );
    let options = ReadOptions { csv: said(&["1=due"]), ..ReadOptions::default() };
    let json = read_bytes(b"{\"times\": [[1]]}", "a.json", &options).unwrap_err().to_string();
    assert!(json.contains("--column is not used here"), "{json}");
}

#[test]
fn a_column_of_job_names_need_not_be_the_first() {
    let entry = read("due,job,saw\n9,A,3\n8,B,4\n", &[]).unwrap();
    assert_eq!(entry.instance.job_names().unwrap(), ["A", "B"]);
    let message = read("no,job,saw\n1,A,3\n", &[]).unwrap_err();
    assert!(message.contains("the columns `no` and `job` both hold the names of the jobs"), "{message}");
    assert!(read("no,job,saw\n1,A,3\n", &["no=ignore"]).is_ok());
}

#[test]
fn a_first_column_of_whole_numbers_names_jobs_or_is_told() {
    for heading in ["order", "Order no.", "Nr.", "Auftrag", "#"] {
        let entry = read(&format!("{heading},saw\n11,3\n12,4\n"), &[]).unwrap();
        assert_eq!(
            (entry.instance.job_names().unwrap(), entry.notes().count()),
            (&["11".to_string(), "12".to_string()][..], 0)
        );
    }
    let part = read("part,saw\n11,3\n12,4\n", &[]).unwrap();
    let notes: Vec<Note> = part.notes().collect();
    assert_eq!(notes, [Note::NumbersAsTimes { heading: "part".to_string() }]);
    assert!(notes[0].to_string().contains("--column 1=job"));
    // Numbers that stand twice name nothing; who says what it is needs no line.
    assert_eq!(read("part,saw\n11,3\n11,4\n", &[]).unwrap().notes().count(), 0);
    assert_eq!(read("part,saw\n11,3\n12,4\n", &["1=machine"]).unwrap().notes().count(), 0);
    assert_eq!(read("part,saw\n11,3\n12,4\n", &["part=job"]).unwrap().instance.num_machines(), 1);
}

/// A workbook with these rows of texts on its first sheet; numbers are numbers.
#[cfg(feature = "excel")]
fn workbook(rows: &[Vec<String>]) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (row, cells) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(cells) {
            match cell.parse::<f64>().ok().filter(|_| row > 0 && column > 0) {
                Some(number) => sheet.write_number(row, column, number).unwrap(),
                None => sheet.write_string(row, column, cell).unwrap(),
            };
        }
    }
    book.save_to_buffer().unwrap()
}

#[cfg(feature = "excel")]
#[test]
fn the_caller_says_what_columns_of_a_sheet_hold() {
    let rows = [["pos", "Teil", "Liefertag", "saw"], ["1", "A", "9", "3"], ["2", "B", "8", "4"]];
    let bytes = workbook(&rows.map(|row| row.map(str::to_string).to_vec()));
    let read = |settings: &[&str]| {
        let options = ReadOptions { csv: said(settings), ..ReadOptions::default() };
        read_bytes(&bytes, "plan.xlsx", &options).map(|mut entries| entries.remove(0))
    };
    let entry = read(&["Teil=job", "liefertag=due", "1=ignore"]).unwrap();
    assert_eq!((machines(&entry), entry.attributes.jobs[1].due), (vec!["saw".to_string()], Some(8.0)));
    let message = read(&["Termin=due"]).unwrap_err().to_string();
    assert!(
        message.starts_with("plan.xlsx, cell Sheet1!A1: --column: there is no column `Termin`"),
        "{message}"
    );
}

#[cfg(feature = "excel")]
#[test]
fn names_in_cells_are_those_of_the_machines() {
    for name in ["a,b", "a;b", "a\tb", "\"", "a\"b", " x ", "=1+1", "12", "null"] {
        let rows = [
            vec!["job".to_string(), "saw".to_string(), name.to_string()],
            vec![name.to_string(), "1".into(), "2".into()],
        ];
        let entry = read_bytes(&workbook(&rows), "plan.xlsx", &ReadOptions::default()).unwrap().remove(0);
        // Blanks around it are seen by nobody.
        let name = name.trim().to_string();
        assert_eq!(labels(&entry), (vec![name.clone()], vec!["saw".to_string(), name]));
    }
}

#[test]
fn machines_that_are_called_like_attributes_are_not_written_as_csv() {
    let instance = Instance::from_job_rows("x", &[[1u32, 2]]).unwrap();
    let instance = instance.with_machine_names(vec!["saw".into(), "Weight".into()]).unwrap();
    let error = Format::Csv.write(&[instance.into()]).unwrap_err();
    assert!(matches!(error, WriteError::Heading { .. }));
    assert_eq!(
        error.to_string(),
        "csv would read the times of machine `Weight` of `x` as weights; rename the machine, or write json"
    );
}

fn hostile() -> impl Strategy<Value = String> {
    let words = [
        "due",
        "Weight",
        "due date",
        "DUE_DATE",
        "deadline",
        "ready",
        "priority",
        "Setup-Group",
        "family",
        "job",
        "Job",
        "jobs",
        "id",
        "name",
        "no.",
        "machine",
        "order",
        "Liefertermin",
        "due (Mon)",
        "",
        " ",
        " due",
        "0",
        "1",
        "12",
        "1.5",
        "-3",
        "1,5",
        "M1",
        "M2",
        "a,b",
        "a;b",
        "a\tb",
        "a\nb",
        "a\r\nb",
        "\"",
        "a\"b",
        "\"due\"",
        " x ",
        "=1+1",
        "null",
        "true",
        "é",
        "#2",
    ];
    prop_oneof![prop::sample::select(words.to_vec()).prop_map(str::to_string), "[ ,;\"=a-z0-9\n]{0,5}"]
}

fn named() -> impl Strategy<Value = Entry> {
    (1usize..4, 1usize..4).prop_flat_map(|(n, m)| {
        let names = |count| prop::option::of(prop::collection::vec(hostile(), count));
        (names(n), names(m), prop::option::of(0..n)).prop_map(move |(jobs, machines, due)| {
            let mut instance: AnyInstance =
                Instance::new("x", m, (0..n * m).map(|time| time as u32).collect()).unwrap().into();
            if let Some(names) = jobs {
                instance = instance.with_job_names(names).unwrap();
            }
            if let Some(names) = machines {
                instance = instance.with_machine_names(names).unwrap();
            }
            let mut entry: Entry = instance.into();
            if let Some(due) = due {
                entry.attributes.jobs = vec![JobAttributes::default(); n];
                entry.attributes.jobs[due].due = Some(5.0);
            }
            entry
        })
    })
}

fn labels(entry: &Entry) -> (Vec<String>, Vec<String>) {
    let jobs = (0..entry.instance.num_jobs()).map(|job| entry.instance.job_label(job as u32)).collect();
    (jobs, machines(entry))
}

proptest! {
    #[test]
    fn hostile_names_are_given_back_or_refused(entry in named()) {
        for format in [Format::Csv, Format::Json] {
            let Ok(text) = format.write(std::slice::from_ref(&entry)) else {
                prop_assert!(format == Format::Csv, "JSON has a place for every name");
                continue;
            };
            let read = format.read(&text, CsvOptions::default());
            // Jobs of one name are refused by readers of plans.
            let Ok(mut read) = read else {
                let jobs = entry.instance.job_names().unwrap_or_default();
                let is_double = (1..jobs.len()).any(|job| jobs[..job].contains(&jobs[job]));
                prop_assert!(format == Format::Json && is_double, "{}", text);
                continue;
            };
            let read = read.remove(0);
            prop_assert_eq!(labels(&read), labels(&entry), "{}", text);
            prop_assert_eq!(&read.attributes, &entry.attributes, "{}", text);
            prop_assert_eq!(read.instance.num_machines(), entry.instance.num_machines());
        }
    }
}
