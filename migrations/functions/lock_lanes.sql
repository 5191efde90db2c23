-- Holds the lanes that a photo and those that are part of it go through, before its row and its submissions are changed.
CREATE OR REPLACE FUNCTION lock_lanes(p_photo uuid, p_owner uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM lanes
     WHERE connection_id IN (SELECT s.connection_id FROM submissions s JOIN photos p ON p.id = s.photo_id
                              WHERE (p.id = p_photo OR p.part_of = p_photo) AND p.owner_id = p_owner)
     ORDER BY connection_id FOR NO KEY UPDATE;
END $$;
