//! Messages over MPI. Only the main thread calls it (`MPI_THREAD_FUNNELED`): it carries what the others leave here.

use std::collections::VecDeque;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::ffi;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::AsRaw;

use crate::exchange::Exchange;
use crate::parts::{Assembly, split};
use crate::pulse::Pulse;

/// How long the main thread sleeps where nothing comes or goes: briefly for a while after a message, because answers follow, and
/// longer otherwise, because each look takes time from a search on the same core. What is sent wakes it at once.
const SHORT_NAP: Duration = Duration::from_micros(100);
const LONG_NAP: Duration = Duration::from_millis(2);

/// So long after a message. With ten times as much, two ranks priced a tenth fewer nodes: looks are not free.
const ALERT: Duration = Duration::from_millis(1);

/// How long the last messages may take to leave at the end.
const PATIENCE: Duration = Duration::from_millis(500);

/// Variables that the launchers of OpenMPI, MPICH, Intel MPI and Slurm set.
const LAUNCHERS: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"];

/// The exit code of a process that panicked, as Rust has it.
const PANICKED: c_int = 101;

/// All messages have one tag, so that none overtakes another.
const TAG: c_int = 1;

/// Longer messages go in parts: MPI counts bytes with 32 bits.
const MOST_BYTES: usize = 1 << 30;

/// A process of an MPI job.
pub struct MpiExchange {
    rank: usize,
    ranks: usize,
    neighbours: usize,
    outbox: Letters,
    inbox: Letters,
    has_losses: AtomicBool,
    lost: Mutex<Vec<usize>>,
}

impl MpiExchange {
    /// These processes have died.
    fn lose(&self, ranks: Vec<usize>) {
        if !ranks.is_empty() {
            *self.lost.lock().unwrap_or_else(PoisonError::into_inner) = ranks;
            self.note_loss();
        }
    }
}

/// Messages that wait for a thread.
#[derive(Default)]
struct Letters {
    waiting: Mutex<VecDeque<(usize, Vec<u8>)>>,
    changed: Condvar,
}

impl Letters {
    fn put(&self, other: usize, message: Vec<u8>) {
        self.lock().push_back((other, message));
        self.changed.notify_one();
    }

