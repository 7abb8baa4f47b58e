//! Jobs in one SQLite file, which outlives the process.

mod error;
mod row;

pub use error::StoreError;
pub(crate) use row::{Finished, NewJob, Progress, Row};

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};

use crate::job::{State, Status};

const SCHEMA: &str = include_str!("schema.sql");
/// Before, whether an order is optimal was kept in its record only.
const STATUS_SINCE_2: &str = "ALTER TABLE jobs ADD COLUMN status TEXT; \
     UPDATE jobs SET status = (SELECT record ->> '$.status' FROM results WHERE results.number = jobs.number);";
/// What `user_version` says of a store that this program reads.
const VERSION: i64 = 3;

/// The store. Writing and reading have a connection each, so that nobody who reads waits for a disk that writes.
pub(crate) struct Store {
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
    /// Held as long as the store is open: two servers on one store would solve the same jobs.
    _lock: File,
}

impl Store {
    /// Opens or makes the store in this folder.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(|error| StoreError::folder(folder, &error))?;
        let lock = File::create(folder.join("lock")).map_err(|error| StoreError::folder(folder, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked { folder: folder.to_path_buf() }),
            Err(TryLockError::Error(error)) => return Err(StoreError::folder(folder, &error)),
        }
        let path = folder.join("jobs.sqlite");
        let writer = connect(&path)?;
        let found: i64 = writer.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if found > VERSION {
            return Err(StoreError::Newer { path });
        }
        writer.execute_batch(SCHEMA)?;
        if found == 1 {
            writer.execute_batch(STATUS_SINCE_2)?;
        }
        Ok(Self { writer: Mutex::new(writer), reader: Mutex::new(connect(&path)?), _lock: lock })
    }

    /// Keeps a new job; once this returns, it outlives the process.
    pub(crate) fn insert(&self, job: &NewJob<'_>) -> Result<i64, StoreError> {
        let mut writer = self.writer();
        let transaction = writer.transaction()?;
        transaction.execute(
            "INSERT INTO jobs (id, name, num_jobs, num_machines, created_at, objective, options, time_limit_s) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                job.id,
                job.name,
                job.num_jobs as i64,
                job.num_machines as i64,
                job.created_at,
                job.objective,
                job.options,
                job.time_limit_s
            ],
        )?;
        let number = transaction.last_insert_rowid();
        transaction
            .execute("INSERT INTO instances VALUES (?, ?, ?)", params![number, job.instance, job.start])?;
        transaction.commit()?;
        Ok(number)
    }

    /// The job of this name.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Row>, StoreError> {
        let reader = self.reader();
        let sql = format!("SELECT {} FROM jobs WHERE id = ?", Row::COLUMNS);
        Ok(reader.query_row(&sql, [id], Row::read).optional()?)
    }

    /// Jobs before `before` (or all), newest first.
    pub(crate) fn list(&self, before: Option<i64>, limit: usize) -> Result<Vec<Row>, StoreError> {
        let reader = self.reader();
        let sql = format!("SELECT {} FROM jobs WHERE number < ? ORDER BY number DESC LIMIT ?", Row::COLUMNS);
        let mut statement = reader.prepare(&sql)?;
        let rows = statement.query_map(params![before.unwrap_or(i64::MAX), limit as i64], Row::read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Jobs that wait or ran when the last process ended, the oldest first; those that ran come before those that wait. All of
    /// them wait now.
    pub(crate) fn take_up(&self) -> Result<Vec<Row>, StoreError> {
        let mut writer = self.writer();
        let transaction = writer.transaction()?;
        let sql = format!(
            "SELECT {} FROM jobs WHERE state IN ('running', 'queued') ORDER BY state DESC, number",
            Row::COLUMNS
        );
        let mut statement = transaction.prepare(&sql)?;
        let rows = statement.query_map([], Row::read)?.collect::<Result<Vec<_>, _>>()?;
        drop(statement);
        transaction.execute("UPDATE jobs SET state = 'queued' WHERE state = 'running'", [])?;
        transaction.commit()?;
        Ok(rows)
    }

    /// The instance of a job as `pfss.instance`.
    pub(crate) fn instance(&self, number: i64) -> Result<Option<String>, StoreError> {
        let sql = "SELECT content FROM instances WHERE number = ?";
        Ok(self.reader().query_row(sql, [number], |row| row.get(0)).optional()?)
    }

    /// The order that a job's search begins with, where one was given.
    pub(crate) fn start(&self, number: i64) -> Result<Option<String>, StoreError> {
        let sql = "SELECT start FROM instances WHERE number = ?";
        Ok(self.reader().query_row(sql, [number], |row| row.get(0)).optional()?.flatten())
    }

    /// The record of the best order so far.
    pub(crate) fn result(&self, number: i64) -> Result<Option<String>, StoreError> {
        let sql = "SELECT record FROM results WHERE number = ?";
        Ok(self.reader().query_row(sql, [number], |row| row.get(0)).optional()?)
    }

    /// How many jobs are in each state.
    pub(crate) fn counts(&self) -> Result<Vec<(State, i64)>, StoreError> {
        let reader = self.reader();
        let mut statement = reader.prepare("SELECT state, count(*) FROM jobs GROUP BY state")?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        Ok(rows.into_iter().filter_map(|(name, count)| Some((State::named(&name)?, count))).collect())
    }

    /// Notes that a worker takes this round of the job; false where it does not wait for one.
    pub(crate) fn begin(&self, number: i64, round: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE jobs SET state = 'running' WHERE number = ? AND round = ? AND state = 'queued'";
        Ok(self.writer().execute(sql, [number, round])? == 1)
    }

    /// Keeps what several jobs found, in one step. Tells which of them still run in that round.
    pub(crate) fn save(&self, all: &[Progress]) -> Result<Vec<bool>, StoreError> {
        let mut writer = self.writer();
        let transaction = writer.transaction()?;
        let kept = all.iter().map(|progress| put(&transaction, progress, State::Running));
        let kept = kept.collect::<Result<_, _>>()?;
        transaction.commit()?;
        Ok(kept)
    }

    /// Keeps how a round ended; false where it was over before.
    pub(crate) fn finish(&self, finished: &Finished) -> Result<bool, StoreError> {
        let mut writer = self.writer();
        let transaction = writer.transaction()?;
        let is_kept = put(&transaction, &finished.progress, finished.state)?;
        if is_kept {
            transaction.execute(
                "UPDATE jobs SET message = ? WHERE number = ?",
                params![finished.message, finished.progress.number],
            )?;
        }
        transaction.commit()?;
        Ok(is_kept)
    }

    /// Puts a job that has ended into the queue again, for a round with these options; false where it has not.
    pub(crate) fn requeue(
        &self,
        number: i64,
        options: &str,
        time_limit_s: Option<f64>,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE jobs SET state = 'queued', message = NULL, round = round + 1, round_base_s = runtime_s, \
             options = ?, time_limit_s = ? WHERE number = ? AND state NOT IN ('queued', 'running')";
        Ok(self.writer().execute(sql, params![options, time_limit_s, number])? == 1)
    }

    /// Ends a job that waits; false where it does not.
    pub(crate) fn stop(&self, number: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE jobs SET state = 'stopped' WHERE number = ? AND state = 'queued'";
        Ok(self.writer().execute(sql, [number])? == 1)
    }

    /// Forgets a job, but for its place in the list.
    pub(crate) fn delete(&self, number: i64) -> Result<(), StoreError> {
        let mut writer = self.writer();
        let transaction = writer.transaction()?;
        transaction
            .execute("INSERT INTO forgotten SELECT id, number FROM jobs WHERE number = ?", [number])?;
        transaction.execute("DELETE FROM jobs WHERE number = ?", [number])?;
        transaction.commit()?;
        Ok(())
    }

    /// The place of a job in the list, also of one that was forgotten.
    pub(crate) fn place(&self, id: &str) -> Result<Option<i64>, StoreError> {
        let sql =
            "SELECT number FROM jobs WHERE id = ?1 UNION ALL SELECT number FROM forgotten WHERE id = ?1";
        Ok(self.reader().query_row(sql, [id], |row| row.get(0)).optional()?)
    }

    fn writer(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic left open is rolled back when it is dropped.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps what a job found in this round and the state that it is in then; false where the round is over.
fn put(transaction: &Connection, progress: &Progress, state: State) -> Result<bool, StoreError> {
    let known = &progress.known;
    let changed = transaction.execute(
        "UPDATE jobs SET state = ?1, value = ?2, makespan = ?3, bound = ?4, runtime_s = ?5, history = ?6, \
         status = ?9 WHERE number = ?7 AND round = ?8 AND state = 'running'",
        params![
            state.name(),
            known.value,
            known.makespan,
            known.bound,
            known.runtime_s,
            progress.history,
            progress.number,
            progress.round,
            known.status.map(Status::name)
        ],
    )?;
    if let (1, Some(record)) = (changed, &progress.record) {
        transaction.execute(
            "INSERT INTO results VALUES (?1, ?2) ON CONFLICT (number) DO UPDATE SET record = ?2",
            params![progress.number, record],
        )?;
    }
    Ok(changed == 1)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    // Full synchronisation: what was answered with 202 also survives a loss of power. Temporary tables in memory: a container
    // may have no folder for them.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000; \
         PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(connection)
}

#[cfg(test)]
mod tests;
