//! Attributes: what is written is read back, in CSV and JSON, and no text makes readers panic.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_core::Instance;
use pfss_core::timing::{Attributes, JobAttributes, MachineAttributes, Objective, Setup};
use pfss_io::attribute_tables::{read_breaks, read_machines, read_setups};
use pfss_io::{AnyInstance, Clock, CsvOptions, Entry, Format, Unit};
use proptest::prelude::*;

const FAMILIES: [&str; 3] = ["red", "blue, dark", "\"Ü\" 3"];

fn moment() -> impl Strategy<Value = f64> {
    prop_oneof![
        (0u32..500).prop_map(f64::from),
        (0u32..5000).prop_map(|tenths| f64::from(tenths) / 10.0),
        Just(0.0)
    ]
}

fn job() -> impl Strategy<Value = JobAttributes> {
    let due = prop_oneof![
        Just(None),
        (-500i32..5000).prop_map(|tenths| Some(f64::from(tenths) / 10.0)),
        (0u32..500).prop_map(|due| Some(f64::from(due)))
    ];
    let weight = prop_oneof![Just(1.0), Just(0.0), (0u32..90).prop_map(|tenths| f64::from(tenths) / 10.0)];
    let family = prop_oneof![Just(None), (0..FAMILIES.len()).prop_map(Some)];
    (moment(), due, weight, family).prop_map(|(release, due, weight, family)| JobAttributes {
        release,
        due,
        weight,
        family,
    })
}

/// Attributes as a reader leaves them: families in the order of their first appearance, no lists of defaults.
fn numbered(mut jobs: Vec<JobAttributes>) -> (Vec<JobAttributes>, Vec<String>) {
    let mut families: Vec<String> = Vec::new();
    for job in &mut jobs {
        if let Some(family) = &mut job.family {
            let name = FAMILIES[*family];
            *family = families.iter().position(|known| known == name).unwrap_or_else(|| {
                families.push(name.to_string());
                families.len() - 1
            });
        }
    }
    if jobs.iter().all(|job| *job == JobAttributes::default()) {
        jobs.clear();
    }
    (jobs, families)
}

fn machine(num_families: usize) -> impl Strategy<Value = MachineAttributes> {
    let gaps = prop::collection::vec(((1u32..50).prop_map(f64::from), 1u32..50), 0..4);
    let breaks = gaps.prop_map(|gaps| {
        let mut end = 0.0;
        gaps.into_iter()
            .map(|(wait, length): (f64, u32)| {
                let from = end + wait;
                end = from + f64::from(length);
                (from, end)
            })
            .collect::<Vec<_>>()
    });
    let pairs = (num_families + 1) * num_families;
    let setups = prop::collection::vec(
        prop::option::of((0u32..200).prop_map(|tenths| f64::from(tenths) / 10.0)),
        pairs,
    )
    .prop_map(move |times| {
        let setup = |(pair, time): (usize, Option<f64>)| {
            let from = (pair / num_families).checked_sub(1);
            time.map(|time| Setup { from, to: pair % num_families, time })
        };
        times.into_iter().enumerate().filter_map(setup).collect::<Vec<_>>()
    });
    (moment(), breaks, any::<bool>(), setups, prop::option::of(0usize..4), any::<bool>()).prop_map(
        |(available_from, breaks, resume, setups, buffer, no_wait)| MachineAttributes {
            available_from,
            breaks,
            resume,
            setups,
            buffer,
            no_wait,
        },
    )
}

fn instance(n: usize, m: usize, is_real: bool, names: bool) -> AnyInstance {
    let times = (0..n * m).map(|index| (index as u32 * 7) % 13);
    let instance: AnyInstance = match is_real {
        true => Instance::new("", m, times.map(|time| f64::from(time) + 0.5).collect()).unwrap().into(),
        false => Instance::new("", m, times.collect()).unwrap().into(),
    };
    match names {
        true => {
            let jobs = (0..n).map(|job| format!("job {job}")).collect();
            let machines = (0..m).map(|machine| format!("machine; {machine}")).collect();
            instance.with_job_names(jobs).unwrap().with_machine_names(machines).unwrap()
        }
        false => instance,
    }
}

