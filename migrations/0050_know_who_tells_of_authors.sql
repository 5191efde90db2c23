-- An account's server tells who people are, also of other servers. What one says of somebody changes nothing for accounts of others.
ALTER TABLE response_authors
    ADD COLUMN told_by text NOT NULL DEFAULT '', -- the gate of the account that read it; empty: from the web, or somebody of Pics
    DROP CONSTRAINT response_authors_known_once,
    ADD CONSTRAINT response_authors_known_once UNIQUE (source, told_by, key);
DROP FUNCTION IF EXISTS keep_author(uuid, text, text, text, text, text, text);

-- When a photo changed whose links are told: what was told since is not told again.
ALTER TABLE mentioning_photos ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
