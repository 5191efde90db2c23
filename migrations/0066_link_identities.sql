-- People may sign in by an issuer of OpenID Connect that the operator has chosen.

-- Who somebody is there: the issuer and its own name for them, which never changes. A mail address is none of both.
CREATE TABLE identities (
    id           uuid        CONSTRAINT identities_pkey PRIMARY KEY,
    user_id      uuid        NOT NULL CONSTRAINT identities_user_fkey REFERENCES users ON DELETE CASCADE,
    issuer       text        NOT NULL,
    subject      text        NOT NULL,
    label        text        NOT NULL,                   -- what people know it by
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    CONSTRAINT identities_subject_key UNIQUE (issuer, subject),
    CONSTRAINT identities_issuer_short CHECK (octet_length(issuer) BETWEEN 1 AND 500),
    CONSTRAINT identities_subject_short CHECK (octet_length(subject) BETWEEN 1 AND 255),
    CONSTRAINT identities_label_short CHECK (char_length(label) <= 254)
);
CREATE INDEX identities_of_user ON identities (user_id, created_at);