fn with_jobs() -> impl Strategy<Value = Entry> {
    let jobs = (1usize..6).prop_flat_map(|n| prop::collection::vec(job(), n));
    (jobs, 1usize..4, any::<bool>(), any::<bool>()).prop_map(|(jobs, m, is_real, names)| {
        let instance = instance(jobs.len(), m, is_real, names);
        let (jobs, families) = numbered(jobs);
        Entry { attributes: Attributes { jobs, families, ..Attributes::default() }, ..instance.into() }
    })
}

fn whole() -> impl Strategy<Value = Entry> {
    with_jobs()
        .prop_flat_map(|entry| {
            let (n, m) = (entry.instance.num_jobs(), entry.instance.num_machines());
            let families = entry.attributes.families.len();
            let machines = prop::collection::vec(machine(families), m);
            let first = (0..=n as u32).prop_map(|count| (0..count).collect::<Vec<_>>());
            // From lower to higher numbers no circle is possible, and a subsequence of the jobs agrees with it.
            let precedence = prop::collection::vec((0..n as u32, 0..n as u32), 0..4).prop_map(|pairs| {
                pairs.into_iter().filter(|(before, after)| before < after).collect::<Vec<_>>()
            });
            let objectives = prop::sample::subsequence(Objective::ALL.to_vec(), 0..=3);
            (Just(entry), machines, first, precedence, objectives).prop_map(
                |(mut entry, mut machines, first, precedence, objectives)| {
                    // Nothing lies behind the last machine; jobs that do not wait have no buffer and no breaks around it.
                    let has_breaks = machines.iter().any(|machine| !machine.breaks.is_empty());
                    let last = machines.len() - 1;
                    for (index, machine) in machines.iter_mut().enumerate() {
                        machine.no_wait &= index < last && !has_breaks;
                        machine.buffer = machine.buffer.filter(|_| index < last && !machine.no_wait);
                    }
                    if machines.iter().all(|machine| *machine == MachineAttributes::default()) {
                        machines.clear();
                    }
                    let Attributes { jobs, families, .. } = entry.attributes;
                    entry.attributes = Attributes { jobs, machines, families, first, precedence, objectives };
                    entry
                },
            )
        })
        // What does not fit together is refused by readers.
        .prop_filter("a plan that can be made", |entry| entry.line().is_ok())
}

proptest! {
    #[test]
    fn csv_keeps_what_jobs_carry(entry in with_jobs()) {
        let text = Format::Csv.write(std::slice::from_ref(&entry)).unwrap();
        let read = Format::Csv.read(&text, CsvOptions::default()).unwrap();
        prop_assert_eq!(&read[0].attributes, &entry.attributes, "{}", text);
        prop_assert_eq!(&read[0].instance, &entry.instance, "{}", text);
    }

    #[test]
    fn json_keeps_everything(entry in whole()) {
        let text = Format::Json.write(std::slice::from_ref(&entry)).unwrap();
        let read = Format::Json.read(&text, CsvOptions::default()).unwrap();
        if entry.attributes.is_plain() {
            prop_assert!(text.contains("pfss.instance/1") && read[0].attributes.is_plain());
        } else {
            prop_assert_eq!(&read[0].attributes, &entry.attributes, "{}", text);
        }
        prop_assert_eq!(&read[0].instance, &entry.instance, "{}", text);
    }

    #[test]
    fn no_text_makes_readers_panic(text in "[\\[\\]{}\":,a-z0-9 .\\-\n]{0,80}") {
        let clock = Clock::new("2026-11-16T06:00", Unit::Minute).unwrap();
        let mut entry: Entry = instance(2, 2, false, false).into();
        let _ = Format::Json.read_at(&text, CsvOptions::default(), Some(&clock));
        let csv = format!("job,M1,due,release,weight,family\n{text}");
        let _ = Format::Csv.read_at(&csv, CsvOptions::default(), Some(&clock));
        let _ = read_setups(&format!("machine,from,to,time\n{text}"), &mut entry);
        let _ = read_breaks(&format!("machine;from;to\n{text}"), &mut entry, Some(&clock));
        let _ = read_machines(&format!("machine,buffer,no_wait\n{text}"), &mut entry, None);
        let _ = Clock::new(&text, Unit::Day);
    }
}
