-- Tokens that read /metrics and nothing else. Wider than before: what an earlier release writes still fits, and it knows no scope of this
-- name.

ALTER TABLE tokens
    DROP CONSTRAINT tokens_scopes_known,
    ADD CONSTRAINT tokens_scopes_known
        CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'admin', 'metrics']);
