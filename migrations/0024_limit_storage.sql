-- How much each user has stored, and a quota for it.

-- The bytes of a user's photos: each counts the whole of its file, also where several have the same file, and its words where they
-- are long. Deleted ones are remembered for a while, because their files stay on the disk that long.
ALTER TABLE users
    ADD COLUMN stored_bytes  bigint NOT NULL DEFAULT 0,
    ADD COLUMN removed_bytes bigint NOT NULL DEFAULT 0,      -- of deleted photos, as of removed_at; they count less by the hour
    ADD COLUMN removed_at    timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN storage_quota bigint                          -- bytes; 0: none; null: that of the settings
               CONSTRAINT users_storage_quota_natural CHECK (storage_quota >= 0);

-- The share of removed_bytes that still counts: all at once, nothing after a day.
CREATE FUNCTION recently_removed(bytes bigint, moment timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN moment <= now() - interval '1 day' THEN 0
                ELSE (bytes * least(1, 1 - extract(epoch FROM now() - moment) / 86400))::bigint END
$$;

-- Changes that the counters of users do not have yet, so that photos of one user that come at once need not wait for each other.
-- fold_storage adds them.
CREATE TABLE storage_changes (
    owner_id uuid        NOT NULL CONSTRAINT storage_changes_owner_id_fkey REFERENCES users (id) ON DELETE CASCADE,
    bytes    bigint      NOT NULL,                           -- below zero: deleted
    made_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX storage_changes_owner ON storage_changes (owner_id);

-- What a photo counts: its file, and what its words have beyond 4 KiB four times, since plans and kept answers repeat them.
CREATE FUNCTION counted_bytes(file bigint, caption text, alt_text text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT file + 4 * greatest(0, octet_length(caption) + octet_length(alt_text) - 4096)
$$;

CREATE FUNCTION count_added_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO storage_changes (owner_id, bytes)
    SELECT p.owner_id, sum(counted_bytes(b.bytes, p.caption, p.alt_text))
      FROM added p JOIN blobs b ON b.sha256 = p.sha256
     WHERE p.deleted_at IS NULL GROUP BY p.owner_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER photos_count_added AFTER INSERT ON photos
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_photos();

CREATE FUNCTION count_removed_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO storage_changes (owner_id, bytes)
    SELECT p.owner_id, -sum(counted_bytes(b.bytes, p.caption, p.alt_text))
      FROM removed p JOIN blobs b ON b.sha256 = p.sha256
     WHERE p.deleted_at IS NULL GROUP BY p.owner_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER photos_count_removed AFTER DELETE ON photos
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_photos();

-- A photo that is deleted keeps its row without its file. Likes do not come here.
CREATE FUNCTION count_changed_photo() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_bytes bigint := coalesce((SELECT counted_bytes(bytes, NEW.caption, NEW.alt_text) FROM blobs
                                 WHERE sha256 = NEW.sha256 AND NEW.deleted_at IS NULL), 0)
                      - coalesce((SELECT counted_bytes(bytes, OLD.caption, OLD.alt_text) FROM blobs
                                   WHERE sha256 = OLD.sha256 AND OLD.deleted_at IS NULL), 0);
BEGIN
    IF v_bytes <> 0 THEN INSERT INTO storage_changes (owner_id, bytes) VALUES (NEW.owner_id, v_bytes); END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER photos_count_changed AFTER UPDATE OF sha256, deleted_at, caption, alt_text ON photos
    FOR EACH ROW EXECUTE FUNCTION count_changed_photo();

-- The triggers have locked out writers until this transaction ends.
UPDATE users u SET stored_bytes = s.bytes
  FROM (SELECT p.owner_id, sum(counted_bytes(b.bytes, p.caption, p.alt_text))::bigint AS bytes FROM photos p JOIN blobs b ON b.sha256 = p.sha256
         WHERE p.deleted_at IS NULL GROUP BY p.owner_id) s
 WHERE u.id = s.owner_id;

-- Adds the changes to the counters. Users that somebody holds come the next time. Returns how many users it was.
CREATE FUNCTION fold_storage() RETURNS bigint LANGUAGE sql AS $$
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

-- What a user has stored, and what counts still of what was deleted, with the changes that are not added yet.
CREATE FUNCTION storage_of(owner uuid) RETURNS TABLE (stored bigint, removed bigint, quota bigint) LANGUAGE sql STABLE AS $$
    SELECT greatest(0, u.stored_bytes + c.bytes)::bigint,
           (recently_removed(u.removed_bytes, u.removed_at) + c.removed)::bigint, u.storage_quota
      FROM users u
     CROSS JOIN LATERAL (SELECT coalesce(sum(n.bytes), 0) AS bytes,
                                coalesce(sum(recently_removed(-n.bytes, n.made_at)) FILTER (WHERE n.bytes < 0), 0) AS removed
                           FROM storage_changes n WHERE n.owner_id = u.id) c
     WHERE u.id = owner
$$;

-- Holds what is counted of a user that has a quota until the end of the transaction, so that photos that come at once are judged one
-- after the other; `usual` is the quota of the settings, 0 for none. In the order of locks it comes behind blobs and before lanes.
-- Returns the quota; null: there is none.
CREATE FUNCTION lock_storage(owner uuid, usual bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT coalesce(storage_quota, usual) FROM users
     WHERE id = owner AND coalesce(storage_quota, usual) > 0 FOR NO KEY UPDATE
$$;

-- Refuses the transaction if its user has stored more than the quota. What was deleted within a day lies on the disk still: together
-- with it there may be twice as much, so that nobody fills the disk by deleting.
CREATE FUNCTION demand_storage(owner uuid, usual bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_quota bigint := lock_storage(owner, usual);
BEGIN
    IF v_quota IS NULL THEN RETURN; END IF;
    PERFORM FROM storage_of(owner) WHERE stored > v_quota OR stored + removed > 2 * v_quota;
    IF FOUND THEN
        RAISE check_violation USING MESSAGE = 'the storage quota is used up', CONSTRAINT = 'users_storage_quota';
    END IF;
END
$$;
