//! Paths, names, standard input and archives.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::fs;
use std::path::PathBuf;

use pfss_io::{AnyInstance, Entry, Format, ReadError, ReadOptions, resolve, resolve_with};

const TAILLARD: &str = "2 1 5 9 9\n1 2\n2 1 6 9 9\n3 4\n";

fn names(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.instance.name()).collect()
}

fn find(argument: &str, data: &[PathBuf]) -> Result<Vec<Entry>, ReadError> {
    resolve(argument, data, &ReadOptions::default())
}

#[test]
fn files_and_their_instances() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.txt");
    fs::write(&path, TAILLARD).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(names(&find(path, &[]).unwrap()), ["two#1", "two#2"]);
    assert_eq!(names(&find(&format!("{path}#2"), &[]).unwrap()), ["two#2"]);
    let error = find(&format!("{path}#3"), &[]).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{path}: there is no instance `3` here; there are 2 (numbered from 1): two#1, two#2")
    );
    let error = find(&format!("{path}#x"), &[]).unwrap_err().to_string();
    assert!(error.contains("there is no instance `x` here"), "{error}");
    // A file whose name has the sign in it.
    let odd = folder.path().join("odd#1");
    fs::write(&odd, "1 2\n3 4\n").unwrap();
    assert_eq!(names(&find(odd.to_str().unwrap(), &[]).unwrap()), ["odd#1"]);
}

#[test]
fn titled_instances_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flowshop1.txt");
    let text = " Some text about instances.\n\n +++++++++\n\n instance car1\n\n +++++++++\n 2 machines, 1 job\n 1 2\n 0 5 1 6\n \
                 +++++++++\n\n instance car2\n\n +++++++++\n x\n 1 1\n 0 7\n";
    fs::write(&path, text).unwrap();
    let entries = find(&format!("{}#car2", path.display()), &[]).unwrap();
    assert_eq!(names(&entries), ["car2"]);
    assert_eq!(names(&find(path.to_str().unwrap(), &[]).unwrap()), ["car1", "car2"]);
}

#[test]
fn standard_input() {
    let options = ReadOptions::default();
    let entries = resolve_with("-", &[], &options, &mut &b"1 2\n3 4\n"[..]).unwrap();
    assert_eq!(names(&entries), ["stdin"]);
    let error = resolve_with("-", &[], &options, &mut &b"1 2\n3 x\n"[..]).unwrap_err();
    assert!(error.to_string().starts_with("stdin:2:3: found `x`"), "{error}");
    let entries = resolve_with("-#2", &[], &options, &mut TAILLARD.as_bytes()).unwrap();
    assert_eq!(names(&entries), ["stdin#2"]);
    let square = &mut &b"2 2\n1 2\n3 4\n"[..];
    let options = ReadOptions { format: Some(Format::MachineRows), ..options };
    let AnyInstance::Integer(instance) = resolve_with("-", &[], &options, square).unwrap().remove(0).instance
    else {
        panic!("expected integers")
    };
    assert_eq!(instance.job(0), &[1, 3]);
}

#[test]
fn taillard_by_name() {
    let entry = find("ta056", &[]).unwrap().remove(0);
    assert_eq!(entry.instance.name(), "ta056");
    assert_eq!((entry.instance.num_jobs(), entry.instance.num_machines()), (50, 20));
    assert_eq!(find("Ta1", &[]).unwrap()[0].instance.name(), "ta001");
    for unknown in ["ta000", "ta121", "tango", "missing/ta001"] {
        let error = find(unknown, &[PathBuf::from("data")]).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "{unknown}: there is no file and no known instance of this name; accepted are a path, `-` for standard input, ta001 to ta120, and names of files such as VFR100_20_1 in a data folder (looked below data)"
            )
        );
    }
}

#[test]
fn files_below_data_folders_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("vrf").join("large");
    fs::create_dir_all(&below).unwrap();
    fs::write(below.join("VFR2_1_1_Gap.txt"), "2 1\n0 5\n0 6\n").unwrap();
    fs::write(below.join("line4.csv"), "a,1\nb,2\n").unwrap();
    let data = [PathBuf::from("no-such-folder"), folder.path().to_path_buf()];
    for name in ["VFR2_1_1", "VRF2_1_1", "vfr2_1_1"] {
        assert_eq!(names(&find(name, &data).unwrap()), ["VFR2_1_1"]);
    }
    assert_eq!(find("line4", &data).unwrap()[0].instance.job_names().unwrap(), ["a", "b"]);
    assert!(find("VFR2_1_2", &data).is_err());
    // A folder is no instance.
    let error = find(folder.path().to_str().unwrap(), &data).unwrap_err().to_string();
    assert!(error.contains("cannot read"), "{error}");
}

mod needs_data {
    use super::*;

    /// A file of the folder that `PFSS_DATA` names; benchmark files are no part of the project.
    fn data(file: &str) -> PathBuf {
        let folder = std::env::var_os("PFSS_DATA").unwrap_or_default();
        let path = PathBuf::from(folder).join(file);
        assert!(path.exists(), "this test needs data: PFSS_DATA must name a folder with {file}");
        path
    }

    #[test]
    #[ignore = "needs the benchmark files; PFSS_DATA=FOLDER ./test runs it"]
    fn vallada_ruiz_framinan_by_name_from_archives() {
        let archive = data("vrf_small.tar.xz");
        let folder = data("vrf_large.tar.xz").parent().unwrap().to_path_buf();
        let data = [folder];
        let small = find("VFR10_10_1", &data).unwrap().remove(0).instance;
        assert_eq!((small.name(), small.num_jobs(), small.num_machines()), ("VFR10_10_1", 10, 10));
        let large = find("VFR100_20_1", &data).unwrap().remove(0).instance;
        assert_eq!((large.name(), large.num_jobs(), large.num_machines()), ("VFR100_20_1", 100, 20));
        assert!(large.is_integer());

        let all = find(archive.to_str().unwrap(), &[]).unwrap();
        assert_eq!(all.len(), 240);
        assert_eq!(names(&all)[..2], ["VFR10_5_1", "VFR10_5_2"]);
        let picked = find(&format!("{}#VFR10_10_1", archive.display()), &[]).unwrap();
        assert_eq!(picked[0].instance, small);
        let numbered = find(&format!("{}#2", archive.display()), &[]).unwrap();
        assert_eq!(names(&numbered), ["VFR10_5_2"]);
        assert!(find(&format!("{}#VFR1_1_1", archive.display()), &[]).is_err());
    }
}
