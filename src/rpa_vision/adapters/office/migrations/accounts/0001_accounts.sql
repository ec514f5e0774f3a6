CREATE TABLE accounts (
    user_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    created_at TEXT NOT NULL,
    disabled INTEGER NOT NULL DEFAULT 0,
    language TEXT NOT NULL DEFAULT '',
    theme TEXT NOT NULL DEFAULT ''
);
CREATE TABLE tokens (
    token_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (user_id),
    kind TEXT NOT NULL CHECK (kind IN ('api', 'session', 'link')),
    label TEXT NOT NULL,
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX tokens_of_accounts ON tokens (user_id)
