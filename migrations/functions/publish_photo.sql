-- Makes a photo whose time has come, with what is part of it, as visible as its owner planned. False: it is published, a draft, or gone.
CREATE OR REPLACE FUNCTION publish_photo(p_photo uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_visibility visibility;
BEGIN
    UPDATE photos
       SET visibility = planned_visibility, planned_visibility = NULL, publish_at = NULL, published_at = now(),
           version = version + 1
     WHERE id = p_photo AND publish_at IS NOT NULL AND deleted_at IS NULL
    RETURNING visibility INTO v_visibility;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE photos SET visibility = 'unlisted', version = version + 1
     WHERE part_of = p_photo AND deleted_at IS NULL AND v_visibility <> 'private';
    RETURN true;
END $$;
