//! From what a user writes for cities to the instances: a path, `-`, or the name of a TSPLIB file.

use std::io::Read;
use std::path::{Path, PathBuf};

use pfss_io::{Problem, ReadError};

use super::error::TsplibError;
use super::{tsp_json, tsplib};
use crate::TspInstance;

/// All instances that an argument stands for, and the file that they are in: a path (TSPLIB or `pfss.tsp/1`), `-` for `stdin`, or a name such as
/// `berlin52` that is looked up as `NAME.tsp` or `tsplib/NAME.tsp` below `data`. A path that exists wins.
///
/// # Errors
/// [`ReadError`] says what is wrong and what would be accepted.
pub fn resolve_tsp(
    argument: &str,
    data: &[PathBuf],
    stdin: &mut dyn Read,
) -> Result<(Vec<TspInstance>, Option<PathBuf>), ReadError> {
    if argument == "-" {
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).map_err(|error| ReadError::new(error).in_file("stdin"))?;
        return Ok((read_tsp(bytes, "stdin", "stdin")?, None));
    }
    let path = if Path::new(argument).is_file() { PathBuf::from(argument) } else { find(argument, data)? };
    let shown = path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|error| ReadError::new(error).in_file(&shown))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok((read_tsp(bytes, &shown, &stem)?, Some(path.clone())))
}

/// Reads instances from the content of a file; those without a name get `name`.
fn read_tsp(bytes: Vec<u8>, file: &str, name: &str) -> Result<Vec<TspInstance>, ReadError> {
    let parsed = match String::from_utf8(bytes) {
        Ok(text) if text.trim_start().starts_with('{') => tsp_json::read(&text),
        Ok(text) if text.trim().is_empty() => Err(ReadError::new(Problem::Empty)),
        Ok(text) => tsplib::read(&text).map(|instance| vec![instance]),
        Err(_) => Err(ReadError::new(TsplibError { message: "this is not UTF-8 text".to_string() })),
    };
    let named = |instance: TspInstance| {
        if instance.name().is_empty() { instance.with_name(name) } else { instance }
    };
    parsed.map(|instances| instances.into_iter().map(named).collect()).map_err(|error| error.in_file(file))
}

fn find(name: &str, data: &[PathBuf]) -> Result<PathBuf, ReadError> {
    // A name with a folder in it is a path that does not exist.
    if !name.is_empty() && !name.contains(['/', '\\']) {
        for folder in data {
            let places =
                [folder.join(format!("{name}.tsp")), folder.join("tsplib").join(format!("{name}.tsp"))];
            if let Some(path) = places.into_iter().find(|path| path.is_file()) {
                return Ok(path);
            }
        }
    }
    let folders: Vec<String> = data.iter().map(|folder| folder.display().to_string()).collect();
    let accepted = format!(
        "accepted are a path (TSPLIB .tsp or JSON of schema {}), `-` for standard input, and NAME for NAME.tsp or \
         tsplib/NAME.tsp in a data folder (looked in {})",
        tsp_json::SCHEMA,
        folders.join(", ")
    );
    Err(ReadError::new(Problem::NotFound { accepted }).in_file(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "TYPE : TSP\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n";

    #[test]
    fn names_are_looked_up_below_the_data_folders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("tsplib")).unwrap();
        std::fs::write(folder.path().join("tsplib/two.tsp"), TWO).unwrap();
        let data = [folder.path().to_path_buf()];
        let (found, _) = resolve_tsp("two", &data, &mut std::io::empty()).unwrap();
        assert_eq!((found.len(), found[0].name(), found[0].num_cities()), (1, "two", 2));
        let missing = resolve_tsp("three", &data, &mut std::io::empty()).unwrap_err().to_string();
        assert!(missing.contains("tsplib/NAME.tsp"), "{missing}");
    }

    #[test]
    fn standard_input_has_either_form() {
        let read = |text: &str| resolve_tsp("-", &[], &mut text.as_bytes()).map(|(instances, _)| instances);
        assert_eq!(read(TWO).unwrap()[0].name(), "stdin");
        let json = "{\"schema\":\"pfss.tsp/1\",\"metric\":\"euclidean\",\"points\":[[0,0]]}";
        assert_eq!(read(json).unwrap()[0].num_cities(), 1);
        assert!(read("x").unwrap_err().to_string().starts_with("stdin:1:1: "));
    }
}
