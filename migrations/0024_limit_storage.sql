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

-- Changes the counters of a user in the transaction of their photos. Their row is held until its end, so that several that come at once
-- are counted one after the other. In the order of locks it comes behind blobs and before lanes.
CREATE FUNCTION change_stored_bytes(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
    UPDATE users
       SET stored_bytes = greatest(0, stored_bytes + change),
           removed_bytes = recently_removed(removed_bytes, removed_at) + greatest(0, -change),
           removed_at = now()
     WHERE id = owner AND change <> 0
$$;

-- What a photo counts: its file, and what its words have beyond 4 KiB four times, since plans and kept answers repeat them.
CREATE FUNCTION counted_bytes(file bigint, caption text, alt_text text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT file + 4 * greatest(0, octet_length(caption) + octet_length(alt_text) - 4096)
$$;

-- Once for each owner and statement: a row that is changed many times in a transaction becomes slow.
CREATE FUNCTION count_added_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM change_stored_bytes(s.owner_id, s.bytes)
       FROM (SELECT p.owner_id, sum(counted_bytes(b.bytes, p.caption, p.alt_text))::bigint AS bytes FROM added p JOIN blobs b ON b.sha256 = p.sha256
              WHERE p.deleted_at IS NULL GROUP BY p.owner_id) s;
    RETURN NULL;
END
$$;
CREATE TRIGGER photos_count_added AFTER INSERT ON photos
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_photos();

CREATE FUNCTION count_removed_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM change_stored_bytes(s.owner_id, -s.bytes)
       FROM (SELECT p.owner_id, sum(counted_bytes(b.bytes, p.caption, p.alt_text))::bigint AS bytes FROM removed p JOIN blobs b ON b.sha256 = p.sha256
              WHERE p.deleted_at IS NULL GROUP BY p.owner_id) s;
    RETURN NULL;
END
$$;
CREATE TRIGGER photos_count_removed AFTER DELETE ON photos
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_photos();

-- A photo that is deleted keeps its row without its file. Likes do not come here.
CREATE FUNCTION count_changed_photo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM change_stored_bytes(NEW.owner_id,
        coalesce((SELECT counted_bytes(bytes, NEW.caption, NEW.alt_text) FROM blobs
                   WHERE sha256 = NEW.sha256 AND NEW.deleted_at IS NULL), 0)
        - coalesce((SELECT counted_bytes(bytes, OLD.caption, OLD.alt_text) FROM blobs
                     WHERE sha256 = OLD.sha256 AND OLD.deleted_at IS NULL), 0));
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

-- Refuses the transaction if its user has stored more than the quota; `usual` is that of the settings, 0 for none. What was deleted within
-- a day lies on the disk still: together with it there may be twice as much, so that nobody fills the disk by deleting.
CREATE FUNCTION demand_storage(owner uuid, usual bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM users
      WHERE id = owner AND coalesce(storage_quota, usual) > 0
        AND (stored_bytes > coalesce(storage_quota, usual)
             OR stored_bytes + recently_removed(removed_bytes, removed_at) > 2 * coalesce(storage_quota, usual));
    IF FOUND THEN
        RAISE check_violation USING MESSAGE = 'the storage quota is used up', CONSTRAINT = 'users_storage_quota';
    END IF;
END
$$;
