-- Accounts that are being connected in a browser, the keys of applications, and accounts that were disconnected.

-- A connection that was begun and waits for its browser to come back. `state` is what the browser brings; only its
-- SHA-256 is kept, so that whoever reads this table can end nobody's connection.
CREATE TABLE authorizations (
    id            uuid        CONSTRAINT authorizations_pkey PRIMARY KEY,
    state_hash    bytea       NOT NULL CONSTRAINT authorizations_state_key UNIQUE,
    user_id       uuid        NOT NULL CONSTRAINT authorizations_user_fkey REFERENCES users ON DELETE CASCADE,
    service       text        NOT NULL,
    browser_hash  bytea,                                 -- of the cookie of the browser that began; null: none did
    sealed        bytea,                                 -- what the end needs; forgotten when it is taken
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    taken_at      timestamptz,
    connection_id uuid        CONSTRAINT authorizations_connection_fkey REFERENCES connections ON DELETE SET NULL,
    problem       text,                                  -- why it came to nothing, for people
    CONSTRAINT authorizations_state_form CHECK (octet_length(state_hash) = 32),
    CONSTRAINT authorizations_browser_form CHECK (octet_length(browser_hash) = 32),
    CONSTRAINT authorizations_taken_once CHECK ((sealed IS NULL) = (taken_at IS NOT NULL))
);
CREATE INDEX authorizations_of_user ON authorizations (user_id);
CREATE INDEX authorizations_expiry ON authorizations (expires_at);
CREATE INDEX authorizations_of_connection ON authorizations (connection_id);

-- What an admin has entered for the application that Pics is at a service.
CREATE TABLE service_keys (
    service    text        CONSTRAINT service_keys_pkey PRIMARY KEY,
    sealed     bytea       NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- A disconnected account stays as `disabled`, because its submissions tell where photos are; its credentials go.
CREATE INDEX connections_disabled ON connections (id) WHERE state = 'disabled';
ALTER TABLE connections
    ADD CONSTRAINT connections_disabled_is_forgotten CHECK (state <> 'disabled' OR octet_length(credentials) = 0);

-- Ends the work of a disconnected account. What waits is cancelled, what may have been published becomes unknown, and
-- what runs is asked to end. Returns how many submissions have ended.
CREATE FUNCTION end_disconnected(p_connection uuid) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    PERFORM FROM lanes WHERE connection_id = p_connection FOR NO KEY UPDATE;
    WITH asked AS (
        UPDATE jobs SET cancel_at = now()
         WHERE connection_id = p_connection AND state = 'running' AND cancel_at IS NULL
        RETURNING submission_id
    )
    SELECT count(pg_notify('pics_cancel', submission_id::text)) INTO v_count FROM asked;
    WITH ended AS (
        DELETE FROM jobs WHERE connection_id = p_connection AND state = 'ready'
        RETURNING submission_id, kind, effect
    ), shown AS (
        UPDATE submissions s
           SET state = CASE WHEN e.kind <> 'submit' THEN s.state::text
                            WHEN e.effect = 'armed' THEN 'unknown' ELSE 'cancelled' END::submission_state,
               problem = CASE WHEN e.kind <> 'submit'
                              THEN 'The account was disconnected; the post stays as it is.'
                              WHEN e.effect = 'armed'
                              THEN 'The account was disconnected before it was clear whether this was posted.'
                              ELSE 'The account was disconnected.' END,
               updated_at = now()
          FROM ended e WHERE s.id = e.submission_id
        RETURNING e.kind
    )
    SELECT count(*) INTO v_count FROM shown WHERE kind = 'submit';
    RETURN v_count;
END $$;

-- Forgets an account's credentials and ends its work. Null: there is no such account of this owner.
CREATE FUNCTION disconnect_account(p_connection uuid, p_owner uuid) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections
       SET state = 'disabled', credentials = '', credentials_no = credentials_no + 1,
           refreshing_until = '-infinity', problem = NULL
     WHERE id = p_connection AND owner_id = p_owner AND state <> 'disabled';
    IF NOT FOUND THEN RETURN NULL; END IF;
    UPDATE lanes SET paused = true, wake_at = 'infinity' WHERE connection_id = p_connection;
    RETURN end_disconnected(p_connection);
END $$;

-- Work that ran while its account was disconnected comes back, and old posts may be changed later: it ends here.
CREATE FUNCTION sweep_disconnected() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    SELECT coalesce(sum(end_disconnected(d.id)), 0) INTO v_count
      FROM (SELECT c.id FROM connections c
             WHERE c.state = 'disabled'
               AND EXISTS (SELECT FROM jobs j
                            WHERE j.connection_id = c.id AND (j.state = 'ready' OR j.cancel_at IS NULL))
             ORDER BY c.id) d;
    RETURN v_count;
END $$;
