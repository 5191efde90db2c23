-- Owners find their photos by words, hashtag, album, state, service, visibility and time. The indexes are built beside running
-- programs, which create photos meanwhile.
--
-- pics: no transaction

DROP INDEX CONCURRENTLY IF EXISTS photos_words;
CREATE INDEX CONCURRENTLY photos_words ON photos USING gin (search_terms(owner_id, caption || E'\n' || alt_text))
    WHERE deleted_at IS NULL;

DROP INDEX CONCURRENTLY IF EXISTS photos_in_album;
CREATE INDEX CONCURRENTLY photos_in_album ON photos (owner_id, album, id DESC)
    WHERE deleted_at IS NULL AND album IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS photos_hidden;
CREATE INDEX CONCURRENTLY photos_hidden ON photos (owner_id, visibility, id DESC)
    WHERE deleted_at IS NULL AND visibility <> 'public';

DROP INDEX CONCURRENTLY IF EXISTS photos_by_moment;
CREATE INDEX CONCURRENTLY photos_by_moment ON photos (owner_id, (coalesce(taken_at, created_at)) DESC)
    WHERE deleted_at IS NULL;

-- For the frequencies of words, by which a search chooses between the index of words and the newest photos.
ANALYZE photos;
