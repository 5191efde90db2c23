-- Counts the photos of a statement once for each owner.
CREATE OR REPLACE FUNCTION count_added_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO storage_changes (owner_id, bytes)
    SELECT p.owner_id, sum(counted_bytes(b.bytes, p.caption, p.alt_text))
      FROM added p JOIN blobs b ON b.sha256 = p.sha256
     WHERE p.deleted_at IS NULL GROUP BY p.owner_id;
    RETURN NULL;
END
$$;