    fn take(&self, patience: Duration) -> Option<(usize, Vec<u8>)> {
        let until = Instant::now() + patience;
        let mut waiting = self.lock();
        loop {
            if let Some(letter) = waiting.pop_front() {
                return Some(letter);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.changed.wait_timeout(waiting, left);
            waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(usize, Vec<u8>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange for MpiExchange {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn neighbours(&self) -> usize {
        self.neighbours
    }

    fn lost(&self) -> Vec<usize> {
        if !self.has_losses.load(Ordering::Relaxed) {
            return Vec::new();
        }
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note_loss(&self) {
        self.has_losses.store(true, Ordering::Relaxed);
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        self.outbox.put(to, message);
    }

    fn receive(&self, patience: Duration) -> Option<(usize, Vec<u8>)> {
        self.inbox.take(patience)
    }
}

/// Whether this process was started as a rank of an MPI job.
pub fn is_launched() -> bool {
    LAUNCHERS.iter().any(|name| std::env::var_os(name).is_some())
}

/// Joins the MPI job and runs `program` on a thread of its own, while this one, which must be the main thread, carries the
/// messages. `None` when MPI cannot be started.
pub fn on_ranks<R: Send>(program: impl FnOnce(&'static MpiExchange) -> R + Send) -> Option<R> {
    let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
    let world = universe.world();
    let mine = world.split_shared(world.rank());
    let exchange = MpiExchange {
        rank: world.rank() as usize,
        ranks: world.size() as usize,
        neighbours: mine.size() as usize,
        outbox: Letters::default(),
        inbox: Letters::default(),
        has_losses: AtomicBool::new(false),
        lost: Mutex::default(),
    };
    // One for the life of the process, as MPI is.
    let exchange: &'static MpiExchange = Box::leak(Box::new(exchange));
    let is_done = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        let main = scope.spawn(|| {
            let result = program(exchange);
            is_done.store(true, Ordering::Relaxed);
            result
        });
        Carrier::new(&world, exchange).carry(&|| is_done.load(Ordering::Relaxed) || main.is_finished());
        main.join()
    });
    // The others would wait for a process that panicked, and leaving MPI would wait for them.
    let Ok(result) = result else { world.abort(PANICKED) };
    if exchange.has_losses.load(Ordering::Relaxed) {
        // Leaving MPI would wait for those who died.
        std::mem::forget((mine, universe));
    }
    Some(result)
}

/// The main thread's part.
struct Carrier<'a> {
    world: &'a SimpleCommunicator,
    exchange: &'a MpiExchange,
    /// What is on its way: MPI reads the bytes until the request is complete.
    sending: Vec<(ffi::MPI_Request, Vec<u8>)>,
    /// What has come of the message of each rank.
    coming: Vec<Assembly>,
    pulse: Pulse,
}

impl<'a> Carrier<'a> {
    fn new(world: &'a SimpleCommunicator, exchange: &'a MpiExchange) -> Self {
        // SAFETY: the communicator lives as long as the universe. When a rank dies, calls return instead of ending this process
        // before it has written what it found.
        unsafe { ffi::MPI_Comm_set_errhandler(world.as_raw(), ffi::RSMPI_ERRORS_RETURN) };
        let coming = vec![Assembly::default(); exchange.ranks];
        let pulse = Pulse::new(exchange.rank, exchange.ranks, Instant::now());
        Self { world, exchange, sending: Vec::new(), coming, pulse }
    }

    /// Carries messages until the program is done and all that it sent has left.
    fn carry(&mut self, is_done: &dyn Fn() -> bool) {
        let mut ended: Option<Instant> = None;
        let mut moved = Instant::now();
        loop {
            let nap = if moved.elapsed() < ALERT { SHORT_NAP } else { LONG_NAP };
            let wait = if self.is_busy() { Duration::ZERO } else { nap };
            if let Some((to, message)) = self.exchange.outbox.take(wait) {
                split(message, MOST_BYTES).into_iter().for_each(|part| self.send(to, part));
                moved = Instant::now();
            }
            while self.receive() {
                moved = Instant::now();
            }
            self.forget_sent();
            self.live();
            if is_done() {
                let since = *ended.get_or_insert_with(Instant::now);
                let is_empty = self.sending.is_empty() && self.exchange.outbox.lock().is_empty();
                if is_empty || since.elapsed() > PATIENCE {
                    return;
                }
            }
        }
    }

    /// Tells others that this process is there, by messages without any byte, and looks who of them is.
    fn live(&mut self) {
        let now = Instant::now();
        for rank in self.pulse.due(now) {
            self.send(rank, Vec::new());
        }
        self.exchange.lose(self.pulse.silent(now));
    }

    fn is_busy(&self) -> bool {
        !self.exchange.outbox.lock().is_empty()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        let mut request = MaybeUninit::uninit();
        // SAFETY: the bytes are kept, at the same place, until the request is complete.
        let code = unsafe {
            ffi::MPI_Isend(
                message.as_ptr().cast(),
                message.len() as c_int,
                ffi::RSMPI_UINT8_T,
                to as c_int,
                TAG,
                self.world.as_raw(),
                request.as_mut_ptr(),
            )
        };
        if code == 0 {
            // SAFETY: a call that succeeds has written the request.
            self.sending.push((unsafe { request.assume_init() }, message));
        }
    }

    /// Receives a message, where one has come.
    fn receive(&mut self) -> bool {
        let (mut message, mut status) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let (mut has_come, mut length) = (0, 0);
        // SAFETY: all results are written where the calls succeed and a message has come, and are read only then.
        let (from, bytes) = unsafe {
            let code = ffi::MPI_Improbe(
                ffi::RSMPI_ANY_SOURCE,
                TAG,
                self.world.as_raw(),
                &mut has_come,
                message.as_mut_ptr(),
                status.as_mut_ptr(),
            );
            if code != 0 || has_come == 0 {
                return false;
            }
            ffi::MPI_Get_count(status.as_ptr(), ffi::RSMPI_UINT8_T, &mut length);
            let mut bytes = vec![0u8; length.max(0) as usize];
            let from = status.assume_init_ref().MPI_SOURCE;
            let code = ffi::MPI_Mrecv(
                bytes.as_mut_ptr().cast(),
                length,
                ffi::RSMPI_UINT8_T,
                message.as_mut_ptr(),
                status.as_mut_ptr(),
            );
            if code != 0 {
                return false;
            }
            (from, bytes)
        };
        let from = from.max(0) as usize;
        self.pulse.hear(from, Instant::now());
        if let Some(message) = self.coming.get_mut(from).and_then(|coming| coming.add(bytes)) {
            self.exchange.inbox.put(from, message);
        }
        true
    }

    /// Drops the bytes of messages that have left.
    fn forget_sent(&mut self) {
        self.sending.retain_mut(|(request, _)| {
            let mut has_left = 0;
            // SAFETY: the request is one of an immediate send that is not complete yet.
            let code = unsafe { ffi::MPI_Test(request, &mut has_left, ffi::RSMPI_STATUS_IGNORE) };
            code == 0 && has_left == 0
        });
    }
}
