-- The processes of a Pics, and the limits that they keep together.

-- A process writes its row every ten seconds and deletes it when it ends; a row that is not written any more belongs to one that was lost.
CREATE TABLE nodes (
    id uuid PRIMARY KEY,
    -- HOST/PROCESS, as in jobs.worker.
    name text NOT NULL CONSTRAINT nodes_name_length CHECK (length(name) BETWEEN 1 AND 300),
    version text NOT NULL CONSTRAINT nodes_version_length CHECK (length(version) BETWEEN 1 AND 100),
    serves boolean NOT NULL,
    works boolean NOT NULL,
    draining boolean NOT NULL DEFAULT false,
    resident_bytes bigint NOT NULL,
    disk_free_bytes bigint NOT NULL,
    disk_total_bytes bigint NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now()
);

-- Token buckets, each as the moment at which it will be full: a full one has no row. A crash of the database fills them all.
CREATE UNLOGGED TABLE shared_limits (
    -- SHA-256 of the policy and of whom it counts.
    key bytea PRIMARY KEY CONSTRAINT shared_limits_key_length CHECK (octet_length(key) = 32),
    full_at timestamptz NOT NULL
);
CREATE INDEX shared_limits_full ON shared_limits (full_at);
