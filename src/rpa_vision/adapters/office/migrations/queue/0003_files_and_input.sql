ALTER TABLE items ADD COLUMN input_sent INTEGER;
ALTER TABLE batches ADD COLUMN digest TEXT NOT NULL DEFAULT '';
CREATE INDEX batches_by_digest ON batches (digest);
CREATE INDEX batches_by_name ON batches (workflow_id, name);
CREATE INDEX items_of_batches ON items (batch_id, state, number);
CREATE INDEX items_by_workflow ON items (state, display, workflow_id)
