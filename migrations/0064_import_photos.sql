-- Photos from elsewhere: runs over archives and folders, what failed in them, and which photo an item of a source has become.
--
-- pics: functions forget_user
CREATE TABLE imports (
    id uuid PRIMARY KEY,
    owner_id uuid NOT NULL CONSTRAINT imports_owner REFERENCES users,
    source text CONSTRAINT imports_source_known CHECK (
        source IN ('pics', 'takeout', 'mastodon', 'pixelfed', 'instagram', 'flickr', 'folder')),
    state text NOT NULL CONSTRAINT imports_state_known CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    name text NOT NULL CONSTRAINT imports_name_short CHECK (length(name) BETWEEN 1 AND 1000),
    found integer NOT NULL DEFAULT 0,
    imported integer NOT NULL DEFAULT 0,
    known integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    problem text CONSTRAINT imports_problem_short CHECK (length(problem) BETWEEN 1 AND 40),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- While it runs. Each run has a number, and one that was taken over writes nothing more.
    seen_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz NOT NULL DEFAULT now(),
    run_no integer NOT NULL DEFAULT 0,
    ended_at timestamptz,
    CONSTRAINT imports_counts_natural CHECK (found >= 0 AND imported >= 0 AND known >= 0 AND failed >= 0),
    CONSTRAINT imports_ended CHECK ((ended_at IS NOT NULL) = (state IN ('done', 'failed'))),
    CONSTRAINT imports_problem_fails CHECK (problem IS NULL OR state = 'failed')
);
CREATE INDEX imports_of_owner ON imports (owner_id, id);
CREATE INDEX imports_open ON imports (created_at) WHERE ended_at IS NULL;
CREATE INDEX imports_ended_at ON imports (ended_at) WHERE ended_at IS NOT NULL;

-- The archives of imports from the browser, as blobs. They go when it ends.
CREATE TABLE import_archives (
    import_id uuid NOT NULL CONSTRAINT import_archives_import REFERENCES imports ON DELETE CASCADE,
    place smallint NOT NULL,
    -- No reference: the sweeper of the release before does not know of these, and would fail for ever. What is worked on is kept young.
    sha256 bytea NOT NULL CONSTRAINT import_archives_sha256_form CHECK (octet_length(sha256) = 32),
    PRIMARY KEY (import_id, place),
    CONSTRAINT import_archives_place_natural CHECK (place >= 0)
);
CREATE INDEX import_archives_of_blob ON import_archives (sha256);

CREATE TABLE import_failures (
    import_id uuid NOT NULL CONSTRAINT import_failures_import REFERENCES imports ON DELETE CASCADE,
    place integer NOT NULL,
    file text NOT NULL CONSTRAINT import_failures_file_short CHECK (length(file) <= 1100),
    problem text NOT NULL CONSTRAINT import_failures_problem_short CHECK (length(problem) BETWEEN 1 AND 40),
    PRIMARY KEY (import_id, place)
);

-- What an owner has imported: the key is a digest of source and identifier, or of source and bytes.
CREATE TABLE imported_items (
    owner_id uuid NOT NULL CONSTRAINT imported_items_owner REFERENCES users,
    key bytea NOT NULL CONSTRAINT imported_items_key_form CHECK (octet_length(key) = 32),
    photo_id uuid NOT NULL CONSTRAINT imported_items_photo REFERENCES photos ON DELETE CASCADE,
    import_id uuid NOT NULL,
    PRIMARY KEY (owner_id, key)
);
CREATE INDEX imported_items_of_photo ON imported_items (photo_id);
