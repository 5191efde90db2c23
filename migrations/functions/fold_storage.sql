-- Adds the changes to the counters. Users that somebody holds come the next time. Returns how many users it was.
CREATE OR REPLACE FUNCTION fold_storage() RETURNS bigint LANGUAGE sql AS $$
    WITH held AS MATERIALIZED (
        SELECT id FROM users WHERE id IN (SELECT owner_id FROM storage_changes) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM storage_changes c USING held WHERE c.owner_id = held.id RETURNING c.owner_id, c.bytes, c.made_at
    ), sums AS (
        SELECT owner_id, sum(bytes) AS bytes, count(*) FILTER (WHERE bytes < 0) > 0 AS has_removed,
               coalesce(sum(recently_removed(-bytes, made_at)) FILTER (WHERE bytes < 0), 0) AS removed
          FROM gone GROUP BY owner_id
    ), folded AS (
        UPDATE users u
           SET stored_bytes = greatest(0, u.stored_bytes + s.bytes),
               removed_bytes = CASE WHEN s.has_removed
                                    THEN recently_removed(u.removed_bytes, u.removed_at) + s.removed
                                    ELSE u.removed_bytes END,
               removed_at = CASE WHEN s.has_removed THEN now() ELSE u.removed_at END
          FROM sums s WHERE u.id = s.owner_id
        RETURNING u.id
    )
    SELECT count(*) FROM folded
$$;
