-- Pages of photos with thousands of responses show the newest and count them all; owners look for those that wait and those that are
-- hidden. The indexes are built beside running programs, which keep responses meanwhile.
--
-- pics: no transaction

DROP INDEX CONCURRENTLY IF EXISTS responses_of_photo;
CREATE INDEX CONCURRENTLY responses_of_photo ON responses (photo_id, id) INCLUDE (kind, state) WHERE gone_at IS NULL;

DROP INDEX CONCURRENTLY IF EXISTS responses_not_shown;
CREATE INDEX CONCURRENTLY responses_not_shown ON responses (owner_id, state, id) WHERE gone_at IS NULL AND state <> 'shown';
