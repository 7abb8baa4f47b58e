//! TSPLIB (Reinelt 1991): cities in the plane with rounded Euclidean distances, and tours.
//!
//! Read are files of `TYPE : TSP` with `EDGE_WEIGHT_TYPE : EUC_2D` and a `NODE_COORD_SECTION`, and files of
//! `TYPE : TOUR` with a `TOUR_SECTION`. Cities count from 1 in both, as the format wants it.

use std::fmt::Write;

use pfss_core::JobId;
use pfss_io::{ReadError, excerpt};

use super::error::TsplibError;
use crate::{Metric, TspInstance};

const ACCEPTED: &str = "accepted are `TYPE : TSP` with `EDGE_WEIGHT_TYPE : EUC_2D` and a NODE_COORD_SECTION";

/// Words of a line and where it starts in the text.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    /// The next line that is not empty, and its offset.
    fn next(&mut self) -> Option<(usize, &'a str)> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let line = rest.split('\n').next().unwrap_or_default();
            let start = self.at;
            self.at += line.len() + 1;
            if !line.trim().is_empty() {
                return Some((start + (line.len() - line.trim_start().len()), line.trim()));
            }
        }
        None
    }

    fn error(&self, offset: usize, message: String) -> ReadError {
        ReadError::at(self.text.as_bytes(), offset, TsplibError { message })
    }
}

/// What stands above the data.
#[derive(Default)]
struct Header {
    name: String,
    dimension: Option<usize>,
    edge_weight_type: Option<(usize, String)>,
    kind: Option<(usize, String)>,
}

/// Reads the lines `KEYWORD : VALUE` until the line `section`.
fn header(lines: &mut Lines<'_>, section: &str) -> Result<Header, ReadError> {
    let mut header = Header::default();
    while let Some((offset, line)) = lines.next() {
        let (keyword, value) = match line.split_once(':') {
            Some((keyword, value)) => (keyword.trim(), value.trim()),
            None => (line, ""),
        };
        match keyword.to_ascii_uppercase().as_str() {
            keyword if keyword == section => return Ok(header),
            "NAME" => header.name = value.to_string(),
            "DIMENSION" => match value.parse() {
                Ok(dimension) => header.dimension = Some(dimension),
                Err(_) => {
                    let found = excerpt(value.as_bytes());
                    let message = format!("DIMENSION is `{found}`, but must be a number of cities");
                    return Err(lines.error(offset, message));
                }
            },
            "TYPE" => header.kind = Some((offset, value.to_ascii_uppercase())),
            "EDGE_WEIGHT_TYPE" => header.edge_weight_type = Some((offset, value.to_ascii_uppercase())),
            "COMMENT" | "NODE_COORD_TYPE" | "DISPLAY_DATA_TYPE" | "EDGE_DATA_FORMAT"
            | "EDGE_WEIGHT_FORMAT" => {}
            _ => {
                let found = excerpt(line.as_bytes());
                return Err(
                    lines.error(offset, format!("`{found}` is not expected before {section}; {ACCEPTED}"))
                );
            }
        }
    }
    let end = lines.text.len();
    Err(lines.error(end, format!("the file has no {section}; {ACCEPTED}")))
}

/// Reads an instance.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<TspInstance, ReadError> {
    let mut lines = Lines { text, at: 0 };
    let header = header(&mut lines, "NODE_COORD_SECTION")?;
    if let Some((offset, kind)) =
        header.kind.filter(|(_, kind)| kind.split_whitespace().next() != Some("TSP"))
    {
        let found = excerpt(kind.as_bytes());
        return Err(lines.error(offset, format!("TYPE is `{found}`; {ACCEPTED}")));
    }
    match header.edge_weight_type {
        Some((_, kind)) if kind == "EUC_2D" => {}
        Some((offset, kind)) => {
            let found = excerpt(kind.as_bytes());
            return Err(lines.error(offset, format!("EDGE_WEIGHT_TYPE is `{found}`; {ACCEPTED}")));
        }
        None => return Err(lines.error(lines.at, format!("EDGE_WEIGHT_TYPE is missing; {ACCEPTED}"))),
    }
    let mut points = Vec::new();
    while let Some((offset, line)) = lines.next() {
        if line.eq_ignore_ascii_case("EOF") {
            break;
        }
        points.push(point(&lines, offset, line, points.len() + 1)?);
    }
    if let Some(dimension) = header.dimension.filter(|&dimension| dimension != points.len()) {
        let message = format!("DIMENSION is {dimension}, but there are {} cities", points.len());
        return Err(lines.error(lines.at, message));
    }
    TspInstance::new(&header.name, points, Metric::Rounded).map_err(ReadError::new)
}

/// A line `NUMBER X Y`.
fn point(lines: &Lines<'_>, offset: usize, line: &str, number: usize) -> Result<[f64; 2], ReadError> {
    let words: Vec<&str> = line.split_whitespace().take(4).collect();
    let found = || excerpt(line.as_bytes());
    let [id, x, y] = words[..] else {
        return Err(lines.error(offset, format!("expected `{number} X Y`, found `{}`", found())));
    };
    if id.parse() != Ok(number) {
        let message = format!("expected city {number}, found `{}`; cities count from 1", found());
        return Err(lines.error(offset, message));
    }
    match (x.parse::<f64>(), y.parse::<f64>()) {
        (Ok(x), Ok(y)) if x.is_finite() && y.is_finite() => Ok([x, y]),
        _ => Err(lines.error(offset, format!("expected two coordinates, found `{}`", found()))),
    }
}

