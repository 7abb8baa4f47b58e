CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    num_jobs INTEGER NOT NULL,
    num_machines INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued',
    message TEXT,
    objective TEXT NOT NULL,
    options TEXT NOT NULL,
    time_limit_s REAL,
    -- Each `continue` begins a round, with what was found so far.
    round INTEGER NOT NULL DEFAULT 0,
    round_base_s REAL NOT NULL DEFAULT 0,
    runtime_s REAL NOT NULL DEFAULT 0,
    value REAL,
    makespan REAL,
    bound REAL,
    history TEXT NOT NULL DEFAULT '[]',
    status TEXT
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state);
-- Large texts have tables of their own, so that noting progress does not write them again.
CREATE TABLE IF NOT EXISTS instances (
    number INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
    content TEXT NOT NULL,
    -- The order that the search begins with, where one was given.
    start TEXT
);
CREATE TABLE IF NOT EXISTS results (
    number INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
    record TEXT NOT NULL
);
-- Where forgotten jobs stood in the list, so that who pages through it and deletes what he sees can go on.
CREATE TABLE IF NOT EXISTS forgotten (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) WITHOUT ROWID;
PRAGMA user_version = 3;
