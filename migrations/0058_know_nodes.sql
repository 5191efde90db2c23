-- Nodes without a shared disk: they have no lock of a file, and each has a key file of its own.
--
-- Who writes to an upload in parts takes the next number; whose number is not the last one tells its client nothing more.

ALTER TABLE uploads ADD COLUMN writer_no integer NOT NULL DEFAULT 0;

-- The sealing key that the database belongs to: a node without it, or with another, is refused.
ALTER TABLE installation
    ADD COLUMN key_id bytea,
    ADD CONSTRAINT installation_key_id_form CHECK (octet_length(key_id) = 4);
