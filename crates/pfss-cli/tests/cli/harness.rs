//! Runs the program in an empty folder and tells what it did.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Three jobs and two machines with names.
pub(crate) const NAMED: &str = "job,cut,weld\nA,3,4\nB,2,1\nC,5,2\n";

/// A folder of its own for one test.
pub(crate) struct Folder(TempDir);

/// What a command did.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, content) in files {
            std::fs::write(folder.path(name), content).unwrap();
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program in this folder, with no settings of the user. `MODELS` stands for the project's folder of models.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pfss"));
        let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        command.current_dir(self.0.path());
        command.args(arguments.split_whitespace().map(|word| word.replace("MODELS", models)));
        command.env_remove("PFSS_DATA").env_remove("NO_COLOR");
        command
    }

    /// Runs the program with these arguments, separated by blanks.
    pub(crate) fn run(&self, arguments: &str) -> Done {
        self.run_with(arguments, "")
    }

    /// Runs the program with this text on standard input.
    pub(crate) fn run_with(&self, arguments: &str, stdin: &str) -> Done {
        let output =
            assert_cmd::Command::from_std(self.command(arguments)).write_stdin(stdin).output().unwrap();
        Done {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Done {
    /// The output of a command that must succeed without a word on standard error.
    pub(crate) fn ok(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// What a command that must fail says.
    pub(crate) fn fails(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{}", self.err);
        self.err
    }

    /// The one JSON object that a command printed.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// All that can be seen, in one text.
    pub(crate) fn transcript(&self) -> String {
        format!("{}{}exit code {}", self.out, self.err, self.code.unwrap_or(-1))
    }
}

/// The text with the value of each `time` line left out.
pub(crate) fn without_times(text: &str) -> String {
    let line = |line: &str| {
        if line.starts_with("time ") { "time         [...]".to_string() } else { line.to_string() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
