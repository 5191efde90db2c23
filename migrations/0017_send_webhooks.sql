-- Addresses that are told what becomes of their owner's submissions.

-- There is no table of events: what is sent is the submission as it is, and the cursor is the last change that the
-- receiver has acknowledged (`updated_at` and `id` of its submission).
CREATE TABLE webhooks (
    id            uuid        CONSTRAINT webhooks_pkey PRIMARY KEY,
    owner_id      uuid        NOT NULL CONSTRAINT webhooks_owner_fkey REFERENCES users ON DELETE CASCADE,
    place         smallint    NOT NULL,                  -- among its owner's, which bounds their number
    url           text        NOT NULL,
    secret        bytea       NOT NULL,                  -- sealed
    state         text        NOT NULL DEFAULT 'active',
    cursor_at     timestamptz NOT NULL DEFAULT now(),
    cursor_id     uuid        NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    next_at       timestamptz NOT NULL DEFAULT now(),    -- not looked at before: a pause, or the lease of who sends
    turn          bigint      NOT NULL DEFAULT 0,        -- who sends holds this number; another turn has another
    failures      int         NOT NULL DEFAULT 0,        -- in a row
    failing_since timestamptz,
    delivered_at  timestamptz,
    problem       text,                                  -- of the last failure, a word that sorts it
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT webhooks_place_key UNIQUE (owner_id, place),
    CONSTRAINT webhooks_place_bounded CHECK (place BETWEEN 1 AND 10),
    CONSTRAINT webhooks_url_form CHECK (url ~ '^https?://' AND octet_length(url) <= 2048),
    CONSTRAINT webhooks_state_known CHECK (state IN ('active', 'paused', 'disabled')),
    CONSTRAINT webhooks_failures_begin CHECK ((failures = 0) = (failing_since IS NULL))
);
CREATE INDEX webhooks_due ON webhooks (next_at) WHERE state = 'active';

-- Whoever leaves is told nothing more.
CREATE OR REPLACE FUNCTION leave(p_user uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    -- Two admins who leave at once wait for each other here.
    PERFORM FROM users WHERE is_admin ORDER BY id FOR UPDATE;
    IF EXISTS (SELECT FROM users WHERE id = p_user AND is_admin)
       AND NOT EXISTS (SELECT FROM users WHERE id <> p_user AND is_admin) THEN RETURN false; END IF;
    UPDATE users
       SET deleted_at = now(), name = 'deleted-' || right(replace(id::text, '-', ''), 20), password = NULL,
           is_admin = false, has_gallery = false
     WHERE id = p_user AND deleted_at IS NULL;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE tokens SET revoked_at = now() WHERE user_id = p_user AND revoked_at IS NULL;
    DELETE FROM sessions WHERE user_id = p_user;
    DELETE FROM invitations WHERE invited_by = p_user AND used_at IS NULL;
    DELETE FROM authorizations WHERE user_id = p_user;
    DELETE FROM webhooks WHERE owner_id = p_user;
    RETURN true;
END $$;
