//! `pfss man`.

use crate::harness::Folder;

/// The commands that the help of a command lists.
fn commands(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.run(&format!("{command} --help")).ok();
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Texts that go over several lines are indented further.
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_string).collect()
}

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new();
    let done = folder.run("man pages");
    let mut expected = vec!["pfss.1".to_string()];
    for command in commands(&folder, "") {
        expected.push(format!("pfss-{command}.1"));
        expected.extend(commands(&folder, &command).iter().map(|part| format!("pfss-{command}-{part}.1")));
    }
    assert!(expected.len() > 18 && expected.contains(&"pfss-plot-gantt.1".to_string()), "{expected:?}");
    assert_eq!(done.transcript(), format!("{} pages in pages\nexit code 0", expected.len()));
    let mut written: Vec<String> = std::fs::read_dir(folder.path("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    expected.sort();
    assert_eq!(written, expected);
    for name in &written {
        let page = folder.read(&format!("pages/{name}"));
        let title = name.trim_end_matches(".1");
        assert!(page.contains(&format!(".TH {} 1 ", title.to_uppercase())), "{page}");
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS"] {
            assert!(page.contains(section), "{name}: {section}");
        }
    }
    let bench = folder.read("pages/pfss-bench.1");
    assert!(bench.contains(".SH EXAMPLES\n.nf\n  pfss bench taillard \\-\\-time\\-factor 30"), "{bench}");
    assert!(folder.run("-q man pages").ok().is_empty());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::with(&[("file", "")]);
    let told = folder.run("man file/pages").fails();
    assert!(told.starts_with("error: file/pages: cannot create the folder"), "{told}");
}
