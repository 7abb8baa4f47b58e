//! Reading what was written gives the same instance, in every format and for both kinds of numbers.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_core::Instance;
use pfss_io::{AnyInstance, CsvOptions, Entry, Format, Metadata};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9]{1,6}", "[ ,;\"\t\na-zé0-9.]{0,6}", Just("job".to_string()), Just("1".to_string())]
}

/// Jobs of one name are refused by CSV, except without any.
fn distinct(names: &[String]) -> Vec<String> {
    let is_new = |index: usize| !names[..index].contains(&names[index]) || names[index].is_empty();
    let name = |index: usize| {
        if is_new(index) { names[index].clone() } else { format!("{} ({index})", names[index]) }
    };
    (0..names.len()).map(name).collect()
}

fn real() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..100.0, (0u32..100).prop_map(f64::from), Just(1e-300), Just(1e300)]
}

fn instance(names: bool) -> impl Strategy<Value = AnyInstance> {
    let sizes = (1usize..6, 1usize..6);
    let instance = sizes.prop_flat_map(|(n, m)| {
        prop_oneof![
            prop::collection::vec(0u32..1000, n * m)
                .prop_map(move |t| Instance::new("", m, t).unwrap().into()),
            prop::collection::vec(real(), n * m).prop_map(move |t| Instance::new("", m, t).unwrap().into()),
        ]
    });
    (instance, prop::bool::ANY, prop::bool::ANY, prop::collection::vec(name(), 12)).prop_map(
        move |(instance, jobs, machines, pool): (AnyInstance, bool, bool, Vec<String>)| {
            let mut instance = instance;
            if names && jobs {
                let names = distinct(&pool[..instance.num_jobs()]);
                instance = instance.with_job_names(names).unwrap();
            }
            if names && machines {
                let names = pool[6..6 + instance.num_machines()].to_vec();
                instance = instance.with_machine_names(names).unwrap();
            }
            instance
        },
    )
}

/// Labels that jobs have anyway are not kept as names by CSV.
fn without_default_names(instance: &AnyInstance) -> AnyInstance {
    let jobs =
        instance.job_names().filter(|names| names.iter().enumerate().any(|(i, n)| *n != i.to_string()));
    let machines = instance.machine_names();
    let mut plain: AnyInstance = match instance {
        AnyInstance::Integer(i) => Instance::new("", i.num_machines(), i.times().to_vec()).unwrap().into(),
        AnyInstance::Real(i) => Instance::new("", i.num_machines(), i.times().to_vec()).unwrap().into(),
    };
    if let Some(names) = jobs {
        plain = plain.with_job_names(names.to_vec()).unwrap();
    }
    if let Some(names) = machines {
        plain = plain.with_machine_names(names.to_vec()).unwrap();
    }
    plain
}

fn back(format: Format, entries: &[Entry]) -> (String, Vec<Entry>) {
    let text = format.write(entries).unwrap();
    let read = format.read(&text, CsvOptions::default());
    (text.clone(), read.unwrap_or_else(|error| panic!("{format}: {error}\n{text}")))
}

fn metadata() -> impl Strategy<Value = Metadata> {
    (prop::option::of(1.0..1e6), prop::option::of(1u32..1000), prop::option::of(1u64..u64::MAX)).prop_map(
        |(lower, upper, seed)| Metadata {
            lower_bound: lower,
            upper_bound: upper.map(f64::from),
            seed,
            ..Metadata::default()
        },
    )
}

proptest! {
    #[test]
    fn plain_formats(instance in instance(false)) {
        for format in [Format::MachineRows, Format::JobRows, Format::Pairs] {
            let (text, read) = back(format, &[instance.clone().into()]);
            prop_assert_eq!(&read[0].instance, &instance);
            // Detection finds the format, or says that two readings fit.
            match Format::detect(&text, None) {
                Ok(found) if found != format => {
                    prop_assert_eq!((instance.num_jobs(), instance.num_machines()), (1, 1));
                }
                Ok(_) => {}
                Err(error) => prop_assert!(
                    instance.num_jobs() == instance.num_machines() && format != Format::Pairs, "{}", error),
            }
        }
    }

    #[test]
    fn taillard(entries in prop::collection::vec((instance(false), metadata()), 1..4)) {
        let entries: Vec<Entry> =
            entries.into_iter().map(|(instance, metadata)| Entry { metadata, ..instance.into() }).collect();
        let (text, read) = back(Format::Taillard, &entries);
        prop_assert_eq!(&read, &entries);
        prop_assert_eq!(Format::detect(&text, None).unwrap(), Format::Taillard);
        // The same without its lines of text.
        let bare: String = text.lines().filter(|l| !l.contains(':')).map(|l| format!("{l}\n")).collect();
        prop_assert_eq!(&Format::Taillard.read(&bare, CsvOptions::default()).unwrap(), &entries);
        prop_assert_eq!(Format::detect(&bare, None).unwrap(), Format::Taillard);
    }

    #[test]
    fn or_library(instances in prop::collection::vec((instance(false), "[a-z0-9]{1,5}( [a-z]{1,5})?"), 1..4)) {
        let entries: Vec<Entry> = instances.into_iter().map(|(i, name)| i.with_name(name).into()).collect();
        let (text, read) = back(Format::OrLibrary, &entries);
        prop_assert_eq!(&read, &entries);
        prop_assert_eq!(Format::detect(&text, None).unwrap(), Format::OrLibrary);
    }

    #[test]
    fn csv(instance in instance(true), tabs in prop::bool::ANY, crlf in prop::bool::ANY) {
        // A machine called `job` would be taken for the names of the jobs: tests/headings.rs.
        prop_assume!(Format::Csv.write(&[instance.clone().into()]).is_ok());
        let (text, read) = back(Format::Csv, &[instance.clone().into()]);
        prop_assert_eq!(&read[0].instance, &without_default_names(&instance));
        // Separators inside quotes must stay; only texts without quotes are rewritten here.
        if !text.contains('"') {
            let text = text.replace(',', if tabs { "\t" } else { " ; " });
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            let read = Format::Csv.read(&text, CsvOptions::default()).unwrap();
            prop_assert_eq!(&read[0].instance, &without_default_names(&instance));
        }
    }

    #[test]
    fn json(entries in prop::collection::vec((instance(true), metadata(), name()), 1..4)) {
        let entries: Vec<Entry> = entries
            .into_iter()
            .map(|(instance, metadata, name)| Entry {
                metadata: Metadata { reference: Some(name.clone()), ..metadata },
                ..instance.with_name(name).into()
            })
            .collect();
        let (text, read) = back(Format::Json, &entries);
        prop_assert_eq!(&read, &entries);
        prop_assert_eq!(Format::detect(&text, None).unwrap(), Format::Json);
        let array = format!("[{}]", text.trim_end().replace('\n', ","));
        prop_assert_eq!(&Format::Json.read(&array, CsvOptions::default()).unwrap(), &entries);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[0-9 .,;\t\n\"+a-c\\-e{}\\[\\]:]{0,60}") {
        for format in Format::ALL {
            let _ = format.read(&text, CsvOptions::default());
            let _ = format.read(&text, CsvOptions { transpose: true, ..CsvOptions::default() });
        }
        let _ = Format::detect(&text, None);
    }
}
