//! Whole commands: standard output, standard error, exit code and the files they leave.

mod bad_input;
mod check;
mod describe;
mod generate;
mod harness;
mod plot;
mod signals;
mod solve;
