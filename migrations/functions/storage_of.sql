-- What a user has stored, and what counts still of what was deleted, with the changes that are not added yet.
CREATE OR REPLACE FUNCTION storage_of(owner uuid) RETURNS TABLE (stored bigint, removed bigint, quota bigint) LANGUAGE sql STABLE AS $$
    SELECT greatest(0, u.stored_bytes + c.bytes)::bigint,
           (recently_removed(u.removed_bytes, u.removed_at) + c.removed)::bigint, u.storage_quota
      FROM users u
     CROSS JOIN LATERAL (SELECT coalesce(sum(n.bytes), 0) AS bytes,
                                coalesce(sum(recently_removed(-n.bytes, n.made_at)) FILTER (WHERE n.bytes < 0), 0) AS removed
                           FROM storage_changes n WHERE n.owner_id = u.id) c
     WHERE u.id = owner
$$;
