CREATE TABLE tally (
    strategy TEXT NOT NULL,
    element TEXT NOT NULL,
    day TEXT NOT NULL,
    bin INTEGER NOT NULL CHECK (bin BETWEEN 0 AND 9),
    claims INTEGER NOT NULL CHECK (claims >= 1),
    hits INTEGER NOT NULL CHECK (hits BETWEEN 0 AND claims),
    claimed_units INTEGER NOT NULL,
    square_units INTEGER NOT NULL,
    PRIMARY KEY (strategy, element, day, bin)
) WITHOUT ROWID;
CREATE INDEX tally_by_day ON tally (day)
