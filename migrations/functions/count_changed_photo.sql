-- A photo that is deleted keeps its row without its file. Likes do not come here.
CREATE OR REPLACE FUNCTION count_changed_photo() RETURNS trigger LANGUAGE plpgsql AS $$
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
