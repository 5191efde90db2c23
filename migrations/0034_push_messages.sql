-- Web Push: the browsers that are told what needs their person, and the messages that wait for them.
--
-- pics: functions tell_browsers tell_of_post tell_of_login tell_of_like

-- The key that tells push services who sends; every process has the same.
CREATE TABLE push_keys (
    is_only    boolean     NOT NULL DEFAULT true CONSTRAINT push_keys_pkey PRIMARY KEY,
    sealed     bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT push_keys_single CHECK (is_only)
);

-- It ends with the session of its browser.
CREATE TABLE push_subscriptions (
    id            uuid        CONSTRAINT push_subscriptions_pkey PRIMARY KEY,
    owner_id      uuid        NOT NULL CONSTRAINT push_subscriptions_owner_fkey REFERENCES users ON DELETE CASCADE,
    session_id    uuid        NOT NULL CONSTRAINT push_subscriptions_session_fkey REFERENCES sessions ON DELETE CASCADE,
    place         smallint    NOT NULL,                  -- among its owner's, which bounds their number
    endpoint      text        NOT NULL,                  -- at the push service of the browser's maker
    public_key    bytea       NOT NULL,                  -- the browser's point on P-256
    secret        bytea       NOT NULL,                  -- the browser's, sealed
    language      text        NOT NULL,
    kinds         text[]      NOT NULL,                  -- what it is told of
    state         text        NOT NULL DEFAULT 'active',
    next_at       timestamptz NOT NULL DEFAULT now(),    -- not looked at before: a pause, or the lease of who sends
    turn          bigint      NOT NULL DEFAULT 0,        -- who sends holds this number; another turn has another
    failures      int         NOT NULL DEFAULT 0,        -- in a row
    failing_since timestamptz,
    delivered_at  timestamptz,
    problem       text,                                  -- of the last failure, a word that sorts it
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT push_subscriptions_endpoint_key UNIQUE (endpoint),
    CONSTRAINT push_subscriptions_session_key UNIQUE (session_id),
    CONSTRAINT push_subscriptions_place_key UNIQUE (owner_id, place),
    CONSTRAINT push_subscriptions_place_bounded CHECK (place BETWEEN 1 AND 10),
    CONSTRAINT push_subscriptions_endpoint_form CHECK (endpoint ~ '^https?://' AND octet_length(endpoint) <= 2048),
    CONSTRAINT push_subscriptions_public_key_form CHECK (octet_length(public_key) = 65),
    CONSTRAINT push_subscriptions_language_is_tag CHECK (language ~ '^[a-z]{2,8}$'),
    CONSTRAINT push_subscriptions_kinds_known CHECK (
        kinds <@ ARRAY['posts', 'logins', 'likes'] AND array_position(kinds, NULL) IS NULL),
    CONSTRAINT push_subscriptions_state_known CHECK (state IN ('active', 'stopped')),
    CONSTRAINT push_subscriptions_failures_begin CHECK ((failures = 0) = (failing_since IS NULL))
);
CREATE INDEX push_subscriptions_next ON push_subscriptions (next_at) WHERE state = 'active';

-- What a browser has not been told yet: that a post was refused, a login lost, a photo liked. What it is told is read
-- when it is sent. `subject_id` is that of a submission, an account or a photo.
CREATE TABLE push_messages (
    subscription_id uuid        NOT NULL CONSTRAINT push_messages_subscription_fkey
                                REFERENCES push_subscriptions ON DELETE CASCADE,
    kind            text        NOT NULL,
    subject_id      uuid        NOT NULL,
    due_at          timestamptz NOT NULL DEFAULT now(),
    changes         int         NOT NULL DEFAULT 1,      -- how often it has happened since it was told
    told            int         NOT NULL DEFAULT 0,      -- of a photo, the likes that were there before
    CONSTRAINT push_messages_pkey PRIMARY KEY (subscription_id, kind, subject_id),
    CONSTRAINT push_messages_kind_known CHECK (kind IN ('posts', 'logins', 'likes'))
);
CREATE INDEX push_messages_due ON push_messages (due_at);

CREATE TRIGGER submissions_tell AFTER UPDATE OF state ON submissions FOR EACH ROW
    WHEN (NEW.state IN ('rejected', 'unknown') AND OLD.state IS DISTINCT FROM NEW.state)
    EXECUTE FUNCTION tell_of_post();
CREATE TRIGGER connections_tell AFTER UPDATE OF state ON connections FOR EACH ROW
    WHEN (NEW.state = 'needs_login' AND OLD.state IS DISTINCT FROM NEW.state)
    EXECUTE FUNCTION tell_of_login();
CREATE TRIGGER likes_tell AFTER INSERT ON likes FOR EACH ROW EXECUTE FUNCTION tell_of_like();
CREATE TRIGGER visitor_likes_tell AFTER INSERT ON visitor_likes FOR EACH ROW EXECUTE FUNCTION tell_of_like();
