CREATE INDEX happenings_of_runs ON happenings (run_id, number)
