-- People may sign in with passkeys (WebAuthn), without a password.

-- The public key is kept as the authenticator has written it. One credential is one user's.
CREATE TABLE passkeys (
    id              uuid        CONSTRAINT passkeys_pkey PRIMARY KEY,
    user_id         uuid        NOT NULL CONSTRAINT passkeys_user_fkey REFERENCES users ON DELETE CASCADE,
    credential_id   bytea       NOT NULL CONSTRAINT passkeys_credential_key UNIQUE,
    public_key      bytea       NOT NULL,
    sign_count      bigint      NOT NULL,
    backup_eligible boolean     NOT NULL,                -- whether it may be on several devices
    name            text        NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    last_used_at    timestamptz,
    CONSTRAINT passkeys_credential_id_short CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
    CONSTRAINT passkeys_public_key_short CHECK (octet_length(public_key) BETWEEN 1 AND 2048),
    CONSTRAINT passkeys_sign_count_range CHECK (sign_count BETWEEN 0 AND 4294967295),
    CONSTRAINT passkeys_name_short CHECK (char_length(name) BETWEEN 1 AND 64)
);
CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at);

-- Challenges that were answered: none is answered twice. They make themselves known by a code of their own, so one that nobody has answered has
-- no row.
CREATE TABLE spent_challenges (
    hash     bytea       CONSTRAINT spent_challenges_pkey PRIMARY KEY,
    spent_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT spent_challenges_hash_form CHECK (octet_length(hash) = 32)
);
CREATE INDEX spent_challenges_by_age ON spent_challenges (spent_at);
