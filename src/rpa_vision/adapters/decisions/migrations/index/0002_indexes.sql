-- Made once the trail was taken in for the first time: over many rows that is much faster than keeping them up.
CREATE INDEX decision_by_workflow ON decision (workflow_id, at_us);

CREATE INDEX decision_by_time ON decision (at_us);

CREATE INDEX decision_by_run ON decision (run_id) WHERE run_id IS NOT NULL;

CREATE INDEX decision_by_failure ON decision (failure_kind, at_us) WHERE failure_kind IS NOT NULL;

CREATE INDEX transition_by_time ON decision (at_us) WHERE kind = 'state_transition';

ANALYZE
