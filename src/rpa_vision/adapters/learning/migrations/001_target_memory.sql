-- What resolved where. One row per element that was, at least once, proven to be the target of an edge on a screen.
-- target_key says what was looked for, so that a workflow learned anew does not inherit memories of other targets.
CREATE TABLE remembered_targets (
    workflow_id TEXT NOT NULL,
    edge_id     TEXT NOT NULL,
    target_key  TEXT NOT NULL,
    context     TEXT NOT NULL,
    stable_id   TEXT NOT NULL,
    label       TEXT NOT NULL,
    type        TEXT NOT NULL,
    role        TEXT NOT NULL,
    x1          REAL NOT NULL,
    y1          REAL NOT NULL,
    x2          REAL NOT NULL,
    y2          REAL NOT NULL,
    strategy    TEXT NOT NULL,
    score       REAL NOT NULL CHECK (score BETWEEN 0 AND 1),
    successes   INTEGER NOT NULL CHECK (successes >= 1),
    first_at    TEXT NOT NULL,
    last_at     TEXT NOT NULL,
    PRIMARY KEY (workflow_id, edge_id, target_key, context, stable_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX remembered_targets_by_age ON remembered_targets (workflow_id, last_at);
