#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use pfss_server::{Bounds, ServerConfig, read_request};

// The first line is the query, the rest the body.
fuzz_target!(|text: &str| {
    let (query, body) = text.split_once('\n').unwrap_or(("", text));
    let config = ServerConfig {
        listen: ([127, 0, 0, 1], 0).into(),
        store: "unused".into(),
        workers: 1,
        max_time: Duration::from_secs(600),
        token: None,
        origins: Vec::new(),
        cores: 1,
        memory: 1 << 28,
        bounds: Bounds { operations: 10_000, ..Bounds::default() },
    };
    for media_type in ["application/json", "text/csv"] {
        if let Err(sentence) = read_request(media_type, query, body.as_bytes(), &config) {
            assert!(!sentence.is_empty());
        }
    }
});
