-- Apps that people let into their accounts by OAuth.

-- A client of OAuth. Anybody may register one; nobody has let one in whose allowed_at is null, and it is deleted after a while.
CREATE TABLE apps (
    id uuid CONSTRAINT apps_pkey PRIMARY KEY,
    -- What it calls itself in requests: random, or its address.
    client_id text NOT NULL CONSTRAINT apps_client_id_key UNIQUE,
    kind text NOT NULL,
    -- The SHA-256 of its secret; null: it has none.
    secret_hash bytea,
    name text NOT NULL,
    website text,
    redirect_uris text[] NOT NULL,
    -- The most it may ask for: words with spaces between.
    scopes text NOT NULL,
    -- Whether its tokens end and are refreshed.
    refreshes boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- When somebody has let it in last.
    allowed_at timestamptz,
    CONSTRAINT apps_kind_known CHECK (kind IN ('mastodon', 'registered', 'site')),
    CONSTRAINT apps_secret_form CHECK (octet_length(secret_hash) = 32),
    CONSTRAINT apps_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT apps_redirect_count CHECK (cardinality(redirect_uris) <= 20)
);

CREATE INDEX apps_unused ON apps (created_at) WHERE allowed_at IS NULL;

-- A user's consent to an app; it ends by being deleted, and all tokens that it gave with it.
CREATE TABLE app_grants (
    id uuid CONSTRAINT app_grants_pkey PRIMARY KEY,
    app_id uuid NOT NULL CONSTRAINT app_grants_app_fkey REFERENCES apps ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT app_grants_user_fkey REFERENCES users ON DELETE CASCADE,
    -- As the app has asked, in words.
    scopes text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- When the app has fetched its first token; a grant without is deleted soon.
    opened_at timestamptz
);

CREATE INDEX app_grants_user ON app_grants (user_id, id);
CREATE INDEX app_grants_app ON app_grants (app_id);
CREATE INDEX app_grants_unopened ON app_grants (created_at) WHERE opened_at IS NULL;

-- What an app gets for its consent, and exchanges for a token once.
CREATE TABLE authorization_codes (
    -- A SHA-256.
    hash bytea CONSTRAINT authorization_codes_pkey PRIMARY KEY,
    grant_id uuid NOT NULL CONSTRAINT authorization_codes_grant_fkey REFERENCES app_grants ON DELETE CASCADE,
    redirect_uri text NOT NULL,
    -- The code challenge of RFC 7636 (S256), 32 bytes; null: the app has sent none.
    challenge bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz,
    CONSTRAINT authorization_codes_hash_form CHECK (octet_length(hash) = 32),
    CONSTRAINT authorization_codes_challenge_form CHECK (octet_length(challenge) = 32)
);

CREATE INDEX authorization_codes_grant ON authorization_codes (grant_id);

-- A used one is kept: whoever brings it again has stolen it, or was robbed of it.
CREATE TABLE refresh_tokens (
    hash bytea CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
    grant_id uuid NOT NULL CONSTRAINT refresh_tokens_grant_fkey REFERENCES app_grants ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz,
    CONSTRAINT refresh_tokens_hash_form CHECK (octet_length(hash) = 32)
);

CREATE INDEX refresh_tokens_grant ON refresh_tokens (grant_id);
CREATE INDEX refresh_tokens_age ON refresh_tokens (created_at);

-- Tokens of an app for itself, of nobody: they tell that it is registered.
CREATE TABLE app_tokens (
    hash bytea CONSTRAINT app_tokens_pkey PRIMARY KEY,
    app_id uuid NOT NULL CONSTRAINT app_tokens_app_fkey REFERENCES apps ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT app_tokens_hash_form CHECK (octet_length(hash) = 32)
);

CREATE INDEX app_tokens_app ON app_tokens (app_id, created_at);

-- Null: the user has made the token.
ALTER TABLE tokens
    ADD COLUMN grant_id uuid,
    ADD CONSTRAINT tokens_grant_fkey FOREIGN KEY (grant_id) REFERENCES app_grants ON DELETE CASCADE NOT VALID;
ALTER TABLE tokens VALIDATE CONSTRAINT tokens_grant_fkey;
CREATE INDEX tokens_grant ON tokens (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX tokens_of_apps_ended ON tokens (expires_at) WHERE grant_id IS NOT NULL;

-- An app that asks for nothing that Pics has gets a token all the same.
ALTER TABLE tokens
    DROP CONSTRAINT tokens_scopes_known,
    ADD CONSTRAINT tokens_scopes_known CHECK (
        (cardinality(scopes) > 0 OR grant_id IS NOT NULL)
        AND scopes <@ ARRAY['read', 'write', 'admin', 'metrics', 'profile', 'photos:read', 'photos:create',
                            'photos:draft', 'files:create', 'photos:edit', 'photos:delete', 'photos:like',
                            'profile:edit']) NOT VALID;
ALTER TABLE tokens VALIDATE CONSTRAINT tokens_scopes_known;
