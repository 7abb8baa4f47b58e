//! JSON and queries as typed values. What is wrong is told in a user's words, with its place.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, de};
use serde_json::Value;

use crate::problem::Problem;

/// A JSON body: one object.
pub(crate) fn object<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Problem> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let Object(content) =
        serde_path_to_error::deserialize(&mut deserializer).map_err(|error| at_path(&error))?;
    deserializer.end().map_err(|error| told(None, &error))?;
    Ok(content)
}

/// The same of an object that was put together from the keys and values of a query.
pub(crate) fn of_pairs<T: DeserializeOwned>(pairs: serde_json::Map<String, Value>) -> Result<T, Problem> {
    serde_path_to_error::deserialize(Value::Object(pairs)).map_err(|error| at_path(&error))
}

/// The problem of a member that cannot be read.
fn at_path(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    told(Some(&error.path().to_string()), error.inner())
}

/// The problem of a body that cannot be read: what stands there, where, and what would be accepted.
fn told(path: Option<&str>, error: &serde_json::Error) -> Problem {
    let mut reason = pfss_io::json::words(error);
    let says_which = ["`", "unknown field "].iter().any(|start| reason.starts_with(start));
    if let Some(path) = path.filter(|path| ![".", "?"].contains(path) && !says_which) {
        reason = format!("{path}: {reason}");
    }
    let small = |number: usize| u32::try_from(number).ok().filter(|number| *number > 0);
    Problem::malformed(reason).at(small(error.line()), small(error.column()))
}

/// An object: serde's own structs also take lists, by position.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// An object, or nothing; for `deserialize_with`.
pub(crate) fn optional<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Object<T>>::deserialize(deserializer)?.map(|Object(content)| content))
}

/// Parameters of an algorithm: keys with values, or texts `key=value`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) enum Assignment {
    /// From an object.
    Pair(String, String),
    /// From a list.
    Text(String),
}

/// An object, a list of `key=value`, or one such text; for `deserialize_with`.
pub(crate) fn assignments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Assignment>, D::Error> {
    struct Assignments;
    impl<'de> Visitor<'de> for Assignments {
        type Value = Vec<Assignment>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object, or a list of `key=value`")
        }

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }

        fn visit_str<E: de::Error>(self, one: &str) -> Result<Self::Value, E> {
            Ok(vec![Assignment::Text(one.to_string())])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(one) = list.next_element()? {
                all.push(Assignment::Text(one));
            }
            Ok(all)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some((key, value)) = map.next_entry::<String, Value>()? {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
                all.push(Assignment::Pair(key, value));
            }
            Ok(all)
        }
    }
    deserializer.deserialize_any(Assignments)
}

/// `true` or `false` in a query.
pub(crate) fn truth(key: &str, text: &str) -> Result<bool, Problem> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Problem::malformed(format!("{key}: found `{text}`, expected true or false"))),
    }
}

/// A whole number in a query or a header: digits and nothing else.
pub(crate) fn digits(key: &str, text: &str) -> Result<u64, Problem> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse::<u64>().ok().filter(|_| is_plain);
    let expected = || Problem::malformed(format!("{key}: found `{text}`, expected a whole number from 0"));
    number.ok_or_else(expected)
}

