//! `pfss serve`, by real HTTP against the real program and a real SQLite file; the page in a real browser.

// Functions shared by tests may fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod api;
mod browser;
mod client;
mod crowds;
mod durability;
mod faults;
mod hostile;
mod input;
mod openapi;
mod page;
mod page_access;
mod page_large;
mod page_rules;
mod planning;
mod serving;
mod signals;
mod states;
