//! Each kind of bad input has its own message, with its place and with what would be accepted.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_io::{CsvOptions, Format, Problem, ReadError, ReadOptions, read_bytes};

fn error(format: Format, text: &str) -> ReadError {
    format.read(text, CsvOptions::default()).expect_err("the text should be refused")
}

#[track_caller]
fn refuses(format: Format, text: &str, message: &str) {
    let error = error(format, text);
    assert_eq!(error.to_string(), message);
}

#[track_caller]
fn undetected(text: &str, message: &str) {
    let error = read_bytes(text.as_bytes(), "x.txt", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn empty_files() {
    for format in Format::ALL {
        assert!(matches!(*error(format, " \n\r\n").problem, Problem::Empty), "{format}");
    }
    undetected("", "x.txt: there is nothing here; expected an instance (see `--format` for the layouts)");
}

#[test]
fn bad_sizes() {
    refuses(
        Format::JobRows,
        "3\n1\n",
        "line 1, column 1: found `3`, expected a line `n m`: the number of jobs and the number of machines",
    );
    refuses(
        Format::JobRows,
        "3 x\n1\n",
        "line 1, column 3: found `x`, expected a line `n m`: the number of jobs and the number of machines",
    );
    refuses(
        Format::JobRows,
        "\n0 3\n",
        "line 2, column 1: the instance has no jobs; at least one job is needed",
    );
    refuses(
        Format::MachineRows,
        "3 0\n",
        "line 1, column 1: the instance has no machines; at least one machine is needed",
    );
    refuses(
        Format::Pairs,
        "99999999999999999999 3\n",
        "line 1, column 1: `99999999999999999999` is too large; the largest count is 18446744073709551615",
    );
    // Sizes that no memory holds are only missing rows.
    refuses(
        Format::JobRows,
        "9999999999999 9999999999999\n",
        "line 2, column 1: the file ends after 0 of 9999999999999 rows",
    );
}

#[test]
fn bad_numbers() {
    let number = "a processing time such as 12 or 3.5";
    refuses(Format::JobRows, "2 2\n1 2\n3 x4\n", &format!("line 3, column 3: found `x4`, expected {number}"));
    refuses(
        Format::JobRows,
        "2 2\n1 2\n3 -4\n",
        "line 3, column 3: found `-4`, but a processing time cannot be negative",
    );
    refuses(
        Format::JobRows,
        "1 2\n1 nan\n",
        "line 2, column 3: found `nan`, but a processing time must be a finite number",
    );
    refuses(
        Format::JobRows,
        "1 2\ninf 1\n",
        "line 2, column 1: found `inf`, but a processing time must be a finite number",
    );
    refuses(
        Format::JobRows,
        "1 2\n1e999 1\n",
        "line 2, column 1: `1e999` is too large; the largest number is 1.7976931348623157e308",
    );
    refuses(
        Format::JobRows,
        "1 1\n4294967296\n",
        "line 2, column 1: `4294967296` is too large; the largest whole processing time is 4294967295; use a coarser unit of time, or write a point (`5.0`) for real times",
    );
    refuses(
        Format::JobRows,
        "1 2\n1,2 3\n",
        &format!(
            "line 2, column 1: found `1,2`, expected {number}; write decimals with a point, not a comma"
        ),
    );
    refuses(
        Format::JobRows,
        "2 1\n4294967290\n4294967290\n",
        "the processing times are so large that a schedule may exceed 4294967295; use a coarser unit of time",
    );
}

#[test]
fn integers_that_overflow_are_not_taken_for_reals() {
    for (format, text) in [
        (Format::Csv, "1,2\n3,99999999999999999999999\n"),
        (Format::Json, "{\"times\": [[1, 2],\n[3, 99999999999999999999999]]}"),
        (Format::Taillard, "2 2 1 1 1\n1 2\n3 99999999999999999999999\n"),
    ] {
        let error = error(format, text);
        assert!(matches!(*error.problem, Problem::TooLarge { .. }), "{format}: {error}");
        assert!(error.position.is_some());
    }
}

#[test]
fn rows_of_wrong_length() {
    refuses(Format::JobRows, "2 3\n1 2 3\n4 5\n", "line 3, column 4: row 2 has 2 times, expected 3");
    refuses(Format::JobRows, "2 3\n1 2 3 9 9\n4 5 6\n", "line 2, column 7: row 1 has 5 times, expected 3");
    refuses(Format::JobRows, "2 3\n1 2 3\n", "line 3, column 1: the file ends after 1 of 2 rows");
    refuses(
        Format::JobRows,
        "1 3\n1 2 3\n4 5 6\n",
        "line 3, column 1: found `4 5 6` after the last of 1 rows, expected the end of the file",
    );
    refuses(Format::MachineRows, "3 2\n1 2 3\n4 5\n", "line 3, column 4: row 2 has 2 times, expected 3");
    refuses(Format::Pairs, "1 2\n0 5 1\n", "line 2, column 6: row 1 has 3 numbers, expected 4");
    refuses(Format::Pairs, "1 2\n0 5\n", "line 2, column 4: row 1 has 2 numbers, expected 4");
    refuses(Format::Csv, "1,2,3\n4,5\n", "line 2, column 4: row 2 has 2 times, expected 3");
    refuses(Format::Csv, "a,b,c\n4,5\n", "line 2, column 4: row 1 has 2 times, expected 3");
    refuses(Format::Json, "{\"times\": [[1, 2], [3]]}", "line 1, column 23: row 2 has 1 times, expected 2");
}

#[test]
fn pairs_with_wrong_machines() {
    refuses(
        Format::Pairs,
        "1 2\n0 5 2 6\n",
        "line 2, column 5: found machine `2` in row 1; machines are numbered 0 to 1",
    );
    refuses(
        Format::Pairs,
        "1 2\n0 5 x 6\n",
        "line 2, column 5: found machine `x` in row 1; machines are numbered 0 to 1",
    );
    refuses(
        Format::Pairs,
        "1 2\n1 5 0 6\n",
        "line 2, column 1: row 1 visits machine 1 as number 0 (counted from 0); in a permutation flow shop every job visits the machines in the order 0, 1, 2, ...",
    );
}

#[test]
fn due_dates_are_read_behind_pairs_only() {
    let text = "2 2\n0 1 1 2\n0 3 1 4\nReldue\n-1 5 -1 1\n3 9 -1 2\n";
    let entries = Format::Pairs.read(text, CsvOptions::default()).unwrap();
    let jobs = &entries[0].attributes.jobs;
    assert_eq!((jobs[0].release, jobs[0].due, jobs[0].weight), (0.0, Some(5.0), 1.0));
    assert_eq!((jobs[1].release, jobs[1].due, jobs[1].weight), (3.0, Some(9.0), 2.0));
    assert_eq!(Format::detect(text, None).unwrap(), Format::Pairs);
    let message = "the `Reldue` block of release and due dates can be read behind rows of `machine time` pairs only; delete the block to solve the instance without them";
    refuses(Format::JobRows, "2 1\n1\n2\nReldue\n-1 5 -1 1\n", &format!("line 4, column 1: {message}"));
    for (rows, part) in [
        ("-1 5 -1 1\n", "line 6, column 1: the file ends after 1 of 2 rows"),
        ("-1 5 -1\n-1 5 -1 1\n", "line 5, column 8: row 1 has 3 numbers, expected 4"),
        ("-1 5 7 1\n-1 5 -1 1\n", "line 5, column 6: found `7`, expected -1: deadlines are not supported"),
        ("-1 x -1 1\n-1 5 -1 1\n", "line 5, column 4: found `x`, expected a number, or -1 for none"),
        (
            "-1 5 -1 1\n-1 5 -1 1\n9\n",
            "line 7, column 1: found `9` after the last of 2 rows, expected the end of the file",
        ),
    ] {
        refuses(Format::Pairs, &format!("2 1\n0 1\n0 3\nReldue\n{rows}"), part);
    }
}

#[test]
fn two_readings_are_never_guessed() {
    undetected(
        "2 2\n1 2\n3 4\n",
        "x.txt:1:1: this can be read as `machine-rows` (`n m`, then one row per machine) or as `job-rows` (`n m`, then one row per job); say which with `--format machine-rows` or `--format job-rows`",
    );
    undetected(
        "3\t2\n1\t2\n3\t4\n5\t6\n",
        "x.txt:1:1: this can be read as `job-rows` (`n m`, then one row per job) or as `csv` (one line per job, cells separated by commas, semicolons or tabs); say which with `--format job-rows` or `--format csv`",
    );
}

#[test]
fn no_reading_fits() {
    undetected(
        "3 2\n1 2 3 4 5\n",
        "x.txt:2:1: no known format fits: the first line announces 3 jobs and 2 machines, then 1 rows follow, the first with 5 numbers; machine-rows would have 2 rows of 3, job-rows 3 rows of 2, pairs 3 rows of 4; accepted are taillard, machine-rows, job-rows, pairs, or-library, csv, json (see `--format`)",
    );
    undetected(
        "hello\n",
        "x.txt:1:1: no known format fits: the first line is `hello`; accepted are taillard, machine-rows, job-rows, pairs, or-library, csv, json (see `--format`)",
    );
    undetected(
        "1 2 3\n",
        "x.txt:1:1: no known format fits: the first line has 3 words, not two (`n m`); accepted are taillard, machine-rows, job-rows, pairs, or-library, csv, json (see `--format`)",
    );
}

#[test]
fn detected_but_broken_files_get_the_reader_s_message() {
    undetected("3 2\n1 2\n3 4\n", "x.txt:4:1: the file ends after 2 of 3 rows");
    undetected("3 2\n1 2\n3 4\n5 6 7\n", "x.txt:4:5: row 3 has 3 times, expected 2");
}

#[test]
fn bad_taillard_files() {
    refuses(
        Format::Taillard,
        "2 2\n1 2\n3 4\n",
        "line 1, column 1: found `2 2`, expected a line `n m seed upper-bound lower-bound`",
    );
    refuses(
        Format::Taillard,
        "2 2 -1 0 0\n1 2\n3 4\n",
        "line 1, column 1: found `2 2 -1 0 0`, expected a line `n m seed upper-bound lower-bound`",
    );
    refuses(
        Format::Taillard,
        "number of jobs\n2 2 1 0 0\n1 2\n",
        "line 4, column 1: the file ends after 1 of 2 rows",
    );
}

#[test]
fn bad_or_library_files() {
    refuses(
        Format::OrLibrary,
        "1 1\n0 3\n",
        "line 1, column 1: found `1 1`, expected a title line `instance NAME` between two lines of `+`",
    );
    refuses(
        Format::OrLibrary,
        "instance a\n+++\ntext\n",
        "line 4, column 1: found ``, expected a line `n m` after the title of an instance",
    );
    refuses(
        Format::OrLibrary,
        "instance a\n1 1\n0 3\n0 4\n",
        "line 4, column 1: found `0 4` after the last of 1 rows, expected the end of the file",
    );
}

#[test]
fn bad_csv_files() {
    refuses(
        Format::Csv,
        "1,,3\n",
        "line 1, column 3: a number is missing here; every job needs a time on every machine (0 when it skips one)",
    );
    refuses(
        Format::Csv,
        "1,2,\n",
        "line 1, column 5: a number is missing here; every job needs a time on every machine (0 when it skips one)",
    );
    refuses(
        Format::Csv,
        "job,a,b\nx,1,2 3\n",
        "line 2, column 7: found `3`, expected a separator or the end of the line",
    );
    refuses(Format::Csv, "job,a\n\"x,1\n", "line 2, column 1: this quoted cell has no closing quote");
    refuses(
        Format::Csv,
        "job,a\n\"x\"y,1\n",
        "line 2, column 4: found `y,1` after a quoted cell, expected the separator or the end of the line",
    );
    refuses(
        Format::Csv,
        "Teil,1,2,3\nA,4,5,6\n",
        "line 1, column 1: the first row may be a header (names 0, 1, 2, ...) or hold times; if it is a header, call its first cell `job`; if not, add a header row that starts with `job`",
    );
    refuses(
        Format::Csv,
        "1\t2\n3\t4,5\n",
        "line 2, column 3: found `4,5`, expected a processing time such as 12 or 3.5; write decimals with a point, not a comma",
    );
    refuses(
        Format::Csv,
        "1,2\nx,3\n",
        "line 2, column 1: found `x`, expected a processing time such as 12 or 3.5",
    );
    refuses(
        Format::Csv,
        "a,b\n",
        "there is nothing here; expected an instance (see `--format` for the layouts)",
    );
    refuses(
        Format::Csv,
        "a,b\nnan,1\n",
        "line 2, column 1: found `nan`, but a processing time must be a finite number",
    );
}

#[test]
fn bad_json_files() {
    refuses(Format::Json, "{\"times\": [[1, 2]}", "line 1, column 18: expected `,` or `]`");
    refuses(
        Format::Json,
        "{\n \"tims\": [[1, 2]]}",
        "line 2, column 7: unknown field `tims`, expected one of `schema`, `name`, `times`, `duration_matrix`, `machines_matrix`, `job_names`, `machine_names`, `lower_bound`, `upper_bound`, `seed`, `reference`, `metadata`, `jobs`, `machines`, `first`, `precedence`, `objective`",
    );
    refuses(
        Format::Json,
        "{\"schema\": \"x/2\", \"times\": [[1]]}",
        "line 1, column 1: found schema `x/2`, expected `pfss.instance/1` or `pfss.instance/2`",
    );
    refuses(
        Format::Json,
        "{\"name\": \"x\"}",
        "line 1, column 1: expected one field `times` with one row of numbers per job",
    );
    refuses(
        Format::Json,
        "{\"times\": [[1, \"2\"]]}",
        "line 1, column 16: found `\"2\"]]}`, expected a number",
    );
    refuses(
        Format::Json,
        "{\"times\": [1, 2]}",
        "line 1, column 12: found `1, 2]}`, expected an array of rows: [[1, 2], [3, 4]]",
    );
    refuses(
        Format::Json,
        "{\"times\": [[1, -2]]}",
        "line 1, column 16: found `-2`, but a processing time cannot be negative",
    );
    refuses(
        Format::Json,
        "{\"times\": [[1, null]]}",
        "line 1, column 16: found `null`, expected a processing time such as 12 or 3.5",
    );
    refuses(
        Format::Json,
        "{\"times\": [[1]], \"lower_bound\": -1}",
        "line 1, column 1: a bound on the makespan cannot be negative",
    );
    refuses(Format::Json, "{\"times\": []}", "the instance has no jobs; at least one job is needed");
    refuses(
        Format::Json,
        "{\"times\": [[]]}",
        "the instance has no machines; at least one machine is needed",
    );
    refuses(
        Format::Json,
        "{\"times\": [[1]], \"job_names\": []}",
        "line 1, column 1: 0 job names were given for 1",
    );
    refuses(
        Format::Json,
        "{\"duration_matrix\": [[1, 2]], \"machines_matrix\": [[1, 0]]}",
        "line 1, column 1: row 1 visits machine 1 as number 0 (counted from 0); in a permutation flow shop every job visits the machines in the order 0, 1, 2, ...",
    );
}

#[test]
fn bytes_that_are_no_text() {
    let options = ReadOptions::default();
    let error = read_bytes(b"1 1\n\xE4\n", "a.txt", &options).unwrap_err();
    assert_eq!(error.to_string(), "a.txt:2:1: this is not UTF-8 text; save the file as UTF-8");
    let error = read_bytes(b"\xFF\xFE1\0", "a.csv", &options).unwrap_err();
    assert_eq!(error.to_string(), "a.csv:1:1: this is not UTF-8 text but UTF-16; save the file as UTF-8");
    for (bytes, expected) in [
        (&b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"[..], "an old workbook (.xls), or one with a password; save"),
        (b"\x1F\x8B\x08\x00", "compressed (gzip); unpack it first"),
        (
            b"\x03\0\0\0\0\0\0\0{} \xFF\xFF",
            "a safetensors file: a model, or labels of `pfss train`; a model goes",
        ),
    ] {
        let error = read_bytes(bytes, "a.csv", &options).unwrap_err().to_string();
        assert!(error.starts_with(&format!("a.csv: this is {expected}")), "{error}");
    }
}

/// Beside a real number they were rounded.
#[test]
fn whole_numbers_that_no_real_number_holds_are_refused() {
    for large in ["9007199254740993", "99999999999999999999999"] {
        refuses(
            Format::JobRows,
            &format!("1 3\n1.5 9007199254740992 {large}\n"),
            &format!(
                "line 2, column 22: `{large}` is too large; the largest whole processing time is 9007199254740992; use a coarser unit of time"
            ),
        );
    }
}
