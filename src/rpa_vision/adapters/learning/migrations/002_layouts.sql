-- The layout of the screen a context names, as JSON: a screen in another theme or zoom has another hash and is still
-- known by it. Rows of before have none, and are found by the hash in their context.
ALTER TABLE remembered_targets ADD COLUMN layout TEXT;
