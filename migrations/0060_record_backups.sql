-- The backups that Pics has made or begun, so that one process at a time makes one and a late one is noticed.
CREATE TABLE backups (
    id text PRIMARY KEY CONSTRAINT backups_id_form CHECK (id ~ '^[0-9]{8}T[0-9]{6}Z$'),
    place text NOT NULL CONSTRAINT backups_place_short CHECK (octet_length(place) BETWEEN 1 AND 4096),
    begun_at timestamptz NOT NULL DEFAULT now(),
    -- While it is made.
    seen_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    -- Nil in one that is there.
    problem text CONSTRAINT backups_problem_short CHECK (octet_length(problem) <= 4096),
    files bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    -- Files that were missing or damaged.
    faulty bigint NOT NULL DEFAULT 0,
    CONSTRAINT backups_problem_ends CHECK (problem IS NULL OR ended_at IS NOT NULL)
);
CREATE INDEX backups_begun ON backups (begun_at);