/// Keys and values of a query.
pub(crate) type Pairs<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// The keys and values of a query, each key at most once but for those in `several`.
pub(crate) fn pairs<'a>(query: &'a str, several: &[&str]) -> Result<Pairs<'a>, Problem> {
    let mut pairs = Pairs::new();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        if !several.contains(&key.as_ref()) && pairs.iter().any(|(other, _)| *other == key) {
            return Err(Problem::malformed(format!("`{key}` stands in the query twice")));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields, default)]
    struct Inner {
        count: Option<u32>,
        size: Option<f64>,
        places: Vec<u32>,
        #[serde(deserialize_with = "assignments")]
        set: Vec<Assignment>,
        flag: bool,
        name: Option<String>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[serde(deserialize_with = "optional", default)]
        inner: Option<Inner>,
        order: Value,
    }

    fn sentence(body: &str) -> String {
        object::<Outer>(body.as_bytes()).map(|outer| format!("{outer:?}")).unwrap_err().detail().to_string()
    }

    #[test]
    fn what_is_accepted_is_read_as_it_stands() {
        let body = r#"{"order": [1], "inner": {"count": 3, "size": 2, "places": [0, 1], "set": {"a": 1, "b": "x"}}}"#;
        let outer: Outer = object(body.as_bytes()).unwrap();
        let pair = |key: &str, value: &str| Assignment::Pair(key.into(), value.into());
        let expected = Inner {
            count: Some(3),
            size: Some(2.0),
            places: vec![0, 1],
            set: vec![pair("a", "1"), pair("b", "x")],
            ..Inner::default()
        };
        assert_eq!(outer.inner, Some(expected));
        let none: Outer = object(br#"{"order": 1, "inner": null}"#).unwrap();
        assert!(none.inner.is_none() && none.order == 1);
        let listed: Outer = object(br#"{"order": 1, "inner": {"set": ["a=1"], "count": null}}"#).unwrap();
        assert_eq!(listed.inner.unwrap().set, [Assignment::Text("a=1".into())]);
    }

    /// Also a list by position, a member that stands twice, and no name of a type of this language.
    #[test]
    fn what_is_wrong_is_told_in_words_with_its_place() {
        for (body, expected) in [
            ("[1]", "found a list, expected an object"),
            ("null", "found null, expected an object"),
            ("5", "found `5`, expected an object"),
            ("{}", "`order` is missing"),
            (r#"{"order": 1, "order": 2}"#, "`order` stands there twice (line 1, column 20)"),
            (r#"{"order": 1, "inner": [1]}"#, "inner: found a list, expected an object"),
            (
                r#"{"order": 1, "inner": {"count": "many"}}"#,
                "inner.count: found string \"many\", expected a whole number from 0",
            ),
            (
                r#"{"order": 1, "inner": {"count": -1}}"#,
                "inner.count: found `-1`, expected a whole number from 0",
            ),
            (r#"{"order": 1, "inner": {"count": 1.5}}"#, "found `1.5`, expected a whole number from 0"),
            (
                r#"{"order": 1, "inner": {"count": 5000000000}}"#,
                "found `5000000000`, expected a whole number from 0 to 4294967295",
            ),
            (r#"{"order": 1, "inner": {"count": 1, "count": 1}}"#, "`count` stands there twice"),
            (
                r#"{"order": 1, "inner": {"size": "big"}}"#,
                "inner.size: found string \"big\", expected a number",
            ),
            (r#"{"order": 1, "inner": {"size": {}}}"#, "inner.size: found an object, expected a number"),
            (r#"{"order": 1, "inner": {"places": 1}}"#, "expected a list"),
            (
                r#"{"order": 1, "inner": {"places": ["a"]}}"#,
                "inner.places[0]: found string \"a\", expected a whole number",
            ),
            (r#"{"order": 1, "inner": {"set": 5}}"#, "expected an object, or a list of `key=value`"),
            (
                r#"{"order": 1, "inner": {"flag": "yes"}}"#,
                "inner.flag: found string \"yes\", expected a boolean",
            ),
            (r#"{"order": 1, "inner": {"name": 5}}"#, "expected a string"),
            (r#"{"order": 1, "inner": {"colour": 5}}"#, "unknown field `colour`, expected one of"),
            (r#"{"order": 1} 5"#, "trailing characters"),
            (r#"{"order": 1"#, "EOF while parsing"),
        ] {
            let sentence = sentence(body);
            assert!(sentence.contains(expected), "{body}: {sentence}");
            for word in ["u32", "u64", "usize", "i64", "f64", "struct", "tuple", "map", "sequence", "Option"]
            {
                assert!(!sentence.contains(word), "{body}: {sentence}");
            }
        }
    }

    #[test]
    fn a_query_says_each_thing_once_and_in_one_way() {
        assert_eq!(pairs("a=1&b=2&c=3&c=4", &["c"]).unwrap().len(), 4);
        assert!(pairs("a=1&b=2&a=1", &["c"]).unwrap_err().detail().contains("`a` stands in the query twice"));
        assert_eq!((truth("x", "true").unwrap(), truth("x", "false").unwrap()), (true, false));
        for text in ["", "True", "False", "0", "1", "no", "yes"] {
            assert!(truth("x", text).unwrap_err().detail().contains("expected true or false"), "{text}");
        }
        assert_eq!(digits("x", "12").unwrap(), 12);
        for text in ["", "+1", "-1", "1.0", "1e3", " 1", "99999999999999999999"] {
            assert!(digits("x", text).is_err(), "{text}");
        }
    }
}
