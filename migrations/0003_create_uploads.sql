-- Photos that come in parts, and answers that can be given again.

CREATE TYPE upload_protocol AS ENUM ('tus', 'ietf');
CREATE TYPE upload_part AS ENUM ('whole', 'partial', 'final');
CREATE TYPE upload_state AS ENUM ('receiving', 'complete', 'failed');

-- The bytes lie in a file named by the identifier; its size is how much has arrived.
CREATE TABLE uploads (
    id           uuid            CONSTRAINT uploads_pkey PRIMARY KEY,
    owner_id     uuid            NOT NULL CONSTRAINT uploads_owner_fkey REFERENCES users ON DELETE CASCADE,
    protocol     upload_protocol NOT NULL,               -- that has made it
    part         upload_part     NOT NULL DEFAULT 'whole', -- tus: of a concatenation
    state        upload_state    NOT NULL DEFAULT 'receiving',
    length       bigint          CONSTRAINT uploads_length_natural CHECK (length >= 0), -- null: not known yet
    checked      bigint,                                  -- a part with a checksum begins behind these bytes
    metadata     text            NOT NULL DEFAULT '',     -- tus: Upload-Metadata as it came
    concat       text,                                    -- tus: Upload-Concat as it came
    media_type   text,                                    -- what the client says
    file_name    text,
    sha256       bytea           CONSTRAINT uploads_sha256_form CHECK (octet_length(sha256) = 32), -- what the client says
    draft        jsonb,                                   -- becomes a photo with these fields as soon as it is complete
    problem      text,                                    -- why it has failed, for people
    photo_id     uuid            CONSTRAINT uploads_photo_fkey REFERENCES photos ON DELETE SET NULL,
    created_at   timestamptz     NOT NULL DEFAULT now(),
    expires_at   timestamptz     NOT NULL,
    CONSTRAINT uploads_length_of_complete CHECK (state <> 'complete' OR length IS NOT NULL)
);
CREATE INDEX uploads_of_owner ON uploads (owner_id, created_at);
CREATE INDEX uploads_expiring ON uploads (expires_at);

-- Marks that an upload has become this photo; it becomes only one.
CREATE FUNCTION use_upload(upload uuid, photo uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE uploads SET photo_id = photo WHERE id = upload AND state = 'complete' AND photo_id IS NULL;
    IF NOT FOUND THEN
        RAISE unique_violation USING MESSAGE = 'the upload is a photo already', CONSTRAINT = 'uploads_used_once';
    END IF;
END
$$;

-- What was answered to a request with an Idempotency-Key, written with what the request has made.
CREATE TABLE idempotency_keys (
    user_id     uuid        NOT NULL CONSTRAINT idempotency_keys_user_fkey REFERENCES users ON DELETE CASCADE,
    key         text        NOT NULL,
    fingerprint bytea       NOT NULL,                    -- SHA-256 of what was asked
    status      int         NOT NULL,
    fields      text[]      NOT NULL,                    -- name, value, name, value …
    body        bytea       NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
