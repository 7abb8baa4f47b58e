//! Cities as JSON, schema `pfss.tsp/1`: one object, or one object per line.
//!
//! ```json
//! {"schema": "pfss.tsp/1", "name": "small", "metric": "euclidean", "points": [[0.0, 0.0], [0.5, 0.25]]}
//! ```
//!
//! `metric` is `euclidean` or `rounded` (to the nearest integer, as in TSPLIB).

use pfss_io::json::values;
use pfss_io::{Problem, ReadError};
use serde::{Deserialize, Serialize};

use crate::{Metric, TspInstance};

/// The schema that is read and written.
pub const SCHEMA: &str = "pfss.tsp/1";

/// The fields of one object. Unknown ones are refused, so that a misspelt name is not silently ignored.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Object {
    schema: String,
    #[serde(default)]
    name: String,
    metric: MetricName,
    points: Vec<[f64; 2]>,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum MetricName {
    Euclidean,
    Rounded,
}

/// Reads all instances of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<TspInstance>, ReadError> {
    let objects: Vec<Object> = values(text)?;
    if objects.is_empty() {
        return Err(ReadError::new(Problem::Empty));
    }
    objects.into_iter().map(instance).collect()
}

fn instance(object: Object) -> Result<TspInstance, ReadError> {
    if object.schema != SCHEMA {
        return Err(ReadError::new(Problem::Schema { found: object.schema, expected: SCHEMA }));
    }
    let metric = match object.metric {
        MetricName::Euclidean => Metric::Euclidean,
        MetricName::Rounded => Metric::Rounded,
    };
    TspInstance::new(&object.name, object.points, metric).map_err(ReadError::new)
}

/// Appends an instance to `out` as one line, so that several follow each other as JSON Lines.
///
/// # Errors
/// When a value has no JSON form; numbers of instances always have one.
pub fn write(instance: &TspInstance, out: &mut String) -> Result<(), serde_json::Error> {
    let metric = match instance.metric() {
        Metric::Euclidean => MetricName::Euclidean,
        Metric::Rounded => MetricName::Rounded,
    };
    let object = Object {
        schema: SCHEMA.to_string(),
        name: instance.name().to_string(),
        metric,
        points: instance.points().to_vec(),
    };
    out.push_str(&serde_json::to_string(&object)?);
    out.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Seed;
    use proptest::prelude::*;

    #[test]
    fn what_is_written_is_read() {
        let mut text = String::new();
        let made: Vec<TspInstance> =
            (0..3).map(|index| TspInstance::uniform(20, Seed::new(1), index).unwrap()).collect();
        made.iter().for_each(|instance| write(instance, &mut text).unwrap());
        assert_eq!(read(&text).unwrap(), made);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        let wrong = message("{\"schema\":\"pfss.instance/1\",\"metric\":\"rounded\",\"points\":[[1,2]]}");
        assert!(wrong.contains("pfss.tsp/1"), "{wrong}");
        let metric = message("{\"schema\":\"pfss.tsp/1\",\"metric\":\"geo\",\"points\":[[1,2]]}");
        assert!(metric.contains("`euclidean` or `rounded`"), "{metric}");
        assert!(
            message("{\"schema\":\"pfss.tsp/1\",\"metric\":\"rounded\",\"points\":[]}").contains("no cities")
        );
        assert!(message("").contains("nothing here"), "{}", message(""));
    }

    proptest! {
        #[test]
        fn garbage_is_an_error(text in "[\\[\\]{}\":,0-9a-z ]{0,60}") {
            let _ = read(&text);
        }
    }
}
