-- Validated successes outside DEGRADED, nothing else. Times are microseconds since 1970, in UTC.
CREATE TABLE success (
    number       INTEGER PRIMARY KEY,
    at_us        INTEGER NOT NULL,
    workflow_id  TEXT NOT NULL,
    step_id      TEXT NOT NULL,
    run_id       TEXT,
    result       TEXT NOT NULL
);

CREATE INDEX success_by_step ON success (workflow_id, step_id, at_us);

CREATE INDEX success_by_workflow ON success (workflow_id, at_us)