/// Reads a tour as 0-based cities; whether they are an order of all is for [`pfss_core::Permutation`] to say.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_tour(text: &str) -> Result<Vec<JobId>, ReadError> {
    let mut lines = Lines { text, at: 0 };
    let header = header(&mut lines, "TOUR_SECTION")?;
    if let Some((offset, kind)) = header.kind.filter(|(_, kind)| kind != "TOUR") {
        let found = excerpt(kind.as_bytes());
        return Err(lines.error(offset, format!("TYPE is `{found}`, but must be TOUR")));
    }
    let mut order = Vec::new();
    'lines: while let Some((offset, line)) = lines.next() {
        for word in line.split_whitespace() {
            match word.parse::<JobId>() {
                Ok(city) if city > 0 => order.push(city - 1),
                _ if word == "-1" || word.eq_ignore_ascii_case("EOF") => break 'lines,
                _ => {
                    let found = excerpt(word.as_bytes());
                    let message = format!("expected a city (from 1) or -1 at the end, found `{found}`");
                    return Err(lines.error(offset, message));
                }
            }
        }
    }
    if let Some(dimension) = header.dimension.filter(|&dimension| dimension != order.len()) {
        let message = format!("DIMENSION is {dimension}, but the tour has {} cities", order.len());
        return Err(lines.error(lines.at, message));
    }
    Ok(order)
}

/// A name that fits on one line.
fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends an instance to `out`. The format has rounded distances only: check the metric before.
pub fn write(instance: &TspInstance, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "NAME : {}\nTYPE : TSP", one_line(instance.name()));
    let _ = writeln!(out, "DIMENSION : {}\nEDGE_WEIGHT_TYPE : EUC_2D", instance.num_cities());
    out.push_str("NODE_COORD_SECTION\n");
    for (number, [x, y]) in (1..).zip(instance.points()) {
        let _ = writeln!(out, "{number} {x:?} {y:?}");
    }
    out.push_str("EOF\n");
}

/// Appends a tour of 0-based cities to `out`.
pub fn write_tour(name: &str, length: f64, order: &[JobId], out: &mut String) {
    let _ = writeln!(out, "NAME : {}.tour\nCOMMENT : length {length}\nTYPE : TOUR", one_line(name));
    let _ = writeln!(out, "DIMENSION : {}\nTOUR_SECTION", order.len());
    for &city in order {
        let _ = writeln!(out, "{}", u64::from(city) + 1);
    }
    out.push_str("-1\nEOF\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SMALL: &str = "NAME: small\nTYPE : TSP\nCOMMENT : a : b\nDIMENSION : 3\nEDGE_WEIGHT_TYPE: EUC_2D\n\
                         NODE_COORD_SECTION\n1 0 0\n 2 3.0e+00 4\n3 -1.5 2e1\nEOF\n";

    #[test]
    fn instances_are_read_with_any_spacing() {
        for text in [SMALL.to_string(), SMALL.replace('\n', "\r\n"), SMALL.replace("EOF\n", "")] {
            let instance = read(&text).unwrap();
            assert_eq!((instance.name(), instance.metric()), ("small", Metric::Rounded));
            assert_eq!(instance.points(), [[0.0, 0.0], [3.0, 4.0], [-1.5, 20.0]]);
        }
    }

    #[test]
    fn errors_name_the_line_and_what_is_accepted() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        let geo = message(&SMALL.replace("EUC_2D", "GEO"));
        assert_eq!(geo, format!("line 5, column 1: EDGE_WEIGHT_TYPE is `GEO`; {ACCEPTED}"));
        assert!(message(&SMALL.replace(": TSP", ": ATSP")).starts_with("line 2, column 1: TYPE is `ATSP`"));
        assert!(message(&SMALL.replace(" 2 3", " 4 3")).starts_with("line 8, column 2: expected city 2"));
        assert!(
            message(&SMALL.replace("2e1", "x")).starts_with("line 9, column 1: expected two coordinates")
        );
        assert!(
            message(&SMALL.replace("ON : 3", "ON : 4")).ends_with("DIMENSION is 4, but there are 3 cities")
        );
        assert!(message("NAME : x\n").contains("the file has no NODE_COORD_SECTION"));
        assert!(message("5 3\n1 2\n").starts_with("line 1, column 1: `5 3` is not expected"));
        let tour = read_tour("TYPE : TOUR\nTOUR_SECTION\n1 2\nx\n").unwrap_err().to_string();
        assert!(tour.starts_with("line 4, column 1: expected a city (from 1)"), "{tour}");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            points in prop::collection::vec(prop::array::uniform2(-1e9f64..1e9), 1..20),
            shift in 0usize..20,
        ) {
            let instance = TspInstance::new("a b", points, Metric::Rounded).unwrap();
            let mut text = String::new();
            write(&instance, &mut text);
            prop_assert_eq!(&read(&text).unwrap(), &instance);
            let mut order: Vec<JobId> = (0..instance.num_cities() as JobId).collect();
            order.rotate_left(shift % instance.num_cities());
            let mut text = String::new();
            write_tour("a", 1.5, &order, &mut text);
            prop_assert_eq!(read_tour(&text).unwrap(), order);
        }

        #[test]
        fn garbage_is_an_error(garbage in "[A-Z_:0-9 .\\-\n\r\u{e4}]{0,60}", cut in 0usize..150) {
            let mut end = cut.min(SMALL.len());
            while !SMALL.is_char_boundary(end) { end -= 1 }
            for text in [garbage.clone(), format!("{}{garbage}", &SMALL[..end])] {
                let _ = (read(&text), read_tour(&text));
            }
        }
    }
}
