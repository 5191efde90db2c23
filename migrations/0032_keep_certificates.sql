-- Certificates that Pics gets by ACME, so that every process that serves has the same ones. Private keys are sealed with the key
-- file, as credentials are.

CREATE TABLE acme_accounts (
    directory text PRIMARY KEY,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT acme_accounts_directory CHECK (octet_length(directory) <= 2048)
);

COMMENT ON TABLE acme_accounts IS 'The key of the account at each certificate authority, by the URL of its ACME directory.';

CREATE TABLE certificates (
    names text PRIMARY KEY,
    chain text,
    sealed bytea,
    expires_at timestamptz,
    renew_at timestamptz NOT NULL DEFAULT now(),
    failures integer NOT NULL DEFAULT 0,
    problem text,
    leased_until timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT certificates_whole CHECK ((chain IS NULL) = (sealed IS NULL) AND (chain IS NULL) = (expires_at IS NULL)),
    CONSTRAINT certificates_names CHECK (octet_length(names) <= 8192)
);

COMMENT ON TABLE certificates IS 'The newest certificate for a set of names, and when the next is asked for.';
COMMENT ON COLUMN certificates.names IS 'DNS names in the order of the settings, with spaces between them.';
COMMENT ON COLUMN certificates.chain IS 'In PEM; null until the first was got.';
COMMENT ON COLUMN certificates.sealed IS 'The private key.';
COMMENT ON COLUMN certificates.failures IS 'Attempts in a row that have failed since the last success.';
COMMENT ON COLUMN certificates.problem IS 'Why the last attempt failed; null after a success.';
COMMENT ON COLUMN certificates.leased_until IS 'One process at a time asks the authority.';
