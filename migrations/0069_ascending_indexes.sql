-- Newer rows come last in their indexes, not first: PostgreSQL fills leaves of an index that grows at its end, and leaves them half
-- empty where it grows at the front. What reads the newest first reads backwards. The indexes are built beside running programs.
-- Names change hands in one transaction, so that there is a valid index under each name wherever this ends and begins again.
--
-- pics: no transaction

DROP INDEX CONCURRENTLY IF EXISTS attempts_by_time_descending;
DROP INDEX CONCURRENTLY IF EXISTS attempts_by_time_ascending;
CREATE INDEX CONCURRENTLY attempts_by_time_ascending ON attempts (ended_at) INCLUDE (outcome);
ALTER INDEX IF EXISTS attempts_by_time RENAME TO attempts_by_time_descending; ALTER INDEX attempts_by_time_ascending RENAME TO attempts_by_time;
DROP INDEX CONCURRENTLY IF EXISTS attempts_by_time_descending;

DROP INDEX CONCURRENTLY IF EXISTS likes_newest_descending;
DROP INDEX CONCURRENTLY IF EXISTS likes_newest_ascending;
CREATE INDEX CONCURRENTLY likes_newest_ascending ON likes (photo_id, created_at, user_id);
ALTER INDEX IF EXISTS likes_newest RENAME TO likes_newest_descending; ALTER INDEX likes_newest_ascending RENAME TO likes_newest;
DROP INDEX CONCURRENTLY IF EXISTS likes_newest_descending;

DROP INDEX CONCURRENTLY IF EXISTS likes_owner_descending;
DROP INDEX CONCURRENTLY IF EXISTS likes_owner_ascending;
CREATE INDEX CONCURRENTLY likes_owner_ascending ON likes (owner_id, created_at);
ALTER INDEX IF EXISTS likes_owner RENAME TO likes_owner_descending; ALTER INDEX likes_owner_ascending RENAME TO likes_owner;
DROP INDEX CONCURRENTLY IF EXISTS likes_owner_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_by_moment_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_by_moment_ascending;
CREATE INDEX CONCURRENTLY photos_by_moment_ascending ON photos (owner_id, (coalesce(taken_at, created_at)))
    WHERE deleted_at IS NULL;
ALTER INDEX IF EXISTS photos_by_moment RENAME TO photos_by_moment_descending; ALTER INDEX photos_by_moment_ascending RENAME TO photos_by_moment;
DROP INDEX CONCURRENTLY IF EXISTS photos_by_moment_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_changed_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_changed_ascending;
CREATE INDEX CONCURRENTLY photos_changed_ascending ON photos (owner_id, (greatest(created_at, edited_at, deleted_at)));
ALTER INDEX IF EXISTS photos_changed RENAME TO photos_changed_descending; ALTER INDEX photos_changed_ascending RENAME TO photos_changed;
DROP INDEX CONCURRENTLY IF EXISTS photos_changed_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_gallery_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_gallery_ascending;
CREATE INDEX CONCURRENTLY photos_gallery_ascending ON photos (owner_id, id)
    WHERE visibility = 'public' AND deleted_at IS NULL;
ALTER INDEX IF EXISTS photos_gallery RENAME TO photos_gallery_descending; ALTER INDEX photos_gallery_ascending RENAME TO photos_gallery;
DROP INDEX CONCURRENTLY IF EXISTS photos_gallery_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_hidden_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_hidden_ascending;
CREATE INDEX CONCURRENTLY photos_hidden_ascending ON photos (owner_id, visibility, id)
    WHERE deleted_at IS NULL AND visibility <> 'public';
ALTER INDEX IF EXISTS photos_hidden RENAME TO photos_hidden_descending; ALTER INDEX photos_hidden_ascending RENAME TO photos_hidden;
DROP INDEX CONCURRENTLY IF EXISTS photos_hidden_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_in_album_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_in_album_ascending;
CREATE INDEX CONCURRENTLY photos_in_album_ascending ON photos (owner_id, album, id)
    WHERE deleted_at IS NULL AND album IS NOT NULL;
ALTER INDEX IF EXISTS photos_in_album RENAME TO photos_in_album_descending; ALTER INDEX photos_in_album_ascending RENAME TO photos_in_album;
DROP INDEX CONCURRENTLY IF EXISTS photos_in_album_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_newest_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_newest_ascending;
CREATE INDEX CONCURRENTLY photos_newest_ascending ON photos (id) INCLUDE (owner_id)
    WHERE visibility = 'public' AND deleted_at IS NULL;
ALTER INDEX IF EXISTS photos_newest RENAME TO photos_newest_descending; ALTER INDEX photos_newest_ascending RENAME TO photos_newest;
DROP INDEX CONCURRENTLY IF EXISTS photos_newest_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_of_owner_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_of_owner_ascending;
CREATE INDEX CONCURRENTLY photos_of_owner_ascending ON photos (owner_id, id)
    WHERE deleted_at IS NULL;
ALTER INDEX IF EXISTS photos_of_owner RENAME TO photos_of_owner_descending; ALTER INDEX photos_of_owner_ascending RENAME TO photos_of_owner;
DROP INDEX CONCURRENTLY IF EXISTS photos_of_owner_descending;

DROP INDEX CONCURRENTLY IF EXISTS photos_processed_descending;
DROP INDEX CONCURRENTLY IF EXISTS photos_processed_ascending;
CREATE INDEX CONCURRENTLY photos_processed_ascending ON photos (owner_id, processing_at)
    WHERE deleted_at IS NULL;
ALTER INDEX IF EXISTS photos_processed RENAME TO photos_processed_descending; ALTER INDEX photos_processed_ascending RENAME TO photos_processed;
DROP INDEX CONCURRENTLY IF EXISTS photos_processed_descending;

DROP INDEX CONCURRENTLY IF EXISTS submissions_of_connection_descending;
DROP INDEX CONCURRENTLY IF EXISTS submissions_of_connection_ascending;
CREATE INDEX CONCURRENTLY submissions_of_connection_ascending ON submissions (connection_id, updated_at);
ALTER INDEX IF EXISTS submissions_of_connection RENAME TO submissions_of_connection_descending; ALTER INDEX submissions_of_connection_ascending RENAME TO submissions_of_connection;
DROP INDEX CONCURRENTLY IF EXISTS submissions_of_connection_descending;

DROP INDEX CONCURRENTLY IF EXISTS submissions_problems_descending;
DROP INDEX CONCURRENTLY IF EXISTS submissions_problems_ascending;
CREATE INDEX CONCURRENTLY submissions_problems_ascending ON submissions (connection_id, updated_at)
    WHERE problem IS NOT NULL;
ALTER INDEX IF EXISTS submissions_problems RENAME TO submissions_problems_descending; ALTER INDEX submissions_problems_ascending RENAME TO submissions_problems;
DROP INDEX CONCURRENTLY IF EXISTS submissions_problems_descending;

DROP INDEX CONCURRENTLY IF EXISTS submissions_troubled_descending;
DROP INDEX CONCURRENTLY IF EXISTS submissions_troubled_ascending;
CREATE INDEX CONCURRENTLY submissions_troubled_ascending ON submissions (updated_at)
    WHERE state IN ('rejected', 'unknown', 'needs_login');
ALTER INDEX IF EXISTS submissions_troubled RENAME TO submissions_troubled_descending; ALTER INDEX submissions_troubled_ascending RENAME TO submissions_troubled;
DROP INDEX CONCURRENTLY IF EXISTS submissions_troubled_descending;
