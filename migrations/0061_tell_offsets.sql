-- What clients were told of uploads in a bucket, whose listing may be behind, and where the last writer began: no node tells less than another.
ALTER TABLE uploads
    ADD COLUMN told bigint NOT NULL DEFAULT 0,
    ADD COLUMN writer_at bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT uploads_told_natural CHECK (told >= 0),
    ADD CONSTRAINT uploads_writer_at_natural CHECK (writer_at >= 0);
