-- The newest public photos of everybody, whose galleries are then asked for. The index is built beside running programs.
--
-- pics: no transaction

DROP INDEX CONCURRENTLY IF EXISTS photos_newest;
CREATE INDEX CONCURRENTLY photos_newest ON photos (id DESC) INCLUDE (owner_id)
    WHERE visibility = 'public' AND deleted_at IS NULL;
