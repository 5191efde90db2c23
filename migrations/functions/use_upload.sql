-- Marks that an upload has become this photo; it becomes only one.
CREATE OR REPLACE FUNCTION use_upload(upload uuid, photo uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE uploads SET photo_id = photo WHERE id = upload AND state = 'complete' AND photo_id IS NULL;
    IF NOT FOUND THEN
        RAISE unique_violation USING MESSAGE = 'the upload is a photo already', CONSTRAINT = 'uploads_used_once';
    END IF;
END
$$;
