-- Copies of photos at addresses from which services fetch them: each as long as its submission has work to do, and no longer than its time.
-- No foreign keys: jobs end too often to look here, and the files outlive their addresses by hours.
CREATE TABLE outgoing_files (
    hash          bytea       NOT NULL CONSTRAINT outgoing_files_pkey PRIMARY KEY
                              CONSTRAINT outgoing_files_hash_form CHECK (octet_length(hash) = 32),
    submission_id uuid        NOT NULL,
    photo_id      uuid        NOT NULL,
    sha256        bytea       NOT NULL,
    expires_at    timestamptz NOT NULL
);
CREATE INDEX outgoing_files_expiry ON outgoing_files (expires_at);
