CREATE TABLE also_asked (origin_key TEXT PRIMARY KEY, run_id TEXT NOT NULL)
