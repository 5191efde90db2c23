-- Notices by mail: the addresses that people have confirmed, and the mails that wait. No token stands in a mail's row: it is made when the mail is
-- sent.
--
-- pics: functions next_digest tell_by_mail tell_of_post tell_of_login forget_user

CREATE TABLE mail_addresses (
    user_id        uuid        CONSTRAINT mail_addresses_pkey PRIMARY KEY
                               CONSTRAINT mail_addresses_user_fkey REFERENCES users ON DELETE CASCADE,
    address        text        NOT NULL,
    language       text        NOT NULL,
    kinds          text[]      NOT NULL,                 -- what it is told of at once
    digest         text        NOT NULL DEFAULT 'none',
    token_hash     bytea,                                -- of the link that confirms it, the last one sent
    token_ends_at  timestamptz,
    confirmed_at   timestamptz,
    refused_at     timestamptz,                          -- its server takes no mail for it
    problem        text,                                 -- what that server said
    delivered_at   timestamptz,
    digested_at    timestamptz NOT NULL DEFAULT now(),   -- responses until then were told
    next_digest_at timestamptz,
    created_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT mail_addresses_token_key UNIQUE (token_hash),
    CONSTRAINT mail_addresses_address_short CHECK (octet_length(address) BETWEEN 3 AND 254),
    CONSTRAINT mail_addresses_language_is_tag CHECK (language ~ '^[a-z]{2,8}$'),
    CONSTRAINT mail_addresses_kinds_known CHECK (
        kinds <@ ARRAY['posts', 'logins'] AND array_position(kinds, NULL) IS NULL),
    CONSTRAINT mail_addresses_digest_known CHECK (digest IN ('none', 'daily', 'weekly')),
    CONSTRAINT mail_addresses_digest_due CHECK ((digest = 'none') = (next_digest_at IS NULL)),
    CONSTRAINT mail_addresses_token_form CHECK (octet_length(token_hash) = 32),
    CONSTRAINT mail_addresses_token_ends CHECK ((token_hash IS NULL) = (token_ends_at IS NULL)),
    CONSTRAINT mail_addresses_problem_short CHECK (octet_length(problem) <= 1024)
);
CREATE INDEX mail_addresses_address_idx ON mail_addresses (lower(address));
CREATE INDEX mail_addresses_digest_idx ON mail_addresses (next_digest_at) WHERE next_digest_at IS NOT NULL;

-- Confirmations of the last day, so that nobody sends many to a stranger. The address stands here as a hash alone.
CREATE TABLE mail_confirmations (
    id           uuid        CONSTRAINT mail_confirmations_pkey PRIMARY KEY,
    user_id      uuid        NOT NULL CONSTRAINT mail_confirmations_user_fkey REFERENCES users ON DELETE CASCADE,
    address_hash bytea       NOT NULL,
    asked_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT mail_confirmations_hash_form CHECK (octet_length(address_hash) = 32)
);
CREATE INDEX mail_confirmations_user_idx ON mail_confirmations (user_id);
CREATE INDEX mail_confirmations_address_idx ON mail_confirmations (address_hash);

-- What is to be sent. Several rows of a user may leave as one mail.
CREATE TABLE mails (
    id          uuid        CONSTRAINT mails_pkey PRIMARY KEY,
    user_id     uuid        CONSTRAINT mails_user_fkey REFERENCES users ON DELETE CASCADE,
    address     text        NOT NULL,                    -- of a reset, what somebody has entered: an address, or the name of a user
    kind        text        NOT NULL,
    subject_id  uuid,                                    -- a submission, an account or an invitation
    language    text        NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    due_at      timestamptz NOT NULL DEFAULT now(),
    failures    int         NOT NULL DEFAULT 0,
    lease_id    uuid,                                    -- who sends holds it; another attempt has another
    lease_until timestamptz,
    armed       boolean     NOT NULL DEFAULT false,      -- its last line may have left
    CONSTRAINT mails_subject_key UNIQUE (user_id, kind, subject_id),
    CONSTRAINT mails_address_short CHECK (octet_length(address) BETWEEN 1 AND 254),
    CONSTRAINT mails_kind_known CHECK (kind IN ('invitation', 'reset', 'confirmation', 'post', 'login', 'digest')),
    CONSTRAINT mails_subject_of_kind CHECK ((subject_id IS NULL) = (kind IN ('reset', 'confirmation', 'digest'))),
    CONSTRAINT mails_language_is_tag CHECK (language ~ '^[a-z]{2,8}$'),
    CONSTRAINT mails_failures_natural CHECK (failures >= 0),
    CONSTRAINT mails_lease_ends CHECK ((lease_id IS NULL) = (lease_until IS NULL))
);
CREATE INDEX mails_due_idx ON mails (due_at);
CREATE INDEX mails_lease_idx ON mails (lease_id) WHERE lease_id IS NOT NULL;

-- The links for a new password that were sent: by one mail for each user whose address it is.
CREATE TABLE password_resets (
    mail_id    uuid        NOT NULL,
    user_id    uuid        NOT NULL CONSTRAINT password_resets_user_fkey REFERENCES users ON DELETE CASCADE,
    hash       bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    ends_at    timestamptz NOT NULL,
    CONSTRAINT password_resets_pkey PRIMARY KEY (mail_id, user_id),
    CONSTRAINT password_resets_hash_key UNIQUE (hash),
    CONSTRAINT password_resets_hash_form CHECK (octet_length(hash) = 32)
);
CREATE INDEX password_resets_user_idx ON password_resets (user_id);

-- The token in the mail; the one that the inviter was shown is another.
ALTER TABLE invitations ADD COLUMN mail_hash bytea
    CONSTRAINT invitations_mail_hash_form CHECK (octet_length(mail_hash) = 32);
CREATE UNIQUE INDEX invitations_mail_hash_idx ON invitations (mail_hash);
