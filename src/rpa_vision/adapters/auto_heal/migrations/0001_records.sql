-- The supervisor's memory: one JSON document per key.
CREATE TABLE records (
    key TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL
) WITHOUT ROWID;
