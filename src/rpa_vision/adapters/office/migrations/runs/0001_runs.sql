CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    problem TEXT NOT NULL DEFAULT '',
    workflow_id TEXT NOT NULL DEFAULT '',
    workflow_name TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT 0,
    mode TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    started_at TEXT NOT NULL DEFAULT '',
    duration_s REAL NOT NULL DEFAULT 0,
    steps INTEGER NOT NULL DEFAULT 0,
    healed INTEGER NOT NULL DEFAULT 0,
    recovered INTEGER NOT NULL DEFAULT 0,
    min_score REAL,
    parameters TEXT NOT NULL DEFAULT ''
);
CREATE INDEX runs_by_time ON runs (started_at DESC, run_id);
CREATE INDEX runs_by_workflow ON runs (workflow_id, started_at DESC);
CREATE INDEX runs_by_status ON runs (status, started_at DESC);
CREATE TABLE steps (
    run_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    workflow_id TEXT NOT NULL,
    edge_id TEXT NOT NULL,
    started_at TEXT NOT NULL,
    status TEXT NOT NULL,
    strategy TEXT,
    score REAL,
    healing_level INTEGER NOT NULL,
    duration_ms REAL NOT NULL,
    verified INTEGER NOT NULL,
    PRIMARY KEY (run_id, number)
) WITHOUT ROWID;
CREATE INDEX steps_of_workflows ON steps (workflow_id, edge_id, started_at);
CREATE TABLE verdicts (
    run_id TEXT PRIMARY KEY,
    verdict TEXT NOT NULL,
    who TEXT NOT NULL,
    at TEXT NOT NULL,
    note TEXT NOT NULL
)
