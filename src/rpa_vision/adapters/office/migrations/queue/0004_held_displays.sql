CREATE TABLE held_displays (
    display TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    why TEXT NOT NULL
)
