ALTER TABLE items ADD COLUMN list_key TEXT;
CREATE UNIQUE INDEX one_go_on_of_a_list ON items (list_key) WHERE state IN ('waiting', 'running')
