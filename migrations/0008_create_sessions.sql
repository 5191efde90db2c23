-- People sign in with a password in the browser, and admins invite others.

-- Without a password a user cannot sign in. The text is `$scrypt$ln=…,r=…,p=…$salt$hash`: it says how it was made.
ALTER TABLE users
    ADD COLUMN password text,
    ADD CONSTRAINT users_password_form CHECK (password LIKE '$scrypt$%');

-- A browser that has signed in. Its token is 256 random bits in a cookie; only the SHA-256 is kept. How old a session may
-- be, and how long it may rest, are settings and apply when it is read.
CREATE TABLE sessions (
    id           uuid        CONSTRAINT sessions_pkey PRIMARY KEY,
    user_id      uuid        NOT NULL CONSTRAINT sessions_user_fkey REFERENCES users ON DELETE CASCADE,
    hash         bytea       NOT NULL CONSTRAINT sessions_hash_key UNIQUE,
    browser      text        NOT NULL,                   -- as it names itself
    address      text        NOT NULL,                   -- where it signed in from
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),     -- to the minute
    CONSTRAINT sessions_hash_form CHECK (octet_length(hash) = 32)
);
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);

-- A link that lets somebody become a user, once. Only the SHA-256 of its token is kept.
CREATE TABLE invitations (
    id         uuid        CONSTRAINT invitations_pkey PRIMARY KEY,
    hash       bytea       NOT NULL CONSTRAINT invitations_hash_key UNIQUE,
    user_name  text,                                     -- null: whoever is invited chooses
    is_admin   boolean     NOT NULL DEFAULT false,
    invited_by uuid        CONSTRAINT invitations_inviter_fkey REFERENCES users ON DELETE CASCADE,  -- null: the terminal
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    CONSTRAINT invitations_hash_form CHECK (octet_length(hash) = 32),
    CONSTRAINT invitations_user_name_form CHECK (user_name ~ '^[a-z0-9_-]{1,32}$')
);
CREATE INDEX invitations_open ON invitations (created_at) WHERE used_at IS NULL;
CREATE INDEX invitations_of_inviter ON invitations (invited_by);
