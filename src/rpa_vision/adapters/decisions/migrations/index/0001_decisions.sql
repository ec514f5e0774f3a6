-- One row per entry of the audit trail, in its order. Times are microseconds since 1970, in UTC.
CREATE TABLE decision (
    number        INTEGER PRIMARY KEY,
    at_us         INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    workflow_id   TEXT,
    step_id       TEXT,
    run_id        TEXT,
    state         TEXT,
    status        TEXT,
    failure_kind  TEXT,
    confidence    REAL,
    duration_ms   REAL,
    file          INTEGER NOT NULL,
    place         INTEGER NOT NULL,
    record        TEXT NOT NULL
);

-- Some entries name only the run: this tells its workflow.
CREATE TABLE run (
    run_id       TEXT PRIMARY KEY,
    workflow_id  TEXT NOT NULL
) WITHOUT ROWID;

-- How far the trail was taken in: the place after the last entry, and its hash.
CREATE TABLE progress (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    file   INTEGER NOT NULL,
    place  INTEGER NOT NULL,
    hash   TEXT NOT NULL
)
