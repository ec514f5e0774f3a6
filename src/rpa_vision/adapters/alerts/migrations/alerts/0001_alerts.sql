-- The latest alerts, for people. Times are microseconds since 1970, in UTC.
CREATE TABLE alert (
    number       INTEGER PRIMARY KEY,
    alert_id     TEXT NOT NULL UNIQUE,
    at_us        INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    workflow_id  TEXT,
    document     TEXT NOT NULL
);

-- Who still has to hear of which alert. The document is here too: the feed forgets, the outbox does not.
CREATE TABLE outbox (
    alert_id     TEXT NOT NULL,
    listener     TEXT NOT NULL,
    document     TEXT NOT NULL,
    accepted_us  INTEGER NOT NULL,
    due_us       INTEGER,
    attempts     INTEGER NOT NULL DEFAULT 0,
    last_error   TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (alert_id, listener)
);

CREATE INDEX outbox_by_due ON outbox (listener, due_us)
