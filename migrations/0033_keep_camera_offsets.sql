-- A photo keeps the clock of its camera, and belongs to the day that this clock showed. The indexes are built beside running programs,
-- which create photos meanwhile.
--
-- pics: no transaction

-- The camera's difference to UTC when the photo was taken, in minutes, east positive; null where it is not known.
ALTER TABLE photos ADD COLUMN IF NOT EXISTS taken_offset smallint;
ALTER TABLE photos DROP CONSTRAINT IF EXISTS photos_taken_offset_real;
ALTER TABLE photos ADD CONSTRAINT photos_taken_offset_real
    CHECK (taken_offset IS NULL OR taken_at IS NOT NULL AND taken_offset BETWEEN -840 AND 840) NOT VALID;
ALTER TABLE photos VALIDATE CONSTRAINT photos_taken_offset_real;

-- Public photos by day, in place of photos_shown, which the previous release reads: by the clock of their owner, or by that of their camera. Each photo is in one of them.
DROP INDEX CONCURRENTLY IF EXISTS photos_by_owners_day;
CREATE INDEX CONCURRENTLY photos_by_owners_day ON photos (owner_id, (coalesce(taken_at, created_at)), id)
    WHERE visibility = 'public' AND deleted_at IS NULL AND taken_offset IS NULL;

DROP INDEX CONCURRENTLY IF EXISTS photos_by_cameras_day;
CREATE INDEX CONCURRENTLY photos_by_cameras_day
    ON photos (owner_id, ((taken_at AT TIME ZONE 'UTC') + taken_offset * interval '1 minute'), id)
    WHERE visibility = 'public' AND deleted_at IS NULL AND taken_offset IS NOT NULL;
