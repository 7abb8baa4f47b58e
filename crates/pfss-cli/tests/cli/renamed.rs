//! Options under their names of the release before.

use crate::harness::{Folder, NAMED};

#[test]
fn old_names_work_with_a_hint() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    let done = folder.run("bench named.csv -a neh --evaluations 10 --jobs 1");
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.err.starts_with("warning: `--jobs` is now `--threads`\n"), "{}", done.err);
    assert_eq!(folder.run("-q bench named.csv -a neh --evaluations 10 --jobs 1").err, "");

    let done = folder.run("generate uniform -n 3 -m 2 -s 1 --format csv");
    assert_eq!(done.err, "warning: `--format` is now `--to`\n");
    assert_eq!(done.out, folder.run("generate uniform -n 3 -m 2 -s 1 --to csv").ok());

    let done = folder.run("eval -s 1 -j 1 --data named.csv --json");
    insta::assert_snapshot!(done.err, @"warning: `--data named.csv` is now `named.csv`: `--data` names a folder of benchmark files; instances need no option");
    assert_eq!(done.out.lines().count(), 2, "{}", done.out);
}

#[test]
fn errors_that_name_the_new_option_say_what_became_of_the_old_one() {
    let folder = Folder::new();
    let told = folder.run("bench ta001 --jobs x").fails();
    assert!(told.contains("'--threads <N>'"), "{told}");
    assert!(told.ends_with("hint: `--jobs` is now `--threads`\n"), "{told}");
}

#[test]
fn help_shows_the_new_names_alone() {
    let folder = Folder::new();
    for (command, new, old) in [
        ("bench", "--threads <N>", "--jobs"),
        ("reproduce", "--seed <SEED,...>", "--seeds"),
        ("generate", "--to <FORMAT>", "--format"),
        ("train ac", "--normalisation <NORMALIZATION>", "--normalization"),
        ("plot convergence", "--linear-time", "--log"),
    ] {
        let help = folder.run(&format!("{command} --help")).ok();
        assert!(help.contains(new) && !help.contains(old), "{command}: {help}");
    }
}

#[test]
fn eval_looks_up_names_in_the_folder_of_data() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("lib")).unwrap();
    std::fs::write(folder.path("lib/VFR10_5_1_Gap.txt"), "2 2\n0 3 1 4\n0 2 1 1\n").unwrap();
    let out = folder.run("eval VFR10_5_1 --data lib -s 1 -j 1 --json").ok();
    assert!(out.contains("\"group\":\"VFR10_5_1\""), "{out}");
}
