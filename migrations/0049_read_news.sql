-- One request that tells which posts of an account somebody has responded to: when it is made next, and how far it has read.
ALTER TABLE lanes
    ADD COLUMN news_at     timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN news_cursor text;

-- A reply that is asked for twice under one key is one.
ALTER TABLE interactions ADD COLUMN request_key bytea;
CREATE UNIQUE INDEX interactions_request_once ON interactions (owner_id, request_key) WHERE request_key IS NOT NULL;
