-- Whether the pictures are there that are made of a photo when it comes in or gets another recipe.

CREATE TYPE processing AS ENUM ('pending', 'done', 'failed');
ALTER TABLE photos
    ADD COLUMN processing    processing NOT NULL DEFAULT 'done',
    ADD COLUMN processing_at timestamptz;                -- when it became so; null: before this migration
ALTER TABLE photos
    ALTER COLUMN processing SET DEFAULT 'pending',
    ALTER COLUMN processing_at SET DEFAULT now();

-- Those with a recipe have pictures whose names are not known here: who makes pictures looks.
UPDATE photos p SET processing = 'pending'
 WHERE p.deleted_at IS NULL
   AND (p.recipe IS NOT NULL
        OR (SELECT count(*) FROM renditions r
             WHERE r.source_sha256 = p.sha256 AND r.name IN ('thumb', 'thumb.webp', 'small', 'small.webp')) < 4);

CREATE INDEX photos_pending ON photos (owner_id, id) WHERE processing = 'pending' AND deleted_at IS NULL;
-- What somebody is told who follows.
CREATE INDEX photos_processed ON photos (owner_id, processing_at DESC) WHERE deleted_at IS NULL;
