-- How much each user has stored, and a quota for it.
--
-- pics: functions counted_bytes count_added_photos count_removed_photos count_changed_photo

-- The bytes of a user's photos: each counts the whole of its file, also where several have the same file, and its words where they
-- are long. Deleted ones are remembered for a while, because their files stay on the disk that long.
ALTER TABLE users
    ADD COLUMN stored_bytes  bigint NOT NULL DEFAULT 0,
    ADD COLUMN removed_bytes bigint NOT NULL DEFAULT 0,      -- of deleted photos, as of removed_at; they count less by the hour
    ADD COLUMN removed_at    timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN storage_quota bigint                          -- bytes; 0: none; null: that of the settings
               CONSTRAINT users_storage_quota_natural CHECK (storage_quota >= 0);

-- Changes that the counters of users do not have yet, so that photos of one user that come at once need not wait for each other.
-- fold_storage adds them.
CREATE TABLE storage_changes (
    owner_id uuid        NOT NULL CONSTRAINT storage_changes_owner_id_fkey REFERENCES users (id) ON DELETE CASCADE,
    bytes    bigint      NOT NULL,                           -- below zero: deleted
    made_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX storage_changes_owner ON storage_changes (owner_id);

CREATE TRIGGER photos_count_added AFTER INSERT ON photos
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_photos();

CREATE TRIGGER photos_count_removed AFTER DELETE ON photos
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_photos();

CREATE TRIGGER photos_count_changed AFTER UPDATE OF sha256, deleted_at, caption, alt_text ON photos
    FOR EACH ROW EXECUTE FUNCTION count_changed_photo();

-- The triggers have locked out writers until this transaction ends.
UPDATE users u SET stored_bytes = s.bytes
  FROM (SELECT p.owner_id, sum(counted_bytes(b.bytes, p.caption, p.alt_text))::bigint AS bytes FROM photos p JOIN blobs b ON b.sha256 = p.sha256
         WHERE p.deleted_at IS NULL GROUP BY p.owner_id) s
 WHERE u.id = s.owner_id;
