-- Photos whose deletion their owner may take back.

-- What a deletion has taken from a photo and its submissions, for a day. The file stays as long.
CREATE TABLE deleted_photos (
    photo_id   uuid        CONSTRAINT deleted_photos_pkey PRIMARY KEY
                           CONSTRAINT deleted_photos_photo_fkey REFERENCES photos ON DELETE CASCADE,
    sha256     bytea       NOT NULL,
    photo      jsonb       NOT NULL, -- the row as it was
    texts      jsonb       NOT NULL, -- of each submission, by its identifier: [text, own_text]
    deleted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX deleted_photos_file ON deleted_photos (sha256);
CREATE INDEX deleted_photos_age ON deleted_photos (deleted_at);
