-- Holds the lanes that a photo, those that are part of it, and those that it goes along with go through, before its row and submissions
-- are changed.
CREATE OR REPLACE FUNCTION lock_lanes(p_photo uuid, p_owner uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM lanes
     WHERE connection_id IN (SELECT s.connection_id
                               FROM submissions s
                              CROSS JOIN LATERAL (SELECT FROM photos p WHERE p.id = s.photo_id AND p.owner_id = p_owner LIMIT 1) p
                              WHERE s.photo_id = ANY (ARRAY(
                                        SELECT p_photo
                                        UNION ALL SELECT o.id FROM photos o WHERE o.part_of = p_photo
                                        UNION ALL SELECT n.photo_id FROM companions n WHERE n.companion_id = p_photo)))
     ORDER BY connection_id FOR NO KEY UPDATE;
END $$;
