-- Which installation a database belongs to, and what is known of the files beside it.

-- At most one row. The store of the files carries the same identifier: docs/decisions/one-database-one-blob-store.md.
CREATE TABLE installation (
    is_only    boolean     NOT NULL DEFAULT true CONSTRAINT installation_pkey PRIMARY KEY
                           CONSTRAINT installation_single CHECK (is_only),
    id         uuid        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TYPE blob_fault AS ENUM ('missing', 'damaged');

-- A file's bytes are compared with its digest when it is stored, and again from time to time.
ALTER TABLE blobs
    ADD COLUMN checked_at timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN fault blob_fault,                         -- null: none was found
    ADD COLUMN fault_at timestamptz,                     -- when the fault was first found
    ADD CONSTRAINT blobs_fault_has_time CHECK ((fault IS NULL) = (fault_at IS NULL));
ALTER TABLE blobs ALTER COLUMN checked_at SET DEFAULT now();
CREATE INDEX blobs_checked ON blobs (checked_at) WHERE fault IS NULL;
CREATE INDEX blobs_faulty ON blobs (checked_at) WHERE fault IS NOT NULL;
