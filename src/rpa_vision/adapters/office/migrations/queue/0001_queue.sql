CREATE TABLE items (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL UNIQUE,
    workflow_id TEXT NOT NULL,
    display TEXT NOT NULL,
    priority INTEGER NOT NULL,
    request TEXT NOT NULL,
    who TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('person', 'batch', 'schedule', 'folder')),
    origin_key TEXT UNIQUE,
    batch_id TEXT,
    line INTEGER,
    queued_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'ended', 'interrupted', 'cancelled')),
    wanted TEXT NOT NULL DEFAULT 'go' CHECK (wanted IN ('go', 'pause', 'stop')),
    worker_id TEXT,
    lease_until TEXT,
    started_at TEXT,
    ended_at TEXT,
    status TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    doing TEXT NOT NULL DEFAULT '',
    steps_done INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX one_run_at_a_time_on_a_display ON items (display) WHERE state = 'running';
CREATE INDEX items_by_state ON items (state, display, priority DESC, number);
CREATE INDEX items_by_batch ON items (batch_id, line);
CREATE TABLE batches (
    batch_id TEXT PRIMARY KEY,
    workflow_id TEXT NOT NULL,
    name TEXT NOT NULL,
    who TEXT NOT NULL,
    queued_at TEXT NOT NULL,
    rows INTEGER NOT NULL,
    skipped INTEGER NOT NULL DEFAULT 0,
    released INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE workers (
    display TEXT PRIMARY KEY,
    worker_id TEXT NOT NULL,
    since TEXT NOT NULL,
    lease_until TEXT NOT NULL
);
CREATE TABLE schedules (
    schedule_id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    last_due TEXT NOT NULL
);
CREATE TABLE folders (
    folder_id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    enabled INTEGER NOT NULL
);
CREATE TABLE happenings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    run_id TEXT,
    workflow_id TEXT,
    body TEXT NOT NULL
)
