//! Many processes, started by `mpirun`: rank 0 runs the command, and the others work for it.

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use pfss_core::CancelFlag;
use pfss_mpi::{Exchange, MpiExchange, Workplace, is_launched, on_ranks, work};

use crate::machine::cores;
use crate::{interrupt, job, machine};

/// How long leaving MPI may take after a signal.
const PATIENCE: Duration = Duration::from_millis(200);

/// Runs the program: as rank 0, for rank 0, or alone where `mpirun` did not start it.
pub(crate) fn run(program: fn() -> ExitCode) -> ExitCode {
    if !is_launched() {
        return program();
    }
    let code = on_ranks(|exchange| {
        job::join(exchange);
        let code = if exchange.rank() == 0 { lead(program) } else { follow(exchange) };
        if interrupt::is_seen() {
            end_soon(code);
        }
        code
    });
    code.unwrap_or_else(program)
}

/// After a signal `mpirun` takes the job down, and ranks that leave MPI would wait for it in vain.
fn end_soon(code: ExitCode) {
    thread::spawn(move || {
        thread::sleep(PATIENCE);
        std::process::exit(number(code).into());
    });
}

/// Who has died, in words.
pub(crate) fn silence(lost: &[usize]) -> String {
    let ranks: Vec<String> = lost.iter().map(usize::to_string).collect();
    let (noun, verb) = if ranks.len() == 1 { ("rank", "answers") } else { ("ranks", "answer") };
    format!("{noun} {} no longer {verb}", ranks.join(", "))
}

/// The number of an exit code.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(u8::MAX)
}

fn lead(program: fn() -> ExitCode) -> ExitCode {
    let code = program();
    if let Some(leader) = job::leader() {
        leader.quit();
    }
    code
}

fn follow(exchange: &MpiExchange) -> ExitCode {
    let interrupted = interrupt::install().unwrap_or_else(|_| CancelFlag::new());
    let (threads, memory) = (cores(), machine::default_budget());
    let crafts = vec![
        #[cfg(feature = "tsp")]
        pfss_tsp::TOUR_CRAFT,
    ];
    let workplace = Workplace { threads, memory, interrupted, crafts };
    work(exchange, &workplace);
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target that was missed when a signal came was told as a wrong input.
    #[test]
    fn exit_codes_keep_their_numbers() {
        for code in [0, 1, 2, 130] {
            assert_eq!(number(ExitCode::from(code)), code);
        }
        assert_eq!(number(ExitCode::SUCCESS), 0);
    }
}
