-- Where each workflow stands, as the last entry of the audit trail about it says.
CREATE TABLE maturity (
    workflow_id  TEXT PRIMARY KEY,
    document     TEXT NOT NULL
) WITHOUT ROWID;

-- Runs that were counted, so that none is counted twice.
CREATE TABLE counted (
    workflow_id  TEXT NOT NULL,
    source       TEXT NOT NULL,
    PRIMARY KEY (workflow_id, source)
) WITHOUT ROWID;

-- How far the trail was taken in: the place after the last entry, and its hash.
CREATE TABLE progress (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    file   INTEGER NOT NULL,
    place  INTEGER NOT NULL,
    hash   TEXT NOT NULL
)
