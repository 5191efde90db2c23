-- People may turn on that a sign-in with the password also asks for a code of their authenticator app.

-- The secret of the app, sealed. A code counts once: its step has to be later than the last one that counted.
CREATE TABLE second_factors (
    user_id    uuid        CONSTRAINT second_factors_pkey PRIMARY KEY
                           CONSTRAINT second_factors_user_fkey REFERENCES users ON DELETE CASCADE,
    sealed     bytea       NOT NULL,
    last_step  bigint      NOT NULL,                     -- of 30 seconds since 1970
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT second_factors_last_step_natural CHECK (last_step >= 0)
);

-- Codes for whoever has lost the app: each works once, then its row is deleted. Only the SHA-256 is kept of 80 random bits.
CREATE TABLE recovery_codes (
    user_id uuid  NOT NULL CONSTRAINT recovery_codes_user_fkey REFERENCES second_factors ON DELETE CASCADE,
    hash    bytea NOT NULL,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
    CONSTRAINT recovery_codes_hash_form CHECK (octet_length(hash) = 32)
);
